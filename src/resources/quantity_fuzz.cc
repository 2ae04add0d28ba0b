// Any bytes: reading never fails worse than with an Error, and what is read, written and read
// again is the same quantity, whose text settles after one more round at most.
#include <cstddef>
#include <cstdint>

#include "base/check.h"
#include "resources/quantity.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using kueue::resources::Quantity;
  const auto quantity = Quantity::Parse({reinterpret_cast<const char*>(data), size});
  if (!quantity) return 0;
  const std::string text = quantity->ToString();
  const auto again = Quantity::Parse(text);
  KUEUE_CHECK_MSG(again.ok() && *again == *quantity, text);
  // A binary quantity without a suffix becomes a decimal one on the way; nothing else changes.
  const std::string settled = again->ToString();
  KUEUE_CHECK_MSG(settled == text || quantity->format() == Quantity::Format::kBinarySI, text);
  const auto last = Quantity::Parse(settled);
  KUEUE_CHECK_MSG(last.ok() && *last == *quantity && last->ToString() == settled, settled);
  // The integers round away from zero and keep the sign.
  KUEUE_CHECK((quantity->Units() > 0) == (quantity->Sign() > 0));
  KUEUE_CHECK((quantity->Milli() < 0) == (quantity->Sign() < 0));
  quantity->ToDouble();
  return 0;
}
