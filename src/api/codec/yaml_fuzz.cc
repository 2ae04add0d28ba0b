#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "api/codec/json_text.h"
#include "base/check.h"

// Any bytes as YAML, and as the text of one scalar: reading gives an error or documents that
// survive writing, and every text is written so that it stays a text.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace kueue::api;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  std::vector<DuplicateKey> duplicates;
  if (const auto documents = ParseYaml(text, &duplicates); documents.ok()) {
    for (const Json& document : *documents) {
      const auto again = ParseYaml(WriteYaml(document));
      KUEUE_CHECK(again.ok());
      KUEUE_CHECK(document.IsNull() ? again->empty()
                                    : again->size() == 1 && (*again)[0] == document);
    }
  }
  // Bytes that are no UTF-8 are replaced when written.
  const auto clean = ParseJson(WriteJson(Json(text)));
  KUEUE_CHECK(clean.ok() && clean->IsString());
  Json object = Json::MakeObject();
  object.Set(clean->AsString(), *clean);
  Json list = Json::MakeArray();
  list.Append(*clean);
  object.Set("list", std::move(list));
  const auto again = ParseYaml(WriteYaml(object));
  KUEUE_CHECK(again.ok() && again->size() == 1 && (*again)[0] == object);
  return 0;
}
