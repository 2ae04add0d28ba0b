#include "api/structural/value_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>

#include "api/codec/json_text.h"

namespace kueue::api::structural {
namespace {

Json Sorted(const Json& value) {
  if (value.IsArray()) {
    Json list = Json::MakeArray();
    for (const Json& item : value.AsArray()) list.Append(Sorted(item));
    return list;
  }
  if (!value.IsObject()) return value;
  Json::Object members;
  for (const Json::Member& member : value.AsObject()) {
    members.push_back({member.key, Sorted(member.value)});
  }
  std::sort(members.begin(), members.end(),
            [](const Json::Member& a, const Json::Member& b) { return a.key < b.key; });
  return Json(std::move(members));
}

std::string Body(std::string_view kind, std::string_view value, std::string_view detail) {
  std::string body(kind);
  if (!value.empty()) body.append(": ").append(value);
  if (!detail.empty()) body.append(": ").append(detail);
  return body;
}

}  // namespace

double DoubleOf(const Json& number) {
  if (number.IsInt()) return static_cast<double>(number.AsInt());
  // Too small is zero here, too large infinite.
  return std::strtod(number.NumberText().c_str(), nullptr);
}

std::string DoubleText(double number) {
  char buffer[64];
  const auto [end, code] =
      std::to_chars(buffer, buffer + sizeof(buffer), number, std::chars_format::scientific);
  const std::string text(buffer, end);
  const size_t e = text.find('e');
  if (code != std::errc() || e == std::string::npos) return text;
  const int exponent = std::atoi(text.c_str() + e + 1);
  if (exponent < -4 || exponent >= 21) return text;
  const auto fixed =
      std::to_chars(buffer, buffer + sizeof(buffer), number, std::chars_format::fixed);
  return std::string(buffer, fixed.ptr);
}

std::string Quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    switch (c) {
      case '"':
        out += "\\\"";
        break;
      case '\\':
        out += "\\\\";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\r':
        out += "\\r";
        break;
      case '\t':
        out += "\\t";
        break;
      case '\a':
        out += "\\a";
        break;
      case '\b':
        out += "\\b";
        break;
      case '\f':
        out += "\\f";
        break;
      case '\v':
        out += "\\v";
        break;
      default:
        if (byte < 0x20 || byte == 0x7f) {
          out += fmt::format("\\x{:02x}", byte);
        } else {
          out += c;
        }
    }
  }
  return out += '"';
}

std::string SortedJson(const Json& value) {
  std::string out;
  for (const char c : WriteJson(Sorted(value))) {
    if (c == '<' || c == '>' || c == '&') {
      out += fmt::format("\\u{:04x}", static_cast<int>(c));
    } else {
      out += c;
    }
  }
  return out;
}

std::string ValueText(const Json& value) {
  if (value.IsString()) return Quoted(value.AsString());
  if (value.IsInt()) return value.NumberText();
  if (value.IsNumber()) return DoubleText(DoubleOf(value));
  if (value.IsBool()) return value.AsBool() ? "true" : "false";
  return SortedJson(value);
}

FieldError Invalid(std::string field, const Json& value, std::string_view detail) {
  return {FieldErrorType::kInvalid, std::move(field),
          Body("Invalid value", ValueText(value), detail)};
}

FieldError InvalidWithoutValue(std::string field, std::string_view detail) {
  return {FieldErrorType::kInvalid, std::move(field), Body("Invalid value", "", detail)};
}

FieldError TypeInvalid(std::string field, const Json& value, std::string_view detail) {
  return {FieldErrorType::kTypeInvalid, std::move(field),
          Body("Invalid value", ValueText(value), detail)};
}

FieldError Required(std::string field, std::string_view detail) {
  return {FieldErrorType::kRequired, std::move(field), Body("Required value", "", detail)};
}

FieldError Forbidden(std::string field, std::string_view detail) {
  return {FieldErrorType::kForbidden, std::move(field), Body("Forbidden", "", detail)};
}

FieldError Duplicate(std::string field, const Json& value) {
  return {FieldErrorType::kDuplicate, std::move(field),
          Body("Duplicate value", ValueText(value), "")};
}

FieldError NotSupported(std::string field, const Json& value,
                        const std::vector<std::string>& supported) {
  std::string detail;
  for (const std::string& text : supported) {
    detail += detail.empty() ? "supported values: " : ", ";
    detail += Quoted(text);
  }
  return {FieldErrorType::kNotSupported, std::move(field),
          Body("Unsupported value", ValueText(value), detail)};
}

FieldError TooLong(std::string field, int64_t limit) {
  return {FieldErrorType::kTooLong, std::move(field),
          fmt::format("Too long: may not be more than {} byte{}", limit, limit == 1 ? "" : "s")};
}

FieldError TooMany(std::string field, int64_t actual, int64_t limit) {
  return {FieldErrorType::kTooMany, std::move(field),
          fmt::format("Too many: {}: must have at most {} item{}", actual, limit,
                      limit == 1 ? "" : "s")};
}

std::string AggregateText(const std::vector<FieldError>& errors) {
  std::vector<std::string> texts;
  for (const FieldError& error : errors) {
    std::string text = error.field + ": " + error.message;
    if (std::find(texts.begin(), texts.end(), text) == texts.end()) {
      texts.push_back(std::move(text));
    }
  }
  if (texts.size() == 1) return texts[0];
  return fmt::format("[{}]", fmt::join(texts, ", "));
}

std::string ChildPath(const std::string& path, std::string_view member) {
  if (path.empty()) return std::string(member);
  return fmt::format("{}.{}", path, member);
}

std::string KeyPath(const std::string& path, std::string_view key) {
  return fmt::format("{}[{}]", path, key);
}

std::string IndexPath(const std::string& path, size_t index) {
  return fmt::format("{}[{}]", path, index);
}

}  // namespace kueue::api::structural
