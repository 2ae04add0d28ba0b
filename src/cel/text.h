#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace kueue::cel {

// UTF-8 in code points. Bytes that are not UTF-8 count as one code point each.
size_t CountPoints(std::string_view text);
// The byte where code point number `point` begins; text.size() when there are fewer.
size_t ByteOfPoint(std::string_view text, size_t point);
// Bytes of the code point that begins at `at`. REQUIRES at < text.size().
size_t PointLength(std::string_view text, size_t at);
// The code point that begins at `at`; U+FFFD for bytes that are not UTF-8.
uint32_t PointAt(std::string_view text, size_t at);
void AppendPoint(uint32_t point, std::string* out);
bool IsValidUtf8(std::string_view text);

// The shortest text that reads back as the same number, as Go's strconv writes it: "1.5",
// "1e+21", "+Inf", "NaN".
std::string DoubleText(double d);
// The same without an exponent, whatever the size.
std::string PlainDoubleText(double d);

// In double quotes, with JSON's escapes.
std::string QuoteText(std::string_view text);

// The whole text as a number; false when it is none or too large.
bool ReadInt(std::string_view text, int64_t* out);
bool ReadUint(std::string_view text, uint64_t* out);
bool ReadDouble(std::string_view text, double* out);

}  // namespace kueue::cel
