// Written by tools/generate_tables from a Kubernetes 1.36 API server. Not edited by hand.
#include "api/schema/facts/facts.h"

namespace kueue::api::facts {
namespace {

constexpr FieldFacts kCoordinationV1Lease[] = {
    {"metadata", "meta.v1.ObjectMeta", kWritten},
    {"spec", "coordination.v1.LeaseSpec", kWritten},
};
constexpr FieldFacts kCoordinationV1LeaseSpec[] = {
    {"acquireTime", "microtime", kPointer},
    {"holderIdentity", "string", kPointer},
    {"leaseDurationSeconds", "int32", kPointer},
    {"leaseTransitions", "int32", kPointer},
    {"preferredHolder", "string", kPointer},
    {"renewTime", "microtime", kPointer},
    {"strategy", "string", kPointer},
};
constexpr FieldFacts kEventsV1Event[] = {
    {"action", "string"},
    {"deprecatedCount", "int32"},
    {"deprecatedFirstTimestamp", "time", kWritten},
    {"deprecatedLastTimestamp", "time", kWritten},
    {"deprecatedSource", "core.v1.EventSource", kWritten},
    {"eventTime", "microtime", kRequired | kWritten},
    {"metadata", "meta.v1.ObjectMeta", kWritten},
    {"note", "string"},
    {"reason", "string"},
    {"regarding", "core.v1.ObjectReference", kWritten},
    {"related", "core.v1.ObjectReference", kPointer},
    {"reportingController", "string"},
    {"reportingInstance", "string"},
    {"series", "events.v1.EventSeries", kPointer},
    {"type", "string"},
};
constexpr FieldFacts kEventsV1EventSeries[] = {
    {"count", "int32", kRequired | kWritten},
    {"lastObservedTime", "microtime", kRequired | kWritten},
};

constexpr StructFacts kStructs[] = {
    {"coordination.v1.Lease", kCoordinationV1Lease, kTopLevel},
    {"coordination.v1.LeaseSpec", kCoordinationV1LeaseSpec},
    {"events.v1.Event", kEventsV1Event, kTopLevel},
    {"events.v1.EventSeries", kEventsV1EventSeries},
};

}  // namespace

std::span<const StructFacts> OthersFacts() { return kStructs; }

}  // namespace kueue::api::facts
