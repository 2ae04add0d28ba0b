#include "embedded/tables_metrics.h"

#include "api/schema/descriptors.h"
#include "api/schema/table_builder.h"

namespace kueue::api {

template <>
const StructDescriptor& DescriptorOf<NodeMetrics>() {
  using S = NodeMetrics;
  static const StructDescriptor table = MakeTable<S>("NodeMetrics", kComplete, [](TableBuilder& t) {
    t.Field<&S::metadata>("metadata").Doc("Name and labels of the node.");
    t.Field<&S::timestamp>("timestamp").Required().Doc("When the use was measured.");
    t.Field<&S::window>("window").Required().Doc("Over how long before it is the mean.");
    t.Field<&S::usage>("usage").Required().Doc("What the node's pods use, by resource.");
  });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<ContainerMetrics>() {
  using S = ContainerMetrics;
  static const StructDescriptor table =
      MakeTable<S>("ContainerMetrics", kComplete, [](TableBuilder& t) {
        t.Field<&S::name>("name").Required().Doc("The container's name in the pod.");
        t.Field<&S::usage>("usage").Required().Doc("What the container uses, by resource.");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<PodMetrics>() {
  using S = PodMetrics;
  static const StructDescriptor table = MakeTable<S>("PodMetrics", kComplete, [](TableBuilder& t) {
    t.Field<&S::metadata>("metadata").Doc("Name, namespace and labels of the pod.");
    t.Field<&S::timestamp>("timestamp").Required().Doc("When the use was measured.");
    t.Field<&S::window>("window").Required().Doc("Over how long before it is the mean.");
    t.Field<&S::containers>("containers").Required().Doc("What its containers use.");
  });
  return table;
}

}  // namespace kueue::api
