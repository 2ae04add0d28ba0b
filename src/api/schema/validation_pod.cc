#include <algorithm>
#include <set>
#include <tuple>

#include "api/codec/json_text.h"
#include "api/match/name_rules.h"
#include "api/schema/validation_parts.h"

// Rules of PodSpec, as the Kubernetes API documents them.
namespace kueue::api {
namespace {

void CheckEnum(const Json& object, const std::string& path, std::string_view member,
               const std::vector<std::string_view>& allowed, FieldErrors& errors) {
  const std::string_view text = Text(object, member);
  if (text.empty()) return;
  if (std::find(allowed.begin(), allowed.end(), text) == allowed.end()) {
    AddNotSupported(errors, Field(path, member), text, allowed);
  }
}

void CheckPorts(const Json& container, const std::string& path, bool host_network,
                FieldErrors& errors) {
  const Json::Array& ports = Items(container, "ports");
  std::set<std::string_view> names;
  for (size_t i = 0; i < ports.size(); ++i) {
    const Json& port = ports[i];
    const std::string at = Field(Field(path, "ports"), i);
    const std::string_view name = Text(port, "name");
    if (!name.empty()) {
      AddInvalid(errors, Field(at, "name"), PortNameProblems(name));
      if (!names.insert(name).second) {
        AddError(errors, FieldErrorType::kDuplicate, Field(at, "name"), "is there twice");
      }
    }
    const int64_t number = Int(port, "containerPort").value_or(0);
    if (number == 0) {
      AddRequired(errors, Field(at, "containerPort"));
    } else if (number < 1 || number > 65535) {
      AddInvalid(errors, Field(at, "containerPort"), "must be between 1 and 65535");
    }
    const int64_t host = Int(port, "hostPort").value_or(0);
    if (host < 0 || host > 65535) {
      AddInvalid(errors, Field(at, "hostPort"), "must be between 1 and 65535");
    } else if (host_network && host != number) {
      AddInvalid(errors, Field(at, "hostPort"), "must be the containerPort with hostNetwork");
    }
    CheckEnum(port, at, "protocol", {"TCP", "UDP", "SCTP"}, errors);
  }
}

bool IsHugePages(std::string_view name) { return name.substr(0, 10) == "hugepages-"; }

bool IsStandardResource(std::string_view name) {
  return name == "cpu" || name == "memory" || name == "ephemeral-storage" || name == "storage" ||
         IsHugePages(name);
}

// Extended resources come whole and cannot be promised twice.
bool IsExtendedResource(std::string_view name) {
  return name.find('/') != std::string_view::npos &&
         name.find("kubernetes.io/") == std::string_view::npos;
}

void CheckResourceList(const Json& resources, const char* list, const std::string& path,
                       FieldErrors& errors) {
  for (const Json::Member& entry : Members(resources.Find(list))) {
    const std::string at = Key(Field(path, list), entry.key);
    AddInvalid(errors, at, QualifiedNameProblems(entry.key));
    if (entry.key.find('/') == std::string::npos && !IsStandardResource(entry.key)) {
      AddInvalid(errors, at, "must be a standard resource or a name with a domain");
      if (IsQualifiedName(entry.key)) {
        AddInvalid(errors, at, "is not a resource of containers");
      }
    }
    const auto quantity = QuantityIn(&entry.value);
    if (!quantity) continue;
    if (quantity->Sign() < 0) AddInvalid(errors, at, "must not be negative");
    if (IsExtendedResource(entry.key) && quantity->nano() % 1000000000 != 0) {
      AddInvalid(errors, at, "must be a whole number");
    }
    if (IsHugePages(entry.key)) {
      const auto page = Quantity::Parse(std::string_view(entry.key).substr(10));
      if (page.ok() && page->Sign() > 0 && quantity->nano() % page->nano() != 0) {
        AddInvalid(errors, at, "must be a multiple of the page size");
      }
    }
  }
}

void CheckHugePages(const Json& resources, const std::string& path, FieldErrors& errors) {
  bool huge = false, others = false;
  for (const char* list : {"limits", "requests"}) {
    for (const Json::Member& entry : Members(resources.Find(list))) {
      huge = huge || IsHugePages(entry.key);
      others = others || entry.key == "cpu" || entry.key == "memory";
    }
  }
  if (!huge || others) return;
  AddError(errors, FieldErrorType::kForbidden, path, "huge pages go with cpu or memory");
}

void CheckResources(const Json& container, const std::string& path, FieldErrors& errors) {
  const Json* resources = container.Find("resources");
  if (!resources || !resources->IsObject()) return;
  CheckResourceList(*resources, "limits", path, errors);
  CheckResourceList(*resources, "requests", path, errors);
  const Json* limits = resources->Find("limits");
  for (const Json::Member& request : Members(resources->Find("requests"))) {
    const auto asked = QuantityIn(&request.value);
    const auto limit = QuantityIn(limits ? limits->Find(request.key) : nullptr);
    if (!asked) continue;
    const bool exact = IsExtendedResource(request.key) || IsHugePages(request.key);
    if (!limit) {
      if (exact) {
        AddRequired(errors, Field(path, "limits"), request.key + " needs a limit");
      }
    } else if (*asked > *limit) {
      AddInvalid(errors, Field(path, "requests"), request.key + " must not exceed its limit");
    } else if (exact && *asked < *limit) {
      AddInvalid(errors, Field(path, "requests"), request.key + " must equal its limit");
    }
  }
  CheckHugePages(*resources, path, errors);
}

// Of downward references in environment variables.
bool IsFieldOfPod(std::string_view path) {
  static constexpr std::string_view kFields[] = {"metadata.name",
                                                 "metadata.namespace",
                                                 "metadata.uid",
                                                 "spec.nodeName",
                                                 "spec.serviceAccountName",
                                                 "status.hostIP",
                                                 "status.hostIPs",
                                                 "status.podIP",
                                                 "status.podIPs"};
  if (std::find(std::begin(kFields), std::end(kFields), path) != std::end(kFields)) return true;
  for (const std::string_view prefix : {"metadata.labels['", "metadata.annotations['"}) {
    if (path.substr(0, prefix.size()) == prefix && path.size() > prefix.size() + 2) return true;
  }
  return false;
}

void CheckEnv(const Json& container, const std::string& path, FieldErrors& errors) {
  const Json::Array& env = Items(container, "env");
  for (size_t i = 0; i < env.size(); ++i) {
    const std::string at = Field(Field(path, "env"), i);
    const std::string_view name = Text(env[i], "name");
    if (name.empty()) {
      AddRequired(errors, Field(at, "name"));
    } else if (name.find('=') != std::string_view::npos) {
      AddInvalid(errors, Field(at, "name"), "must not contain '='");
    }
    const Json* from = env[i].Find("valueFrom");
    if (!from || !from->IsObject()) continue;
    if (!Text(env[i], "value").empty() || from->size() != 1) {
      AddInvalid(errors, Field(at, "valueFrom"), "there must be exactly one source of the value");
    }
    const Json* reference = from->Find("fieldRef");
    if (reference && !IsFieldOfPod(Text(*reference, "fieldPath"))) {
      AddInvalid(errors, Field(at, "valueFrom") + ".fieldRef.fieldPath",
                 "is no field that containers can read");
    }
  }
}

void CheckProbe(const Json& container, const std::string& path, const char* name,
                FieldErrors& errors) {
  const Json* probe = container.Find(name);
  if (!probe || !probe->IsObject()) return;
  const std::string at = Field(path, name);
  if (!probe->Find("exec") && !probe->Find("httpGet") && !probe->Find("tcpSocket") &&
      !probe->Find("grpc")) {
    AddRequired(errors, at, "must have a way of asking");
  }
  for (const char* member : {"initialDelaySeconds", "timeoutSeconds", "periodSeconds",
                             "successThreshold", "failureThreshold"}) {
    if (Int(*probe, member).value_or(0) < 0) {
      AddInvalid(errors, Field(at, member), "must not be negative");
    }
  }
  if (std::string_view(name) != "readinessProbe" &&
      Int(*probe, "successThreshold").value_or(1) > 1) {
    AddInvalid(errors, Field(at, "successThreshold"), "must be 1");
  }
  if (const Json* exec = probe->Find("exec"); exec && Items(*exec, "command").empty()) {
    AddRequired(errors, Field(at, "exec.command"));
  }
  if (const Json* get = probe->Find("httpGet")) {
    if (const auto port = Int(*get, "port"); port && (*port < 1 || *port > 65535)) {
      AddInvalid(errors, Field(at, "httpGet.port"), "must be between 1 and 65535");
    }
  }
}

void CheckSourcesAndHooks(const Json& container, const std::string& path, FieldErrors& errors) {
  for (const Json& source : Items(container, "envFrom")) {
    if (source.Find("configMapRef") || source.Find("secretRef")) continue;
    AddInvalid(errors, Field(path, "envFrom"), "must name a configMapRef or a secretRef");
  }
  const Json* lifecycle = container.Find("lifecycle");
  if (!lifecycle || !lifecycle->IsObject()) return;
  for (const char* hook : {"postStart", "preStop"}) {
    const Json* handler = lifecycle->Find(hook);
    if (!handler || !handler->IsObject() || handler->size() > 0) continue;
    AddRequired(errors, Field(path, "lifecycle") + "." + hook, "must have something to do");
  }
}

void CheckImage(const Json& container, const std::string& path, FieldErrors& errors) {
  const std::string_view image = Text(container, "image");
  if (image.empty()) {
    AddRequired(errors, Field(path, "image"));
  } else if (image.front() == ' ' || image.back() == ' ') {
    AddInvalid(errors, Field(path, "image"), "must not begin or end with a blank");
  }
}

void CheckContainer(const Json& container, const std::string& path, bool host_network,
                    FieldErrors& errors) {
  const std::string_view name = Text(container, "name");
  if (name.empty()) {
    AddRequired(errors, Field(path, "name"));
  } else {
    AddInvalid(errors, Field(path, "name"), DnsLabelProblems(name));
  }
  CheckImage(container, path, errors);
  CheckPorts(container, path, host_network, errors);
  CheckResources(container, Field(path, "resources"), errors);
  CheckEnv(container, path, errors);
  CheckSourcesAndHooks(container, path, errors);
  if (const Json* context = container.Find("securityContext"); context && context->IsObject()) {
    const std::string at = Field(path, "securityContext");
    CheckNonNegative(*context, at, "runAsUser", errors);
    CheckNonNegative(*context, at, "runAsGroup", errors);
    const Json* escalation = context->Find("allowPrivilegeEscalation");
    if (escalation && *escalation == Json(false) && True(*context, "privileged")) {
      AddInvalid(errors, at, "what is privileged already cannot be kept from becoming so");
    }
  }
  CheckEnum(container, path, "imagePullPolicy", {"Always", "IfNotPresent", "Never"}, errors);
  CheckEnum(container, path, "terminationMessagePolicy", {"File", "FallbackToLogsOnError"}, errors);
  for (const char* probe : {"livenessProbe", "readinessProbe", "startupProbe"}) {
    CheckProbe(container, path, probe, errors);
  }
}

void CheckContainers(const Json& spec, const std::string& path, FieldErrors& errors) {
  const bool host_network = True(spec, "hostNetwork");
  if (Items(spec, "containers").empty()) AddRequired(errors, Field(path, "containers"));
  std::set<std::string_view> names;
  for (const char* list : {"containers", "initContainers"}) {
    const Json::Array& containers = Items(spec, list);
    for (size_t i = 0; i < containers.size(); ++i) {
      const std::string at = Field(Field(path, list), i);
      CheckContainer(containers[i], at, host_network, errors);
      const std::string_view name = Text(containers[i], "name");
      if (!name.empty() && !names.insert(name).second) {
        AddError(errors, FieldErrorType::kDuplicate, Field(at, "name"), "is there twice");
      }
    }
  }
  const Json::Array& init = Items(spec, "initContainers");
  for (size_t i = 0; i < init.size(); ++i) {
    const std::string at = Field(Field(path, "initContainers"), i);
    if (Text(init[i], "restartPolicy") == "Always") continue;
    for (const char* member : {"livenessProbe", "readinessProbe", "startupProbe", "lifecycle"}) {
      if (init[i].Find(member)) {
        AddError(errors, FieldErrorType::kForbidden, Field(at, member),
                 "only init containers that keep running have it");
      }
    }
  }
}

void CheckTolerations(const Json& spec, const std::string& path, FieldErrors& errors) {
  const Json::Array& tolerations = Items(spec, "tolerations");
  for (size_t i = 0; i < tolerations.size(); ++i) {
    const Json& toleration = tolerations[i];
    const std::string at = Field(Field(path, "tolerations"), i);
    const std::string_view key = Text(toleration, "key"), op = Text(toleration, "operator");
    if (!key.empty()) {
      AddInvalid(errors, Field(at, "key"), QualifiedNameProblems(key));
    } else if (op != "Exists") {
      AddInvalid(errors, Field(at, "operator"), "must be Exists when there is no key");
    }
    if (toleration.Find("tolerationSeconds") && Text(toleration, "effect") != "NoExecute") {
      AddInvalid(errors, Field(at, "effect"), "must be NoExecute with tolerationSeconds");
    }
    if (op.empty() || op == "Equal") {
      AddInvalid(errors, Field(at, "value"), LabelValueProblems(Text(toleration, "value")));
    } else if (op == "Exists" && !Text(toleration, "value").empty()) {
      AddInvalid(errors, Field(at, "operator"), "with Exists there is no value");
    }
    CheckEnum(toleration, at, "operator", {"Equal", "Exists"}, errors);
    CheckEnum(toleration, at, "effect", {"NoSchedule", "PreferNoSchedule", "NoExecute"}, errors);
  }
}

void CheckGates(const Json& spec, const std::string& path, FieldErrors& errors) {
  const Json::Array& gates = Items(spec, "schedulingGates");
  std::set<std::string_view> names;
  for (size_t i = 0; i < gates.size(); ++i) {
    const std::string at = Field(Field(path, "schedulingGates"), i);
    const std::string_view name = Text(gates[i], "name");
    AddInvalid(errors, at, QualifiedNameProblems(name));
    if (!names.insert(name).second) {
      AddError(errors, FieldErrorType::kDuplicate, Field(at, "name"), "is there twice");
    }
  }
}

void CheckPlacement(const Json& spec, const std::string& path, FieldErrors& errors) {
  CheckLabels(spec.Find("nodeSelector"), Field(path, "nodeSelector"), errors);
  const std::string_view node = Text(spec, "nodeName");
  if (!node.empty()) AddInvalid(errors, Field(path, "nodeName"), DnsSubdomainProblems(node));
  CheckTolerations(spec, path, errors);
  CheckGates(spec, path, errors);
  const Json* required =
      spec.FindPath({"affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution"});
  if (required && required->IsObject() && Items(*required, "nodeSelectorTerms").empty()) {
    AddRequired(errors, Field(path,
                              "affinity.nodeAffinity."
                              "requiredDuringSchedulingIgnoredDuringExecution."
                              "nodeSelectorTerms"));
  }
  const Json::Array& spreads = Items(spec, "topologySpreadConstraints");
  for (size_t i = 0; i < spreads.size(); ++i) {
    const std::string at = Field(Field(path, "topologySpreadConstraints"), i);
    if (Int(spreads[i], "maxSkew").value_or(0) <= 0) {
      AddInvalid(errors, Field(at, "maxSkew"), "must be greater than 0");
    }
    if (Text(spreads[i], "topologyKey").empty()) AddRequired(errors, Field(at, "topologyKey"));
    const std::string_view when = Text(spreads[i], "whenUnsatisfiable");
    for (size_t k = i + 1; k < spreads.size(); ++k) {
      if (Text(spreads[k], "topologyKey") != Text(spreads[i], "topologyKey") ||
          Text(spreads[k], "whenUnsatisfiable") != when) {
        continue;
      }
      AddError(errors, FieldErrorType::kDuplicate, at + ".{topologyKey, whenUnsatisfiable}",
               "is there twice");
    }
    if (when != "DoNotSchedule" && when != "ScheduleAnyway") {
      AddNotSupported(errors, Field(at, "whenUnsatisfiable"), when,
                      {"DoNotSchedule", "ScheduleAnyway"});
    }
  }
}

// ---- update

// Takes over from `now` what its own rule has judged already, so that what is left can be compared.
void TakeMutable(const Json& now, bool was_gated, Json& into) {
  const auto take = [](const Json& from, const char* member, Json& to) {
    to.Erase(member);
    if (const Json* value = from.Find(member)) to.Set(member, *value);
  };
  for (const char* member : {"activeDeadlineSeconds", "tolerations", "schedulingGates"}) {
    take(now, member, into);
  }
  if (was_gated) {
    take(now, "nodeSelector", into);
    const Json* affinity = now.FindPath({"affinity", "nodeAffinity"});
    Json* own = into.Find("affinity");
    if (affinity && !own) own = &into.Set("affinity", Json::MakeObject());
    if (own && own->IsObject()) take(affinity ? *now.Find("affinity") : now, "nodeAffinity", *own);
    if (own && own->IsObject() && own->size() == 0 && !now.Find("affinity")) into.Erase("affinity");
  }
  // Once meant that a pod is killed at once; the server says so with the shortest time there is.
  const char* grace = "terminationGracePeriodSeconds";
  if (Int(into, grace).value_or(0) < 0 && Int(now, grace).value_or(0) == 1) take(now, grace, into);
  for (const char* list : {"initContainers", "containers"}) {
    const Json::Array& containers = Items(now, list);
    Json* own = into.Find(list);
    if (!own || !own->IsArray() || own->size() != containers.size()) continue;
    for (size_t i = 0; i < containers.size(); ++i) {
      if (own->AsArray()[i].IsObject()) take(containers[i], "image", own->AsArray()[i]);
    }
  }
}

// Images are looked at twice, here and with the rest of the pod. False: what else may have changed
// is not looked at.
bool CheckContainersUpdate(const Json& spec, const Json& before, const char* list,
                           FieldErrors& errors) {
  const Json::Array& containers = Items(spec, list);
  const std::string path = Field("spec", list);
  if (containers.size() != Items(before, list).size()) {
    AddError(errors, FieldErrorType::kForbidden, path, "containers may not be added or removed");
    return false;
  }
  for (size_t i = 0; i < containers.size(); ++i) CheckImage(containers[i], Field(path, i), errors);
  return true;
}

bool CheckDeadlineUpdate(const Json& spec, const Json& before, FieldErrors& errors) {
  const auto now = Int(spec, "activeDeadlineSeconds");
  const auto was = Int(before, "activeDeadlineSeconds");
  if (now && (*now < 0 || *now > 2147483647)) {
    AddInvalid(errors, "spec.activeDeadlineSeconds", "must be between 0 and 2147483647");
    return false;
  }
  if (was && (!now || *now > *was)) {
    AddInvalid(errors, "spec.activeDeadlineSeconds", "may only become shorter");
  }
  return !now || !was || *now <= *was;
}

// Only how long a toleration lasts may change.
std::tuple<std::string_view, std::string_view, std::string_view, std::string_view> TolerationKey(
    const Json& toleration) {
  return {Text(toleration, "key"), Text(toleration, "operator"), Text(toleration, "value"),
          Text(toleration, "effect")};
}

void CheckTolerationsUpdate(const Json& spec, const Json& before, FieldErrors& errors) {
  std::set<decltype(TolerationKey(spec))> now;
  for (const Json& toleration : Items(spec, "tolerations")) now.insert(TolerationKey(toleration));
  for (const Json& toleration : Items(before, "tolerations")) {
    if (now.count(TolerationKey(toleration))) continue;
    AddError(errors, FieldErrorType::kForbidden, "spec.tolerations",
             "tolerations may only be added");
    return;
  }
  CheckTolerations(spec, "spec", errors);
}

void CheckGatesUpdate(const Json& spec, const Json& before, FieldErrors& errors) {
  std::set<std::string_view> was;
  for (const Json& gate : Items(before, "schedulingGates")) was.insert(Text(gate, "name"));
  const Json::Array& now = Items(spec, "schedulingGates");
  for (size_t i = 0; i < now.size(); ++i) {
    if (was.count(Text(now[i], "name"))) continue;
    AddError(errors, FieldErrorType::kForbidden, Field(Field("spec.schedulingGates", i), "name"),
             "gates may only be removed");
  }
}

// Whether every requirement of the old term is still in the new one.
bool KeepsRequirements(const Json& now, const Json& was) {
  for (const char* list : {"matchExpressions", "matchFields"}) {
    std::set<std::string> kept;
    for (const Json& requirement : Items(now, list)) kept.insert(WriteJson(requirement));
    for (const Json& requirement : Items(was, list)) {
      if (!kept.count(WriteJson(requirement))) return false;
    }
  }
  return true;
}

// A gated pod may still be narrowed down.
void CheckNarrowing(const Json& spec, const Json& before, FieldErrors& errors) {
  const Json* selector = spec.Find("nodeSelector");
  for (const Json::Member& entry : Members(before.Find("nodeSelector"))) {
    const Json* now = selector ? selector->Find(entry.key) : nullptr;
    if (now && *now == entry.value) continue;
    AddInvalid(errors, "spec.nodeSelector", "a gated pod may only get more labels to ask for");
    break;
  }
  const std::initializer_list<std::string_view> path = {
      "affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution",
      "nodeSelectorTerms"};
  const Json* was = before.FindPath(path);
  const Json* now = spec.FindPath(path);
  if (!was) return;
  bool narrower = now && now->size() == was->size();
  for (size_t i = 0; narrower && i < was->size(); ++i) {
    narrower = KeepsRequirements(Items(now)[i], Items(was)[i]);
  }
  if (!narrower) {
    AddInvalid(errors,
               "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution."
               "nodeSelectorTerms",
               "the terms of a gated pod may only be narrowed");
  }
}

// A token is that of the pod's account.
void CheckTokens(const Json& spec, FieldErrors& errors) {
  if (!Text(spec, "serviceAccountName").empty()) return;
  const Json::Array& volumes = Items(spec, "volumes");
  for (size_t i = 0; i < volumes.size(); ++i) {
    const Json::Array& sources = Items(volumes[i].FindPath({"projected", "sources"}));
    for (size_t k = 0; k < sources.size(); ++k) {
      if (!sources[k].Find("serviceAccountToken")) continue;
      const std::string at = Field(Field("spec.volumes", i) + ".projected.sources", k);
      AddError(errors, FieldErrorType::kForbidden, Field(at, "serviceAccountToken"),
               "needs the pod's serviceAccountName");
    }
  }
}

void CheckSpecUpdate(const Json& spec, const Json& before, FieldErrors& errors) {
  for (const char* list : {"containers", "initContainers"}) {
    if (!CheckContainersUpdate(spec, before, list, errors)) return;
  }
  if (!CheckDeadlineUpdate(spec, before, errors)) return;
  CheckTolerationsUpdate(spec, before, errors);
  CheckGatesUpdate(spec, before, errors);
  const bool was_gated = !Items(before, "schedulingGates").empty();
  if (was_gated) CheckNarrowing(spec, before, errors);
  Json comparable = before;
  TakeMutable(spec, was_gated, comparable);
  if (!(comparable == spec)) {
    AddError(errors, FieldErrorType::kForbidden, "spec",
             "only images, activeDeadlineSeconds, added tolerations and removed gates may change");
  }
}

}  // namespace

std::vector<std::string> PortNameProblems(std::string_view name) {
  std::vector<std::string> problems;
  if (name.size() > 15) problems.push_back("must be no more than 15 characters");
  bool letter = false, alphabet = true;
  for (const char c : name) {
    letter = letter || (c >= 'a' && c <= 'z');
    alphabet = alphabet && ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-');
  }
  if (!alphabet) problems.push_back("must consist of lower case letters, digits or '-'");
  if (!letter) problems.push_back("must contain a letter");
  if (name.find("--") != std::string_view::npos) problems.push_back("must not contain '--'");
  if (!name.empty() && (name.front() == '-' || name.back() == '-')) {
    problems.push_back("must not start or end with '-'");
  }
  return problems;
}

void CheckPodSpec(const Json& spec, const std::string& path, FieldErrors& errors) {
  CheckContainers(spec, path, errors);
  CheckEnum(spec, path, "restartPolicy", {"Always", "OnFailure", "Never"}, errors);
  CheckEnum(spec, path, "dnsPolicy", {"ClusterFirst", "ClusterFirstWithHostNet", "Default", "None"},
            errors);
  if (const auto seconds = Int(spec, "activeDeadlineSeconds");
      seconds && (*seconds < 1 || *seconds > 2147483647)) {
    AddInvalid(errors, Field(path, "activeDeadlineSeconds"), "must be between 1 and 2147483647");
  }
  if (Int(spec, "terminationGracePeriodSeconds").value_or(0) < 0) {
    AddInvalid(errors, Field(path, "terminationGracePeriodSeconds"), "must not be negative");
  }
  for (const char* name : {"hostname", "subdomain"}) {
    const std::string_view text = Text(spec, name);
    if (!text.empty()) AddInvalid(errors, Field(path, name), DnsLabelProblems(text));
  }
  const std::string_view account = Text(spec, "serviceAccountName");
  if (!account.empty()) {
    AddInvalid(errors, Field(path, "serviceAccountName"), DnsSubdomainProblems(account));
  }
  const Json::Array& gates = Items(spec, "readinessGates");
  for (size_t i = 0; i < gates.size(); ++i) {
    AddInvalid(errors, Field(Field(path, "readinessGates"), i) + ".conditionType",
               QualifiedNameProblems(Text(gates[i], "conditionType")));
  }
  CheckPlacement(spec, path, errors);
  CheckVolumes(spec, path, errors);
}

void CheckPodRules(const Json& pod, const Json* before, FieldErrors& errors) {
  static const Json* const none = new Json(Json::MakeObject());
  const Json* found = pod.Find("spec");
  const Json& spec = found && found->IsObject() ? *found : *none;
  CheckPodSpec(spec, "spec", errors);
  if (!before) {
    if (!Items(spec, "schedulingGates").empty() && !Text(spec, "nodeName").empty()) {
      AddError(errors, FieldErrorType::kForbidden, "spec.nodeName",
               "a pod with scheduling gates has no node yet");
    }
    if (!Items(spec, "ephemeralContainers").empty()) {
      AddError(errors, FieldErrorType::kForbidden, "spec.ephemeralContainers",
               "can only be added to a pod that exists");
    }
    CheckTokens(spec, errors);
    return;
  }
  const std::string qos = before->StringAt({"status", "qosClass"});
  if (!qos.empty() && pod.StringAt({"status", "qosClass"}, qos) != qos) {
    AddInvalid(errors, "status.qosClass", "may not be changed");
  }
  const Json* old = before->Find("spec");
  if (old && !(*old == spec)) CheckSpecUpdate(spec, *old, errors);
}

}  // namespace kueue::api
