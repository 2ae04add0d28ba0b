#include "localcluster/deployment.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>

#include "localcluster/pod_life.h"

namespace kueue::localcluster {

using api::Json;
using runtime::Intents;

namespace {

constexpr char kHashLabel[] = "pod-template-hash";
constexpr char kDesired[] = "deployment.kubernetes.io/desired-replicas";
constexpr char kMost[] = "deployment.kubernetes.io/max-replicas";

int64_t RevisionOf(const api::ObjectMeta& meta) {
  const auto it = meta.annotations.find(kRevision);
  int64_t revision = 0;
  if (it != meta.annotations.end()) {
    std::from_chars(it->second.data(), it->second.data() + it->second.size(), revision);
  }
  return revision;
}

Json TemplateWithoutHash(const Json& object) {
  const Json* found = object.FindPath({"spec", "template"});
  Json copy = found == nullptr ? Json::MakeObject() : *found;
  Json* metadata = copy.Find("metadata");
  Json* labels = metadata == nullptr ? nullptr : metadata->Find("labels");
  if (labels != nullptr) {
    labels->Erase(kHashLabel);
    if (labels->size() == 0) metadata->Erase("labels");
  }
  return copy;
}

// One look at one Deployment.
class DeploymentLook {
 public:
  DeploymentLook(const WorkloadObject& deployment, const Workloads& sets, const Pods& pods,
                 base::Time now)
      : deployment_(deployment), pods_(pods), now_(now), after_(deployment.object) {
    for (const WorkloadPtr& set : sets) {
      replicas_[set->metadata.name] = IntAt(set->object, {"spec", "replicas"}, 1);
      sets_.push_back(set);
    }
    std::sort(sets_.begin(), sets_.end(), [](const WorkloadPtr& a, const WorkloadPtr& b) {
      return std::tie(a->metadata.creation_timestamp, a->metadata.name) <
             std::tie(b->metadata.creation_timestamp, b->metadata.name);
    });
    want_ = std::max<int64_t>(IntAt(deployment.object, {"spec", "replicas"}, 1), 0);
    recreate_ = deployment.object.StringAt({"spec", "strategy", "type"}) == "Recreate";
    const Json* rolling = deployment.object.FindPath({"spec", "strategy", "rollingUpdate"});
    if (rolling != nullptr && !recreate_) {
      surge_ = CountOrShare(rolling->Find("maxSurge"), want_, true, 0);
      unavailable_ = CountOrShare(rolling->Find("maxUnavailable"), want_, false, 0);
      // Something has to move.
      if (surge_ == 0 && unavailable_ == 0) unavailable_ = 1;
    }
  }

  Intents Run();

 private:
  void Record(const char* reason, const std::string& message) {
    intents_.events.push_back({ReferenceTo(deployment_), "Normal", reason, message});
  }
  bool Paused() const { return BoolAt(deployment_.object, {"spec", "paused"}); }
  int64_t Replicas(const WorkloadPtr& set) const { return replicas_.at(set->metadata.name); }
  static int64_t Available(const WorkloadPtr& set) {
    return IntAt(set->object, {"status", "availableReplicas"});
  }
  int64_t Sum(int64_t (*of)(const WorkloadPtr&)) const {
    int64_t sum = 0;
    for (const WorkloadPtr& set : sets_) sum += of(set);
    return sum;
  }
  int64_t SumOfReplicas() const {
    int64_t sum = 0;
    for (const auto& [name, replicas] : replicas_) sum += replicas;
    return sum;
  }

  void FindNewest();
  void CreateNewest(int64_t replicas);
  void Scale(const WorkloadPtr& set, int64_t replicas);
  void Annotate(const WorkloadPtr& set, Json& after, int64_t revision) const;
  void RollOut();
  void Recreate();
  void GrowNewest();
  void ShrinkOld();
  void ScaleOnly();
  void TakeRevision();
  void DropHistory();
  void WriteStatus();
  void TellProgress(Json& status);
  bool Complete() const;

