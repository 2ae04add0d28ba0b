// IP addresses and ranges.
#include "cel/network.h"

#include <fmt/format.h>

#include <algorithm>

#include "cel/catalogue.h"
#include "cel/text.h"

namespace kueue::cel {
namespace {

using Kind = Value::Kind;

std::string At(std::string_view what, std::string_view rest) {
  return fmt::format("{} (at {})", what, QuoteText(rest));
}

// Each reader returns what is wrong, empty when nothing is.
std::string ReadV4(std::string_view text, uint8_t* bytes) {
  size_t field = 0;
  int value = 0;
  size_t digits = 0;
  for (size_t i = 0; i <= text.size(); ++i) {
    if (i == text.size() || text[i] == '.') {
      if (digits == 0) return At("IPv4 field must have at least one digit", text.substr(i));
      if (field == 4) return "IPv4 address too long";
      bytes[field++] = static_cast<uint8_t>(value);
      value = 0;
      digits = 0;
      continue;
    }
    if (text[i] < '0' || text[i] > '9') return At("unexpected character", text.substr(i));
    if (digits == 1 && value == 0) return "IPv4 field has octet with leading zero";
    value = value * 10 + (text[i] - '0');
    if (value > 255) return "IPv4 field has value >255";
    ++digits;
  }
  if (field > 4) return "IPv4 address too long";
  return field < 4 ? "IPv4 address too short" : "";
}

int HexOf(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

// Reads one group of hexadecimal digits; the number of digits.
size_t ReadGroup(std::string_view text, int* value) {
  size_t digits = 0;
  *value = 0;
  while (digits < text.size() && digits < 5 && HexOf(text[digits]) >= 0)
    *value = *value * 16 + HexOf(text[digits++]);
  return digits;
}

std::string ReadV6(std::string_view text, std::array<uint8_t, 16>* bytes) {
  size_t filled = 0;
  size_t gap = std::string_view::npos;
  std::string_view rest = text;
  if (rest.substr(0, 2) == "::") {
    gap = 0;
    rest.remove_prefix(2);
  }
  while (!rest.empty()) {
    int value = 0;
    const size_t digits = ReadGroup(rest, &value);
    if (digits == 0) return At("each colon-separated field must have at least one digit", rest);
    if (digits > 4) return At("each group must have 4 or less digits", rest);
    if (digits < rest.size() && rest[digits] == '.') {
      if (filled > 12 || (gap == std::string_view::npos && filled != 12))
        return "embedded IPv4 address must replace the final 2 fields of the address";
      std::string wrong = ReadV4(rest, bytes->data() + filled);
      if (!wrong.empty()) return wrong;
      filled += 4;
      break;
    }
    if (filled == 16) return At("trailing garbage after address", rest);
    (*bytes)[filled++] = static_cast<uint8_t>(value >> 8);
    (*bytes)[filled++] = static_cast<uint8_t>(value & 0xff);
    rest.remove_prefix(digits);
    if (rest.empty()) break;
    if (rest[0] != ':') return "unexpected character, want colon";
    rest.remove_prefix(1);
    if (rest.empty()) return "colon must be followed by more characters";
    if (rest[0] != ':') continue;
    if (gap != std::string_view::npos) return At("multiple :: in address", rest);
    gap = filled;
    rest.remove_prefix(1);
  }
  if (gap == std::string_view::npos) return filled < 16 ? "address string too short" : "";
  if (filled == 16) return "the :: must expand to at least one field of zeros";
  // What stands behind the gap moves to the end.
  std::rotate(bytes->begin() + static_cast<std::ptrdiff_t>(gap),
              bytes->begin() + static_cast<std::ptrdiff_t>(filled), bytes->end());
  return {};
}

std::string ReadAddress(std::string_view text, IpBox* ip) {
  const size_t mark = text.find_first_of(".:%");
  std::string wrong = "unable to parse IP";
  if (mark != std::string_view::npos && text[mark] == '.') {
    wrong = ReadV4(text, ip->bytes.data());
    ip->is_v4 = true;
  } else if (mark != std::string_view::npos && text[mark] == ':') {
    wrong = ReadV6(text, &ip->bytes);
    ip->is_v4 = false;
  }
  return wrong.empty() ? wrong : fmt::format("ParseAddr({}): {}", QuoteText(text), wrong);
}

bool IsMapped(const IpBox& ip) {
  return !ip.is_v4 &&
         std::all_of(ip.bytes.begin(), ip.bytes.begin() + 10, [](uint8_t b) { return b == 0; }) &&
         ip.bytes[10] == 0xff && ip.bytes[11] == 0xff;
}

std::string ReadIp(std::string_view text, IpBox* ip) {
  const size_t zone = text.find('%');
  if (zone != std::string_view::npos && text.find(':') < zone &&
      ReadAddress(text.substr(0, zone), ip).empty())
    return fmt::format("IP address {} with zone value is not allowed", QuoteText(text));
  if (const std::string wrong = ReadAddress(text, ip); !wrong.empty())
    return fmt::format("IP Address {} parse error during conversion from string: {}",
                       QuoteText(text), wrong);
  if (IsMapped(*ip))
    return fmt::format("IPv4-mapped IPv6 address {} is not allowed", QuoteText(text));
  return {};
}

std::string ReadPrefix(std::string_view text, CidrBox* cidr) {
  const auto fail = [&](std::string_view what) {
    return fmt::format(
        "network address parse error during conversion from string: netip.ParsePrefix({}): {}",
        QuoteText(text), what);
  };
  const size_t slash = text.rfind('/');
  if (slash == std::string_view::npos) return fail("no '/'");
  const std::string_view bits = text.substr(slash + 1);
  const std::string_view address = text.substr(0, slash);
  if (address.find('%') != std::string_view::npos)
    return fail("IPv6 zones cannot be present in a prefix");
  if (std::string wrong = ReadAddress(address, &cidr->ip); !wrong.empty()) return fail(wrong);
  int64_t prefix = 0;
  const bool plain = !bits.empty() && bits.size() <= 3 && bits[0] != '+' && bits[0] != '-' &&
                     (bits.size() == 1 || bits[0] != '0') && ReadInt(bits, &prefix);
  if (!plain) return fail(fmt::format("bad bits after slash: {}", QuoteText(bits)));
  if (prefix > (cidr->ip.is_v4 ? 32 : 128)) return fail("prefix length out of range");
  cidr->prefix = static_cast<int>(prefix);
  if (IsMapped(cidr->ip))
    return fmt::format("IPv4-mapped IPv6 address {} is not allowed", QuoteText(text));
  return {};
}

Value MakeIp(const IpBox& ip) {
  auto* box = new IpBox();
  box->bytes = ip.bytes;
  box->is_v4 = ip.is_v4;
  return Value::Opaque(Kind::kIp, box);
}
Value MakeCidr(const CidrBox& cidr) {
  auto* box = new CidrBox();
  box->ip.bytes = cidr.ip.bytes;
  box->ip.is_v4 = cidr.ip.is_v4;
  box->prefix = cidr.prefix;
  return Value::Opaque(Kind::kCidr, box);
}

Value ToIp(const Call& call) {
  if (!call[0].is(Kind::kString)) return {};
  IpBox ip;
  const std::string wrong = ReadIp(call[0].AsText(), &ip);
  return wrong.empty() ? MakeIp(ip) : Value::Error(wrong);
}
Value IsIp(const Call& call) {
  if (!call[0].is(Kind::kString)) return {};
  IpBox ip;
  return Value::Bool(ReadIp(call[0].AsText(), &ip).empty());
}
Value IsCanonical(const Call& call) {
  if (!call[0].is(Kind::kString)) return {};
  IpBox ip;
  const std::string wrong = ReadIp(call[0].AsText(), &ip);
  return wrong.empty() ? Value::Bool(ip.Text() == call[0].AsText()) : Value::Error(wrong);
}
Value ToCidr(const Call& call) {
  if (!call[0].is(Kind::kString)) return {};
  CidrBox cidr;
  const std::string wrong = ReadPrefix(call[0].AsText(), &cidr);
  if (wrong.empty()) return MakeCidr(cidr);
  return Value::Error("network address parse error during conversion from string: " + wrong);
}
Value IsCidr(const Call& call) {
  if (!call[0].is(Kind::kString)) return {};
  CidrBox cidr;
  return Value::Bool(ReadPrefix(call[0].AsText(), &cidr).empty());
}

IpBox Masked(const IpBox& ip, int prefix) {
  IpBox masked;
  masked.is_v4 = ip.is_v4;
  for (size_t i = 0; i < ip.bytes.size(); ++i) {
    const int bits = std::clamp(prefix - static_cast<int>(i) * 8, 0, 8);
    masked.bytes[i] = static_cast<uint8_t>(ip.bytes[i] & (0xff00 >> bits));
  }
  return masked;
}
bool SameIp(const IpBox& a, const IpBox& b) { return a.is_v4 == b.is_v4 && a.bytes == b.bytes; }

bool Covers(const CidrBox& cidr, const IpBox& ip) {
  return SameIp(Masked(cidr.ip, cidr.prefix), Masked(ip, cidr.prefix));
}

Value ContainsIp(const Call& call) {
  if (!call[0].is(Kind::kCidr)) return {};
  const auto& cidr = call[0].As<CidrBox>();
  if (call[1].is(Kind::kIp)) return Value::Bool(Covers(cidr, call[1].As<IpBox>()));
  IpBox ip;
  if (!call[1].is(Kind::kString) || !ReadIp(call[1].AsText(), &ip).empty()) return {};
  return Value::Bool(Covers(cidr, ip));
}
Value ContainsCidr(const Call& call) {
  if (!call[0].is(Kind::kCidr)) return {};
  const auto& cidr = call[0].As<CidrBox>();
  const auto covers = [&](const CidrBox& other) {
    return Value::Bool(other.prefix >= cidr.prefix && Covers(cidr, other.ip));
  };
  if (call[1].is(Kind::kCidr)) return covers(call[1].As<CidrBox>());
  CidrBox other;
  if (!call[1].is(Kind::kString) || !ReadPrefix(call[1].AsText(), &other).empty()) return {};
  return covers(other);
}

Value CidrIp(const Call& call) {
  return call[0].is(Kind::kCidr) ? MakeIp(call[0].As<CidrBox>().ip) : Value();
}
Value CidrMasked(const Call& call) {
  if (!call[0].is(Kind::kCidr)) return {};
  CidrBox masked;
  masked.prefix = call[0].As<CidrBox>().prefix;
  const IpBox ip = Masked(call[0].As<CidrBox>().ip, masked.prefix);
  masked.ip.bytes = ip.bytes;
  masked.ip.is_v4 = ip.is_v4;
  return MakeCidr(masked);
}
Value PrefixLength(const Call& call) {
  return call[0].is(Kind::kCidr) ? Value::Int(call[0].As<CidrBox>().prefix) : Value();
}

bool AllZero(const IpBox& ip, size_t from, size_t to) {
  return std::all_of(ip.bytes.begin() + static_cast<std::ptrdiff_t>(from),
                     ip.bytes.begin() + static_cast<std::ptrdiff_t>(to),
                     [](uint8_t b) { return b == 0; });
}
bool Unspecified(const IpBox& ip) { return AllZero(ip, 0, 16); }
bool Loopback(const IpBox& ip) {
  return ip.is_v4 ? ip.bytes[0] == 127 : AllZero(ip, 0, 15) && ip.bytes[15] == 1;
}
bool Multicast(const IpBox& ip) {
  return ip.is_v4 ? (ip.bytes[0] & 0xf0) == 0xe0 : ip.bytes[0] == 0xff;
}
bool LinkLocalMulticast(const IpBox& ip) {
  if (ip.is_v4) return ip.bytes[0] == 224 && ip.bytes[1] == 0 && ip.bytes[2] == 0;
  return ip.bytes[0] == 0xff && (ip.bytes[1] & 0x0f) == 2;
}
bool LinkLocalUnicast(const IpBox& ip) {
  if (ip.is_v4) return ip.bytes[0] == 169 && ip.bytes[1] == 254;
  return ip.bytes[0] == 0xfe && (ip.bytes[1] & 0xc0) == 0x80;
}
bool GlobalUnicast(const IpBox& ip) {
  const bool broadcast = ip.is_v4 && std::all_of(ip.bytes.begin(), ip.bytes.begin() + 4,
                                                 [](uint8_t b) { return b == 255; });
  return !broadcast && !Unspecified(ip) && !Loopback(ip) && !Multicast(ip) && !LinkLocalUnicast(ip);
}

template <bool (*kTest)(const IpBox&)>
Value Test(const Call& call) {
  return call[0].is(Kind::kIp) ? Value::Bool(kTest(call[0].As<IpBox>())) : Value();
}
Value Family(const Call& call) {
  return call[0].is(Kind::kIp) ? Value::Int(call[0].As<IpBox>().is_v4 ? 4 : 6) : Value();
}
Value ToText(const Call& call) {
  if (call[0].is(Kind::kIp)) return Value::String(call[0].As<IpBox>().Text());
  if (!call[0].is(Kind::kCidr)) return {};
  const auto& cidr = call[0].As<CidrBox>();
  return Value::String(fmt::format("{}/{}", cidr.ip.Text(), cidr.prefix));
}

}  // namespace

bool IpBox::Equals(const OpaqueBox& other) const {
  return SameIp(*this, static_cast<const IpBox&>(other));
}
bool CidrBox::Equals(const OpaqueBox& other) const {
  const auto& right = static_cast<const CidrBox&>(other);
  return prefix == right.prefix && SameIp(ip, right.ip);
}

std::string IpBox::Text() const {
  if (is_v4) return fmt::format("{}.{}.{}.{}", bytes[0], bytes[1], bytes[2], bytes[3]);
  std::array<int, 8> groups;
  for (size_t i = 0; i < 8; ++i) groups[i] = bytes[2 * i] * 256 + bytes[2 * i + 1];
  // The longest run of at least two zeros, the first of equals, is left out.
  size_t run_start = 8;
  size_t run_length = 1;
  for (size_t i = 0; i < 8; ++i) {
    size_t end = i;
    while (end < 8 && groups[end] == 0) ++end;
    if (end - i > run_length) {
      run_start = i;
      run_length = end - i;
    }
  }
  std::string out;
  for (size_t i = 0; i < 8; ++i) {
    if (i == run_start) {
      out += "::";
      i += run_length - 1;
      continue;
    }
    if (!out.empty() && out.back() != ':') out += ':';
    out += fmt::format("{:x}", groups[i]);
  }
  return out;
}
std::string IpBox::ToString() const { return "ip(" + Text() + ")"; }
std::string CidrBox::ToString() const { return fmt::format("cidr({}/{})", ip.Text(), prefix); }

std::vector<FunctionRow> NetworkFunctions() {
  const auto one = CostRule::kOne;
  const std::vector<const char*> test = {"(net.IP) bool"};
  return {
      {"ip", false, CostRule::kFirst, ToIp, {"(string) net.IP"}},
      {"isIP", false, CostRule::kFirst, IsIp, {"(string) bool"}},
      {"ip.isCanonical", false, CostRule::kFirstTwice, IsCanonical, {"(string) bool"}},
      {"cidr", false, CostRule::kFirst, ToCidr, {"(string) net.CIDR"}},
      {"isCIDR", false, CostRule::kFirst, IsCidr, {"(string) bool"}},
      {"containsIP",
       true,
       CostRule::kContainsIp,
       ContainsIp,
       {"(net.CIDR, string) bool", "(net.CIDR, net.IP) bool"}},
      {"containsCIDR",
       true,
       CostRule::kContainsCidr,
       ContainsCidr,
       {"(net.CIDR, string) bool", "(net.CIDR, net.CIDR) bool"}},
      {"ip", true, one, CidrIp, {"(net.CIDR) net.IP"}},
      {"masked", true, one, CidrMasked, {"(net.CIDR) net.CIDR"}},
      {"prefixLength", true, one, PrefixLength, {"(net.CIDR) int"}},
      {"family", true, one, Family, {"(net.IP) int"}},
      {"isUnspecified", true, one, Test<Unspecified>, test},
      {"isLoopback", true, one, Test<Loopback>, test},
      {"isLinkLocalMulticast", true, one, Test<LinkLocalMulticast>, test},
      {"isLinkLocalUnicast", true, one, Test<LinkLocalUnicast>, test},
      {"isGlobalUnicast", true, one, Test<GlobalUnicast>, test},
      {"string", false, one, ToText, {"(net.IP) string", "(net.CIDR) string"}},
  };
}

}  // namespace kueue::cel
