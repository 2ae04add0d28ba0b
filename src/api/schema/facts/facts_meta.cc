// Written by tools/generate_tables from a Kubernetes 1.36 API server. Not edited by hand.
#include "api/schema/facts/facts.h"

namespace kueue::api::facts {
namespace {

constexpr FieldFacts kMetaV1APIGroup[] = {
    {"name", "string", kRequired | kWritten},
    {"preferredVersion", "meta.v1.GroupVersionForDiscovery", kWritten},
    {"serverAddressByClientCIDRs", "[]meta.v1.ServerAddressByClientCIDR", kAtomic},
    {"versions", "[]meta.v1.GroupVersionForDiscovery", kRequired | kWritten | kAtomic},
};
constexpr FieldFacts kMetaV1APIGroupList[] = {
    {"groups", "[]meta.v1.APIGroup", kRequired | kWritten | kAtomic},
};
constexpr FieldFacts kMetaV1APIResource[] = {
    {"categories", "[]string", kAtomic},
    {"group", "string"},
    {"kind", "string", kRequired | kWritten},
    {"name", "string", kRequired | kWritten},
    {"namespaced", "bool", kRequired | kWritten},
    {"shortNames", "[]string", kAtomic},
    {"singularName", "string", kRequired | kWritten},
    {"storageVersionHash", "string"},
    {"verbs", "[]string", kRequired | kWritten},
    {"version", "string"},
};
constexpr FieldFacts kMetaV1APIResourceList[] = {
    {"groupVersion", "string", kRequired | kWritten},
    {"resources", "[]meta.v1.APIResource", kRequired | kWritten | kAtomic},
};
constexpr FieldFacts kMetaV1APIVersions[] = {
    {"serverAddressByClientCIDRs", "[]meta.v1.ServerAddressByClientCIDR",
     kRequired | kWritten | kAtomic},
    {"versions", "[]string", kRequired | kWritten | kAtomic},
};
constexpr FieldFacts kMetaV1Condition[] = {
    {"lastTransitionTime", "time", kRequired | kWritten},
    {"message", "string", kRequired | kWritten},
    {"observedGeneration", "int64"},
    {"reason", "string", kRequired | kWritten},
    {"status", "string", kRequired | kWritten},
    {"type", "string", kRequired | kWritten},
};
constexpr FieldFacts kMetaV1DeleteOptions[] = {
    {"dryRun", "[]string", kAtomic},
    {"gracePeriodSeconds", "int64", kPointer},
    {"ignoreStoreReadErrorWithClusterBreakingPotential", "bool", kPointer},
    {"orphanDependents", "bool", kPointer},
    {"preconditions", "meta.v1.Preconditions", kPointer},
    {"propagationPolicy", "string", kPointer},
};
constexpr FieldFacts kMetaV1GroupVersionForDiscovery[] = {
    {"groupVersion", "string", kRequired | kWritten},
    {"version", "string", kRequired | kWritten},
};
constexpr FieldFacts kMetaV1LabelSelector[] = {
    {"matchExpressions", "[]meta.v1.LabelSelectorRequirement", kAtomic},
    {"matchLabels", "{}string"},
};
constexpr FieldFacts kMetaV1LabelSelectorRequirement[] = {
    {"key", "string", kRequired | kWritten},
    {"operator", "string", kRequired | kWritten},
    {"values", "[]string", kAtomic},
};
constexpr FieldFacts kMetaV1ListMeta[] = {
    {"continue", "string"},
    {"remainingItemCount", "int64", kPointer},
    {"resourceVersion", "string"},
    {"selfLink", "string"},
    {"shardInfo", "meta.v1.ShardInfo", kPointer},
};
constexpr FieldFacts kMetaV1ManagedFieldsEntry[] = {
    {"apiVersion", "string"},
    {"fieldsType", "string"},
    {"fieldsV1", "json", kPointer},
    {"manager", "string"},
    {"operation", "string"},
    {"subresource", "string"},
    {"time", "time", kPointer},
};
constexpr FieldFacts kMetaV1ObjectMeta[] = {
    {"annotations", "{}string"},
    {"creationTimestamp", "time"},
    {"deletionGracePeriodSeconds", "int64", kPointer},
    {"deletionTimestamp", "time", kPointer},
    {"finalizers", "[]string", kSet | kMerge},
    {"generateName", "string"},
    {"generation", "int64"},
    {"labels", "{}string"},
    {"managedFields", "[]meta.v1.ManagedFieldsEntry", kAtomic},
    {"name", "string"},
    {"namespace", "string"},
    {"ownerReferences", "[]meta.v1.OwnerReference", kMap | kMerge, "uid", "uid"},
    {"resourceVersion", "string"},
    {"selfLink", "string"},
    {"uid", "string"},
};
constexpr FieldFacts kMetaV1OwnerReference[] = {
    {"apiVersion", "string", kRequired | kWritten},
    {"blockOwnerDeletion", "bool", kPointer},
    {"controller", "bool", kPointer},
    {"kind", "string", kRequired | kWritten},
    {"name", "string", kRequired | kWritten},
    {"uid", "string", kRequired | kWritten},
};
constexpr FieldFacts kMetaV1Preconditions[] = {
    {"resourceVersion", "string", kPointer},
    {"uid", "string", kPointer},
};
constexpr FieldFacts kMetaV1ServerAddressByClientCIDR[] = {
    {"clientCIDR", "string", kRequired | kWritten},
    {"serverAddress", "string", kRequired | kWritten},
};
constexpr FieldFacts kMetaV1ShardInfo[] = {
    {"selector", "string", kRequired | kWritten},
};
constexpr FieldFacts kMetaV1Status[] = {
    {"code", "int32"},
    {"details", "meta.v1.StatusDetails", kPointer},
    {"message", "string"},
    {"metadata", "meta.v1.ListMeta", kWritten},
    {"reason", "string"},
    {"status", "string"},
};
constexpr FieldFacts kMetaV1StatusCause[] = {
    {"field", "string"},
    {"message", "string"},
    {"reason", "string"},
};
constexpr FieldFacts kMetaV1StatusDetails[] = {
    {"causes", "[]meta.v1.StatusCause", kAtomic},
    {"group", "string"},
    {"kind", "string"},
    {"name", "string"},
    {"retryAfterSeconds", "int32"},
    {"uid", "string"},
};
constexpr FieldFacts kMetaV1WatchEvent[] = {
    {"object", "json", kRequired | kWritten},
    {"type", "string", kRequired | kWritten},
};

constexpr StructFacts kStructs[] = {
    {"meta.v1.APIGroup", kMetaV1APIGroup, kTopLevel},
    {"meta.v1.APIGroupList", kMetaV1APIGroupList, kTopLevel},
    {"meta.v1.APIResource", kMetaV1APIResource, 0, "name,singularName,namespaced,kind,verbs"},
    {"meta.v1.APIResourceList", kMetaV1APIResourceList, kTopLevel},
    {"meta.v1.APIVersions", kMetaV1APIVersions, kTopLevel, "versions,serverAddressByClientCIDRs"},
    {"meta.v1.Condition", kMetaV1Condition, 0, "type,status,lastTransitionTime,reason,message"},
    {"meta.v1.DeleteOptions", kMetaV1DeleteOptions, kTopLevel},
    {"meta.v1.GroupVersionForDiscovery", kMetaV1GroupVersionForDiscovery},
    {"meta.v1.LabelSelector", kMetaV1LabelSelector, kAtomicStruct},
    {"meta.v1.LabelSelectorRequirement", kMetaV1LabelSelectorRequirement},
    {"meta.v1.ListMeta", kMetaV1ListMeta},
    {"meta.v1.ManagedFieldsEntry", kMetaV1ManagedFieldsEntry},
    {"meta.v1.ObjectMeta", kMetaV1ObjectMeta},
    {"meta.v1.OwnerReference", kMetaV1OwnerReference, kAtomicStruct},
    {"meta.v1.Preconditions", kMetaV1Preconditions},
    {"meta.v1.ServerAddressByClientCIDR", kMetaV1ServerAddressByClientCIDR},
    {"meta.v1.ShardInfo", kMetaV1ShardInfo},
    {"meta.v1.Status", kMetaV1Status, kTopLevel},
    {"meta.v1.StatusCause", kMetaV1StatusCause},
    {"meta.v1.StatusDetails", kMetaV1StatusDetails},
    {"meta.v1.WatchEvent", kMetaV1WatchEvent, 0, "type,object"},
};

}  // namespace

std::span<const StructFacts> MetaFacts() { return kStructs; }

}  // namespace kueue::api::facts
