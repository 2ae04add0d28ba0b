#include "apiserver/access_defaults.h"

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace kueue::apiserver {

using api::Json;

namespace {

using Texts = std::vector<std::string_view>;

const Texts kRead = {"get", "list", "watch"};
const Texts kWrite = {"create", "delete", "deletecollection", "patch", "update"};
constexpr std::string_view kAggregateTo = "rbac.authorization.k8s.io/aggregate-to-";
constexpr std::string_view kQueueing = "rbac.kueue.x-k8s.io/";
constexpr std::string_view kBootstrapping = "kubernetes.io/bootstrapping";

Json List(const Texts& texts) {
  Json list = Json::MakeArray();
  for (const std::string_view text : texts) list.Append(text);
  return list;
}

Json Rule(const Texts& verbs, const Texts& groups, const Texts& resources) {
  Json rule = Json::MakeObject();
  rule.Set("verbs", List(verbs));
  rule.Set("apiGroups", List(groups));
  rule.Set("resources", List(resources));
  return rule;
}

Json PathRule(const Texts& paths) {
  Json rule = Json::MakeObject();
  rule.Set("verbs", List({"get"}));
  rule.Set("nonResourceURLs", List(paths));
  return rule;
}

Json Role(std::string_view name, std::vector<Json> rules) {
  Json role = Json::MakeObject();
  role["metadata"].Set("name", name);
  role.Set("rules", Json(Json::Array(std::move(rules))));
  return role;
}

Json& Labelled(Json& role, const std::string& label, std::string_view value) {
  role["metadata"]["labels"].Set(label, value);
  return role;
}

Json BuiltIn(std::string_view name, std::vector<Json> rules) {
  Json role = Role(name, std::move(rules));
  Labelled(role, std::string(kBootstrapping), "rbac-defaults");
  return role;
}

// A role that is the sum of those with one of `labels`.
Json Sum(Json role, const std::vector<std::string>& labels) {
  Json selectors = Json::MakeArray();
  for (const std::string& label : labels) {
    Json match = Json::MakeObject();
    match["matchLabels"].Set(label, "true");
    selectors.Append(std::move(match));
  }
  role["aggregationRule"].Set("clusterRoleSelectors", std::move(selectors));
  return role;
}

std::string AggregateTo(std::string_view role) {
  return std::string(kAggregateTo) + std::string(role);
}

// ---- what users of a namespace may do

std::vector<Json> ViewRules() {
  return {
      Rule(kRead, {""},
           {"configmaps", "endpoints", "persistentvolumeclaims", "persistentvolumeclaims/status",
            "pods", "replicationcontrollers", "replicationcontrollers/scale", "serviceaccounts",
            "services", "services/status"}),
      Rule(kRead, {""},
           {"bindings", "events", "limitranges", "namespaces/status", "pods/log", "pods/status",
            "replicationcontrollers/status", "resourcequotas", "resourcequotas/status"}),
      Rule(kRead, {""}, {"namespaces"}),
      Rule(kRead, {"discovery.k8s.io"}, {"endpointslices"}),
      Rule(kRead, {"apps"},
           {"controllerrevisions", "daemonsets", "daemonsets/status", "deployments",
            "deployments/scale", "deployments/status", "replicasets", "replicasets/scale",
            "replicasets/status", "statefulsets", "statefulsets/scale", "statefulsets/status"}),
      Rule(kRead, {"autoscaling"}, {"horizontalpodautoscalers", "horizontalpodautoscalers/status"}),
      Rule(kRead, {"batch"}, {"cronjobs", "cronjobs/status", "jobs", "jobs/status"}),
      Rule(kRead, {"policy"}, {"poddisruptionbudgets", "poddisruptionbudgets/status"}),
      Rule(kRead, {"networking.k8s.io"}, {"ingresses", "ingresses/status", "networkpolicies"}),
      Rule(kRead, {"resource.k8s.io"},
           {"resourceclaims", "resourceclaims/status", "resourceclaimtemplates"}),
  };
}

std::vector<Json> EditRules() {
  return {
      Rule(kRead, {""},
           {"pods/attach", "pods/exec", "pods/portforward", "pods/proxy", "secrets",
            "services/proxy"}),
      Rule({"impersonate"}, {""}, {"serviceaccounts"}),
      Rule(kWrite, {""}, {"pods", "pods/attach", "pods/exec", "pods/portforward", "pods/proxy"}),
      Rule({"create"}, {""}, {"pods/eviction"}),
      Rule(kWrite, {""},
           {"configmaps", "events", "persistentvolumeclaims", "replicationcontrollers",
            "replicationcontrollers/scale", "secrets", "serviceaccounts", "services",
            "services/proxy"}),
      Rule({"create"}, {""}, {"serviceaccounts/token"}),
      Rule(kWrite, {"apps"},
           {"daemonsets", "deployments", "deployments/rollback", "deployments/scale", "replicasets",
            "replicasets/scale", "statefulsets", "statefulsets/scale"}),
      Rule(kWrite, {"autoscaling"}, {"horizontalpodautoscalers"}),
      Rule(kWrite, {"batch"}, {"cronjobs", "jobs"}),
      Rule(kWrite, {"policy"}, {"poddisruptionbudgets"}),
      Rule(kWrite, {"networking.k8s.io"}, {"ingresses", "networkpolicies"}),
      Rule({"create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"},
           {"coordination.k8s.io"}, {"leases"}),
      Rule(kWrite, {"resource.k8s.io"}, {"resourceclaims", "resourceclaimtemplates"}),
  };
}

std::vector<Json> AdminRules() {
  return {
      Rule({"create"}, {"authorization.k8s.io"}, {"localsubjectaccessreviews"}),
      Rule({"create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"},
           {"rbac.authorization.k8s.io"}, {"rolebindings", "roles"}),
  };
}

void AddNamespaceRoles(std::vector<Json>& roles) {
  roles.push_back(Sum(BuiltIn("admin", {}), {AggregateTo("admin")}));
  Json edit = Sum(BuiltIn("edit", {}), {AggregateTo("edit")});
  roles.push_back(Labelled(edit, AggregateTo("admin"), "true"));
  Json view = Sum(BuiltIn("view", {}), {AggregateTo("view")});
  roles.push_back(Labelled(view, AggregateTo("edit"), "true"));
  const auto part = [&](const char* name, std::vector<Json> rules, std::string_view to) {
    Json role = BuiltIn(name, std::move(rules));
    roles.push_back(Labelled(role, AggregateTo(to), "true"));
  };
  part("system:aggregate-to-admin", AdminRules(), "admin");
  part("system:aggregate-to-edit", EditRules(), "edit");
  part("system:aggregate-to-view", ViewRules(), "view");
}

// ---- job queueing

// Who else gets the role: "batch-admin", "batch-user" and Kubernetes' own.
struct QueueingRole {
  std::string_view name, group, resource;
  bool edits, has_status;
  Texts sums, aggregates;
};

const std::vector<QueueingRole>& QueueingRoles() {
  constexpr std::string_view kKueue = "kueue.x-k8s.io";
  const Texts admin = {"batch-admin"}, both = {"batch-admin", "batch-user"};
  const Texts everyone = {"admin", "edit", "view"};
  static const std::vector<QueueingRole> roles = {
      {"admissioncheck-editor", kKueue, "admissionchecks", true, true, admin, {}},
      {"admissioncheck-viewer", kKueue, "admissionchecks", false, true, admin, {"admin"}},
      {"clusterqueue-editor", kKueue, "clusterqueues", true, true, admin, {}},
      {"clusterqueue-viewer", kKueue, "clusterqueues", false, true, admin, {"admin"}},
      {"cohort-editor", kKueue, "cohorts", true, false, admin, {}},
      {"cohort-viewer", kKueue, "cohorts", false, false, admin, {"admin"}},
      {"job-editor", "batch", "jobs", true, true, both, {}},
      {"job-viewer", "batch", "jobs", false, true, both, {}},
      {"localqueue-editor", kKueue, "localqueues", true, true, admin, {}},
      {"localqueue-viewer", kKueue, "localqueues", false, true, both, everyone},
      {"multikueuecluster-editor", kKueue, "multikueueclusters", true, true, admin, {}},
      {"multikueuecluster-viewer", kKueue, "multikueueclusters", false, true, admin, {"admin"}},
      {"multikueueconfig-editor", kKueue, "multikueueconfigs", true, false, admin, {}},
      {"multikueueconfig-viewer", kKueue, "multikueueconfigs", false, false, admin, {"admin"}},
      {"provisioningrequestconfig-editor",
       kKueue,
       "provisioningrequestconfigs",
       true,
       false,
       admin,
       {}},
      {"provisioningrequestconfig-viewer",
       kKueue,
       "provisioningrequestconfigs",
       false,
       false,
       admin,
       {"admin"}},
      {"resourceflavor-editor", kKueue, "resourceflavors", true, false, admin, {}},
      {"resourceflavor-viewer", kKueue, "resourceflavors", false, false, admin, {"admin"}},
      {"topology-editor", kKueue, "topologies", true, false, admin, {}},
      {"topology-viewer", kKueue, "topologies", false, false, admin, {"admin"}},
      {"workload-editor", kKueue, "workloads", true, true, admin, {}},
      {"workload-viewer", kKueue, "workloads", false, true, both, everyone},
      {"workloadpriorityclass-editor", kKueue, "workloadpriorityclasses", true, false, admin, {}},
      {"workloadpriorityclass-viewer",
       kKueue,
       "workloadpriorityclasses",
       false,
       false,
       admin,
       {"admin"}},
  };
  return roles;
}

void AddQueueingRoles(std::vector<Json>& roles) {
  const auto label = [](std::string_view name) {
    return std::string(kQueueing) + std::string(name);
  };
  for (const char* name : {"batch-admin", "batch-user"}) {
    roles.push_back(Sum(Role("kueue-" + std::string(name) + "-role", {}), {label(name)}));
  }
  for (const QueueingRole& from : QueueingRoles()) {
    const std::string status = std::string(from.resource) + "/status";
    const Texts edit = {"create", "delete", "get", "list", "patch", "update", "watch"};
    std::vector<Json> rules = {Rule(from.edits ? edit : kRead, {from.group}, {from.resource})};
    if (from.has_status) rules.push_back(Rule({"get"}, {from.group}, {status}));
    Json role = Role("kueue-" + std::string(from.name) + "-role", std::move(rules));
    for (const std::string_view sum : from.sums) Labelled(role, label(sum), "true");
    for (const std::string_view to : from.aggregates) Labelled(role, AggregateTo(to), "true");
    roles.push_back(std::move(role));
  }
  const auto pending = [&](const char* name, std::string_view resource, const Texts& sums) {
    Json role = Role(name, {Rule(kRead, {"visibility.kueue.x-k8s.io"}, {resource})});
    for (const std::string_view sum : sums) Labelled(role, label(sum), "true");
    roles.push_back(std::move(role));
  };
  pending("kueue-pending-workloads-cq-viewer-role", "clusterqueues/pendingworkloads",
          {"batch-admin"});
  pending("kueue-pending-workloads-lq-viewer-role", "localqueues/pendingworkloads",
          {"batch-admin", "batch-user"});
}

Json Binding(std::string_view role, const Texts& groups) {
  Json binding = Json::MakeObject();
  binding["metadata"].Set("name", role);
  binding["metadata"]["labels"].Set(std::string(kBootstrapping), "rbac-defaults");
  Json subjects = Json::MakeArray();
  for (const std::string_view group : groups) {
    Json subject = Json::MakeObject();
    subject.Set("kind", "Group");
    subject.Set("apiGroup", "rbac.authorization.k8s.io");
    subject.Set("name", group);
    subjects.Append(std::move(subject));
  }
  binding.Set("subjects", std::move(subjects));
  Json reference = Json::MakeObject();
  reference.Set("apiGroup", "rbac.authorization.k8s.io");
  reference.Set("kind", "ClusterRole");
  reference.Set("name", role);
  binding.Set("roleRef", std::move(reference));
  return binding;
}

}  // namespace

std::vector<Json> DefaultClusterRoles() {
  Json everywhere = Rule({"*"}, {"*"}, {"*"});
  Json every_path = PathRule({"*"});
  every_path.Set("verbs", List({"*"}));
  std::vector<Json> roles = {
      BuiltIn("cluster-admin", {std::move(everywhere), std::move(every_path)}),
      BuiltIn("system:basic-user",
              {Rule({"create"}, {"authorization.k8s.io"},
                    {"selfsubjectaccessreviews", "selfsubjectrulesreviews"}),
               Rule({"create"}, {"authentication.k8s.io"}, {"selfsubjectreviews"})}),
      BuiltIn("system:discovery",
              {PathRule({"/api", "/api/*", "/apis", "/apis/*", "/healthz", "/livez", "/openapi",
                         "/openapi/*", "/readyz", "/version", "/version/"})}),
      BuiltIn("system:public-info-viewer",
              {PathRule({"/healthz", "/livez", "/readyz", "/version", "/version/"})}),
      BuiltIn("system:monitoring",
              {PathRule({"/healthz", "/healthz/*", "/livez", "/livez/*", "/metrics",
                         "/metrics/slis", "/readyz", "/readyz/*"})}),
      BuiltIn("system:auth-delegator",
              {Rule({"create"}, {"authentication.k8s.io"}, {"tokenreviews"}),
               Rule({"create"}, {"authorization.k8s.io"}, {"subjectaccessreviews"})}),
  };
  AddNamespaceRoles(roles);
  AddQueueingRoles(roles);
  return roles;
}

std::vector<Json> DefaultClusterRoleBindings() {
  return {Binding("cluster-admin", {"system:masters"}),
          Binding("system:basic-user", {"system:authenticated"}),
          Binding("system:discovery", {"system:authenticated"}),
          Binding("system:monitoring", {"system:monitoring"}),
          Binding("system:public-info-viewer", {"system:authenticated", "system:unauthenticated"})};
}

}  // namespace kueue::apiserver
