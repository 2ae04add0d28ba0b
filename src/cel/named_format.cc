// format.dns1123Label() and the other formats that Kubernetes knows by name.
#include "cel/named_format.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <array>

#include "cel/base64.h"
#include "cel/catalogue.h"
#include "cel/moment.h"
#include "cel/url.h"

namespace kueue::cel {
namespace {

using Kind = Value::Kind;
using Problems = std::vector<std::string>;

constexpr size_t kLongestLabel = 63;
constexpr size_t kLongestSubdomain = 253;

constexpr const char* kLabel = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
constexpr const char* kSubdomain =
    "[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*";
constexpr const char* kOldLabel = "[a-z]([-a-z0-9]*[a-z0-9])?";
constexpr const char* kName = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";
constexpr const char* kLabelValue = "(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?";

bool FullMatch(std::string_view text, const RE2& pattern) {
  return RE2::FullMatch(re2::StringPiece(text.data(), text.size()), pattern);
}
// As FullMatch with a pattern that is compiled once.
#define KUEUE_CEL_MATCHES(text, pattern) \
  ([](std::string_view matched) {        \
    static const RE2 kPattern(pattern);  \
    return FullMatch(matched, kPattern); \
  }(text))

std::string LabelProblem() {
  return fmt::format(
      "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and "
      "must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex "
      "used for validation is '{}')",
      kLabel);
}
std::string SubdomainProblem() {
  return fmt::format(
      "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or "
      "'.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used "
      "for validation is '{}')",
      kSubdomain);
}

Problems CheckLabel(std::string_view text) {
  Problems problems;
  if (text.size() > kLongestLabel) problems.emplace_back("must be no more than 63 characters");
  if (!KUEUE_CEL_MATCHES(text, kLabel)) problems.push_back(LabelProblem());
  return problems;
}
Problems CheckSubdomain(std::string_view text) {
  Problems problems;
  if (text.size() > kLongestSubdomain) problems.emplace_back("must be no more than 253 characters");
  if (!KUEUE_CEL_MATCHES(text, kSubdomain)) problems.push_back(SubdomainProblem());
  return problems;
}
Problems CheckOldLabel(std::string_view text) {
  Problems problems;
  if (text.size() > kLongestLabel) problems.emplace_back("must be no more than 63 characters");
  if (!KUEUE_CEL_MATCHES(text, kOldLabel))
    problems.push_back(fmt::format(
        "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with "
        "an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or "
        "'abc-123', regex used for validation is '{}')",
        kOldLabel));
  return problems;
}

// A prefix is what a name may begin with: its last dash is not the end.
std::string AsName(std::string_view prefix) {
  std::string name(prefix);
  if (name.size() > 1 && name.back() == '-') name.back() = 'a';
  return name;
}
Problems CheckLabelPrefix(std::string_view text) { return CheckLabel(AsName(text)); }
Problems CheckSubdomainPrefix(std::string_view text) { return CheckSubdomain(AsName(text)); }
Problems CheckOldLabelPrefix(std::string_view text) { return CheckOldLabel(AsName(text)); }

Problems CheckQualifiedName(std::string_view text) {
  const std::string rule = fmt::format(
      "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an "
      "alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for "
      "validation is '{}')",
      kName);
  const auto slashes = std::count(text.begin(), text.end(), '/');
  if (slashes > 1)
    return {"a valid label key " + rule +
            " with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"};
  Problems problems;
  std::string_view name = text;
  if (slashes == 1) {
    const std::string_view prefix = text.substr(0, text.find('/'));
    name = text.substr(prefix.size() + 1);
    if (prefix.empty()) {
      problems.emplace_back("prefix part must be non-empty");
    } else {
      for (const std::string& problem : CheckSubdomain(prefix))
        problems.push_back("prefix part " + problem);
    }
  }
  if (name.empty()) problems.emplace_back("name part must be non-empty");
  if (name.size() > kLongestLabel) problems.emplace_back("name part must be no more than 63 bytes");
  if (!KUEUE_CEL_MATCHES(name, kName)) problems.push_back("name part " + rule);
  return problems;
}

Problems CheckLabelValue(std::string_view text) {
  Problems problems;
  if (text.size() > kLongestLabel) problems.emplace_back("must be no more than 63 bytes");
  if (!KUEUE_CEL_MATCHES(text, kLabelValue))
    problems.push_back(fmt::format(
        "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or "
        "'.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or "
        "'my_value',  or '12345', regex used for validation is '{}')",
        kLabelValue));
  return problems;
}

Problems CheckUri(std::string_view text) {
  UrlBox url;
  std::string wrong = ReadUrl(text, &url);
  return wrong.empty() ? Problems{} : Problems{std::move(wrong)};
}
Problems CheckUuid(std::string_view text) {
  if (KUEUE_CEL_MATCHES(text,
                        "(?i)[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}"))
    return {};
  return {"does not match the UUID format"};
}
Problems CheckByte(std::string_view text) {
  const bool whole = !text.empty() && text.size() % 4 == 0;
  return whole && !ReadBase64(text).error() ? Problems{} : Problems{"invalid base64"};
}
Problems CheckDate(std::string_view text) {
  const bool date = text.size() == 10 && !ReadHostTimestamp(text).error();
  return date ? Problems{} : Problems{"invalid date"};
}
Problems CheckDateTime(std::string_view text) {
  std::string upper(text);
  for (char& c : upper) c = c == 't' ? 'T' : c == 'z' ? 'Z' : c;
  return ReadTimestamp(upper).error() ? Problems{"invalid datetime"} : Problems{};
}

struct Known {
  std::string_view name;
  NamedFormatBox::Check check;
  uint64_t pattern_cost;  // a quarter of the longest pattern that Kubernetes assumes
};

constexpr std::array<Known, 13> kKnown = {{{"dns1123Label", CheckLabel, 8},
                                           {"dns1123Subdomain", CheckSubdomain, 15},
                                           {"dns1035Label", CheckOldLabel, 8},
                                           {"qualifiedName", CheckQualifiedName, 15},
                                           {"dns1123LabelPrefix", CheckLabelPrefix, 8},
                                           {"dns1123SubdomainPrefix", CheckSubdomainPrefix, 15},
                                           {"dns1035LabelPrefix", CheckOldLabelPrefix, 8},
                                           {"labelValue", CheckLabelValue, 10},
                                           {"uri", CheckUri, 276},
                                           {"uuid", CheckUuid, 18},
                                           {"byte", CheckByte, 21},
                                           {"date", CheckDate, 18},
                                           {"datetime", CheckDateTime, 18}}};

Value Make(const Known& known) {
  auto* box = new NamedFormatBox();
  box->name = known.name;
  box->check = known.check;
  box->pattern_cost = known.pattern_cost;
  return Value::Opaque(Kind::kNamedFormat, box);
}

template <size_t kPlace>
Value Get(const Call&) {
  return Make(kKnown[kPlace]);
}

Value Named(const Call& call) {
  if (!call[0].is(Kind::kString)) return {};
  for (const Known& known : kKnown)
    if (known.name == call[0].AsText()) return Value::Some(Make(known));
  return Value::None();
}

Value Validate(const Call& call) {
  if (!call[0].is(Kind::kNamedFormat) || !call[1].is(Kind::kString)) return {};
  const Problems problems = call[0].As<NamedFormatBox>().check(call[1].AsText());
  if (problems.empty()) return Value::None();
  std::vector<Value> texts;
  for (const std::string& problem : problems) texts.push_back(Value::String(problem));
  return Value::Some(Value::List(std::move(texts)));
}

#undef KUEUE_CEL_MATCHES

}  // namespace

bool NamedFormatBox::Equals(const OpaqueBox& other) const {
  return name == static_cast<const NamedFormatBox&>(other).name;
}
std::string NamedFormatBox::ToString() const { return fmt::format("format({})", name); }

std::vector<FunctionRow> NamedFormatFunctions() {
  const auto one = CostRule::kOne;
  const std::vector<const char*> get = {"() kubernetes.NamedFormat"};
  return {
      {"format.dns1123Label", false, one, Get<0>, get},
      {"format.dns1123Subdomain", false, one, Get<1>, get},
      {"format.dns1035Label", false, one, Get<2>, get},
      {"format.qualifiedName", false, one, Get<3>, get},
      {"format.dns1123LabelPrefix", false, one, Get<4>, get},
      {"format.dns1123SubdomainPrefix", false, one, Get<5>, get},
      {"format.dns1035LabelPrefix", false, one, Get<6>, get},
      {"format.labelValue", false, one, Get<7>, get},
      {"format.uri", false, one, Get<8>, get},
      {"format.uuid", false, one, Get<9>, get},
      {"format.byte", false, one, Get<10>, get},
      {"format.date", false, one, Get<11>, get},
      {"format.datetime", false, one, Get<12>, get},
      {"format.named", false, one, Named, {"(string) optional<kubernetes.NamedFormat>"}},
      {"validate",
       true,
       CostRule::kNamedFormat,
       Validate,
       {"(kubernetes.NamedFormat, string) optional<list<string>>"}},
  };
}

}  // namespace kueue::cel
