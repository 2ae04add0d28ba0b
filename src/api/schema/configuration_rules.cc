#include "api/schema/configuration_rules.h"

#include <array>
#include <set>

#include "api/codec/json_text.h"
#include "api/match/name_rules.h"
#include "api/match/selector.h"
#include "api/schema/descriptors.h"
#include "base/time.h"

namespace kueue::api {
namespace {

constexpr char kIncremental[] = "kueue.x-k8s.io/multikueue-dispatcher-incremental";

// The kinds of jobs by the names the file calls them (spec/jobs.md §2).
struct Framework {
  std::string_view name;
  std::string_view kind;  // Kind.version.group
};
constexpr std::array kFrameworks = {
    Framework{"batch/job", "Job.v1.batch"},
    Framework{"deployment", "Deployment.v1.apps"},
    Framework{"jobset.x-k8s.io/jobset", "JobSet.v1alpha2.jobset.x-k8s.io"},
    Framework{"kubeflow.org/jaxjob", "JAXJob.v1.kubeflow.org"},
    Framework{"kubeflow.org/mpijob", "MPIJob.v2beta1.kubeflow.org"},
    Framework{"kubeflow.org/paddlejob", "PaddleJob.v1.kubeflow.org"},
    Framework{"kubeflow.org/pytorchjob", "PyTorchJob.v1.kubeflow.org"},
    Framework{"kubeflow.org/tfjob", "TFJob.v1.kubeflow.org"},
    Framework{"kubeflow.org/xgboostjob", "XGBoostJob.v1.kubeflow.org"},
    Framework{"leaderworkerset.x-k8s.io/leaderworkerset",
              "LeaderWorkerSet.v1.leaderworkerset.x-k8s.io"},
    Framework{"pod", "Pod.v1."},
    Framework{"ray.io/raycluster", "RayCluster.v1.ray.io"},
    Framework{"ray.io/rayjob", "RayJob.v1.ray.io"},
    Framework{"ray.io/rayservice", "RayService.v1.ray.io"},
    Framework{"sparkoperator.k8s.io/sparkapplication",
              "SparkApplication.v1beta2.sparkoperator.k8s.io"},
    Framework{"statefulset", "StatefulSet.v1.apps"},
    Framework{"trainer.kubeflow.org/trainjob", "TrainJob.v1alpha1.trainer.kubeflow.org"},
    Framework{"workload.codeflare.dev/appwrapper", "AppWrapper.v1beta2.workload.codeflare.dev"}};

void CheckDuration(const Json& part, const std::string& path, std::string_view member,
                   bool zero_allowed, FieldErrors& errors) {
  const std::string_view text = Text(part, member);
  const auto duration = base::ParseDuration(text);
  if (text.empty() || !duration.ok()) return;
  if (*duration > Duration::zero() || (zero_allowed && *duration == Duration::zero())) return;
  AddInvalid(errors, Field(path, member),
             InQuotes(text) + (zero_allowed ? ": must be 0s or more" : ": must be more than 0s"));
}

void CheckFeatures(const Json& object, FieldErrors& errors) {
  std::map<std::string, bool> values;
  for (const auto& gate : PartOf(object, "featureGates").AsObject()) {
    if (gate.value.IsBool()) values[gate.key] = gate.value.AsBool();
  }
  const auto gates = FeatureGates::Of(values);
  if (!gates.ok()) AddInvalid(errors, "featureGates", gates.error().message);
  CheckDeviceClassMappings(PartOf(object, "resources"), gates.ok() ? *gates : FeatureGates(),
                           errors);
}

// Jobs of the system and of the manager itself are never managed.
void CheckManagedNamespaces(const Json& object, const std::string& namespace_name,
                            FieldErrors& errors) {
  const char* path = "managedJobsNamespaceSelector";
  const Json* found = object.Find(path);
  if (found == nullptr || !found->IsObject()) return;
  const size_t before = errors.size();
  CheckLabelSelector(found, path, errors);
  LabelSelector selector;
  if (errors.size() != before ||
      !DecodeStruct(DescriptorOf<LabelSelector>(), &selector, *found, path).empty()) {
    return;
  }
  for (const std::string& name : {std::string("kube-system"), namespace_name}) {
    const auto matches = MatchesLabels(&selector, {{"kubernetes.io/metadata.name", name}});
    if (!matches.ok() || !*matches) continue;
    AddInvalid(errors, path,
               "matches the namespace " + InQuotes(name) + ": must leave out kube-system and " +
                   InQuotes(namespace_name) + ", where the manager runs");
  }
}

// "Kind.version.group", the group with or without dots.
bool IsFullKind(std::string_view name) {
  const size_t first = name.find('.');
  if (first == std::string_view::npos || first == 0) return false;
  const size_t second = name.find('.', first + 1);
  return second != std::string_view::npos && second > first + 1 && second + 1 < name.size();
}

const Framework* FrameworkNamed(std::string_view name) {
  for (const Framework& framework : kFrameworks) {
    if (framework.name == name) return &framework;
  }
  return nullptr;
}

bool IsKindOfFramework(std::string_view kind) {
  for (const Framework& framework : kFrameworks) {
    if (framework.kind == kind) return true;
  }
  return false;
}

// One more of the kinds that others manage.
void CheckExternalKind(std::string_view kind, const std::string& path,
                       std::set<std::string, std::less<>>& known, FieldErrors& errors) {
  if (!IsFullKind(kind)) {
    AddInvalid(errors, path, InQuotes(kind) + ": must be Kind.version.group, as in Job.v1.batch");
  } else if (!known.insert(std::string(kind)).second) {
    AddError(errors, FieldErrorType::kDuplicate, path,
             InQuotes(kind) + " is named before: every kind once");
  }
}

void CheckIntegrations(const Json& object, FieldErrors& errors) {
  const Json& part = PartOf(object, "integrations");
  std::set<std::string, std::less<>> known;
  const Json::Array& frameworks = Items(part, "frameworks");
  for (size_t i = 0; i < frameworks.size(); ++i) {
    const std::string path = Field("integrations.frameworks", i);
    const Framework* framework = FrameworkNamed(TextIn(frameworks[i]));
    if (framework == nullptr) {
      std::vector<std::string_view> names;
      for (const Framework& one : kFrameworks) names.push_back(one.name);
      AddNotSupported(errors, path, TextIn(frameworks[i]), names);
    } else if (!known.insert(std::string(framework->kind)).second) {
      AddError(errors, FieldErrorType::kDuplicate, path,
               InQuotes(framework->name) + " is named before: every framework once");
    }
  }
  const Json::Array& external = Items(part, "externalFrameworks");
  for (size_t i = 0; i < external.size(); ++i) {
    CheckExternalKind(TextIn(external[i]), Field("integrations.externalFrameworks", i), known,
                      errors);
  }
  const Json::Array& labels = Items(part, "labelKeysToCopy");
  for (size_t i = 0; i < labels.size(); ++i) {
    if (IsQualifiedName(TextIn(labels[i]))) continue;
    AddInvalid(errors, Field("integrations.labelKeysToCopy", i),
               InQuotes(TextIn(labels[i])) + ": must be a label's key, as in example.com/team");
  }
}

// A command that gives credentials.
void CheckProviders(const Json& profile, const std::string& parent, std::string_view member,
                    FieldErrors& errors) {
  const Json::Array& providers = Items(profile, member);
  for (size_t i = 0; i < providers.size(); ++i) {
    const std::string path = Field(Field(parent, member), i);
    if (Text(providers[i], "name").empty()) AddRequired(errors, Field(path, "name"));
    const Json& exec = PartOf(providers[i], "execConfig");
    const std::string at = Field(path, "execConfig");
    for (const char* needed : {"command", "apiVersion"}) {
      if (Text(exec, needed).empty()) AddRequired(errors, Field(at, needed));
    }
    const Json::Array& variables = Items(exec, "env");
    for (size_t v = 0; v < variables.size(); ++v) {
      if (!Text(variables[v], "name").empty()) continue;
      AddRequired(errors, Field(Field(Field(at, "env"), v), "name"));
    }
    const std::vector<std::string_view> modes = {"Never", "IfAvailable", "Always"};
    if (Text(exec, "interactiveMode").empty()) {
      AddRequired(errors, Field(at, "interactiveMode"),
                  "must be one of Never, IfAvailable, Always");
    } else {
      CheckAllowed(exec, at, "interactiveMode", modes, errors);
    }
  }
}

void CheckMultiKueue(const Json& object, FieldErrors& errors) {
  const Json& part = PartOf(object, "multiKueue");
  CheckDuration(part, "multiKueue", "gcInterval", true, errors);
  CheckDuration(part, "multiKueue", "workerLostTimeout", true, errors);
  const std::string_view origin = Text(part, "origin");
  for (const std::string& problem : LabelValueProblems(origin)) {
    AddInvalid(errors, "multiKueue.origin",
               InQuotes(origin) + ": must be a label's value: " + problem);
  }
  if (part.Find("incrementalDispatcherConfig") != nullptr &&
      Text(part, "dispatcherName") != kIncremental) {
    AddInvalid(errors, "multiKueue.incrementalDispatcherConfig",
               "is set while multiKueue.dispatcherName is " +
                   InQuotes(Text(part, "dispatcherName")) + ": allowed only with " +
                   InQuotes(kIncremental));
  }
  std::set<std::string, std::less<>> known;
  const Json::Array& external = Items(part, "externalFrameworks");
  for (size_t i = 0; i < external.size(); ++i) {
    const std::string path = Field(Field("multiKueue.externalFrameworks", i), "name");
    const std::string_view kind = Text(external[i], "name");
    CheckExternalKind(kind, path, known, errors);
    if (IsKindOfFramework(kind)) {
      AddInvalid(errors, path,
                 InQuotes(kind) + " is a kind the manager knows itself: name other kinds only");
    }
  }
  const Json& profile = PartOf(part, "clusterProfile");
  const std::string path = "multiKueue.clusterProfile";
  if (!Items(profile, "accessProviders").empty() &&
      !Items(profile, "credentialsProviders").empty()) {
    AddInvalid(errors, Field(path, "credentialsProviders"),
               "is the old name of accessProviders: set one of the two, not both");
  }
  CheckProviders(profile, path, "accessProviders", errors);
  CheckProviders(profile, path, "credentialsProviders", errors);
}

void CheckFairSharing(const Json& object, FieldErrors& errors) {
  const Json* part = object.Find("fairSharing");
  if (part != nullptr && part->IsObject()) {
    static const std::set<std::string> allowed = {
        R"(["LessThanOrEqualToFinalShare"])", R"(["LessThanInitialShare"])",
        R"(["LessThanOrEqualToFinalShare","LessThanInitialShare"])"};
    const Json* list = part->Find("preemptionStrategies");
    const std::string text = list != nullptr ? WriteJson(*list) : "";
    if (allowed.count(text) == 0 && !text.empty()) {
      AddInvalid(errors, "fairSharing.preemptionStrategies",
                 text +
                     ": must be LessThanOrEqualToFinalShare, LessThanInitialShare or both in "
                     "this order");
    }
  }
  const Json& admission = PartOf(object, "admissionFairSharing");
  CheckDuration(admission, "admissionFairSharing", "usageHalfLifeTime", true, errors);
  CheckDuration(admission, "admissionFairSharing", "usageSamplingInterval", false, errors);
  for (const auto& weight : PartOf(admission, "resourceWeights").AsObject()) {
    const bool number = weight.value.IsNumber();
    if (number && weight.value.NumberText()[0] != '-') continue;
    AddInvalid(errors, Key("admissionFairSharing.resourceWeights", weight.key),
               WriteJson(weight.value) + ": must be a number of 0 or more");
  }
}

void CheckResources(const Json& object, FieldErrors& errors) {
  const Json& part = PartOf(object, "resources");
  if (Text(part, "quotaCheckStrategy") == "IgnoreUndeclared" &&
      !Items(part, "excludeResourcePrefixes").empty()) {
    AddInvalid(errors, "resources.excludeResourcePrefixes",
               "must be empty when resources.quotaCheckStrategy is IgnoreUndeclared, which leaves "
               "out every resource a queue does not name");
  }
}

void CheckWaiting(const Json& object, FieldErrors& errors) {
  const Json& ready = PartOf(object, "waitForPodsReady");
  CheckDuration(ready, "waitForPodsReady", "timeout", true, errors);
  CheckDuration(ready, "waitForPodsReady", "recoveryTimeout", true, errors);
  const Json& workloads = PartOf(PartOf(object, "objectRetentionPolicies"), "workloads");
  for (const char* member : {"afterFinished", "afterDeactivatedByKueue"}) {
    CheckDuration(workloads, "objectRetentionPolicies.workloads", member, true, errors);
  }
}

}  // namespace

std::string InQuotes(std::string_view text) { return "\"" + std::string(text) + "\""; }

const Json& PartOf(const Json& object, std::string_view member) {
  static const Json* const none = new Json(Json::MakeObject());
  const Json* found = object.Find(member);
  return found != nullptr && found->IsObject() ? *found : *none;
}

std::string_view TextIn(const Json& value) {
  return value.IsString() ? std::string_view(value.AsString()) : std::string_view();
}

void CheckConfiguration(const Json& object, const std::string& namespace_name,
                        FieldErrors& errors) {
  CheckFeatures(object, errors);
  CheckManagedNamespaces(object, namespace_name, errors);
  CheckWaiting(object, errors);
  CheckIntegrations(object, errors);
  CheckMultiKueue(object, errors);
  CheckFairSharing(object, errors);
  CheckResources(object, errors);
  CheckConfigurationOfServers(object, errors);
}

}  // namespace kueue::api
