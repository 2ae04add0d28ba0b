#include <algorithm>

#include "admission/workload_rules.h"
#include "api/match/name_rules.h"
#include "api/types/names.h"

// The annotation admission-gated-by: names that hold a workload back (spec/api.md §16.3).
namespace kueue::admission {
namespace {

using api::FieldErrorType;

constexpr size_t kMaxName = 63;

std::string PathOf() { return At("metadata.annotations", api::names::kAdmissionGatedBy); }

std::string TextOf(const api::Workload& workload) {
  const auto& annotations = workload.metadata.annotations;
  const auto found = annotations.find(api::names::kAdmissionGatedBy);
  return found == annotations.end() ? std::string() : found->second;
}

std::string Trim(const std::string& text) {
  constexpr char kBlanks[] = " \t\n\v\f\r";
  const size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string::npos) return "";
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

std::vector<std::string> NamesIn(const std::string& text) {
  std::vector<std::string> names;
  if (Trim(text).empty()) return names;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t comma = std::min(text.find(',', begin), text.size());
    names.push_back(Trim(text.substr(begin, comma - begin)));
    begin = comma + 1;
  }
  return names;
}

bool IsGateName(const std::string& name) {
  const size_t slash = name.find('/');
  if (slash == std::string::npos || !api::IsDnsSubdomain(name.substr(0, slash))) return false;
  const std::string path = name.substr(slash + 1);
  return !path.empty() && std::all_of(path.begin(), path.end(), [](char c) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    return letter || std::string_view("/-._~%!$&'()*+,;=:").find(c) != std::string_view::npos;
  });
}

void CheckNames(const std::vector<std::string>& names, FieldErrors& errors) {
  for (size_t i = 0; i < names.size(); ++i) {
    const std::string& name = names[i];
    if (name.empty()) {
      AddInvalid(errors, PathOf(), "has an empty name; separate names by one comma");
      continue;
    }
    if (std::find(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(i), name) !=
        names.begin() + static_cast<std::ptrdiff_t>(i)) {
      AddInvalid(errors, PathOf(), "'" + name + "' is listed twice");
    }
    if (name.size() > kMaxName) {
      errors.push_back(
          {FieldErrorType::kTooLong, PathOf(), "'" + name + "' must have at most 63 characters"});
    }
    if (IsGateName(name)) continue;
    AddInvalid(errors, PathOf(),
               "'" + name +
                   "' must be a DNS domain, a slash and a path, such "
                   "as example.com/gate");
  }
}

}  // namespace

void CheckGatedBy(const api::Workload* before, const api::Workload& workload, FieldErrors& errors) {
  const std::vector<std::string> names = NamesIn(TextOf(workload));
  CheckNames(names, errors);
  if (before == nullptr) return;
  const std::vector<std::string> old = NamesIn(TextOf(*before));
  for (const std::string& name : names) {
    if (std::find(old.begin(), old.end(), name) != old.end()) continue;
    errors.push_back({FieldErrorType::kForbidden, PathOf(),
                      "'" + name + "' cannot be added: after creation names can only be removed"});
  }
}

}  // namespace kueue::admission
