#include "api/schema/configuration.h"

#include <algorithm>

#include "api/codec/json_text.h"
#include "api/schema/configuration_rules.h"
#include "api/schema/descriptors.h"
#include "api/schema/table_edit.h"
#include "api/schema/validation_parts.h"
#include "base/check.h"

namespace kueue::api {
namespace {

constexpr char kIncremental[] = "kueue.x-k8s.io/multikueue-dispatcher-incremental";

// ---- v1beta1: switches of their own, other defaults, and members that mean nothing any more

const StructDescriptor& OlderPodsReadyTable() {
  static const StructDescriptor table =
      EditTable(DescriptorOf<ConfigWaitForPodsReady>(), [](TableEditor& t) {
        t.Add<std::optional<bool>>("enable").Default("false").Doc("Readiness is waited for.");
        t.At("timeout").default_json = "\"5m\"";
        t.At("blockAdmission").default_json = "true";
      });
  return table;
}

const StructDescriptor& OlderFairSharingTable() {
  static const StructDescriptor table =
      EditTable(DescriptorOf<ConfigFairSharing>(), [](TableEditor& t) {
        t.Add<std::optional<bool>>("enable").Default("false").Doc("Shares are compared.");
        FieldDescriptor& strategies = t.At("preemptionStrategies");
        strategies.required = false;
        strategies.default_json = "[\"LessThanOrEqualToFinalShare\",\"LessThanInitialShare\"]";
      });
  return table;
}

const StructDescriptor& OlderIntegrationsTable() {
  static const StructDescriptor table =
      EditTable(DescriptorOf<ConfigIntegrations>(),
                [](TableEditor& t) { t.Add<Json>("podOptions").Doc("Not used any more."); });
  return table;
}

const StructDescriptor& OlderTable() {
  static const StructDescriptor table =
      EditTable(DescriptorOf<Configuration>(), [](TableEditor& t) {
        t.Retype("waitForPodsReady", Described<OlderPodsReadyTable>::kStruct);
        t.At("waitForPodsReady").default_json = {};
        t.Retype("fairSharing", Described<OlderFairSharingTable>::kStruct);
        t.Retype("integrations", Described<OlderIntegrationsTable>::kStruct);
        t.Add<Json>("queueVisibility").Doc("Not used any more.");
      });
  return table;
}

KindInfo ConfigurationKind(const char* version, const StructDescriptor& table) {
  KindInfo info;
  info.group = "config.kueue.x-k8s.io";
  info.version = version;
  info.kind = "Configuration";
  info.custom_resource = true;
  info.table = &table;
  return info;
}

// A part with a switch is there or not.
void TakeSwitch(Json& object, std::string_view part) {
  Json* value = object.Find(part);
  if (value == nullptr) return;
  if (True(*value, "enable")) {
    value->Erase("enable");
  } else {
    object.Erase(part);
  }
}

void ConvertOlder(Json& object) {
  TakeSwitch(object, "waitForPodsReady");
  TakeSwitch(object, "fairSharing");
  object.Erase("queueVisibility");
  if (Json* integrations = object.Find("integrations")) integrations->Erase("podOptions");
}

// Defaults that depend on other members.
void Complete(const std::string& namespace_name, Configuration& configuration) {
  if (!configuration.namespace_name) configuration.namespace_name = namespace_name;
  if (!configuration.managed_jobs_namespace_selector) {
    LabelSelectorRequirement others;
    others.key = "kubernetes.io/metadata.name";
    others.op = "NotIn";
    others.values = {"kube-system", *configuration.namespace_name};
    configuration.managed_jobs_namespace_selector.emplace().match_expressions = {others};
  }
  if (auto& ready = configuration.wait_for_pods_ready; ready && !ready->recovery_timeout) {
    ready->recovery_timeout = ready->timeout;
  }
  if (auto& multi = configuration.multi_kueue) {
    if (multi->origin && multi->origin->empty()) multi->origin = "multikueue";
    if (multi->dispatcher_name == kIncremental && !multi->incremental_dispatcher_config) {
      multi->incremental_dispatcher_config.emplace().step_size = 3;
    }
  }
}

base::Result<Json> ReadDocument(std::string_view text, FieldErrors& errors) {
  std::vector<DuplicateKey> duplicates;
  auto documents = ParseYaml(text, &duplicates);
  if (!documents.ok()) return documents.error();
  if (documents->size() != 1 || !(*documents)[0].IsObject()) {
    return base::Invalid("the configuration must be exactly one YAML document with members");
  }
  for (const DuplicateKey& duplicate : duplicates) {
    AddError(errors, FieldErrorType::kDuplicate, duplicate.path, "is there twice");
  }
  return std::move((*documents)[0]);
}

}  // namespace

const std::vector<const KindInfo*>& ConfigurationKinds() {
  static const KindInfo newer = ConfigurationKind("v1beta2", DescriptorOf<Configuration>());
  static const KindInfo older = ConfigurationKind("v1beta1", OlderTable());
  static const std::vector<const KindInfo*> kinds = {&newer, &older};
  return kinds;
}

base::Result<Configuration> LoadConfiguration(std::string_view text,
                                              const std::string& namespace_name) {
  FieldErrors errors;
  auto document = ReadDocument(text, errors);
  if (!document.ok()) return document.error();
  Json& object = *document;
  const KindInfo* kind = nullptr;
  for (const KindInfo* known : ConfigurationKinds()) {
    if (Text(object, "apiVersion") == known->ApiVersion()) kind = known;
  }
  if (kind == nullptr || Text(object, "kind") != "Configuration") {
    return base::Invalid("apiVersion \"" + std::string(Text(object, "apiVersion")) + "\", kind \"" +
                         std::string(Text(object, "kind")) +
                         "\": must be config.kueue.x-k8s.io/v1beta2 (or v1beta1), Configuration");
  }
  for (const std::string& path : UnknownFields(*kind, object)) {
    AddInvalid(errors, path, "is no field of the configuration");
  }
  ApplyDefaults(*kind, object);
  CheckSchema(*kind->table, object, nullptr, errors);
  // Rules across fields say nothing about values of another type.
  const bool readable = std::none_of(errors.begin(), errors.end(), [](const FieldError& error) {
    return error.type == FieldErrorType::kTypeInvalid;
  });
  if (readable) {
    if (kind != ConfigurationKinds()[0]) ConvertOlder(object);
    const std::string_view named = Text(object, "namespace");
    CheckConfiguration(object, named.empty() ? namespace_name : std::string(named), errors);
  }
  if (!errors.empty()) return base::Invalid(JoinFieldErrors(errors));
  auto configuration = Decode<Configuration>(object);
  if (!configuration.ok()) return base::Invalid(configuration.error().message);
  Complete(namespace_name, *configuration);
  return configuration;
}

Configuration DefaultConfiguration(const std::string& namespace_name) {
  auto configuration = LoadConfiguration(
      R"({"apiVersion":"config.kueue.x-k8s.io/v1beta2","kind":"Configuration"})", namespace_name);
  KUEUE_CHECK(configuration.ok());
  return std::move(*configuration);
}

}  // namespace kueue::api
