#include <fmt/format.h>

#include <algorithm>

#include "api/codec/json_text.h"
#include "api/codec/yaml_scalar.h"

namespace kueue::api {
namespace {

bool IsBlank(char c) { return c == ' ' || c == '\n'; }

// Non-ASCII characters that YAML does not let stand or takes for line breaks, as their UTF-8 form:
// C1 controls, U+2028, U+2029, the byte order mark, U+FFFE and U+FFFF.
size_t SpecialLength(std::string_view text, size_t at) {
  const auto byte = [&](size_t i) {
    return at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0;
  };
  if (byte(0) == 0xc2 && byte(1) >= 0x80 && byte(1) < 0xa0) return 2;
  if (byte(0) == 0xe2 && byte(1) == 0x80 && (byte(2) == 0xa8 || byte(2) == 0xa9)) return 3;
  if (byte(0) == 0xef && byte(1) == 0xbb && byte(2) == 0xbf) return 3;
  if (byte(0) == 0xef && byte(1) == 0xbf && byte(2) >= 0xbe) return 3;
  return 0;
}

// JSON's string syntax is YAML's double-quoted style; only some characters need an escape more.
std::string DoubleQuoted(std::string_view text) {
  const std::string json = WriteJson(Json(text));
  std::string out;
  out.reserve(json.size());
  for (size_t i = 0; i < json.size();) {
    const size_t special = SpecialLength(json, i);
    if (special == 0 && json[i] != 0x7f) {
      out += json[i++];
      continue;
    }
    const auto byte = [&](size_t k) { return static_cast<unsigned>(json[i + k]) & 0x3f; };
    const unsigned code =
        special == 0   ? 0x7f
        : special == 2 ? 0x80 | byte(1)
                       : (static_cast<unsigned>(json[i]) & 0xf) << 12 | byte(1) << 6 | byte(2);
    out += fmt::format("\\u{:04x}", code);
    i += special == 0 ? 1 : special;
  }
  return out;
}

// No character that only a double-quoted scalar can hold.
bool IsPrintable(std::string_view text) {
  bool ascii = true;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte < 0x20 && c != '\n') || byte == 0x7f) return false;
    ascii = ascii && byte < 0x80;
  }
  if (ascii) return true;
  // Whatever else quoting would change is a bad or a special character.
  std::string masked(text);
  for (char& c : masked) {
    if (static_cast<unsigned char>(c) < 0x80) c = ' ';
  }
  return DoubleQuoted(masked) == '"' + masked + '"';
}

// The text reads back as itself without quotes, apart from its type.
bool CanBePlain(std::string_view text) {
  if (text.empty() || IsBlank(text.front()) || IsBlank(text.back()) || !IsPrintable(text)) {
    return false;
  }
  if (std::string_view(",[]{}#&*!|>'\"%@`").find(text[0]) != std::string_view::npos) return false;
  const bool alone = text.size() == 1 || text[1] == ' ';
  if (std::string_view("-?:").find(text[0]) != std::string_view::npos && alone) return false;
  if (text.substr(0, 3) == "---" || text.substr(0, 3) == "...") return false;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\n') return false;
    if (text[i] == ':' && (i + 1 == text.size() || text[i + 1] == ' ')) return false;
    if (text[i] == '#' && i > 0 && text[i - 1] == ' ') return false;
  }
  return true;
}

// Several lines that a literal block (|) gives back unchanged.
bool CanBeLiteral(std::string_view text) {
  if (text.find('\n') == std::string_view::npos || IsBlank(text.front()) || !IsPrintable(text)) {
    return false;
  }
  return text.back() != ' ' && text.find(" \n") == std::string_view::npos;
}

std::string OneLine(const std::string& text) {
  if (CanBePlain(text)) return NeedsQuotesToBeString(text) ? DoubleQuoted(text) : text;
  if (text.empty() || !IsPrintable(text) || text.find('\n') != std::string::npos) {
    return DoubleQuoted(text);
  }
  std::string out = "'";
  for (const char c : text) {
    out += c;
    if (c == '\'') out += c;
  }
  return out += '\'';
}

// YAML reads "key:" only where the key takes at most 1,024 characters as written; Kubernetes' own
// writer stops at this many bytes of the key itself, which stays below that when each is escaped.
constexpr size_t kLongestSimpleKey = 128;

class YamlWriter {
 public:
  std::string Take() { return std::move(out_); }

  void Document(const Json& value) {
    if (value.size() > 0) {
      Block(value, 0, false);
    } else {
      out_ += Inline(value, 2);
      out_ += '\n';
    }
  }

 private:
  // A container with entries, each on its own line. `first_placed`: the first line's indentation
  // is written already (after "- ").
  void Block(const Json& value, size_t indent, bool first_placed) {
    if (value.IsArray()) {
      for (const Json& item : value.AsArray()) {
        if (!first_placed) out_.append(indent, ' ');
        first_placed = false;
        out_ += '-';
        if (item.size() > 0) {
          out_ += ' ';
          Block(item, indent + 2, true);
        } else {
          out_ += ' ';
          out_ += Inline(item, indent + 2);
          out_ += '\n';
        }
      }
      return;
    }
    for (const auto& [key, member] : value.AsObject()) {
      if (!first_placed) out_.append(indent, ' ');
      first_placed = false;
      Member(key, member, indent);
    }
  }

  void Member(const std::string& key, const Json& value, size_t indent) {
    if (key.size() > kLongestSimpleKey) return ExplicitMember(key, value, indent);
    out_ += OneLine(key);
    out_ += ':';
    if (value.size() > 0) {
      out_ += '\n';
      // Lists stand below their key without indentation of their own.
      Block(value, value.IsArray() ? indent : indent + 2, false);
      return;
    }
    out_ += ' ';
    out_ += Inline(value, indent + 2);
    out_ += '\n';
  }

  // A key too long to be followed by its colon on one line: "? key" and ": value".
  void ExplicitMember(const std::string& key, const Json& value, size_t indent) {
    out_ += "? ";
    out_ += OneLine(key);
    out_ += '\n';
    out_.append(indent, ' ');
    out_ += ": ";
    if (value.size() > 0) return Block(value, indent + 2, true);
    out_ += Inline(value, indent + 2);
    out_ += '\n';
  }

  // A scalar or an empty container; a literal block's lines are indented by `indent`.
  static std::string Inline(const Json& value, size_t indent) {
    if (!value.IsString()) return WriteJson(value);
    const std::string& text = value.AsString();
    if (!text.empty() && CanBeLiteral(text)) return Literal(text, indent);
    return OneLine(text);
  }

  static std::string Literal(std::string_view text, size_t indent) {
    std::string out = "|";
    if (text.back() != '\n') {
      out += '-';
    } else {
      text.remove_suffix(1);
      if (!text.empty() && text.back() == '\n') out += '+';
    }
    for (size_t from = 0; from <= text.size();) {
      const size_t end = std::min(text.find('\n', from), text.size());
      out += '\n';
      if (end > from) out.append(indent, ' ').append(text.substr(from, end - from));
      from = end + 1;
    }
    return out;
  }

  std::string out_;
};

}  // namespace

std::string WriteYaml(const Json& value) {
  YamlWriter writer;
  writer.Document(value);
  return writer.Take();
}

}  // namespace kueue::api
