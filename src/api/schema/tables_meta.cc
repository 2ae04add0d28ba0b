#include "api/schema/descriptors.h"
#include "api/schema/patterns.h"
#include "api/schema/table_builder.h"

// Tables of the parts all kinds share (spec/api.md §2.2).
namespace kueue::api {

template <>
const StructDescriptor& DescriptorOf<OwnerReference>() {
  using S = OwnerReference;
  static const StructDescriptor table =
      MakeTable<S>("OwnerReference", kComplete, [](TableBuilder& t) {
        t.Field<&S::api_version>("apiVersion").Required().AlwaysWritten();
        t.Field<&S::kind>("kind").Required().AlwaysWritten();
        t.Field<&S::name>("name").Required().AlwaysWritten();
        t.Field<&S::uid>("uid").Required().AlwaysWritten();
        t.Field<&S::controller>("controller");
        t.Field<&S::block_owner_deletion>("blockOwnerDeletion");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<ObjectMeta>() {
  using S = ObjectMeta;
  static const StructDescriptor table = MakeTable<S>("ObjectMeta", kPartial, [](TableBuilder& t) {
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
    t.Field<&S::owner_references>("ownerReferences").MapBy("uid");
    t.Field<&S::finalizers>("finalizers").Set();
  });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<Condition>() {
  using S = Condition;
  static const StructDescriptor table = MakeTable<S>("Condition", kComplete, [](TableBuilder& t) {
    t.Field<&S::type>("type").Required().AlwaysWritten().Pattern(patterns::kLabelKey)
        .MaxLength(316).Doc("What the condition is about.");
    t.Field<&S::status>("status").Required().AlwaysWritten().Enum({"True", "False", "Unknown"})
        .Doc("Whether it holds.");
    t.Field<&S::observed_generation>("observedGeneration").Min(0)
        .Doc("The generation of the object that was looked at.");
    t.Field<&S::last_transition_time>("lastTransitionTime").Required()
        .Doc("When the status last changed.");
    t.Field<&S::reason>("reason").Required().AlwaysWritten().Pattern(patterns::kConditionReason)
        .Length(1, 1024).Doc("Why, in one word for programs.");
    t.Field<&S::message>("message").Required().AlwaysWritten().MaxLength(32768)
        .Doc("Why, in a sentence for people.");
  });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<LabelSelectorRequirement>() {
  using S = LabelSelectorRequirement;
  static const StructDescriptor table =
      MakeTable<S>("LabelSelectorRequirement", kComplete, [](TableBuilder& t) {
        t.Field<&S::key>("key").Required().AlwaysWritten().Doc("The label's key.");
        t.Field<&S::op>("operator").Required().AlwaysWritten()
            .Doc("In, NotIn, Exists or DoesNotExist.");
        t.Field<&S::values>("values").Atomic().Doc("What the label's value is compared with.");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<LabelSelector>() {
  using S = LabelSelector;
  static const StructDescriptor table =
      MakeTable<S>("LabelSelector", kComplete, [](TableBuilder& t) {
        t.Field<&S::match_labels>("matchLabels")
            .Doc("Labels that must be there with exactly these values.");
        t.Field<&S::match_expressions>("matchExpressions").Atomic()
            .Doc("Requirements that must all hold.");
      });
  return table;
}

}  // namespace kueue::api