  const WorkloadObject& deployment_;
  const Pods& pods_;
  const base::Time now_;
  Json after_;
  Workloads sets_;                           // old first
  std::map<std::string, int64_t> replicas_;  // wanted of each, as this look leaves it
  WorkloadPtr newest_;                       // null: no set has the template
  std::string newest_name_;                  // of the set made in this look
  int64_t want_ = 1, surge_ = 0, unavailable_ = 0, last_revision_ = 0;
  bool recreate_ = false;
  Intents intents_;
};

void DeploymentLook::FindNewest() {
  const Json wanted = TemplateWithoutHash(deployment_.object);
  for (const WorkloadPtr& set : sets_) {
    last_revision_ = std::max(last_revision_, RevisionOf(set->metadata));
    if (!newest_ && TemplateWithoutHash(set->object) == wanted) newest_ = set;
  }
}

void DeploymentLook::Annotate(const WorkloadPtr& set, Json& after, int64_t revision) const {
  Json& annotations = after["metadata"]["annotations"];
  annotations.Set(kDesired, std::to_string(want_));
  annotations.Set(kMost, std::to_string(want_ + surge_));
  if (set == newest_) annotations.Set(kRevision, std::to_string(revision));
}

// Sets replicas and annotations of a set in one write.
void DeploymentLook::Scale(const WorkloadPtr& set, int64_t replicas) {
  const int64_t before = Replicas(set);
  Json after = set->object;
  const int64_t own = RevisionOf(set->metadata);
  const bool renumber = set == newest_ && own < last_revision_ && !Paused();
  const int64_t revision = renumber ? last_revision_ + 1 : std::max<int64_t>(own, 1);
  Annotate(set, after, revision);
  after["spec"].Set("replicas", replicas);
  intents_.Add(PatchWorkload(*set, after));
  replicas_[set->metadata.name] = replicas;
  if (set == newest_) last_revision_ = revision;
  if (replicas == before) return;
  Record("ScalingReplicaSet",
         fmt::format("Scaled {} replica set {} from {} to {}", replicas > before ? "up" : "down",
                     set->metadata.name, before, replicas));
}

void DeploymentLook::CreateNewest(int64_t replicas) {
  Json pod_template = TemplateWithoutHash(deployment_.object);
  const int64_t collisions = IntAt(deployment_.object, {"status", "collisionCount"});
  const std::string hash = TemplateHash(pod_template, collisions);
  pod_template["metadata"]["labels"].Set(kHashLabel, hash);
  newest_name_ = deployment_.metadata.name + "-" + hash;
  Json set = Json::MakeObject();
  Json& metadata = set["metadata"];
  metadata.Set("name", newest_name_);
  metadata.Set("namespace", deployment_.metadata.namespace_name);
  const Json* labels = pod_template.FindPath({"metadata", "labels"});
  metadata.Set("labels", *labels);
  const Json* annotations = deployment_.object.FindPath({"metadata", "annotations"});
  if (annotations != nullptr) metadata.Set("annotations", *annotations);
  metadata["annotations"].Erase("kubectl.kubernetes.io/last-applied-configuration");
  metadata["annotations"].Set(kRevision, std::to_string(++last_revision_));
  metadata["annotations"].Set(kDesired, std::to_string(want_));
  metadata["annotations"].Set(kMost, std::to_string(want_ + surge_));
  Json owners;
  owners.Append(api::Encode(ControlledBy(deployment_)));
  metadata.Set("ownerReferences", std::move(owners));
  Json& spec = set["spec"];
  spec.Set("replicas", replicas);
  if (const Json* seconds = deployment_.object.FindPath({"spec", "minReadySeconds"})) {
    spec.Set("minReadySeconds", *seconds);
  }
  const Json* selector = deployment_.object.FindPath({"spec", "selector"});
  spec.Set("selector", selector == nullptr ? Json::MakeObject() : *selector);
  spec["selector"]["matchLabels"].Set(kHashLabel, hash);
  spec.Set("template", std::move(pod_template));
  intents_.writes.push_back(CreateWorkload(WorkloadKind("apps", "ReplicaSet"), std::move(set)));
  Record("ScalingReplicaSet",
         fmt::format("Scaled up replica set {} from 0 to {}", newest_name_, replicas));
}

void DeploymentLook::GrowNewest() {
  const int64_t have = newest_ ? Replicas(newest_) : 0;
  int64_t target = want_;
  if (have < want_ && !recreate_) {
    const int64_t room = std::max<int64_t>(want_ + surge_ - SumOfReplicas(), 0);
    target = have + std::min(room, want_ - have);
  }
  if (newest_) {
    Scale(newest_, target);
  } else {
    CreateNewest(target);
  }
}

void DeploymentLook::ShrinkOld() {
  const int64_t least_available = want_ - unavailable_;
  const int64_t new_unavailable =
      newest_ ? std::max<int64_t>(Replicas(newest_) - Available(newest_), 0) : 0;
  int64_t may_go = SumOfReplicas() - least_available - new_unavailable;
  if (newest_name_.empty() && !newest_) return;
  // What does not run anyway goes first.
  for (const WorkloadPtr& set : sets_) {
    if (set == newest_ || Replicas(set) == 0 || may_go <= 0) continue;
    const int64_t idle = std::min(may_go, std::max<int64_t>(Replicas(set) - Available(set), 0));
    if (idle == 0) continue;
    Scale(set, Replicas(set) - idle);
    may_go -= idle;
  }
  int64_t spare = std::min(may_go, Sum(&Available) - least_available);
  for (const WorkloadPtr& set : sets_) {
    if (set == newest_ || Replicas(set) == 0 || spare <= 0) continue;
    const bool touched = Replicas(set) != IntAt(set->object, {"spec", "replicas"}, 1);
    if (touched) continue;  // its object has another version now: the next look goes on
    const int64_t gone = std::min(spare, Replicas(set));
    Scale(set, Replicas(set) - gone);
    spare -= gone;
  }
}

void DeploymentLook::RollOut() {
  GrowNewest();
  ShrinkOld();
}

// Old pods stop, all of them, before the first new one starts.
void DeploymentLook::Recreate() {
  bool waits = false;
  for (const WorkloadPtr& set : sets_) {
    if (set == newest_) continue;
    if (Replicas(set) > 0) {
      Scale(set, 0);
      waits = true;
    }
    for (const auto& pod : pods_) {
      waits |= !HasEnded(*pod) && ControllerUid(pod->metadata, "ReplicaSet") == set->metadata.uid;
    }
  }
  if (!waits) GrowNewest();
}

// While paused only the number of replicas is followed, by the sets in proportion.
void DeploymentLook::ScaleOnly() {
  Workloads active;
  for (const WorkloadPtr& set : sets_) {
    if (Replicas(set) > 0) active.push_back(set);
  }
  if (active.empty() && newest_) active.push_back(newest_);
  if (active.size() == 1) {
    Scale(active[0], want_);
    return;
  }
  const int64_t all = SumOfReplicas();
  int64_t left = want_ + surge_ - all;
  if (left == 0 || all == 0) return;
  for (size_t i = 0; i < active.size(); ++i) {
    const int64_t have = Replicas(active[i]);
    const int64_t share = i + 1 == active.size() ? left : (want_ + surge_ - all) * have / all;
    Scale(active[i], std::max<int64_t>(have + share, 0));
    left -= share;
  }
}

void DeploymentLook::TakeRevision() {
  if (newest_name_.empty() && !newest_) return;
  Json annotated = deployment_.object;
  annotated["metadata"]["annotations"].Set(kRevision, std::to_string(last_revision_));
  intents_.Add(PatchWorkload(deployment_, annotated));
}

bool DeploymentLook::Complete() const {
  const auto status = [&](const char* name) {
    return newest_ ? IntAt(newest_->object, {"status", name}) : 0;
  };
  int64_t running = 0;
  for (const WorkloadPtr& set : sets_) running += IntAt(set->object, {"status", "replicas"});
  return newest_ != nullptr && status("replicas") == want_ && running == want_ &&
         Available(newest_) >= want_;
}

void DeploymentLook::DropHistory() {
  const int64_t limit = IntAt(deployment_.object, {"spec", "revisionHistoryLimit"}, 10);
  Workloads idle;
  for (const WorkloadPtr& set : sets_) {
    const bool empty = Replicas(set) == 0 && IntAt(set->object, {"spec", "replicas"}, 1) == 0 &&
                       IntAt(set->object, {"status", "replicas"}) == 0;
    if (set != newest_ && empty && !set->metadata.deletion_timestamp) idle.push_back(set);
  }
  std::stable_sort(idle.begin(), idle.end(), [](const WorkloadPtr& a, const WorkloadPtr& b) {
    return RevisionOf(a->metadata) < RevisionOf(b->metadata);
  });
  for (size_t i = 0; static_cast<int64_t>(i + limit) < static_cast<int64_t>(idle.size()); ++i) {
    intents_.writes.push_back(DeleteWorkload(*idle[i]));
  }
}

void DeploymentLook::TellProgress(Json& status) {
  const Json* known = FindWorkloadCondition(status, "Progressing");
  const std::string reason = known == nullptr ? "" : known->StringAt({"reason"});
  const bool limited = deployment_.object.FindPath({"spec", "progressDeadlineSeconds"}) != nullptr;
  const auto tell = [&](bool on, const char* why, const std::string& message) {
    SetWorkloadCondition(status, "Progressing", on, why, message, now_, true);
  };
  if (Paused()) {
    if (reason != "DeploymentPaused") {
      SetWorkloadCondition(status, "Progressing", false, "DeploymentPaused", "Deployment is paused",
                           now_, true);
      status["conditions"].AsArray().back().Set("status", "Unknown");
    }
    return;
  }
  if (reason == "DeploymentPaused") {
    tell(true, "DeploymentResumed", "Deployment is resumed");
    return;
  }
  if (!newest_name_.empty()) {
    return tell(true, "NewReplicaSetCreated",
                fmt::format("Created new replica set \"{}\"", newest_name_));
  }
  if (!newest_) return;
  const std::string& name = newest_->metadata.name;
  if (Complete()) {
    return tell(true, "NewReplicaSetAvailable",
                fmt::format("ReplicaSet \"{}\" has successfully progressed.", name));
  }
  const auto rose = [&](const char* field) {
    return IntAt(status, {field}) > IntAt(deployment_.object, {"status", field});
  };
  const bool moves = rose("updatedReplicas") || rose("readyReplicas") ||
                     rose("availableReplicas") ||
                     IntAt(status, {"replicas"}) - IntAt(status, {"updatedReplicas"}) <
                         IntAt(deployment_.object, {"status", "replicas"}) -
                             IntAt(deployment_.object, {"status", "updatedReplicas"});
  if (moves || reason.empty() || reason == "NewReplicaSetAvailable") {
    tell(true, "ReplicaSetUpdated", fmt::format("ReplicaSet \"{}\" is progressing.", name));
    // Each step counts as news, so that the deadline begins anew.
    for (Json& condition : status["conditions"].AsArray()) {
      if (moves && condition.StringAt({"type"}) == "Progressing") {
        condition.Set("lastUpdateTime", base::FormatTime(now_));
      }
    }
  }
  known = FindWorkloadCondition(status, "Progressing");
  if (!limited || known == nullptr || known->StringAt({"reason"}) == "ProgressDeadlineExceeded") {
    return;
  }
  const auto since = base::ParseTime(known->StringAt({"lastUpdateTime"}));
  const base::Time due =
      (since.ok() ? *since : now_) +
      base::seconds(IntAt(deployment_.object, {"spec", "progressDeadlineSeconds"}, 600));
  if (now_ < due) return LookAgainIn(intents_, due - now_);
  tell(false, "ProgressDeadlineExceeded",
       fmt::format("ReplicaSet \"{}\" has timed out progressing.", name));
}

void DeploymentLook::WriteStatus() {
  Json& status = after_["status"];
  const auto sum = [&](const char* field) {
    int64_t total = 0;
    for (const WorkloadPtr& set : sets_) total += IntAt(set->object, {"status", field});
    return total;
  };
  const auto put = [&](const char* name, int64_t value) {
    if (value == 0) {
      status.Erase(name);
    } else {
      status.Set(name, value);
    }
  };
  put("observedGeneration", deployment_.metadata.generation);
  put("replicas", sum("replicas"));
  put("updatedReplicas", newest_ ? IntAt(newest_->object, {"status", "replicas"}) : 0);
  put("readyReplicas", sum("readyReplicas"));
  put("availableReplicas", sum("availableReplicas"));
  put("unavailableReplicas", std::max<int64_t>(SumOfReplicas() - sum("availableReplicas"), 0));
  status.Set("terminatingReplicas", sum("terminatingReplicas"));
  const bool enough = sum("availableReplicas") >= want_ - unavailable_;
  SetWorkloadCondition(status, "Available", enough,
                       enough ? "MinimumReplicasAvailable" : "MinimumReplicasUnavailable",
                       enough ? "Deployment has minimum availability."
                              : "Deployment does not have minimum "
                                "availability.",
                       now_, true);
  TellProgress(status);
  intents_.Add(PatchWorkload(deployment_, after_, "status"));
}

Intents DeploymentLook::Run() {
  FindNewest();
  // The status goes first: the revision's annotation is a write to the same object, which brings
  // the next look.
  if (deployment_.metadata.deletion_timestamp) {
    WriteStatus();
    return std::move(intents_);
  }
  if (Paused()) {
    ScaleOnly();
  } else if (recreate_) {
    Recreate();
  } else {
    RollOut();
  }
  if (Complete()) DropHistory();
  if (!Paused()) {
    const size_t before = intents_.writes.size();
    TakeRevision();
    if (intents_.writes.size() > before) return std::move(intents_);
  }
  WriteStatus();
  return std::move(intents_);
}

}  // namespace

Intents PlanDeployment(const WorkloadObject& deployment, const Workloads& sets, const Pods& pods,
                       base::Time now) {
  return DeploymentLook(deployment, sets, pods, now).Run();
}

}  // namespace kueue::localcluster
