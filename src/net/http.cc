#include "net/http.h"

#include <algorithm>

namespace kueue::net {
namespace {

char LowerAscii(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool EqualWithoutCase(std::string_view a, std::string_view b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [](char x, char y) {
           return LowerAscii(x) == LowerAscii(y);
         });
}

// The value of a hexadecimal digit, or -1.
int HexValue(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  c = LowerAscii(c);
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

bool IsUnreserved(char c) {
  const char lower = LowerAscii(c);
  return (lower >= 'a' && lower <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '.' ||
         c == '_' || c == '~';
}

// Calls `f` with every part of `text` between separators.
template <class F>
void Split(std::string_view text, char separator, F f) {
  while (true) {
    const size_t end = text.find(separator);
    f(text.substr(0, end));
    if (end == std::string_view::npos) return;
    text.remove_prefix(end + 1);
  }
}

}  // namespace

std::string_view HeaderOf(const Headers& headers, std::string_view name) {
  for (const auto& [key, value] : headers) {
    if (EqualWithoutCase(key, name)) return value;
  }
  return {};
}

std::string UrlDecode(std::string_view text, bool plus) {
  std::string out;
  out.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '%' && i + 2 < text.size()) {
      const int high = HexValue(text[i + 1]);
      const int low = HexValue(text[i + 2]);
      if (high >= 0 && low >= 0) {
        out.push_back(static_cast<char>(high * 16 + low));
        i += 2;
        continue;
      }
    }
    out.push_back(plus && c == '+' ? ' ' : c);
  }
  return out;
}

std::string UrlEncode(std::string_view text) {
  static constexpr char kDigits[] = "0123456789ABCDEF";
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    if (IsUnreserved(c)) {
      out.push_back(c);
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    out.push_back('%');
    out.push_back(kDigits[byte >> 4]);
    out.push_back(kDigits[byte & 15]);
  }
  return out;
}

std::optional<std::string> Target::Query(std::string_view name) const {
  const auto it = std::find_if(query.rbegin(), query.rend(),
                               [name](const auto& pair) { return pair.first == name; });
  if (it == query.rend()) return std::nullopt;
  return it->second;
}

Target ParseTarget(std::string_view target) {
  Target out;
  target = target.substr(0, target.find('#'));
  // The absolute form, which proxies receive: "http://host/path".
  if (!target.empty() && target.front() != '/') {
    const size_t scheme = target.find("://");
    if (scheme != std::string_view::npos) {
      const size_t path = target.find('/', scheme + 3);
      target = path == std::string_view::npos ? std::string_view() : target.substr(path);
    }
  }
  const size_t question = target.find('?');
  Split(target.substr(0, question), '/', [&out](std::string_view segment) {
    if (!segment.empty()) out.path.push_back(UrlDecode(segment));
  });
  if (question == std::string_view::npos) return out;
  Split(target.substr(question + 1), '&', [&out](std::string_view pair) {
    if (pair.empty()) return;
    const size_t equals = pair.find('=');
    const std::string_view value =
        equals == std::string_view::npos ? std::string_view() : pair.substr(equals + 1);
    out.query.emplace_back(UrlDecode(pair.substr(0, equals), true), UrlDecode(value, true));
  });
  return out;
}

}  // namespace kueue::net
