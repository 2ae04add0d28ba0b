#include "cel/url.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "cel/catalogue.h"
#include "cel/text.h"

namespace kueue::cel {
namespace {

using Kind = Value::Kind;

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool IsPlain(char c) {
  return IsLetter(c) || IsDigit(c) || c == '-' || c == '_' || c == '.' || c == '~';
}
int HexOf(char c) {
  if (IsDigit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}
bool OneOf(char c, std::string_view set) { return set.find(c) != std::string_view::npos; }

std::string BadEscape(std::string_view text, size_t at) {
  return fmt::format("invalid URL escape {}", QuoteText(text.substr(at, 3)));
}

// Replaces %xx. Empty, or what is wrong.
std::string Unescape(std::string_view text, bool plus_is_space, std::string* out) {
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%') {
      const int high = i + 2 < text.size() ? HexOf(text[i + 1]) : -1;
      const int low = i + 2 < text.size() ? HexOf(text[i + 2]) : -1;
      if (high < 0 || low < 0) return BadEscape(text, i);
      *out += static_cast<char>(high * 16 + low);
      i += 2;
    } else {
      *out += plus_is_space && text[i] == '+' ? ' ' : text[i];
    }
  }
  return {};
}

std::string EscapePath(std::string_view path) {
  std::string out;
  for (const char c : path) {
    if (IsPlain(c) || OneOf(c, "$&+,/:;=@"))
      out += c;
    else
      out += fmt::format("%{:02X}", static_cast<uint8_t>(c));
  }
  return out;
}

bool IsEscaped(std::string_view path) {
  return std::all_of(path.begin(), path.end(),
                     [](char c) { return IsPlain(c) || OneOf(c, "!$&'()*+,;=:@[]%/"); });
}

bool IsPort(std::string_view port) {
  return port.empty() || (port[0] == ':' && std::all_of(port.begin() + 1, port.end(), IsDigit));
}

std::string ReadHost(std::string_view host, std::string* out) {
  std::string_view port;
  if (!host.empty() && host[0] == '[') {
    const size_t end = host.rfind(']');
    if (end == std::string_view::npos) return "missing ']' in host";
    port = host.substr(end + 1);
  } else if (const size_t colon = host.rfind(':'); colon != std::string_view::npos) {
    port = host.substr(colon);
  }
  if (!IsPort(port)) return fmt::format("invalid port {} after host", QuoteText(port));
  for (size_t i = 0; i < host.size(); ++i) {
    const char c = host[i];
    const bool known =
        IsPlain(c) || static_cast<uint8_t>(c) >= 0x80 || OneOf(c, "!$&'()*+,;=:[]<>\"%");
    if (!known)
      return fmt::format("invalid character {} in host name", QuoteText(host.substr(i, 1)));
  }
  return Unescape(host, false, out);
}

std::string ReadAuthority(std::string_view authority, UrlBox* url) {
  const size_t at = authority.rfind('@');
  if (at == std::string_view::npos) return ReadHost(authority, &url->host);
  url->user = authority.substr(0, at);
  const bool valid = std::all_of(url->user.begin(), url->user.end(), [](char c) {
    return IsLetter(c) || IsDigit(c) || OneOf(c, "-._:~!$&'()*+,;=%@");
  });
  if (!valid) return "net/url: invalid userinfo";
  return ReadHost(authority.substr(at + 1), &url->host);
}

// Cuts the scheme off `rest`.
std::string ReadScheme(std::string_view* rest, std::string* scheme) {
  for (size_t i = 0; i < rest->size(); ++i) {
    const char c = (*rest)[i];
    if (IsLetter(c)) continue;
    if (i > 0 && (IsDigit(c) || OneOf(c, "+-."))) continue;
    if (c != ':') return {};
    if (i == 0) return "missing protocol scheme";
    *scheme = rest->substr(0, i);
    for (char& letter : *scheme)
      letter = letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
    rest->remove_prefix(i + 1);
    return {};
  }
  return {};
}

std::string ReadParts(std::string_view text, UrlBox* url) {
  if (text.empty()) return "empty url";
  for (const char c : text)
    if (static_cast<uint8_t>(c) < 0x20 || c == 0x7f)
      return "net/url: invalid control character in URL";
  if (text == "*") {
    url->escaped_path = "*";
    return {};
  }
  std::string_view rest = text;
  if (std::string wrong = ReadScheme(&rest, &url->scheme); !wrong.empty()) return wrong;
  if (const size_t mark = rest.find('?'); mark != std::string_view::npos) {
    url->query = rest.substr(mark + 1);
    rest = rest.substr(0, mark);
  }
  if (rest.empty() || rest[0] != '/') {
    if (url->scheme.empty()) return "invalid URI for request";
    url->opaque = rest;
    return {};
  }
  if (!url->scheme.empty() && rest.substr(0, 2) == "//") {
    const size_t slash = std::min(rest.find('/', 2), rest.size());
    const std::string wrong = ReadAuthority(rest.substr(2, slash - 2), url);
    if (!wrong.empty()) return wrong;
    rest = rest.substr(slash);
  }
  std::string path;
  if (std::string wrong = Unescape(rest, false, &path); !wrong.empty()) return wrong;
  url->escaped_path = IsEscaped(rest) ? std::string(rest) : EscapePath(path);
  return {};
}

Value MakeUrl(const Call& call) {
  if (!call[0].is(Kind::kString)) return {};
  auto* url = new UrlBox();
  Value value = Value::Opaque(Kind::kUrl, url);
  const std::string wrong = ReadUrl(call[0].AsText(), url);
  if (wrong.empty()) return value;
  return Value::Error("URL parse error during conversion from string: " + wrong);
}

Value IsUrl(const Call& call) {
  if (!call[0].is(Kind::kString)) return {};
  UrlBox url;
  return Value::Bool(ReadUrl(call[0].AsText(), &url).empty());
}

// The host without and with its port.
std::pair<std::string_view, std::string_view> SplitHost(std::string_view host) {
  std::string_view port;
  const size_t colon = host.rfind(':');
  if (colon != std::string_view::npos && IsPort(host.substr(colon))) {
    port = host.substr(colon + 1);
    host = host.substr(0, colon);
  }
  if (host.size() >= 2 && host.front() == '[' && host.back() == ']')
    host = host.substr(1, host.size() - 2);
  return {host, port};
}

template <class Part>
Value PartOf(const Call& call, Part part) {
  if (!call[0].is(Kind::kUrl)) return {};
  return Value::String(std::string(part(call[0].As<UrlBox>())));
}
Value GetScheme(const Call& call) {
  return PartOf(call, [](const UrlBox& url) { return url.scheme; });
}
Value GetHost(const Call& call) {
  return PartOf(call, [](const UrlBox& url) { return url.host; });
}
Value GetHostname(const Call& call) {
  return PartOf(call, [](const UrlBox& url) { return SplitHost(url.host).first; });
}
Value GetPort(const Call& call) {
  return PartOf(call, [](const UrlBox& url) { return SplitHost(url.host).second; });
}
Value GetEscapedPath(const Call& call) {
  return PartOf(call, [](const UrlBox& url) { return url.escaped_path; });
}

Value GetQuery(const Call& call) {
  if (!call[0].is(Kind::kUrl)) return {};
  std::map<std::string, std::vector<Value>> pairs;
  std::string_view rest = call[0].As<UrlBox>().query;
  while (!rest.empty()) {
    const size_t end = std::min(rest.find('&'), rest.size());
    const std::string_view pair = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (pair.empty() || pair.find(';') != std::string_view::npos) continue;
    const size_t mark = std::min(pair.find('='), pair.size());
    std::string key;
    std::string value;
    if (!Unescape(pair.substr(0, mark), true, &key).empty()) continue;
    if (mark < pair.size() && !Unescape(pair.substr(mark + 1), true, &value).empty()) continue;
    pairs[key].push_back(Value::String(std::move(value)));
  }
  Value::Entries entries;
  for (auto& [key, values] : pairs)
    entries.emplace_back(Value::String(key), Value::List(std::move(values)));
  return Value::Map(std::move(entries));
}

}  // namespace

