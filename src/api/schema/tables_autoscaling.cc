#include "api/schema/descriptors.h"
#include "api/schema/patterns.h"
#include "api/schema/table_builder.h"

// Tables of ProvisioningRequest, as its definition in the cluster autoscaler has them.
namespace kueue::api {

template <>
const StructDescriptor& DescriptorOf<PodTemplateReference>() {
  using S = PodTemplateReference;
  static const StructDescriptor table =
      MakeTable<S>("PodTemplateReference", kComplete, [](TableBuilder& t) {
        t.Field<&S::name>("name").ObjectName().Doc("A PodTemplate in the same namespace.");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<ProvisioningRequestPodSet>() {
  using S = ProvisioningRequestPodSet;
  static const StructDescriptor table =
      MakeTable<S>("ProvisioningRequestPodSet", kComplete, [](TableBuilder& t) {
        t.Field<&S::pod_template_ref>("podTemplateRef")
            .Required()
            .AlwaysWritten()
            .Doc("What the pods look like.");
        t.Field<&S::count>("count").Required().AlwaysWritten().Min(1).Doc("How many there are.");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<ProvisioningRequestSpec>() {
  using S = ProvisioningRequestSpec;
  static const StructDescriptor table =
      MakeTable<S>("ProvisioningRequestSpec", kComplete, [](TableBuilder& t) {
        t.Field<&S::pod_sets>("podSets")
            .Required()
            .AlwaysWritten()
            .Atomic()
            .Items(1, 32)
            .Immutable()
            .Rule("self == oldSelf", "may not be changed")
            .Doc("The pods there is to be room for.");
        t.Field<&S::provisioning_class_name>("provisioningClassName")
            .Required()
            .AlwaysWritten()
            .ObjectName()
            .Immutable()
            .Rule("self == oldSelf", "may not be changed")
            .Doc("How the room is made.");
        t.Field<&S::parameters>("parameters")
            .MaxProperties(100)
            .ItemLength(0, 255)
            .Immutable()
            .Rule("self == oldSelf", "may not be changed")
            .Doc("What the class wants to know.");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<ProvisioningRequestStatus>() {
  using S = ProvisioningRequestStatus;
  static const StructDescriptor table =
      MakeTable<S>("ProvisioningRequestStatus", kComplete, [](TableBuilder& t) {
        t.Field<&S::conditions>("conditions")
            .MapBy("type")
            .Doc("Accepted, Provisioned, Failed, BookingExpired, CapacityRevoked.");
        t.Field<&S::provisioning_class_details>("provisioningClassDetails")
            .MaxProperties(64)
            .ItemLength(0, 32768)
            .Doc("What the class says about the result.");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<ProvisioningRequest>() {
  using S = ProvisioningRequest;
  static const StructDescriptor table =
      MakeTable<S>("ProvisioningRequest", kComplete | kTopLevel, [](TableBuilder& t) {
        t.Field<&S::metadata>("metadata");
        t.Field<&S::spec>("spec").Required().AlwaysWritten().Doc("What is asked for.");
        t.Field<&S::status>("status").Doc("What has become of it.");
      });
  return table;
}

}  // namespace kueue::api
