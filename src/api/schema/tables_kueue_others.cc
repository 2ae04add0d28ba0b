#include "api/schema/descriptors.h"
#include "api/schema/patterns.h"
#include "api/schema/rules_kueue.h"
#include "api/schema/table_builder.h"

// Tables of ResourceFlavor, Topology, WorkloadPriorityClass and AdmissionCheck
// (spec/api.md §3, §4, §9, §10).
namespace kueue::api {

template <>
const StructDescriptor& DescriptorOf<ResourceFlavorSpec>() {
  using S = ResourceFlavorSpec;
  static const StructDescriptor table =
      MakeTable<S>("ResourceFlavorSpec", kComplete, [](TableBuilder& t) {
        t.Rule("!has(self.topologyName) || self.nodeLabels.size() >= 1",
               "a flavor with a topology needs a node label");
        t.Rule(
            "!has(oldSelf.topologyName) || (has(self.topologyName) && "
            "self.topologyName == oldSelf.topologyName)",
            "the topology may not be changed");
        t.Field<&S::node_labels>("nodeLabels")
            .Atomic()
            .MaxProperties(8)
            .Doc("Labels of the flavor's nodes; admitted pods select them.");
        t.Field<&S::node_taints>("nodeTaints")
            .Atomic()
            .MaxItems(8)
            .Rule("self.all(x, x.effect in ['NoSchedule', 'PreferNoSchedule', 'NoExecute'])",
                  "an effect must be NoSchedule, PreferNoSchedule or NoExecute")
            .Doc("Taints of the flavor's nodes; workloads must tolerate them.");
        AddTolerationRules(t.Field<&S::tolerations>("tolerations")
                               .Atomic()
                               .MaxItems(8)
                               .Doc("Tolerations admitted pods get."));
        t.Field<&S::topology_name>("topologyName")
            .ObjectName()
            .Doc("The Topology for placement by domain.");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<ResourceFlavor>() {
  using S = ResourceFlavor;
  static const StructDescriptor table =
      MakeTable<S>("ResourceFlavor", kComplete | kTopLevel, [](TableBuilder& t) {
        t.Field<&S::metadata>("metadata");
        t.Field<&S::spec>("spec").Doc("The nodes of this flavor.");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<WorkloadPriorityClass>() {
  using S = WorkloadPriorityClass;
  static const StructDescriptor table =
      MakeTable<S>("WorkloadPriorityClass", kComplete | kTopLevel, [](TableBuilder& t) {
        t.Field<&S::metadata>("metadata");
        t.Field<&S::value>("value").Required().AlwaysWritten().Doc(
            "The priority; larger goes first.");
        t.Field<&S::description>("description").MaxLength(2048).Doc("When to use the class.");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<AdmissionCheckParametersReference>() {
  using S = AdmissionCheckParametersReference;
  static const StructDescriptor table =
      MakeTable<S>("AdmissionCheckParametersReference", kComplete, [](TableBuilder& t) {
        t.Field<&S::api_group>("apiGroup")
            .Required()
            .Length(1, 253)
            .Pattern(patterns::kDnsSubdomain)
            .Doc("The object's API group.");
        t.Field<&S::kind>("kind")
            .Required()
            .Length(1, 63)
            .Pattern(patterns::kKind)
            .Doc("The object's kind.");
        t.Field<&S::name>("name")
            .Required()
            .Length(1, 63)
            .Pattern(patterns::kDnsLabel)
            .Doc("The object's name.");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<AdmissionCheckSpec>() {
  using S = AdmissionCheckSpec;
  static const StructDescriptor table =
      MakeTable<S>("AdmissionCheckSpec", kComplete, [](TableBuilder& t) {
        t.Field<&S::controller_name>("controllerName")
            .Required()
            .Length(1, 253)
            .Immutable()
            .Rule("self == oldSelf", "may not be changed")
            .Doc("The controller that decides; cannot be changed.");
        t.Field<&S::parameters>("parameters").Doc("The object with the controller's settings.");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<AdmissionCheckStatus>() {
  using S = AdmissionCheckStatus;
  static const StructDescriptor table =
      MakeTable<S>("AdmissionCheckStatus", kComplete, [](TableBuilder& t) {
        t.Field<&S::conditions>("conditions")
            .MapBy("type")
            .MaxItems(16)
            .Doc("Active says whether the check can be used.");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<AdmissionCheck>() {
  using S = AdmissionCheck;
  static const StructDescriptor table =
      MakeTable<S>("AdmissionCheck", kComplete | kTopLevel, [](TableBuilder& t) {
        t.Field<&S::metadata>("metadata");
        t.Field<&S::spec>("spec").Doc("Who decides.");
        t.Field<&S::status>("status").Doc("Whether the check can be used.");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<TopologyLevel>() {
  using S = TopologyLevel;
  static const StructDescriptor table =
      MakeTable<S>("TopologyLevel", kComplete, [](TableBuilder& t) {
        t.Field<&S::node_label>("nodeLabel")
            .Required()
            .Length(1, 316)
            .Pattern(patterns::kLabelKey)
            .Doc("The node label of this level.");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<TopologySpec>() {
  using S = TopologySpec;
  static const StructDescriptor table =
      MakeTable<S>("TopologySpec", kComplete, [](TableBuilder& t) {
        t.Field<&S::levels>("levels")
            .Required()
            .Atomic()
            .Items(1, 16)
            .Rule(
                "self == oldSelf || "
                "(self[size(self) - 1].nodeLabel == 'kubernetes.io/hostname' && "
                "oldSelf[size(oldSelf) - 1].nodeLabel == 'kubernetes.io/hostname')",
                "may change only if the lowest level was and is kubernetes.io/hostname")
            .Rule("self.all(l, self.exists_one(other, other.nodeLabel == l.nodeLabel))",
                  "levels must differ")
            .Rule(
                "!self.exists(l, l.nodeLabel == 'kubernetes.io/hostname') || "
                "(self.exists_one(l, l.nodeLabel == 'kubernetes.io/hostname') && "
                "self[size(self) - 1].nodeLabel == 'kubernetes.io/hostname')",
                "kubernetes.io/hostname must be the lowest level")
            .Doc("The levels, the highest first.");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<Topology>() {
  using S = Topology;
  static const StructDescriptor table =
      MakeTable<S>("Topology", kComplete | kTopLevel, [](TableBuilder& t) {
        t.Field<&S::metadata>("metadata");
        t.Field<&S::spec>("spec").Doc("The levels.");
      });
  return table;
}

}  // namespace kueue::api
