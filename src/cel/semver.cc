// Semantic versions (https://semver.org, version 2).
#include <fmt/format.h>

#include <algorithm>

#include "cel/catalogue.h"
#include "cel/text.h"

namespace kueue::cel {
namespace {

using Kind = Value::Kind;

struct Version {
  uint64_t numbers[3] = {0, 0, 0};
  std::vector<std::string> prerelease;
  std::vector<std::string> build;
};

bool IsNumber(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}
bool IsIdentifier(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-';
  });
}

int CompareNumbers(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return a.size() < b.size() ? -1 : 1;  // no leading zeros
  const int order = a.compare(b);
  return order < 0 ? -1 : order > 0 ? 1 : 0;
}

int CompareIdentifiers(const std::string& a, const std::string& b) {
  const bool a_number = IsNumber(a);
  const bool b_number = IsNumber(b);
  if (a_number && b_number) return CompareNumbers(a, b);
  if (a_number != b_number) return a_number ? -1 : 1;
  const int order = a.compare(b);
  return order < 0 ? -1 : order > 0 ? 1 : 0;
}

int CompareVersions(const Version& a, const Version& b) {
  for (size_t i = 0; i < 3; ++i)
    if (a.numbers[i] != b.numbers[i]) return a.numbers[i] < b.numbers[i] ? -1 : 1;
  if (a.prerelease.empty() || b.prerelease.empty()) {
    if (a.prerelease.empty() && b.prerelease.empty()) return 0;
    return a.prerelease.empty() ? 1 : -1;
  }
  const size_t both = std::min(a.prerelease.size(), b.prerelease.size());
  for (size_t i = 0; i < both; ++i)
    if (const int order = CompareIdentifiers(a.prerelease[i], b.prerelease[i]); order != 0)
      return order;
  if (a.prerelease.size() == b.prerelease.size()) return 0;
  return a.prerelease.size() < b.prerelease.size() ? -1 : 1;
}

struct SemverBox : OpaqueBox {
  bool Equals(const OpaqueBox& other) const override {
    return CompareVersions(version, static_cast<const SemverBox&>(other).version) == 0;
  }
  std::string ToString() const override {
    std::string out =
        fmt::format("semver({}.{}.{}", version.numbers[0], version.numbers[1], version.numbers[2]);
    if (!version.prerelease.empty()) out += fmt::format("-{}", fmt::join(version.prerelease, "."));
    if (!version.build.empty()) out += fmt::format("+{}", fmt::join(version.build, "."));
    return out + ")";
  }
  Version version;
};

std::vector<std::string> SplitDots(std::string_view text) {
  std::vector<std::string> parts;
  while (true) {
    const size_t dot = text.find('.');
    parts.emplace_back(text.substr(0, dot));
    if (dot == std::string_view::npos) return parts;
    text.remove_prefix(dot + 1);
  }
}

// Each reader returns what is wrong, empty when nothing is.
std::string ReadNumber(std::string_view text, std::string_view which, uint64_t* out) {
  std::string lower(which);
  lower[0] = static_cast<char>(lower[0] - 'A' + 'a');
  if (!IsNumber(text))
    return fmt::format("Invalid character(s) found in {} number {}", lower, QuoteText(text));
  if (text.size() > 1 && text[0] == '0')
    return fmt::format("{} number must not contain leading zeroes {}", which, QuoteText(text));
  if (text.empty()) return "strconv.ParseUint: parsing \"\": invalid syntax";
  if (!ReadUint(text, out))
    return fmt::format("strconv.ParseUint: parsing {}: value out of range", QuoteText(text));
  return {};
}

std::string ReadIdentifiers(std::string_view text, bool prerelease, std::vector<std::string>* out) {
  *out = SplitDots(text);
  for (const std::string& part : *out) {
    if (part.empty()) return prerelease ? "Prerelease is empty" : "Build meta data is empty";
    if (!IsIdentifier(part))
      return fmt::format("Invalid character(s) found in {} {}",
                         prerelease ? "prerelease" : "build meta data", QuoteText(part));
    if (prerelease && IsNumber(part) && part.size() > 1 && part[0] == '0')
      return fmt::format("Numeric PreRelease version must not contain leading zeroes {}",
                         QuoteText(part));
  }
  return {};
}

