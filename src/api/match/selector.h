#pragma once

#include <string_view>
#include <vector>

#include "api/types/core.h"
#include "base/result.h"

namespace kueue::api {

// metav1.LabelSelector against labels. An absent selector (nullptr) matches nothing, an empty one
// everything. A malformed requirement is an error (kInvalid) that names key and operator.
base::Result<bool> MatchesLabels(const LabelSelector* selector, const StringMap& labels);

// The text form of list requests: "a=b,c!=d,e in (x,y),!f,g". Parsed once, matched often.
class LabelQuery {
 public:
  static base::Result<LabelQuery> Parse(std::string_view text);
  bool Matches(const StringMap& labels) const;
  bool empty() const { return requirements_.empty(); }

 private:
  std::vector<LabelSelectorRequirement> requirements_;
};

// "metadata.name=x,status.phase!=Running": pairs of field, value, and whether equality is asked.
struct FieldRequirement {
  std::string field, value;
  bool equal = true;
};
base::Result<std::vector<FieldRequirement>> ParseFieldSelector(std::string_view text);

// spec/scheduling.md §6.5. Empty key with Exists tolerates all; empty operator is Equal; an empty
// effect matches any; Lt/Gt compare 64-bit integers.
bool Tolerates(const Toleration& toleration, const Taint& taint);
bool ToleratesAll(const std::vector<Toleration>& tolerations, const std::vector<Taint>& taints,
                  const Taint** untolerated = nullptr);  // NoSchedule and NoExecute taints only

// Node selector terms are ORed, the expressions of a term ANDed. matchFields knows metadata.name.
bool MatchesNodeSelector(const NodeSelector& selector, const StringMap& labels,
                         std::string_view node_name);
// The pod's nodeSelector and required node affinity.
bool MatchesNode(const PodSpec& pod, const Node& node);

}  // namespace kueue::api
