#include "api/match/name_rules.h"

namespace kueue::api {
namespace {

constexpr size_t kLabelLength = 63;
constexpr size_t kSubdomainLength = 253;

bool IsLowerAlnum(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }
bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsAlnum(char c) { return IsLowerAlnum(c) || (c >= 'A' && c <= 'Z'); }

bool HasLabelForm(std::string_view text) {
  if (text.empty() || !IsLowerAlnum(text.front()) || !IsLowerAlnum(text.back())) return false;
  for (const char c : text) {
    if (!IsLowerAlnum(c) && c != '-') return false;
  }
  return true;
}

bool HasSubdomainForm(std::string_view text) {
  while (true) {
    const size_t dot = text.find('.');
    if (!HasLabelForm(text.substr(0, dot))) return false;
    if (dot == std::string_view::npos) return true;
    text.remove_prefix(dot + 1);
  }
}

bool HasNamePartForm(std::string_view text) {
  if (text.empty() || !IsAlnum(text.front()) || !IsAlnum(text.back())) return false;
  for (const char c : text) {
    if (!IsAlnum(c) && c != '-' && c != '_' && c != '.') return false;
  }
  return true;
}

// Takes digits[.digits] or .digits off the front; false if there is none.
bool TakeNumber(std::string_view& text) {
  size_t whole = 0;
  while (whole < text.size() && IsDigit(text[whole])) ++whole;
  size_t end = whole;
  if (end < text.size() && text[end] == '.') {
    ++end;
    const size_t fraction = end;
    while (end < text.size() && IsDigit(text[end])) ++end;
    if (whole == 0 && end == fraction) return false;
  } else if (whole == 0) {
    return false;
  }
  text.remove_prefix(end);
  return true;
}

void TakeSign(std::string_view& text) {
  if (!text.empty() && (text.front() == '+' || text.front() == '-')) text.remove_prefix(1);
}

constexpr char kNamePartForm[] =
    "a name consists of letters, digits, '-', '_' or '.' and starts and ends with a letter or "
    "digit";
constexpr char kSubdomainForm[] =
    "a lowercase RFC 1123 subdomain consists of lower case letters, digits, '-' or '.' and starts "
    "and ends with a letter or digit";

}  // namespace

std::vector<std::string> DnsLabelProblems(std::string_view text) {
  std::vector<std::string> problems;
  if (text.size() > kLabelLength) problems.push_back("must be no more than 63 characters");
  if (!HasLabelForm(text)) {
    problems.push_back(
        "a lowercase RFC 1123 label consists of lower case letters, digits or '-' and starts and "
        "ends with a letter or digit");
  }
  return problems;
}

std::vector<std::string> DnsSubdomainProblems(std::string_view text) {
  std::vector<std::string> problems;
  if (text.size() > kSubdomainLength) problems.push_back("must be no more than 253 characters");
  if (!HasSubdomainForm(text)) problems.push_back(kSubdomainForm);
  return problems;
}

std::vector<std::string> QualifiedNameProblems(std::string_view text) {
  std::vector<std::string> problems;
  std::string_view name = text;
  if (const size_t slash = text.find('/'); slash != std::string_view::npos) {
    const std::string_view prefix = text.substr(0, slash);
    name = text.substr(slash + 1);
    if (name.find('/') != std::string_view::npos) {
      return {"a qualified name is a name with an optional DNS subdomain and '/' before it"};
    }
    if (prefix.empty()) {
      problems.push_back("the prefix before '/' must not be empty");
    } else {
      for (const std::string& problem : DnsSubdomainProblems(prefix)) {
        problems.push_back("prefix: " + problem);
      }
    }
  }
  if (name.empty()) {
    problems.push_back("the name must not be empty");
  } else if (name.size() > kLabelLength) {
    problems.push_back("the name must be no more than 63 characters");
  }
  if (!HasNamePartForm(name)) problems.push_back(kNamePartForm);
  return problems;
}

std::vector<std::string> LabelValueProblems(std::string_view text) {
  std::vector<std::string> problems;
  if (text.size() > kLabelLength) problems.push_back("must be no more than 63 characters");
  if (!text.empty() && !HasNamePartForm(text)) problems.push_back(kNamePartForm);
  return problems;
}

bool IsDnsLabel(std::string_view text) {
  return text.size() <= kLabelLength && HasLabelForm(text);
}

bool IsDnsSubdomain(std::string_view text) {
  return text.size() <= kSubdomainLength && HasSubdomainForm(text);
}

bool IsQualifiedName(std::string_view text) {
  const size_t slash = text.find('/');
  if (slash != std::string_view::npos && !IsDnsSubdomain(text.substr(0, slash))) return false;
  const std::string_view name = slash == std::string_view::npos ? text : text.substr(slash + 1);
  return name.size() <= kLabelLength && HasNamePartForm(name);
}

bool IsLabelValue(std::string_view text) {
  return text.empty() || (text.size() <= kLabelLength && HasNamePartForm(text));
}

bool IsQuantityText(std::string_view text) {
  TakeSign(text);
  if (!TakeNumber(text)) return false;
  if (text.empty()) return true;
  if (text.size() == 2 && text[1] == 'i') {
    return std::string_view("KMGTPE").find(text[0]) != std::string_view::npos;
  }
  if (text.size() == 1) {
    return std::string_view("numkMGTPE").find(text[0]) != std::string_view::npos;
  }
  if (text[0] != 'e' && text[0] != 'E') return false;
  text.remove_prefix(1);
  TakeSign(text);
  return TakeNumber(text) && text.empty();
}

}  // namespace kueue::api
