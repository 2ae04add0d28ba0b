#include "admission/names.h"

#include "api/match/name_rules.h"

namespace kueue::admission {
namespace {

using api::FieldErrorType;

constexpr size_t kAnnotationsBytes = 256 * 1024;

std::string LowerCase(std::string text) {
  for (char& c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return text;
}

std::string Quoted(const std::string& text) { return "'" + text + "'"; }

// What is wrong with the text, each with the text itself.
void AddProblems(const std::string& text, const std::vector<std::string>& problems,
                 const std::string& path, FieldErrors& errors) {
  for (const std::string& problem : problems) {
    AddInvalid(errors, path, Quoted(text) + ": " + problem);
  }
}

void CheckRequirement(const api::LabelSelectorRequirement& requirement, const std::string& path,
                      FieldErrors& errors) {
  const std::string& op = requirement.op;
  if (op == "In" || op == "NotIn") {
    if (requirement.values.empty()) {
      errors.push_back({FieldErrorType::kRequired, path + ".values", op + " needs values"});
    }
  } else if (op == "Exists" || op == "DoesNotExist") {
    if (!requirement.values.empty()) {
      errors.push_back({FieldErrorType::kForbidden, path + ".values", op + " takes no values"});
    }
  } else {
    AddInvalid(errors, path + ".operator",
               Quoted(op) + " must be In, NotIn, Exists or DoesNotExist");
  }
  AddProblems(requirement.key, api::QualifiedNameProblems(requirement.key), path + ".key", errors);
  for (size_t i = 0; i < requirement.values.size(); ++i) {
    AddProblems(requirement.values[i], api::LabelValueProblems(requirement.values[i]),
                At(path + ".values", i), errors);
  }
}

}  // namespace

std::string At(const std::string& list, size_t index) {
  return list + "[" + std::to_string(index) + "]";
}
std::string At(const std::string& map, const std::string& key) { return map + "[" + key + "]"; }

void AddInvalid(FieldErrors& errors, std::string field, std::string message) {
  errors.push_back({FieldErrorType::kInvalid, std::move(field), std::move(message)});
}

void CheckLabelMap(const api::StringMap& labels, const std::string& path, FieldErrors& errors) {
  for (const auto& [key, value] : labels) {
    AddProblems(key, api::QualifiedNameProblems(key), path, errors);
    AddProblems(value, api::LabelValueProblems(value), path, errors);
  }
}

void CheckAnnotationMap(const api::StringMap& annotations, const std::string& path,
                        FieldErrors& errors) {
  size_t bytes = 0;
  for (const auto& [key, value] : annotations) {
    AddProblems(key, api::QualifiedNameProblems(LowerCase(key)), path, errors);
    bytes += key.size() + value.size();
  }
  if (bytes <= kAnnotationsBytes) return;
  errors.push_back({FieldErrorType::kTooLong, path,
                    "has " + std::to_string(bytes) + " bytes, at most " +
                        std::to_string(kAnnotationsBytes) + " are allowed"});
}

void CheckTolerationKeys(const std::vector<api::Toleration>& tolerations, const std::string& path,
                         FieldErrors& errors) {
  for (size_t i = 0; i < tolerations.size(); ++i) {
    const std::string& key = tolerations[i].key;
    if (key.empty()) continue;
    AddProblems(key, api::QualifiedNameProblems(key), At(path, i) + ".key", errors);
  }
}

void CheckSelector(const std::optional<api::LabelSelector>& selector, const std::string& path,
                   FieldErrors& errors) {
  if (!selector) return;
  CheckLabelMap(selector->match_labels, path + ".matchLabels", errors);
  for (size_t i = 0; i < selector->match_expressions.size(); ++i) {
    CheckRequirement(selector->match_expressions[i], At(path + ".matchExpressions", i), errors);
  }
}

}  // namespace kueue::admission
