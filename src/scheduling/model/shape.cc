#include <string>

#include "scheduling/model/work_item.h"

// The canonical encoding behind a scheduling shape (spec/scheduling.md §4.7). Every part is written
// with its length, so no two different workloads have the same encoding.
namespace kueue::scheduling {
namespace {

class Encoding {
 public:
  void Number(int64_t value) {
    text_ += std::to_string(value);
    text_ += ';';
  }
  void Text(const std::string& value) {
    Number(static_cast<int64_t>(value.size()));
    text_ += value;
  }
  void Map(const api::StringMap& map) {
    Number(static_cast<int64_t>(map.size()));
    for (const auto& [key, value] : map) {
      Text(key);
      Text(value);
    }
  }
  // By value, not by spelling.
  void Quantities(const api::ResourceList& list) {
    Number(static_cast<int64_t>(list.size()));
    for (const auto& [name, quantity] : list) {
      Text(name);
      const auto nano = static_cast<unsigned __int128>(quantity.nano());
      Number(static_cast<int64_t>(nano >> 64));
      Number(static_cast<int64_t>(nano));
    }
  }
  // Requests with limits where a request is missing (§1.5 (3)).
  void Requests(const api::ResourceRequirements& needs) {
    api::ResourceList merged = needs.requests;
    merged.insert(needs.limits.begin(), needs.limits.end());
    Quantities(merged);
  }
  void Value(const api::Json& value);
  // A member that the structs do not describe.
  void Member(const api::Extra& extra, const char* name) {
    const api::Json* members = extra.get();
    const api::Json* member = members == nullptr ? nullptr : members->Find(name);
    Number(member != nullptr);
    if (member != nullptr) Value(*member);
  }
  std::string Take() { return std::move(text_); }

