// Functions on strings. Positions count code points.
#include <fmt/format.h>

#include <algorithm>

#include "cel/catalogue.h"
#include "cel/format_text.h"
#include "cel/text.h"

namespace kueue::cel {
namespace {

using Kind = Value::Kind;

bool AreTexts(const Call& call, size_t count) {
  for (size_t i = 0; i < count; ++i)
    if (!call[i].is(Kind::kString)) return false;
  return true;
}
Value OutOfRange(int64_t index) {
  return Value::Error(fmt::format("index out of range: {}", index));
}
Value Piece(const Value& whole, std::string_view part) {
  if (part.size() == whole.AsText().size()) return whole;
  return Value::String(std::string(part));
}

Value Contains(const Call& call) {
  if (!AreTexts(call, 2)) return {};
  return Value::Bool(call[0].AsText().find(call[1].AsText()) != std::string_view::npos);
}
Value StartsWith(const Call& call) {
  if (!AreTexts(call, 2)) return {};
  const std::string_view start = call[1].AsText();
  return Value::Bool(call[0].AsText().substr(0, start.size()) == start);
}
Value EndsWith(const Call& call) {
  if (!AreTexts(call, 2)) return {};
  const std::string_view text = call[0].AsText();
  const std::string_view end = call[1].AsText();
  return Value::Bool(text.size() >= end.size() && text.substr(text.size() - end.size()) == end);
}

Value CharAt(const Call& call) {
  if (!AreTexts(call, 1) || !call[1].is(Kind::kInt)) return {};
  const std::string_view text = call[0].AsText();
  const int64_t index = call[1].AsInt();
  const auto count = static_cast<int64_t>(CountPoints(text));
  if (index < 0 || index > count) return OutOfRange(index);
  if (index == count) return Value::BorrowedString("");
  const size_t at = ByteOfPoint(text, static_cast<size_t>(index));
  return Value::String(std::string(text.substr(at, PointLength(text, at))));
}

Value PointIndex(std::string_view text, size_t byte) {
  if (byte == std::string_view::npos) return Value::Int(-1);
  return Value::Int(static_cast<int64_t>(CountPoints(text.substr(0, byte))));
}

Value IndexOf(const Call& call) {
  if (!AreTexts(call, 2)) return {};
  const std::string_view text = call[0].AsText();
  const std::string_view sought = call[1].AsText();
  if (call.count == 2) return PointIndex(text, text.find(sought));
  if (!call[2].is(Kind::kInt)) return {};
  const int64_t from = call[2].AsInt();
  if (sought.empty()) return Value::Int(from);
  if (from < 0) return OutOfRange(from);
  const auto count = static_cast<int64_t>(CountPoints(text));
  if (from >= count) return Value::Int(-1);
  return PointIndex(text, text.find(sought, ByteOfPoint(text, static_cast<size_t>(from))));
}

Value LastIndexOf(const Call& call) {
  if (!AreTexts(call, 2)) return {};
  const std::string_view text = call[0].AsText();
  const std::string_view sought = call[1].AsText();
  if (call.count == 2) return PointIndex(text, text.rfind(sought));
  if (!call[2].is(Kind::kInt)) return {};
  const int64_t from = call[2].AsInt();
  if (sought.empty()) return Value::Int(from);
  if (from < 0) return OutOfRange(from);
  const auto count = static_cast<int64_t>(CountPoints(text));
  if (from >= count) return Value::Int(-1);
  return PointIndex(text, text.rfind(sought, ByteOfPoint(text, static_cast<size_t>(from))));
}

template <class Change>
Value ChangeAscii(const Call& call, Change change) {
  if (!AreTexts(call, 1)) return {};
  std::string text(call[0].AsText());
  std::transform(text.begin(), text.end(), text.begin(), change);
  return Value::String(std::move(text));
}
Value LowerAscii(const Call& call) {
  return ChangeAscii(
      call, [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
}
Value UpperAscii(const Call& call) {
  return ChangeAscii(
      call, [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
}

Value Replace(const Call& call) {
  if (!AreTexts(call, 3)) return {};
  int64_t limit = -1;
  if (call.count == 4) {
    if (!call[3].is(Kind::kInt)) return {};
    limit = call[3].AsInt();
  }
  const std::string_view text = call[0].AsText();
  const std::string_view old_text = call[1].AsText();
  const std::string_view new_text = call[2].AsText();
  std::string out;
  size_t at = 0;
  while (limit != 0) {
    // An empty text is found before each code point and at the end.
    const size_t found = old_text.empty() ? at : text.find(old_text, at);
    if (found == std::string_view::npos) break;
    if (!call.work->Spend(1 + new_text.size() / 16)) return Value::BorrowedString("");
    out += text.substr(at, found - at);
    out += new_text;
    --limit;
    at = found + old_text.size();
    if (!old_text.empty()) continue;
    if (at >= text.size()) return Value::String(std::move(out));
    const size_t length = PointLength(text, at);
    out += text.substr(at, length);
    at += length;
  }
  out += text.substr(at);
  return Value::String(std::move(out));
}

Value Split(const Call& call) {
  if (!AreTexts(call, 2)) return {};
  int64_t limit = -1;
  if (call.count == 3) {
    if (!call[2].is(Kind::kInt)) return {};
    limit = call[2].AsInt();
  }
  std::string_view text = call[0].AsText();
  const std::string_view separator = call[1].AsText();
  std::vector<Value> parts;
  if (limit == 0 || (separator.empty() && text.empty())) return Value::List(std::move(parts));
  while (limit < 0 || static_cast<int64_t>(parts.size()) + 1 < limit) {
    const bool points = separator.empty();
    const size_t end = points ? PointLength(text, 0) : text.find(separator);
    if (end == std::string_view::npos || (points && end == text.size()) || !call.work->Spend(1))
      break;
    parts.push_back(Value::String(std::string(text.substr(0, end))));
    text.remove_prefix(end + separator.size());
  }
  parts.push_back(Value::String(std::string(text)));
  return Value::List(std::move(parts));
}

Value JoinTexts(const Call& call) {
  if (!call[0].is(Kind::kList)) return {};
  std::string_view separator;
  if (call.count == 2) {
    if (!call[1].is(Kind::kString)) return {};
    separator = call[1].AsText();
  }
  std::string out;
  for (size_t i = 0; i < call[0].size(); ++i) {
    const Value part = call[0].At(i);
    if (!part.is(Kind::kString)) return {};
    if (!call.work->Spend(1 + (separator.size() + part.AsText().size()) / 16)) break;
    if (i > 0) out += separator;
    out += part.AsText();
  }
  return Value::String(std::move(out));
}

Value Substring(const Call& call) {
  if (!AreTexts(call, 1) || !call[1].is(Kind::kInt)) return {};
  const std::string_view text = call[0].AsText();
  const auto count = static_cast<int64_t>(CountPoints(text));
  const int64_t start = call[1].AsInt();
  int64_t end = count;
  if (call.count == 3) {
    if (!call[2].is(Kind::kInt)) return {};
    end = call[2].AsInt();
    if (start > end)
      return Value::Error(fmt::format("invalid substring range. start: {}, end: {}", start, end));
  }
  if (start < 0 || start > count) return OutOfRange(start);
  if (end < 0 || end > count) return OutOfRange(end);
  const size_t first = ByteOfPoint(text, static_cast<size_t>(start));
  const size_t length = ByteOfPoint(text.substr(first), static_cast<size_t>(end - start));
  return Piece(call[0], text.substr(first, length));
}

bool IsSpace(uint32_t point) {
  return (point >= 9 && point <= 13) || point == 0x20 || point == 0x85 || point == 0xa0 ||
         point == 0x1680 || (point >= 0x2000 && point <= 0x200a) || point == 0x2028 ||
         point == 0x2029 || point == 0x202f || point == 0x205f || point == 0x3000;
}

Value Trim(const Call& call) {
  if (!AreTexts(call, 1)) return {};
  std::string_view text = call[0].AsText();
  while (!text.empty() && IsSpace(PointAt(text, 0))) text.remove_prefix(PointLength(text, 0));
  while (!text.empty()) {
    size_t last = text.size() - 1;
    while (last > 0 && text.size() - last < 4 && (static_cast<uint8_t>(text[last]) & 0xc0) == 0x80)
      --last;
    if (!IsSpace(PointAt(text, last)) || last + PointLength(text, last) != text.size()) break;
    text.remove_suffix(text.size() - last);
  }
  return Piece(call[0], text);
}

Value Quote(const Call& call) {
  if (!AreTexts(call, 1)) return {};
  static constexpr std::string_view kPlain = "\a\b\f\n\r\t\v\\\"";
  static constexpr std::string_view kLetters = "abfnrtv\\\"";
  const std::string_view text = call[0].AsText();
  std::string out = "\"";
  for (size_t at = 0; at < text.size();) {
    const size_t length = PointLength(text, at);
    const size_t special = kPlain.find(text[at]);
    if (special != std::string_view::npos) {
      out += '\\';
      out += kLetters[special];
    } else {
      AppendPoint(PointAt(text, at), &out);
    }
    at += length;
  }
  return Value::String(out + '"');
}

Value Format(const Call& call) {
  if (!AreTexts(call, 1) || !call[1].is(Kind::kList)) return {};
  return FormatText(call[0].AsText(), call[1], call.work);
}

}  // namespace

std::vector<FunctionRow> TextFunctions() {
  const auto first = CostRule::kFirst;
  const auto twice = CostRule::kFirstTwice;
  return {
      {"contains", true, CostRule::kContains, Contains, {"(string, string) bool"}},
      {"startsWith", true, CostRule::kSecond, StartsWith, {"(string, string) bool"}},
      {"endsWith", true, CostRule::kSecond, EndsWith, {"(string, string) bool"}},
      {"charAt", true, CostRule::kOne, CharAt, {"(string, int) string"}},
      {"indexOf",
       true,
       CostRule::kTraversal,
       IndexOf,
       {"(string, string) int", "(string, string, int) int"}},
      {"lastIndexOf",
       true,
       CostRule::kTraversal,
       LastIndexOf,
       {"(string, string) int", "(string, string, int) int"}},
      {"lowerAscii", true, first, LowerAscii, {"(string) string"}},
      {"upperAscii", true, first, UpperAscii, {"(string) string"}},
      {"replace",
       true,
       twice,
       Replace,
       {"(string, string, string) string", "(string, string, string, int) string"}},
      {"split",
       true,
       twice,
       Split,
       {"(string, string) list<string>", "(string, string, int) list<string>"}},
      {"join",
       true,
       CostRule::kResultTwice,
       JoinTexts,
       {"(list<string>) string", "(list<string>, string) string"}},
      {"substring", true, first, Substring, {"(string, int) string", "(string, int, int) string"}},
      {"trim", true, first, Trim, {"(string) string"}},
      {"strings.quote", false, first, Quote, {"(string) string"}},
      {"format", true, first, Format, {"(string, list<dyn>) string"}},
  };
}

}  // namespace kueue::cel
