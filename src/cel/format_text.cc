// string.format(): %s %d %f %e %b %o %x %X %%, with a precision for %f and %e.
#include "cel/format_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "cel/moment.h"
#include "cel/text.h"

namespace kueue::cel {
namespace {

using Kind = Value::Kind;

constexpr int kDefaultPrecision = 6;
constexpr int kMostPrecision = 1000;

struct Clause {
  char verb = 0;
  int precision = kDefaultPrecision;
};

// Reads what follows a percent sign. Empty, or what is wrong with it.
std::string ReadClause(std::string_view* rest, Clause* clause) {
  if (!rest->empty() && (*rest)[0] == '.') {
    rest->remove_prefix(1);
    size_t digits = 0;
    int precision = 0;
    while (digits < rest->size() && (*rest)[digits] >= '0' && (*rest)[digits] <= '9') {
      precision = std::min(kMostPrecision + 1, precision * 10 + ((*rest)[digits] - '0'));
      ++digits;
    }
    rest->remove_prefix(digits);
    if (digits == 0)
      return "could not parse formatting clause: error while parsing precision: no number";
    if (precision > kMostPrecision)
      return fmt::format("could not parse formatting clause: the precision is above {}",
                         kMostPrecision);
    clause->precision = precision;
  }
  if (rest->empty()) return "unexpected end of string";
  const size_t length = PointLength(*rest, 0);
  const std::string_view verb = rest->substr(0, length);
  rest->remove_prefix(length);
  if (length != 1 || std::string_view("sdfebxXo").find(verb[0]) == std::string_view::npos)
    return fmt::format("could not parse formatting clause: unrecognized formatting clause \"{}\"",
                       verb);
  clause->verb = verb[0];
  return {};
}

std::string_view Takes(char verb) {
  switch (verb) {
    case 's':
      return "string clause can only be used on strings, bools, bytes, ints, doubles, maps, "
             "lists, types, durations, and timestamps";
    case 'd':
      return "decimal clause can only be used on integers";
    case 'f':
      return "fixed-point clause can only be used on doubles";
    case 'e':
      return "scientific clause can only be used on doubles";
    case 'b':
      return "only integers and bools can be formatted as binary";
    case 'o':
      return "octal clause can only be used on integers";
    default:
      return "only integers, byte buffers, and strings can be formatted as hex";
  }
}

std::string Refusal(char verb, std::string_view type) {
  return fmt::format("error during formatting: {}, was given {}", Takes(verb), type);
}

bool AppendNested(const Value& v, int depth, Work* work, std::string* out);

bool AppendList(const Value& v, int depth, Work* work, std::string* out) {
  *out += '[';
  for (size_t i = 0; i < v.size(); ++i) {
    if (i > 0) *out += ", ";
    if (!AppendNested(v.At(i), depth + 1, work, out)) return false;
  }
  *out += ']';
  return true;
}

bool AppendMap(const Value& v, int depth, Work* work, std::string* out) {
  std::vector<std::pair<std::string, std::string>> entries;
  for (size_t i = 0; i < v.size(); ++i) {
    const auto [key, value] = v.EntryAt(i);
    std::string key_text;
    std::string value_text;
    if (!AppendNested(key, depth + 1, work, &key_text) ||
        !AppendNested(value, depth + 1, work, &value_text))
      return false;
    entries.emplace_back(std::move(key_text), std::move(value_text));
  }
  std::sort(entries.begin(), entries.end());
  *out += '{';
  for (size_t i = 0; i < entries.size(); ++i) {
    if (i > 0) *out += ", ";
    *out += entries[i].first + ":" + entries[i].second;
  }
  *out += '}';
  return true;
}

// A value within a list or a map, and %s of those themselves.
bool AppendNested(const Value& v, int depth, Work* work, std::string* out) {
  if (depth > 250 || !work->Spend(1)) return false;
  switch (v.kind()) {
    case Kind::kNull:
      *out += "null";
      return true;
    case Kind::kBool:
      *out += v.AsBool() ? "true" : "false";
      return true;
    case Kind::kInt:
      *out += std::to_string(v.AsInt());
      return true;
    case Kind::kUint:
      *out += std::to_string(v.AsUint());
      return true;
    case Kind::kDouble:
      *out += std::isfinite(v.AsDouble()) ? fmt::format("{:.6f}", v.AsDouble())
                                          : DoubleText(v.AsDouble());
      return true;
    case Kind::kString:
      *out += QuoteText(v.AsText());
      return true;
    case Kind::kBytes:
      *out += "b" + QuoteText(v.AsText());
      return true;
    case Kind::kDuration:
      *out += "duration(\"" + DurationText(v.AsNanoseconds()) + "\")";
      return true;
    case Kind::kTimestamp:
      *out += "timestamp(\"" + TimestampText(v) + "\")";
      return true;
    case Kind::kType:
      *out += v.AsText();
      return true;
    case Kind::kList:
      return AppendList(v, depth, work, out);
    case Kind::kMap:
      if (v.IsObject()) return false;
      return AppendMap(v, depth, work, out);
    default:
      return false;
  }
}

std::optional<std::string> AsString(const Value& v, Work* work) {
  switch (v.kind()) {
    case Kind::kString:
    case Kind::kBytes:
      return std::string(v.AsText());
    case Kind::kDouble:
      return DoubleText(v.AsDouble());
    case Kind::kDuration:
      return DurationText(v.AsNanoseconds());
    case Kind::kTimestamp:
      return TimestampText(v);
    default:
      break;
  }
  std::string out;
  if (!AppendNested(v, 0, work, &out)) return std::nullopt;
  return out;
}

std::string InBase(const Value& v, int base) {
  const bool negative = v.is(Kind::kInt) && v.AsInt() < 0;
  uint64_t rest = v.is(Kind::kUint) ? v.AsUint() : static_cast<uint64_t>(v.AsInt());
  if (negative) rest = 0 - rest;
  std::string digits;
  do {
    digits += "0123456789abcdef"[rest % static_cast<uint64_t>(base)];
    rest /= static_cast<uint64_t>(base);
  } while (rest > 0);
  if (negative) digits += '-';
  return {digits.rbegin(), digits.rend()};
}

// A text that stands for a number that is none, in %f and %e.
std::optional<double> AsDouble(const Value& v) {
  if (v.is(Kind::kDouble)) return v.AsDouble();
  if (!v.is(Kind::kString)) return std::nullopt;
  if (v.AsText() == "NaN") return std::nan("");
  if (v.AsText() == "Infinity") return HUGE_VAL;
  if (v.AsText() == "-Infinity") return -HUGE_VAL;
  return std::nullopt;
}

std::string NotFinite(double d) { return std::isnan(d) ? "NaN" : d > 0 ? "∞" : "-∞"; }

// Thousands are grouped with commas.
std::string FixedPoint(double d, int precision) {
  if (!std::isfinite(d)) return NotFinite(d);
  std::string text = fmt::format("{:.{}f}", d, precision);
  size_t end = std::min(text.find('.'), text.size());
  const size_t start = text[0] == '-' ? 1 : 0;
  while (end > start + 3) {
    end -= 3;
    text.insert(end, 1, ',');
  }
  return text;
}

// "1.234560×10⁰²". Kubernetes always writes six digits, whatever the precision.
std::string Scientific(double d) {
  if (!std::isfinite(d)) return NotFinite(d);
  const std::string text = fmt::format("{:.6e}", d);
  const size_t mark = text.find('e');
  std::string out = text.substr(0, mark) + "×10";
  if (text[mark + 1] == '-') out += "⁻";
  static const char* const kRaised[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  for (size_t i = mark + 2; i < text.size(); ++i) out += kRaised[text[i] - '0'];
  return out;
}

std::string Upper(std::string text) {
  for (char& c : text) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return text;
}

std::optional<std::string> AsHex(const Value& v) {
  if (v.is(Kind::kInt) || v.is(Kind::kUint)) return InBase(v, 16);
  if (!v.is(Kind::kString) && !v.is(Kind::kBytes)) return std::nullopt;
  std::string out;
  for (const char c : v.AsText()) out += fmt::format("{:02x}", static_cast<uint8_t>(c));
  return out;
}

std::optional<std::string> Apply(const Clause& clause, const Value& v, Work* work) {
  const bool integer = v.is(Kind::kInt) || v.is(Kind::kUint);
  switch (clause.verb) {
    case 's':
      return AsString(v, work);
    case 'd':
      return integer ? std::optional(InBase(v, 10)) : std::nullopt;
    case 'o':
      return integer ? std::optional(InBase(v, 8)) : std::nullopt;
    case 'b':
      if (v.is(Kind::kBool)) return v.AsBool() ? "1" : "0";
      return integer ? std::optional(InBase(v, 2)) : std::nullopt;
    case 'x':
      return AsHex(v);
    case 'X': {
      auto hex = AsHex(v);
      return hex.has_value() ? std::optional(Upper(*hex)) : std::nullopt;
    }
    default: {
      const auto number = AsDouble(v);
      if (!number.has_value()) return std::nullopt;
      return clause.verb == 'f' ? FixedPoint(*number, clause.precision) : Scientific(*number);
    }
  }
}

// Walks the format: `text` gets what stands between clauses, `clause` each clause and the number
// of its argument. Either returns what is wrong, empty when nothing is.
template <class OnText, class OnClause>
std::string Walk(std::string_view format, size_t arguments, OnText on_text, OnClause on_clause) {
  size_t next = 0;
  while (true) {
    const size_t percent = format.find('%');
    on_text(format.substr(0, percent));
    if (percent == std::string_view::npos) break;
    format.remove_prefix(percent + 1);
    if (!format.empty() && format[0] == '%') {
      on_text("%");
      format.remove_prefix(1);
      continue;
    }
    if (format.empty()) return "unexpected end of string";
    if (next >= arguments) return fmt::format("index {} out of range", next);
    Clause clause;
    if (std::string wrong = ReadClause(&format, &clause); !wrong.empty()) return wrong;
    if (std::string wrong = on_clause(clause, next); !wrong.empty()) return wrong;
    ++next;
  }
  if (next < arguments)
    return fmt::format("too many arguments supplied to string.format (expected {}, got {})", next,
                       arguments);
  return {};
}

bool MayTake(char verb, const Type& type) {
  using T = Type::Kind;
  switch (type.kind()) {
    case T::kDyn:
    case T::kParam:
    case T::kError:
      return true;
    case T::kInt:
    case T::kUint:
      return verb != 'f' && verb != 'e';
    case T::kBool:
      return verb == 's' || verb == 'b';
    case T::kString:
      return verb != 'd' && verb != 'o' && verb != 'b';
    case T::kBytes:
      return verb == 's' || verb == 'x' || verb == 'X';
    case T::kDouble:
      return verb == 's' || verb == 'f' || verb == 'e';
    case T::kObject:
    case T::kOpaque:
    case T::kOptional:
      return false;
    default:
      return verb == 's';
  }
}

}  // namespace

Value FormatText(std::string_view format, const Value& arguments, Work* work) {
  std::string out;
  std::string wrong = Walk(
      format, arguments.size(), [&](std::string_view text) { out += text; },
      [&](const Clause& clause, size_t i) {
        const Value argument = arguments.At(i);
        const size_t before = out.size();
        const auto text = Apply(clause, argument, work);
        if (!text.has_value()) return Refusal(clause.verb, argument.TypeText());
        out += *text;
        work->Spend((out.size() - before) / 16);
        return std::string();
      });
  return wrong.empty() ? Value::String(std::move(out)) : Value::Error(std::move(wrong));
}

std::string CheckFormat(std::string_view format, const std::vector<TypeRef>& arguments,
                        size_t* wrong) {
  *wrong = arguments.size();
  return Walk(
      format, arguments.size(), [](std::string_view) {},
      [&](const Clause& clause, size_t i) {
        if (MayTake(clause.verb, *arguments[i])) return std::string();
        *wrong = i;
        const bool optional = arguments[i]->kind() == Type::Kind::kOptional;
        return Refusal(clause.verb, optional ? "optional_type" : arguments[i]->ToString());
      });
}

}  // namespace kueue::cel
