#include <cstddef>
#include <cstdint>
#include <string_view>

#include "api/codec/json_text.h"
#include "base/check.h"

// Any bytes: reading must not fail in any other way than with an error, and what was read must
// survive writing and reading again, as JSON and as YAML.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace kueue::api;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto check = [](const Json& value) {
    const auto again = ParseJson(WriteJson(value));
    KUEUE_CHECK(again.ok() && *again == value);
    const auto pretty = ParseJson(WriteJsonPretty(value));
    KUEUE_CHECK(pretty.ok() && *pretty == value);
    const auto yaml = ParseYaml(WriteYaml(value));
    KUEUE_CHECK(yaml.ok());
    KUEUE_CHECK(value.IsNull() ? yaml->empty() : yaml->size() == 1 && (*yaml)[0] == value);
  };
  std::vector<DuplicateKey> duplicates;
  const auto json = ParseJson(text, {}, &duplicates);
  if (json.ok()) check(*json);
  const auto documents = ParseYaml(text, &duplicates);
  if (documents.ok()) {
    for (const Json& document : *documents) check(document);
  }
  return 0;
}
