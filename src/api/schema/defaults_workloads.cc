#include "api/schema/defaults_built_in.h"

// Defaults of the kinds that make pods.
namespace kueue::api {
namespace {

// The spec with the defaults of its template; null if it is no object.
Json* SpecWithTemplate(Json& object) {
  Json* spec = MakeObjectIn(&object, "spec");
  if (spec) DefaultPodTemplate(MakeObjectIn(spec, "template"));
  return spec;
}

// spec.strategy or spec.updateStrategy; gives the rollingUpdate part if the strategy is that.
Json* RollingUpdate(Json* spec, std::string_view member) {
  Json* strategy = MakeObjectIn(spec, member);
  if (!strategy) return nullptr;
  SetIfAbsent(*strategy, "type", "RollingUpdate");
  if (strategy->StringAt({"type"}) != "RollingUpdate") return nullptr;
  return MakeObjectIn(strategy, "rollingUpdate");
}

}  // namespace

void DefaultJob(Json& job) {
  Json* job_spec = MakeObjectIn(&job, "spec");
  if (!job_spec) return;
  Json& spec = *job_spec;
  const bool has_counts = spec.Find("completions") || spec.Find("parallelism");
  SetIfAbsent(spec, "parallelism", 1);
  if (!has_counts) SetIfAbsent(spec, "completions", 1);
  const bool per_index = spec.Find("backoffLimitPerIndex") != nullptr;
  SetIfAbsent(spec, "backoffLimit", per_index ? int64_t{2147483647} : int64_t{6});
  SetIfAbsent(spec, "completionMode", "NonIndexed");
  SetIfAbsent(spec, "suspend", false);
  SetIfAbsent(spec, "manualSelector", false);
  SetIfAbsent(spec, "podReplacementPolicy",
              spec.Find("podFailurePolicy") ? "Failed" : "TerminatingOrFailed");
  ForEachIn(ObjectIn(&spec, "podFailurePolicy"), "rules", [](Json& rule) {
    ForEachIn(&rule, "onPodConditions",
              [](Json& pattern) { SetIfAbsent(pattern, "status", "True"); });
  });
  Json* pod_template = MakeObjectIn(&spec, "template");
  if (!pod_template) return;
  DefaultPodTemplate(pod_template);
  // A job without labels takes those of its template.
  const Json* labels = pod_template->FindPath({"metadata", "labels"});
  const Json* own = job.FindPath({"metadata", "labels"});
  if (labels && labels->size() > 0 && (!own || own->size() == 0)) {
    job["metadata"].Set("labels", *labels);
  }
}

void DefaultCronJob(Json& object) {
  Json* spec = MakeObjectIn(&object, "spec");
  if (!spec) return;
  SetIfAbsent(*spec, "concurrencyPolicy", "Allow");
  SetIfAbsent(*spec, "suspend", false);
  SetIfAbsent(*spec, "successfulJobsHistoryLimit", 3);
  SetIfAbsent(*spec, "failedJobsHistoryLimit", 1);
  // The jobs it makes get the other defaults when they are made.
  Json* job_template = MakeObjectIn(spec, "jobTemplate");
  DefaultPodTemplate(MakeObjectIn(MakeObjectIn(job_template, "spec"), "template"));
}

void DefaultDeployment(Json& object) {
  Json* spec = SpecWithTemplate(object);
  if (!spec) return;
  SetIfAbsent(*spec, "replicas", 1);
  if (Json* rolling = RollingUpdate(spec, "strategy")) {
    SetIfAbsent(*rolling, "maxUnavailable", "25%");
    SetIfAbsent(*rolling, "maxSurge", "25%");
  }
  SetIfAbsent(*spec, "revisionHistoryLimit", 10);
  SetIfAbsent(*spec, "progressDeadlineSeconds", 600);
}

void DefaultReplicaSet(Json& object) {
  if (Json* spec = SpecWithTemplate(object)) SetIfAbsent(*spec, "replicas", 1);
}

// Selects by the labels of its template, unless it says otherwise.
void DefaultReplicationController(Json& object) {
  Json* spec = MakeObjectIn(&object, "spec");
  if (!spec) return;
  DefaultPodTemplate(ObjectIn(spec, "template"));
  SetIfAbsent(*spec, "replicas", 1);
  const Json* labels = spec->FindPath({"template", "metadata", "labels"});
  if (!labels || labels->size() == 0) return;
  const Json copy = *labels;
  const Json* selector = spec->Find("selector");
  if (!selector || selector->size() == 0) spec->Set("selector", copy);
  const Json* own = object.FindPath({"metadata", "labels"});
  if (!own || own->size() == 0) object["metadata"].Set("labels", copy);
}

void DefaultStatefulSet(Json& object) {
  Json* spec = SpecWithTemplate(object);
  if (!spec) return;
  SetIfAbsent(*spec, "replicas", 1);
  SetIfAbsent(*spec, "podManagementPolicy", "OrderedReady");
  if (Json* rolling = RollingUpdate(spec, "updateStrategy")) SetIfAbsent(*rolling, "partition", 0);
  SetIfAbsent(*spec, "revisionHistoryLimit", 10);
  if (Json* kept = MakeObjectIn(spec, "persistentVolumeClaimRetentionPolicy")) {
    SetIfAbsent(*kept, "whenDeleted", "Retain");
    SetIfAbsent(*kept, "whenScaled", "Retain");
  }
  ForEachIn(spec, "volumeClaimTemplates", [](Json& claim) {
    claim.Set("apiVersion", "v1");
    claim.Set("kind", "PersistentVolumeClaim");
    DefaultPersistentVolumeClaim(claim);
  });
}

void DefaultDaemonSet(Json& object) {
  Json* spec = SpecWithTemplate(object);
  if (!spec) return;
  if (Json* rolling = RollingUpdate(spec, "updateStrategy")) {
    SetIfAbsent(*rolling, "maxUnavailable", 1);
    SetIfAbsent(*rolling, "maxSurge", 0);
  }
  SetIfAbsent(*spec, "revisionHistoryLimit", 10);
}

void DefaultPodTemplateKind(Json& object) { DefaultPodTemplate(MakeObjectIn(&object, "template")); }

// An annotation stands for a field that older versions of the API had.
void PrepareDaemonSet(Json& object) {
  Json* metadata = ObjectIn(&object, "metadata");
  if (Json* annotations = MakeObjectIn(metadata, "annotations")) {
    annotations->Set("deprecated.daemonset.template.generation", "1");
  }
}

void PrepareJob(Json& job) {
  const std::string uid = job.StringAt({"metadata", "uid"});
  const std::string name = job.StringAt({"metadata", "name"});
  Json& spec = job["spec"];
  if (!spec.IsObject() || !spec["template"].IsObject()) return;
  Json& metadata = spec["template"]["metadata"];
  const Json before = metadata.Find("labels") ? *metadata.Find("labels") : Json::MakeObject();
  const Json* manual = spec.Find("manualSelector");
  if (!manual || !manual->IsBool() || !manual->AsBool()) {
    Json labels = before.IsObject() ? before : Json::MakeObject();
    SetIfAbsent(labels, "batch.kubernetes.io/controller-uid", uid);
    SetIfAbsent(labels, "batch.kubernetes.io/job-name", name);
    SetIfAbsent(labels, "controller-uid", uid);
    SetIfAbsent(labels, "job-name", name);
    metadata.Set("labels", std::move(labels));
    Json& selector = spec["selector"];
    if (selector.IsNull()) selector = Json::MakeObject();
    SetIfAbsent(selector, "matchLabels", Json::MakeObject());
    if (!selector["matchLabels"].IsObject()) return;
    SetIfAbsent(selector["matchLabels"], "batch.kubernetes.io/controller-uid", uid);
  }
  // Labels the job has from its template follow it.
  const Json* own = job.FindPath({"metadata", "labels"});
  const Json* labels = metadata.Find("labels");
  if (labels && (!own || own->size() == 0 || *own == before)) {
    job["metadata"].Set("labels", *labels);
  }
}

}  // namespace kueue::api