bool UrlBox::Equals(const OpaqueBox& other) const { return ToString() == other.ToString(); }

std::string UrlBox::ToString() const {
  std::string out = "url(";
  if (!scheme.empty()) out += scheme + ":";
  if (!opaque.empty()) {
    out += opaque;
  } else {
    if (!host.empty() || !user.empty()) out += "//";
    if (!user.empty()) out += user + "@";
    out += host + escaped_path;
  }
  if (!query.empty()) out += "?" + query;
  return out + ")";
}

std::string ReadUrl(std::string_view text, UrlBox* url) {
  const std::string wrong = ReadParts(text, url);
  return wrong.empty() ? wrong : fmt::format("parse {}: {}", QuoteText(text), wrong);
}

std::vector<FunctionRow> UrlFunctions() {
  const auto one = CostRule::kOne;
  return {
      {"url", false, CostRule::kFirst, MakeUrl, {"(string) kubernetes.URL"}},
      {"isURL", false, one, IsUrl, {"(string) bool"}},
      {"getScheme", true, one, GetScheme, {"(kubernetes.URL) string"}},
      {"getHost", true, one, GetHost, {"(kubernetes.URL) string"}},
      {"getHostname", true, one, GetHostname, {"(kubernetes.URL) string"}},
      {"getPort", true, one, GetPort, {"(kubernetes.URL) string"}},
      {"getEscapedPath", true, one, GetEscapedPath, {"(kubernetes.URL) string"}},
      {"getQuery", true, one, GetQuery, {"(kubernetes.URL) map<string, list<string>>"}},
  };
}

}  // namespace kueue::cel