 private:
  std::string text_;
};

void Encoding::Value(const api::Json& value) {
  Number(static_cast<int>(value.type()));
  switch (value.type()) {
    case api::Json::Type::kNull: return;
    case api::Json::Type::kBool: return Number(value.AsBool());
    case api::Json::Type::kInt:
    case api::Json::Type::kNumber: return Text(value.NumberText());
    case api::Json::Type::kString: return Text(value.AsString());
    case api::Json::Type::kArray:
      Number(static_cast<int64_t>(value.size()));
      for (const api::Json& item : value.AsArray()) Value(item);
      return;
    case api::Json::Type::kObject:
      Number(static_cast<int64_t>(value.size()));
      for (const api::Json::Member& member : value.AsObject()) {
        Text(member.key);
        Value(member.value);
      }
      return;
  }
}

void Encode(Encoding& out, const std::vector<api::NodeSelectorRequirement>& expressions) {
  out.Number(static_cast<int64_t>(expressions.size()));
  for (const api::NodeSelectorRequirement& expression : expressions) {
    out.Text(expression.key);
    out.Text(expression.op);
    out.Number(static_cast<int64_t>(expression.values.size()));
    for (const std::string& value : expression.values) out.Text(value);
  }
}

void Encode(Encoding& out, const api::NodeSelectorTerm& term) {
  Encode(out, term.match_expressions);
  Encode(out, term.match_fields);
}

void Encode(Encoding& out, const std::optional<api::Affinity>& affinity) {
  out.Number(affinity.has_value());
  if (!affinity) return;
  out.Member(affinity->extra, "podAffinity");
  out.Member(affinity->extra, "podAntiAffinity");
  out.Number(affinity->node_affinity.has_value());
  if (!affinity->node_affinity) return;
  const api::NodeAffinity& node = *affinity->node_affinity;
  const auto& required = node.required_during_scheduling_ignored_during_execution;
  out.Number(required.has_value());
  if (required) {
    out.Number(static_cast<int64_t>(required->node_selector_terms.size()));
    for (const api::NodeSelectorTerm& term : required->node_selector_terms) Encode(out, term);
  }
  const auto& preferred = node.preferred_during_scheduling_ignored_during_execution;
  out.Number(static_cast<int64_t>(preferred.size()));
  for (const api::PreferredSchedulingTerm& term : preferred) {
    out.Number(term.weight);
    Encode(out, term.preference);
  }
}

void Encode(Encoding& out, const std::vector<api::Container>& containers) {
  out.Number(static_cast<int64_t>(containers.size()));
  for (const api::Container& container : containers) {
    out.Requests(container.resources);
    out.Number(static_cast<int64_t>(container.ports.size()));
    for (const api::ContainerPort& port : container.ports) {
      out.Text(port.name);
      out.Text(port.protocol);
      out.Text(port.host_ip);
      out.Number(port.container_port);
      out.Number(port.host_port);
    }
  }
}

void Encode(Encoding& out, const api::PodSpec& pod) {
  Encode(out, pod.containers);
  Encode(out, pod.init_containers);
  out.Map(pod.node_selector);
  Encode(out, pod.affinity);
  out.Number(static_cast<int64_t>(pod.tolerations.size()));
  for (const api::Toleration& toleration : pod.tolerations) {
    out.Text(toleration.key);
    out.Text(toleration.op);
    out.Text(toleration.value);
    out.Text(toleration.effect);
    out.Number(toleration.toleration_seconds.value_or(-1));
  }
  out.Text(pod.runtime_class_name.value_or(""));
  out.Number(pod.priority.value_or(0));
  out.Quantities(pod.overhead);
  out.Number(pod.resources.has_value());
  if (pod.resources) out.Requests(*pod.resources);
  out.Member(pod.extra, "topologySpreadConstraints");
  out.Member(pod.extra, "resourceClaims");
}

void Encode(Encoding& out, const std::optional<api::PodSetTopologyRequest>& request) {
  out.Number(request.has_value());
  if (!request) return;
  const auto text = [&](const std::optional<std::string>& value) {
    out.Number(value.has_value());
    out.Text(value.value_or(""));
  };
  text(request->required);
  text(request->preferred);
  // false is not the same as nothing said (spec/topology.md §22 (10)).
  out.Number(request->unconstrained ? 1 + int{*request->unconstrained} : 0);
  text(request->pod_index_label);
  text(request->sub_group_index_label);
  out.Number(request->sub_group_count.value_or(-1));
  text(request->pod_set_group_name);
  text(request->pod_set_slice_required_topology);
  out.Number(request->pod_set_slice_size.value_or(-1));
  for (const auto& constraint : request->podset_slice_required_topology_constraints) {
    out.Text(constraint.topology);
    out.Number(constraint.size);
  }
}

}  // namespace

Shape ReadShape(const WorkItem& item, const Config& config, const Catalog& catalog,
                ShapeTable& shapes) {
  if (!config.gates.scheduling_equivalence_hashing) return {};
  Encoding out;
  out.Number(item.priority);
  out.Number(item.queue_priority);
  if (item.variant != nullptr && item.variant->limited) {
    out.Number(static_cast<int64_t>(item.variant->flavors.size()));
    for (const std::string& flavor : item.variant->flavors) out.Text(flavor);
  }
  for (size_t i = 0; i < item.demand->pod_sets.size(); ++i) {
    const PodSetDemand& pod_set = item.demand->pod_sets[i];
    out.Text(pod_set.spec->name);
    out.Number(item.counts[i]);
    out.Number(pod_set.spec->min_count.value_or(-1));
    out.Number(static_cast<int64_t>(pod_set.per_pod.size()));
    for (const ResourceAmount& entry : Scaled(pod_set.per_pod, item.counts[i])) {
      out.Text(catalog.Name(entry.resource));
      out.Number(entry.amount);
    }
    Encode(out, pod_set.spec->topology_request);
    Encode(out, pod_set.pod());
  }
  return shapes.Intern(out.Take());
}

}  // namespace kueue::scheduling
