#include <charconv>

#include "api/codec/json_text.h"

namespace kueue::api {
namespace {

// Length of the well-formed UTF-8 sequence at `text[at]`; 0 if there is none.
size_t SequenceLength(std::string_view text, size_t at) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[at + i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return 1;
  const size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || at + length > text.size()) return 0;
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
  }
  // Overlong forms, surrogates and what lies beyond U+10FFFF.
  const unsigned char second = byte(1);
  if ((lead == 0xe0 && second < 0xa0) || (lead == 0xed && second > 0x9f) ||
      (lead == 0xf0 && second < 0x90) || (lead == 0xf4 && second > 0x8f)) {
    return 0;
  }
  return length;
}

void AppendEscape(std::string& out, unsigned char c) {
  static constexpr char kHex[] = "0123456789abcdef";
  switch (c) {
    case '"': out += "\\\""; return;
    case '\\': out += "\\\\"; return;
    case '\b': out += "\\b"; return;
    case '\f': out += "\\f"; return;
    case '\n': out += "\\n"; return;
    case '\r': out += "\\r"; return;
    case '\t': out += "\\t"; return;
    default:
      out += "\\u00";
      out += kHex[c >> 4];
      out += kHex[c & 15];
  }
}

void AppendString(std::string& out, std::string_view text) {
  out += '"';
  size_t plain = 0;  // start of the run that needs no change
  for (size_t i = 0; i < text.size();) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (c >= 0x20 && c < 0x80 && c != '"' && c != '\\') {
      ++i;
      continue;
    }
    const size_t length = c < 0x80 ? 0 : SequenceLength(text, i);
    if (length > 0) {
      i += length;
      continue;
    }
    out.append(text, plain, i - plain);
    if (c < 0x80) {
      AppendEscape(out, c);
    } else {
      out += "\xef\xbf\xbd";  // U+FFFD
    }
    plain = ++i;
  }
  out.append(text, plain);
  out += '"';
}

void AppendInt(std::string& out, int64_t value) {
  char digits[24];
  out.append(digits, std::to_chars(digits, digits + sizeof(digits), value).ptr);
}

// Writes compact text when `indent` is 0.
class Writer {
 public:
  explicit Writer(int indent) : indent_(indent) {}
  std::string Take() { return std::move(out_); }

  void Write(const Json& value, int depth) {
    switch (value.type()) {
      case Json::Type::kNull: out_ += "null"; return;
      case Json::Type::kBool: out_ += value.AsBool() ? "true" : "false"; return;
      case Json::Type::kInt: AppendInt(out_, value.AsInt()); return;
      case Json::Type::kNumber: out_ += value.NumberText(); return;
      case Json::Type::kString: AppendString(out_, value.AsString()); return;
      case Json::Type::kArray: WriteArray(value.AsArray(), depth); return;
      case Json::Type::kObject: WriteObject(value.AsObject(), depth); return;
    }
  }

 private:
  void WriteArray(const Json::Array& array, int depth) {
    out_ += '[';
    bool first = true;
    for (const Json& item : array) {
      if (!first) out_ += ',';
      first = false;
      NewLine(depth + 1);
      Write(item, depth + 1);
    }
    if (!first) NewLine(depth);
    out_ += ']';
  }

  void WriteObject(const Json::Object& object, int depth) {
    out_ += '{';
    bool first = true;
    for (const auto& member : object) {
      if (!first) out_ += ',';
      first = false;
      NewLine(depth + 1);
      AppendString(out_, member.key);
      out_ += indent_ > 0 ? ": " : ":";
      Write(member.value, depth + 1);
    }
    if (!first) NewLine(depth);
    out_ += '}';
  }

  void NewLine(int depth) {
    if (indent_ <= 0) return;
    out_ += '\n';
    out_.append(static_cast<size_t>(indent_) * static_cast<size_t>(depth), ' ');
  }

  int indent_;
  std::string out_;
};

}  // namespace

std::string WriteJson(const Json& value) {
  Writer writer(0);
  writer.Write(value, 0);
  return writer.Take();
}

std::string WriteJsonPretty(const Json& value, int indent) {
  Writer writer(indent);
  writer.Write(value, 0);
  return writer.Take();
}

}  // namespace kueue::api
