// Any bytes as an expression: compiling and evaluating end, in bounded time and stack, with a
// value or an error; what compiles once compiles again.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "cel/test_bench.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using kueue::cel::Bench;
  static const Bench& bench = *new Bench({.math = true, .encoders = true, .bindings = true});
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const Bench::Outcome first = bench.Run(text);
  KUEUE_CHECK(!first.text.empty());
  const Bench::Outcome second = bench.Run(text);
  KUEUE_CHECK_MSG(first.text == second.text && first.cost == second.cost, std::string(text));
  return 0;
}
