#include <cstddef>
#include <cstdint>
#include <string_view>

#include "api/codec/json_text.h"
#include "api/schema/conversion.h"
#include "api/schema/kind.h"
#include "base/check.h"

// Any JSON as an object of every kind with two versions: a conversion may refuse it, and what it
// gives can be written, read and converted back.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace kueue::api;
  auto parsed = ParseJson(std::string_view(reinterpret_cast<const char*>(data), size));
  if (!parsed.ok() || !parsed->IsObject()) return 0;
  for (const KindInfo* kind : AllKinds()) {
    if (kind->stored == nullptr) continue;
    Json object = *parsed;
    object.Set("apiVersion", kind->ApiVersion());
    object.Set("kind", kind->kind);
    if (!TypeErrors(*kind, object).empty()) continue;  // the server never converts these
    if (!ToStored(*kind, object).empty()) continue;
    Json older = object;
    if (!FromStored(*kind, older).empty()) continue;
    const auto again = ParseJson(WriteJson(older));
    KUEUE_CHECK(again.ok() && *again == older);
    // What came out of the newer version goes back into it.
    KUEUE_CHECK(ToStored(*kind, older).empty());
  }
  return 0;
}
