#include "apiserver/role_aggregator.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "api/match/selector.h"
#include "api/schema/kind.h"
#include "base/check.h"
#include "base/log.h"

namespace kueue::apiserver {

using api::Json;

namespace {

// Roles can be sums of sums; longer chains than this come to rest at the next change.
constexpr int kMostRounds = 10;

const api::KindInfo& ClusterRoles() {
  const api::KindInfo* kind = api::FindKind("rbac.authorization.k8s.io", "v1", "ClusterRole");
  KUEUE_CHECK(kind != nullptr);
  return *kind;
}

api::StringMap LabelsOf(const Json& object) {
  api::StringMap labels;
  const Json* map = object.FindPath({"metadata", "labels"});
  if (map == nullptr || !map->IsObject()) return labels;
  for (const Json::Member& label : map->AsObject()) {
    if (label.value.IsString()) labels.emplace(label.key, label.value.AsString());
  }
  return labels;
}

bool Selected(const Json& selectors, const Json& role) {
  const api::StringMap labels = LabelsOf(role);
  for (const Json& item : selectors.AsArray()) {
    const auto selector = api::Decode<api::LabelSelector>(item);
    if (!selector.ok()) continue;
    const auto matches = api::MatchesLabels(&*selector, labels);
    if (matches.ok() && *matches) return true;
  }
  return false;
}

Json RulesFor(const Json& sum, const std::vector<StoredPtr>& roles) {
  Json rules = Json::MakeArray();
  const Json* selectors = sum.FindPath({"aggregationRule", "clusterRoleSelectors"});
  if (selectors == nullptr || !selectors->IsArray()) return rules;
  const std::string own = sum.StringAt({"metadata", "name"});
  for (const StoredPtr& role : roles) {
    if (role->object().StringAt({"metadata", "name"}) == own) continue;
    const Json* more = role->object().Find("rules");
    if (more == nullptr || !more->IsArray() || !Selected(*selectors, role->object())) continue;
    for (const Json& rule : more->AsArray()) {
      const auto& have = rules.AsArray();
      if (std::find(have.begin(), have.end(), rule) == have.end()) rules.Append(rule);
    }
  }
  return rules;
}

}  // namespace

RoleAggregator::RoleAggregator(base::Executor& executor, Writer& writer)
    : executor_(executor), writer_(writer), store_(writer.store()), roles_(ClusterRoles()) {
  Work();
  watcher_ = store_.AddWatcher(&roles_, [this](const StoreChange&) { OnChange(); });
}

RoleAggregator::~RoleAggregator() { store_.RemoveWatcher(watcher_); }

void RoleAggregator::OnChange() {
  if (std::exchange(due_, true)) return;
  executor_.Post(scope_.Wrap([this] { Work(); }));
}

void RoleAggregator::Work() {
  const User user{"system:serviceaccount:kube-system:clusterrole-aggregation-controller",
                  "",
                  {kOwnersGroup, kAuthenticatedGroup}};
  for (int round = 0; round < kMostRounds; ++round) {
    std::vector<StoredPtr> roles;
    store_.Scan(roles_, "", "", [&](const std::string&, const StoredPtr& role) {
      roles.push_back(role);
      return true;
    });
    bool changed = false;
    for (const StoredPtr& role : roles) {
      if (role->object().Find("aggregationRule") == nullptr) continue;
      Json rules = RulesFor(role->object(), roles);
      const Json* now = role->object().Find("rules");
      if (now != nullptr ? *now == rules : rules.size() == 0) continue;
      IncomingObject incoming;
      incoming.object = role->object();
      incoming.object.Set("rules", std::move(rules));
      WriteContext context;
      context.user = &user;
      const std::string name = role->object().StringAt({"metadata", "name"});
      const auto result =
          writer_.Update(roles_, "", name, "", UpdateSource::kPut, std::move(incoming), context);
      if (!result.ok()) {
        base::LogWarn("apiserver", fmt::format("cluster role {} cannot be summed up: {}", name,
                                               result.error().message));
        continue;
      }
      changed = true;
    }
    if (!changed) break;
  }
  due_ = false;
}

}  // namespace kueue::apiserver
