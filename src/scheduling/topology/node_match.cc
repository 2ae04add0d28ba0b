#include "scheduling/topology/node_match.h"

#include <algorithm>

#include "api/match/selector.h"

namespace kueue::scheduling::topology {
namespace {

void Append(std::string& text, const std::string& part) {
  text += std::to_string(part.size());
  text += ':';
  text += part;
}

void Append(std::string& text, const std::vector<api::NodeSelectorRequirement>& expressions) {
  text += std::to_string(expressions.size());
  for (const api::NodeSelectorRequirement& expression : expressions) {
    Append(text, expression.key);
    Append(text, expression.op);
    text += std::to_string(expression.values.size());
    for (const std::string& value : expression.values) Append(text, value);
  }
  text += ';';
}

void Append(std::string& text, const api::NodeSelectorTerm& term) {
  Append(text, term.match_expressions);
  Append(text, term.match_fields);
}

}  // namespace

NodeMatch::NodeMatch(const api::PodSpec& pod, const SpaceSpec& spec, bool scored, uint64_t number)
    : tolerations_(pod.tolerations),
      selector_(pod.node_selector),
      scored_(scored),
      number_(number) {
  tolerations_.insert(tolerations_.end(), spec.tolerations.begin(), spec.tolerations.end());
  if (pod.affinity) affinity_ = pod.affinity->node_affinity;
}

std::string NodeMatch::KeyOf(const api::PodSpec& pod, bool scored) {
  std::string key = scored ? "s" : "-";
  for (const auto& [name, value] : pod.node_selector) {
    Append(key, name);
    Append(key, value);
  }
  key += '|';
  for (const api::Toleration& toleration : pod.tolerations) {
    Append(key, toleration.key);
    Append(key, toleration.op);
    Append(key, toleration.value);
    Append(key, toleration.effect);
  }
  key += '|';
  if (!pod.affinity || !pod.affinity->node_affinity) return key;
  const api::NodeAffinity& affinity = *pod.affinity->node_affinity;
  if (const auto& required = affinity.required_during_scheduling_ignored_during_execution) {
    key += '+';
    for (const api::NodeSelectorTerm& term : required->node_selector_terms) Append(key, term);
  }
  key += '|';
  if (!scored) return key;
  for (const auto& term : affinity.preferred_during_scheduling_ignored_during_execution) {
    key += std::to_string(term.weight);
    Append(key, term.preference);
  }
  return key;
}

NodeMatch::Cause NodeMatch::Judge(const api::Node& node) const {
  if (!api::ToleratesAll(tolerations_, node.spec.taints)) return kTaint;
  const api::StringMap& labels = node.metadata.labels;
  for (const auto& [key, value] : selector_) {
    const auto found = labels.find(key);
    if (found == labels.end() || found->second != value) return kSelector;
  }
  if (!affinity_) return kFits;
  const auto& required = affinity_->required_during_scheduling_ignored_during_execution;
  const bool fits = !required || api::MatchesNodeSelector(*required, labels, node.metadata.name);
  return fits ? kFits : kAffinity;
}

void NodeMatch::Read(const Space& space, Site site) {
  causes_[site] = kFits;
  if (scored_) scores_[site] = 0;
  if (!space.present(site)) return;
  const api::Node& node = space.NodeOf(site);
  causes_[site] = Judge(node);
  if (!scored_ || !affinity_) return;
  for (const auto& term : affinity_->preferred_during_scheduling_ignored_during_execution) {
    api::NodeSelector selector;
    selector.node_selector_terms.push_back(term.preference);
    if (api::MatchesNodeSelector(selector, node.metadata.labels, node.metadata.name)) {
      scores_[site] += term.weight;
    }
  }
}

void NodeMatch::CatchUp(const Space& space) {
  std::span<const uint32_t> changed;
  const bool all = read_ == UINT64_MAX || !space.match_log().Since(read_, changed);
  read_ = space.match_log().end();
  if (causes_.size() < space.sites()) {
    causes_.resize(space.sites());
    if (scored_) scores_.resize(space.sites());
  }
  if (all) {
    for (const Site site : space.order()) Read(space, site);
  } else {
    for (const Site site : changed) Read(space, site);
  }
}

std::string NodeMatch::TaintOf(const Space& space, Site site) const {
  const api::Taint* taint = nullptr;
  api::ToleratesAll(tolerations_, space.NodeOf(site).spec.taints, &taint);
  if (taint == nullptr) return {};
  return taint->key + (taint->value.empty() ? "" : "=" + taint->value) + ":" + taint->effect;
}

}  // namespace kueue::scheduling::topology
