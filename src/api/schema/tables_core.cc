#include "api/schema/descriptors.h"
#include "api/schema/table_builder.h"

// Tables of the other kinds of the core group.
namespace kueue::api {

template <>
const StructDescriptor& DescriptorOf<NamespaceSpec>() {
  using S = NamespaceSpec;
  static const StructDescriptor table = MakeKubernetesTable<S>(
      "core.v1.NamespaceSpec", [](TableBuilder& t) { t.Field<&S::finalizers>("finalizers"); });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<NamespaceStatus>() {
  using S = NamespaceStatus;
  static const StructDescriptor table = MakeKubernetesTable<S>(
      "core.v1.NamespaceStatus", [](TableBuilder& t) { t.Field<&S::phase>("phase"); });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<Namespace>() {
  using S = Namespace;
  static const StructDescriptor table =
      MakeKubernetesTable<S>("core.v1.Namespace", [](TableBuilder& t) {
        t.Field<&S::metadata>("metadata");
        t.Field<&S::spec>("spec");
        t.Field<&S::status>("status");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<ObjectReference>() {
  using S = ObjectReference;
  static const StructDescriptor table =
      MakeKubernetesTable<S>("core.v1.ObjectReference", [](TableBuilder& t) {
        t.Field<&S::kind>("kind");
        t.Field<&S::namespace_name>("namespace");
        t.Field<&S::name>("name");
        t.Field<&S::uid>("uid");
        t.Field<&S::api_version>("apiVersion");
        t.Field<&S::resource_version>("resourceVersion");
        t.Field<&S::field_path>("fieldPath");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<EventSource>() {
  using S = EventSource;
  static const StructDescriptor table =
      MakeKubernetesTable<S>("core.v1.EventSource", [](TableBuilder& t) {
        t.Field<&S::component>("component");
        t.Field<&S::host>("host");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<EventSeries>() {
  using S = EventSeries;
  static const StructDescriptor table =
      MakeKubernetesTable<S>("core.v1.EventSeries", [](TableBuilder& t) {
        t.Field<&S::count>("count");
        t.Field<&S::last_observed_time>("lastObservedTime");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<Event>() {
  using S = Event;
  static const StructDescriptor table =
      MakeKubernetesTable<S>("core.v1.Event", [](TableBuilder& t) {
        t.Field<&S::metadata>("metadata");
        t.Field<&S::involved_object>("involvedObject");
        t.Field<&S::reason>("reason");
        t.Field<&S::message>("message");
        t.Field<&S::source>("source");
        t.Field<&S::first_timestamp>("firstTimestamp");
        t.Field<&S::last_timestamp>("lastTimestamp");
        t.Field<&S::count>("count");
        t.Field<&S::type>("type");
        t.Field<&S::event_time>("eventTime");
        t.Field<&S::series>("series");
        t.Field<&S::action>("action");
        t.Field<&S::related>("related");
        t.Field<&S::reporting_component>("reportingComponent");
        t.Field<&S::reporting_instance>("reportingInstance");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<Secret>() {
  using S = Secret;
  static const StructDescriptor table =
      MakeKubernetesTable<S>("core.v1.Secret", [](TableBuilder& t) {
        t.Field<&S::metadata>("metadata");
        t.Field<&S::data>("data");
        t.Field<&S::string_data>("stringData");
        t.Field<&S::type>("type");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<ConfigMap>() {
  using S = ConfigMap;
  static const StructDescriptor table =
      MakeKubernetesTable<S>("core.v1.ConfigMap", [](TableBuilder& t) {
        t.Field<&S::metadata>("metadata");
        t.Field<&S::data>("data");
        t.Field<&S::binary_data>("binaryData");
      });
  return table;
}

}  // namespace kueue::api
