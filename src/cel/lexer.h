#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cel/issue.h"

namespace kueue::cel {

struct Token {
  enum class Kind : uint8_t {
    kEnd,
    kIdentifier,
    kQuoted,  // a field name in back quotes; value: the name
    kInt,     // text: the digits, perhaps with 0x
    kUint,    // text: the digits without the u
    kFloat,   // text: the number
    kString,
    kBytes,
    kSymbol,  // text: "+", "&&", "in" ...
  };
  Kind kind = Kind::kEnd;
  uint32_t offset = 0;    // of the first byte in the expression
  std::string_view text;  // as it stands in the expression
  std::string value;      // strings and bytes: what the literal stands for
};

// The tokens of an expression, the last of them kEnd. At the first mistake `issue` is set and what
// was read so far is returned. Time is linear in the text.
std::vector<Token> Tokenize(std::string_view text, Issue* issue);

}  // namespace kueue::cel
