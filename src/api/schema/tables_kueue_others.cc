#include "api/schema/descriptors.h"
#include "api/schema/patterns.h"
#include "api/schema/table_builder.h"

// Tables of ResourceFlavor, Topology, WorkloadPriorityClass and AdmissionCheck
// (spec/api.md §3, §4, §9, §10).
namespace kueue::api {

template <>
const StructDescriptor& DescriptorOf<ResourceFlavorSpec>() {
  using S = ResourceFlavorSpec;
  static const StructDescriptor table =
      MakeTable<S>("ResourceFlavorSpec", kComplete, [](TableBuilder& t) {
        t.Field<&S::node_labels>("nodeLabels").Atomic().MaxProperties(8)
            .Doc("Labels of the flavor's nodes; admitted pods select them.");
        t.Field<&S::node_taints>("nodeTaints").Atomic().MaxItems(8)
            .Doc("Taints of the flavor's nodes; workloads must tolerate them.");
        t.Field<&S::tolerations>("tolerations").Atomic().MaxItems(8)
            .Doc("Tolerations admitted pods get.");
        t.Field<&S::topology_name>("topologyName").ObjectName()
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
        t.Field<&S::value>("value").Required().AlwaysWritten()
            .Doc("The priority; larger goes first.");
        t.Field<&S::description>("description").MaxLength(2048).Doc("When to use the class.");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<AdmissionCheckParametersReference>() {
  using S = AdmissionCheckParametersReference;
  static const StructDescriptor table =
      MakeTable<S>("AdmissionCheckParametersReference", kComplete, [](TableBuilder& t) {
        t.Field<&S::api_group>("apiGroup").Required().AlwaysWritten().Length(1, 253)
            .Pattern(patterns::kDnsSubdomain).Doc("The object's API group.");
        t.Field<&S::kind>("kind").Required().AlwaysWritten().Length(1, 63).Pattern(patterns::kKind)
            .Doc("The object's kind.");
        t.Field<&S::name>("name").Required().AlwaysWritten().Length(1, 63)
            .Pattern(patterns::kDnsLabel).Doc("The object's name.");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<AdmissionCheckSpec>() {
  using S = AdmissionCheckSpec;
  static const StructDescriptor table =
      MakeTable<S>("AdmissionCheckSpec", kComplete, [](TableBuilder& t) {
        t.Field<&S::controller_name>("controllerName").Required().AlwaysWritten().Length(1, 253)
            .Immutable().Doc("The controller that decides; cannot be changed.");
        t.Field<&S::parameters>("parameters").Doc("The object with the controller's settings.");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<AdmissionCheckStatus>() {
  using S = AdmissionCheckStatus;
  static const StructDescriptor table =
      MakeTable<S>("AdmissionCheckStatus", kComplete, [](TableBuilder& t) {
        t.Field<&S::conditions>("conditions").MapBy("type").MaxItems(16)
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
        t.Field<&S::node_label>("nodeLabel").Required().AlwaysWritten().Length(1, 316)
            .Pattern(patterns::kLabelKey).Doc("The node label of this level.");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<TopologySpec>() {
  using S = TopologySpec;
  static const StructDescriptor table =
      MakeTable<S>("TopologySpec", kComplete, [](TableBuilder& t) {
        t.Field<&S::levels>("levels").Required().AlwaysWritten().Atomic().Items(1, 16)
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
