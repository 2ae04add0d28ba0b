// Taints, tolerations, node selectors. The tables were measured on Kubernetes (v0.37.2).
#include <gtest/gtest.h>

#include "api/match/selector.h"

namespace kueue::api {
namespace {

Toleration Tolerating(std::string key, std::string op, std::string value, std::string effect) {
  Toleration toleration;
  toleration.key = std::move(key);
  toleration.op = std::move(op);
  toleration.value = std::move(value);
  toleration.effect = std::move(effect);
  return toleration;
}

Taint Tainted(std::string key, std::string value, std::string effect) {
  Taint taint;
  taint.key = std::move(key);
  taint.value = std::move(value);
  taint.effect = std::move(effect);
  return taint;
}

TEST(Tolerates, AnswersAsKubernetes) {
  struct Row {
    const char *key, *op, *value, *effect;  // the toleration
    const char* taint_value;                // of the taint k=...:NoSchedule
    bool tolerated;
  };
  const Row rows[] = {
      {"", "Exists", "", "", "v", true},
      {"", "Exists", "", "NoExecute", "v", false},
      {"k", "Exists", "", "", "v", true},
      {"k", "Exists", "v", "", "v", true},
      {"k", "", "v", "", "v", true},
      {"k", "Equal", "v", "NoSchedule", "v", true},
      {"k", "Equal", "w", "", "v", false},
      {"j", "Equal", "v", "", "v", false},
      {"", "Equal", "v", "", "v", true},
      {"", "", "v", "", "v", true},
      {"k", "Gt", "5", "", "6", true},
      {"k", "Gt", "5", "", "5", false},
      {"k", "Gt", "5", "", "4", false},
      {"k", "Lt", "5", "", "4", true},
      {"k", "Lt", "5", "", "5", false},
      {"k", "Lt", "x", "", "4", false},
      {"k", "Lt", "5", "", "x", false},
      {"k", "Lt", "+5", "", "4", false},
      {"k", "Lt", "05", "", "4", false},
      {"k", "Lt", "5", "", "04", false},
      {"k", "Lt", "5", "", "+4", false},
      {"k", "Lt", "5", "", "-4", true},
      {"k", "Lt", "9223372036854775807", "", "9223372036854775808", false},
      {"k", "Gt", "", "", "1", false},
      {"k", "Other", "v", "", "v", false},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(Tolerates(Tolerating(row.key, row.op, row.value, row.effect),
                        Tainted("k", row.taint_value, "NoSchedule")),
              row.tolerated)
        << row.key << " " << row.op << " " << row.value << " on " << row.taint_value;
  }
}

TEST(ToleratesAll, OnlyTaintsThatKeepPodsAwayCount) {
  EXPECT_TRUE(ToleratesAll({}, {Tainted("k", "", "PreferNoSchedule")}));
  EXPECT_FALSE(ToleratesAll({}, {Tainted("k", "", "NoSchedule")}));
  EXPECT_FALSE(ToleratesAll({}, {Tainted("k", "", "NoExecute")}));
  EXPECT_TRUE(ToleratesAll({}, {}));
}

TEST(ToleratesAll, TellsTheFirstUntoleratedTaint) {
  const std::vector<Taint> taints = {Tainted("a", "", "NoSchedule"), Tainted("b", "", "NoSchedule"),
                                     Tainted("c", "", "NoSchedule")};
  const Taint* untolerated = nullptr;
  EXPECT_FALSE(ToleratesAll({Tolerating("a", "Exists", "", "")}, taints, &untolerated));
  EXPECT_EQ(untolerated, &taints[1]);
  EXPECT_TRUE(ToleratesAll({Tolerating("", "Exists", "", "")}, taints, &untolerated));
  EXPECT_EQ(untolerated, nullptr);
}

NodeSelectorRequirement R(std::string key, std::string op, std::vector<std::string> values = {}) {
  NodeSelectorRequirement requirement;
  requirement.key = std::move(key);
  requirement.op = std::move(op);
  requirement.values = std::move(values);
  return requirement;
}

using Requirements = std::vector<NodeSelectorRequirement>;

NodeSelectorTerm Expressions(Requirements requirements) {
  NodeSelectorTerm term;
  term.match_expressions = std::move(requirements);
  return term;
}
NodeSelectorTerm Fields(Requirements requirements) {
  NodeSelectorTerm term;
  term.match_fields = std::move(requirements);
  return term;
}

const StringMap kNodeLabels = {{"a", "1"}, {"z", "zone"}, {"e", ""}};

bool Selects(std::vector<NodeSelectorTerm> terms) {
  NodeSelector selector;
  selector.node_selector_terms = std::move(terms);
  return MatchesNodeSelector(selector, kNodeLabels, "n1");
}
bool Selects(const NodeSelectorRequirement& requirement) {
  return Selects({Expressions({requirement})});
}
bool SelectsField(const NodeSelectorRequirement& requirement) {
  return Selects({Fields({requirement})});
}

TEST(NodeSelector, AsksForNothingSelectsNothing) {
  EXPECT_FALSE(Selects(std::vector<NodeSelectorTerm>()));
  EXPECT_FALSE(Selects({Expressions({})}));
}

TEST(NodeSelector, TermsAreAlternativesAndExpressionsAllNeeded) {
  EXPECT_TRUE(Selects({Expressions({R("a", "In", {"2"})}), Expressions({R("z", "Exists")})}));
  EXPECT_TRUE(Selects({Expressions({R("a", "In", {"1"}), R("z", "Exists")})}));
  EXPECT_FALSE(Selects({Expressions({R("a", "In", {"1"}), R("q", "Exists")})}));
  EXPECT_TRUE(Selects({Expressions({}), Fields({R("metadata.name", "In", {"n1"})})}));
}

TEST(NodeSelector, OperatorsOnLabels) {
  EXPECT_TRUE(Selects(R("a", "In", {"1"})));
  EXPECT_FALSE(Selects(R("a", "In", {"2"})));
  EXPECT_TRUE(Selects(R("e", "In", {""})));
  EXPECT_FALSE(Selects(R("q", "In", {""})));
  EXPECT_TRUE(Selects(R("q", "DoesNotExist")));
  EXPECT_TRUE(Selects(R("q", "NotIn", {"1"})));
  EXPECT_FALSE(Selects(R("a", "NotIn", {"1"})));
}

TEST(NodeSelector, OrderComparesIntegers) {
  EXPECT_TRUE(Selects(R("a", "Gt", {"0"})));
  EXPECT_FALSE(Selects(R("a", "Gt", {"1"})));
  EXPECT_TRUE(Selects(R("a", "Lt", {"2"})));
  EXPECT_FALSE(Selects(R("z", "Gt", {"0"})));
  EXPECT_FALSE(Selects(R("q", "Gt", {"0"})));
}

TEST(NodeSelector, AMalformedTermSelectsNothingAndLeavesTheOthers) {
  for (const NodeSelectorRequirement& bad :
       {R("a", "Gt", {"x"}), R("a", "Gt", {"0", "1"}), R("a", "Gt"), R("a", "Gt", {"+0"}),
        R("a", "In"), R("a", "NotIn"), R("a", "Exists", {"1"}), R("a", "Weird", {"1"}),
        R("-bad", "NotIn", {"1"}), R("a", "In", {"-bad", "1"})}) {
    EXPECT_FALSE(Selects(bad)) << bad.key << " " << bad.op;
    EXPECT_TRUE(Selects({Expressions({bad}), Expressions({R("a", "In", {"1"})})}));
  }
}

TEST(NodeSelector, FieldsKnowTheName) {
  EXPECT_TRUE(SelectsField(R("metadata.name", "In", {"n1"})));
  EXPECT_FALSE(SelectsField(R("metadata.name", "In", {"n2"})));
  EXPECT_TRUE(SelectsField(R("metadata.name", "NotIn", {"n2"})));
  EXPECT_FALSE(SelectsField(R("metadata.name", "NotIn", {"n1"})));
  EXPECT_FALSE(SelectsField(R("metadata.name", "In", {"n1", "n2"})));
  EXPECT_FALSE(SelectsField(R("metadata.name", "Exists")));
  EXPECT_FALSE(SelectsField(R("metadata.other", "In", {"n1"})));
  EXPECT_TRUE(SelectsField(R("metadata.other", "NotIn", {"n1"})));
}

TEST(NodeSelector, FieldsAndExpressionsOfATermAreAllNeeded) {
  NodeSelectorTerm term = Fields({R("metadata.name", "In", {"n1"})});
  term.match_expressions = {R("a", "In", {"2"})};
  EXPECT_FALSE(Selects({term}));
  term.match_expressions = {R("a", "In", {"1"})};
  EXPECT_TRUE(Selects({term}));
}

Node TestNode() {
  Node node;
  node.metadata.name = "n1";
  node.metadata.labels = kNodeLabels;
  return node;
}

TEST(MatchesNode, NodeSelectorNeedsEveryLabel) {
  PodSpec pod;
  EXPECT_TRUE(MatchesNode(pod, TestNode()));
  pod.node_selector = {{"a", "1"}, {"z", "zone"}};
  EXPECT_TRUE(MatchesNode(pod, TestNode()));
  pod.node_selector["q"] = "";
  EXPECT_FALSE(MatchesNode(pod, TestNode()));
}

TEST(MatchesNode, RequiredAffinityIsNeededAsWell) {
  PodSpec pod;
  pod.node_selector = {{"a", "1"}};
  pod.affinity.emplace();
  EXPECT_TRUE(MatchesNode(pod, TestNode()));
  auto& node_affinity = pod.affinity->node_affinity.emplace();
  EXPECT_TRUE(MatchesNode(pod, TestNode()));
  auto& required = node_affinity.required_during_scheduling_ignored_during_execution.emplace();
  required.node_selector_terms = {Expressions({R("z", "In", {"zone"})})};
  EXPECT_TRUE(MatchesNode(pod, TestNode()));
  required.node_selector_terms = {Expressions({R("z", "In", {"other"})})};
  EXPECT_FALSE(MatchesNode(pod, TestNode()));
}

TEST(MatchesNode, PreferenceDoesNotExclude) {
  PodSpec pod;
  pod.affinity.emplace().node_affinity.emplace();
  PreferredSchedulingTerm preferred;
  preferred.weight = 1;
  preferred.preference = Expressions({R("z", "In", {"other"})});
  pod.affinity->node_affinity->preferred_during_scheduling_ignored_during_execution = {preferred};
  EXPECT_TRUE(MatchesNode(pod, TestNode()));
}

}  // namespace
}  // namespace kueue::api