std::string ReadVersion(std::string_view text, Version* version) {
  if (text.empty()) return "Version string empty";
  static constexpr std::string_view kNames[] = {"Major", "Minor", "Patch"};
  std::string_view numbers = text.substr(0, text.find_first_of("-+"));
  std::string_view rest = text.substr(numbers.size());
  for (size_t i = 0; i < 3; ++i) {
    const size_t dot = i < 2 ? numbers.find('.') : std::string_view::npos;
    if (i < 2 && dot == std::string_view::npos) return "No Major.Minor.Patch elements found";
    std::string wrong = ReadNumber(numbers.substr(0, dot), kNames[i], &version->numbers[i]);
    if (!wrong.empty()) return wrong;
    if (i < 2) numbers.remove_prefix(dot + 1);
  }
  if (!rest.empty() && rest[0] == '-') {
    const size_t plus = std::min(rest.find('+'), rest.size());
    std::string wrong = ReadIdentifiers(rest.substr(1, plus - 1), true, &version->prerelease);
    if (!wrong.empty()) return wrong;
    rest.remove_prefix(plus);
  }
  return rest.empty() ? std::string() : ReadIdentifiers(rest.substr(1), false, &version->build);
}

// "v1.02" is 1.2.0: without the v, leading zeros, and with the numbers that are missing.
std::string Normalize(std::string_view text, std::string* out) {
  if (!text.empty() && text[0] == 'v') text.remove_prefix(1);
  std::vector<std::string> parts;
  while (parts.size() < 2 && text.find('.') != std::string_view::npos) {
    parts.emplace_back(text.substr(0, text.find('.')));
    text.remove_prefix(text.find('.') + 1);
  }
  parts.emplace_back(text);
  for (std::string& part : parts) {
    const size_t zeros = std::min(part.find_first_not_of('0'), part.size());
    const bool only_zeros = zeros == part.size() || part[zeros] < '0' || part[zeros] > '9';
    if (zeros > 0) part.erase(0, only_zeros ? zeros - 1 : zeros);
  }
  if (parts.size() < 3 && parts.back().find_first_of("-+") != std::string::npos)
    return "short version cannot contain PreRelease/Build meta data";
  while (parts.size() < 3) parts.emplace_back("0");
  *out = fmt::format("{}.{}.{}", parts[0], parts[1], parts[2]);
  return {};
}

std::string ReadCall(const Call& call, Version* version) {
  if (call.count < 2 || !call[1].AsBool()) return ReadVersion(call[0].AsText(), version);
  std::string text;
  std::string wrong = Normalize(call[0].AsText(), &text);
  return wrong.empty() ? ReadVersion(text, version) : wrong;
}
bool TakesText(const Call& call) {
  return call[0].is(Kind::kString) && (call.count < 2 || call[1].is(Kind::kBool));
}

Value ToSemver(const Call& call) {
  if (!TakesText(call)) return {};
  auto* box = new SemverBox();
  Value value = Value::Opaque(Kind::kSemver, box);
  const std::string wrong = ReadCall(call, &box->version);
  return wrong.empty() ? value : Value::Error(wrong);
}
Value IsSemver(const Call& call) {
  if (!TakesText(call)) return {};
  Version version;
  return Value::Bool(ReadCall(call, &version).empty());
}

const Version& Of(const Value& v) { return v.As<SemverBox>().version; }
bool Are(const Call& call, size_t count) {
  for (size_t i = 0; i < count; ++i)
    if (!call[i].is(Kind::kSemver)) return false;
  return true;
}
template <size_t kPlace>
Value Number(const Call& call) {
  return Are(call, 1) ? Value::Int(static_cast<int64_t>(Of(call[0]).numbers[kPlace])) : Value();
}
Value Compare(const Call& call) {
  return Are(call, 2) ? Value::Int(CompareVersions(Of(call[0]), Of(call[1]))) : Value();
}
Value IsGreater(const Call& call) {
  return Are(call, 2) ? Value::Bool(CompareVersions(Of(call[0]), Of(call[1])) > 0) : Value();
}
Value IsLess(const Call& call) {
  return Are(call, 2) ? Value::Bool(CompareVersions(Of(call[0]), Of(call[1])) < 0) : Value();
}

}  // namespace

std::vector<FunctionRow> SemverFunctions() {
  const auto one = CostRule::kOne;
  const std::vector<const char*> test = {"(kubernetes.Semver, kubernetes.Semver) bool"};
  const std::vector<const char*> number = {"(kubernetes.Semver) int"};
  return {
      {"semver",
       false,
       CostRule::kFirst,
       ToSemver,
       {"(string) kubernetes.Semver", "(string, bool) kubernetes.Semver"}},
      {"isSemver", false, CostRule::kFirst, IsSemver, {"(string) bool", "(string, bool) bool"}},
      {"major", true, one, Number<0>, number},
      {"minor", true, one, Number<1>, number},
      {"patch", true, one, Number<2>, number},
      {"compareTo", true, one, Compare, {"(kubernetes.Semver, kubernetes.Semver) int"}},
      {"isGreaterThan", true, one, IsGreater, test},
      {"isLessThan", true, one, IsLess, test},
  };
}

}  // namespace kueue::cel
