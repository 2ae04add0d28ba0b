#include "api/schema/descriptors.h"
#include "api/schema/table_builder.h"

// Tables of group coordination.k8s.io.
namespace kueue::api {

template <>
const StructDescriptor& DescriptorOf<LeaseSpec>() {
  using S = LeaseSpec;
  static const StructDescriptor table =
      MakeKubernetesTable<S>("coordination.v1.LeaseSpec", [](TableBuilder& t) {
        t.Field<&S::holder_identity>("holderIdentity");
        t.Field<&S::lease_duration_seconds>("leaseDurationSeconds");
        t.Field<&S::acquire_time>("acquireTime");
        t.Field<&S::renew_time>("renewTime");
        t.Field<&S::lease_transitions>("leaseTransitions");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<Lease>() {
  using S = Lease;
  static const StructDescriptor table =
      MakeKubernetesTable<S>("coordination.v1.Lease", [](TableBuilder& t) {
        t.Field<&S::metadata>("metadata");
        t.Field<&S::spec>("spec");
      });
  return table;
}

}  // namespace kueue::api
