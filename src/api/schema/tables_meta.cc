#include "api/schema/descriptors.h"
#include "api/schema/patterns.h"
#include "api/schema/table_builder.h"

// Tables of the parts all kinds share (spec/api.md §2.2).
namespace kueue::api {

template <>
const StructDescriptor& DescriptorOf<OwnerReference>() {
  using S = OwnerReference;
  static const StructDescriptor table =
      MakeKubernetesTable<S>("meta.v1.OwnerReference", [](TableBuilder& t) {
        t.Field<&S::api_version>("apiVersion");
        t.Field<&S::kind>("kind");
        t.Field<&S::name>("name");
        t.Field<&S::uid>("uid");
        t.Field<&S::controller>("controller");
        t.Field<&S::block_owner_deletion>("blockOwnerDeletion");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<ObjectMeta>() {
  using S = ObjectMeta;
  static const StructDescriptor table =
      MakeKubernetesTable<S>("meta.v1.ObjectMeta", [](TableBuilder& t) {
        t.Field<&S::name>("name");
        t.Field<&S::generate_name>("generateName");
        t.Field<&S::namespace_name>("namespace");
        t.Field<&S::uid>("uid");
        t.Field<&S::resource_version>("resourceVersion");
        t.Field<&S::generation>("generation");
        t.Field<&S::creation_timestamp>("creationTimestamp");
        t.Field<&S::deletion_timestamp>("deletionTimestamp");
        t.Field<&S::deletion_grace_period_seconds>("deletionGracePeriodSeconds");
        t.Field<&S::labels>("labels");
        t.Field<&S::annotations>("annotations");
        t.Field<&S::owner_references>("ownerReferences");
        t.Field<&S::finalizers>("finalizers");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<Condition>() {
  using S = Condition;
  static const StructDescriptor table =
      MakeKubernetesTable<S>("meta.v1.Condition", [](TableBuilder& t) {
        t.Field<&S::type>("type")
            .Pattern(patterns::kLabelKey)
            .MaxLength(316)
            .Doc("What the condition is about.");
        t.Field<&S::status>("status").Enum({"True", "False", "Unknown"}).Doc("Whether it holds.");
        t.Field<&S::observed_generation>("observedGeneration")
            .Min(0)
            .Doc("The generation of the object that was looked at.");
        t.Field<&S::last_transition_time>("lastTransitionTime")
            .Doc("When the status last changed.");
        t.Field<&S::reason>("reason")
            .Pattern(patterns::kConditionReason)
            .Length(1, 1024)
            .Doc("Why, in one word for programs.");
        t.Field<&S::message>("message").MaxLength(32768).Doc("Why, in a sentence for people.");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<LabelSelectorRequirement>() {
  using S = LabelSelectorRequirement;
  static const StructDescriptor table =
      MakeKubernetesTable<S>("meta.v1.LabelSelectorRequirement", [](TableBuilder& t) {
        t.Field<&S::key>("key").Doc("The label's key.");
        t.Field<&S::op>("operator").Doc("In, NotIn, Exists or DoesNotExist.");
        t.Field<&S::values>("values").Doc("What the label's value is compared with.");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<LabelSelector>() {
  using S = LabelSelector;
  static const StructDescriptor table =
      MakeKubernetesTable<S>("meta.v1.LabelSelector", [](TableBuilder& t) {
        t.Field<&S::match_labels>("matchLabels")
            .Doc("Labels that must be there with exactly these values.");
        t.Field<&S::match_expressions>("matchExpressions").Doc("Requirements that must all hold.");
      });
  return table;
}

}  // namespace kueue::api
