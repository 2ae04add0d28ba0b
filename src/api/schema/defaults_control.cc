#include <utility>

#include "api/schema/defaults_built_in.h"

// Defaults of the kinds by which a cluster's own parts are steered: autoscaling, flow control,
// storage drivers.
namespace kueue::api {
namespace {

// 80 % of the requested CPU.
Json UsualMetric() {
  Json target = Json::MakeObject();
  target.Set("type", "Utilization");
  target.Set("averageUtilization", 80);
  Json resource = Json::MakeObject();
  resource.Set("name", "cpu");
  resource.Set("target", std::move(target));
  Json metric = Json::MakeObject();
  metric.Set("type", "Resource");
  metric.Set("resource", std::move(resource));
  return metric;
}

}  // namespace

void DefaultAutoscaler(Json& object) {
  Json* spec = ObjectIn(&object, "spec");
  if (!spec) return;
  SetIfAbsent(*spec, "minReplicas", 1);
  if (object.StringAt({"apiVersion"}) == "autoscaling/v1") return;
  const Json* metrics = spec->Find("metrics");
  if (metrics == nullptr || metrics->size() == 0) {
    Json usual = Json::MakeArray();
    usual.Append(UsualMetric());
    spec->Set("metrics", std::move(usual));
  }
}

void DefaultFlowSchema(Json& object) {
  Json* spec = ObjectIn(&object, "spec");
  if (spec) SetIfAbsent(*spec, "matchingPrecedence", 1000);
}

void DefaultPriorityLevel(Json& object) {
  Json* limited = ObjectIn(ObjectIn(&object, "spec"), "limited");
  if (!limited) return;
  SetIfAbsent(*limited, "nominalConcurrencyShares", 30);
  SetIfAbsent(*limited, "lendablePercent", 0);
  Json* queuing = ObjectIn(ObjectIn(limited, "limitResponse"), "queuing");
  if (!queuing) return;
  SetIfAbsent(*queuing, "queues", 64);
  SetIfAbsent(*queuing, "handSize", 8);
  SetIfAbsent(*queuing, "queueLengthLimit", 50);
}

void DefaultCsiDriver(Json& object) {
  Json* spec = ObjectIn(&object, "spec");
  if (!spec) return;
  SetIfAbsent(*spec, "attachRequired", true);
  SetIfAbsent(*spec, "fsGroupPolicy", "ReadWriteOnceWithFSType");
  for (const char* flag :
       {"podInfoOnMount", "requiresRepublish", "seLinuxMount", "storageCapacity"}) {
    SetIfAbsent(*spec, flag, false);
  }
  Json modes = Json::MakeArray();
  modes.Append("Persistent");
  SetIfAbsent(*spec, "volumeLifecycleModes", std::move(modes));
}

}  // namespace kueue::api
