#include "admission/flavor_rules.h"

#include <set>

#include "admission/names.h"
#include "api/match/name_rules.h"

namespace kueue::admission {
namespace {

void CheckTaints(const std::vector<api::Taint>& taints, FieldErrors& errors) {
  std::set<std::pair<std::string, std::string>> seen;
  for (size_t i = 0; i < taints.size(); ++i) {
    const std::string path = At("spec.nodeTaints", i);
    const api::Taint& taint = taints[i];
    for (const std::string& problem : api::QualifiedNameProblems(taint.key)) {
      AddInvalid(errors, path + ".key", "'" + taint.key + "': " + problem);
    }
    for (const std::string& problem : api::LabelValueProblems(taint.value)) {
      AddInvalid(errors, path + ".value", "'" + taint.value + "': " + problem);
    }
    if (seen.emplace(taint.key, taint.effect).second) continue;
    errors.push_back({api::FieldErrorType::kDuplicate, path,
                      "a taint '" + taint.key + "' with effect '" + taint.effect +
                          "' is listed already; key and effect together must differ"});
  }
}

}  // namespace

std::vector<api::FieldError> ValidateFlavor(const api::ResourceFlavor& flavor) {
  FieldErrors errors;
  CheckLabelMap(flavor.spec.node_labels, "spec.nodeLabels", errors);
  CheckTaints(flavor.spec.node_taints, errors);
  CheckTolerationKeys(flavor.spec.tolerations, "spec.tolerations", errors);
  return errors;
}

}  // namespace kueue::admission
