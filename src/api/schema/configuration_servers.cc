#include <arpa/inet.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "api/match/name_rules.h"
#include "api/schema/configuration_rules.h"
#include "cel/environment.h"
#include "cel/program.h"

// What the configuration says about devices, TLS, certificates and metrics (spec/controllers.md
// §14.2).
namespace kueue::api {
namespace {

// ---- TLS

// By the names the registry of TLS gives them. The last three are those of TLS 1.3, which are
// always on.
const std::vector<std::string_view>& CipherSuites() {
  static const std::vector<std::string_view> names = {
      "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA",
      "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256",
      "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
      "TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA",
      "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
      "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305",
      "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
      "TLS_ECDHE_ECDSA_WITH_RC4_128_SHA",
      "TLS_ECDHE_RSA_WITH_3DES_EDE_CBC_SHA",
      "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA",
      "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA256",
      "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
      "TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA",
      "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
      "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305",
      "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256",
      "TLS_ECDHE_RSA_WITH_RC4_128_SHA",
      "TLS_RSA_WITH_3DES_EDE_CBC_SHA",
      "TLS_RSA_WITH_AES_128_CBC_SHA",
      "TLS_RSA_WITH_AES_128_CBC_SHA256",
      "TLS_RSA_WITH_AES_128_GCM_SHA256",
      "TLS_RSA_WITH_AES_256_CBC_SHA",
      "TLS_RSA_WITH_AES_256_GCM_SHA384",
      "TLS_RSA_WITH_RC4_128_SHA",
      "TLS_AES_128_GCM_SHA256",
      "TLS_AES_256_GCM_SHA384",
      "TLS_CHACHA20_POLY1305_SHA256"};
  return names;
}

void CheckTls(const Json& object, FieldErrors& errors) {
  const Json& part = PartOf(object, "tls");
  const Json::Array& suites = Items(part, "cipherSuites");
  if (!suites.empty() && Text(part, "minVersion") == "VersionTLS13") {
    AddInvalid(errors, "tls.cipherSuites",
               "must be empty when tls.minVersion is VersionTLS13: its suites cannot be chosen");
  }
  const auto check = [&](std::string_view member, const std::vector<std::string_view>& known) {
    const Json::Array& values = Items(part, member);
    for (size_t i = 0; i < values.size(); ++i) {
      if (std::find(known.begin(), known.end(), TextIn(values[i])) != known.end()) continue;
      AddNotSupported(errors, Field(Field("tls", member), i), TextIn(values[i]), known);
    }
  };
  check("cipherSuites", CipherSuites());
  check("curvePreferences", {"CurveP256", "CurveP384", "CurveP521", "X25519", "X25519MLKEM768"});
}

// A service's name starts with a letter; otherwise it is a DNS label.
void CheckCertificates(const Json& object, FieldErrors& errors) {
  const Json& part = PartOf(object, "internalCertManagement");
  if (!True(part, "enable")) return;
  const std::string_view service = Text(part, "webhookServiceName");
  if (!IsDnsLabel(service) || service[0] < 'a' || service[0] > 'z') {
    AddInvalid(errors, "internalCertManagement.webhookServiceName",
               InQuotes(service) +
                   ": must be the name of a Service: at most 63 of a-z, 0-9 and '-', "
                   "with a letter first");
  }
  const std::string_view secret = Text(part, "webhookSecretName");
  if (!IsDnsSubdomain(secret)) {
    AddInvalid(errors, "internalCertManagement.webhookSecretName",
               InQuotes(secret) +
                   ": must be the name of a Secret: at most 253 of a-z, 0-9, '-' and "
                   "'.', a letter or digit at both ends");
  }
}

void CheckVisibility(const Json& object, FieldErrors& errors) {
  const Json* address = PartOf(object, "visibilityServer").Find("bindAddress");
  if (address == nullptr || !address->IsString()) return;
  std::array<unsigned char, 16> bytes{};
  const char* text = address->AsString().c_str();
  if (inet_pton(AF_INET, text, bytes.data()) == 1) return;
  if (inet_pton(AF_INET6, text, bytes.data()) == 1) return;
  AddInvalid(errors, "visibilityServer.bindAddress",
             InQuotes(address->AsString()) + ": must be an IP address, as in 0.0.0.0 or ::1");
}

// ---- labels of metrics

constexpr size_t kLabelsOfKind = 6, kLabelsOfWorkloads = 2, kValuesOfWorkloads = 12;

void CheckTrackedValues(const Json& label, const std::string& path, bool workload,
                        FieldErrors& errors) {
  const Json::Array& values = Items(label, "trackedValues");
  const std::string at = Field(path, "trackedValues");
  if (workload && (values.empty() || values.size() > kValuesOfWorkloads)) {
    AddInvalid(errors, at,
               "has " + std::to_string(values.size()) + " values: of workloads 1 to " +
                   std::to_string(kValuesOfWorkloads) + " must be named");
  }
  std::set<std::string_view> known;
  for (size_t i = 0; i < values.size(); ++i) {
    if (known.insert(TextIn(values[i])).second) continue;
    AddError(errors, FieldErrorType::kDuplicate, Field(at, i),
             InQuotes(TextIn(values[i])) + " is named before: every value once");
  }
}

void CheckLabelSource(const Json& label, const std::string& path, FieldErrors& errors) {
  if (!Text(label, "sourceLabelKey").empty() && !Text(label, "sourceAnnotationKey").empty()) {
    AddInvalid(errors, Field(path, "sourceAnnotationKey"),
               "is set beside sourceLabelKey: set one of the two");
  }
  for (const char* member : {"sourceLabelKey", "sourceAnnotationKey"}) {
    const std::string_view key = Text(label, member);
    if (key.empty() || IsQualifiedName(key)) continue;
    AddInvalid(errors, Field(path, member),
               InQuotes(key) + ": must be a key as in example.com/team");
  }
}

void CheckMetricLabels(const Json& object, FieldErrors& errors) {
  const Json::Array& labels = Items(PartOf(object, "metrics"), "customLabels");
  std::set<std::string_view> names;
  std::map<std::string_view, size_t> of_kind;
  for (size_t i = 0; i < labels.size(); ++i) {
    const std::string path = Field("metrics.customLabels", i);
    const std::string_view name = Text(labels[i], "name"), kind = Text(labels[i], "sourceKind");
    if (!names.insert(name).second) {
      AddError(errors, FieldErrorType::kDuplicate, Field(path, "name"),
               InQuotes(name) + " is named before: every label once");
    }
    const bool workload = kind == "Workload";
    const size_t most = workload ? kLabelsOfWorkloads : kLabelsOfKind;
    if (++of_kind[kind] == most + 1) {
      AddError(errors, FieldErrorType::kTooMany, Field(path, "sourceKind"),
               InQuotes(kind) + " has more than " + std::to_string(most) + " labels: at most " +
                   std::to_string(most) + " are allowed");
    }
    CheckLabelSource(labels[i], path, errors);
    CheckTrackedValues(labels[i], path, workload, errors);
  }
}

// ---- devices

bool Compiles(const std::string& text, std::string& why) {
  cel::Environment environment;
  environment.AddVariable("device", cel::Type::Dyn());
  const auto program = cel::Compile(text, environment);
  if (!program.ok()) why = program.error().message;
  return program.ok();
}

// A selector in CEL wherever the source has one.
void CheckSelectors(const Json& value, const std::string& path, FieldErrors& errors) {
  if (value.IsObject()) {
    for (const auto& member : value.AsObject()) {
      const std::string at = Field(path, member.key);
      std::string why;
      if (member.key == "expression" && member.value.IsString()) {
        if (!Compiles(member.value.AsString(), why)) {
          AddInvalid(errors, at, InQuotes(member.value.AsString()) + ": must be CEL: " + why);
        }
      } else {
        CheckSelectors(member.value, at, errors);
      }
    }
  } else if (value.IsArray()) {
    for (size_t i = 0; i < value.size(); ++i) {
      CheckSelectors(value.AsArray()[i], Field(path, i), errors);
    }
  }
}

void CheckDriver(const Json& part, const std::string& path, FieldErrors& errors) {
  const std::string_view driver = Text(part, "driver");
  if (driver.empty()) {
    AddRequired(errors, Field(path, "driver"));
  } else if (!IsDnsSubdomain(driver) || driver.size() > 63) {
    AddInvalid(errors, Field(path, "driver"),
               InQuotes(driver) +
                   ": must be a DNS subdomain of at most 63 characters, as in "
                   "gpu.example.com");
  }
  if (Text(part, "name").empty()) AddRequired(errors, Field(path, "name"));
}

struct SourceSort {
  const char* member;
  Feature gate;
  const char* gate_name;
};
constexpr SourceSort kSources[] = {{"counter", Feature::kKueueDRAIntegrationPartitionableDevices,
                                    "KueueDRAIntegrationPartitionableDevices"},
                                   {"capacity", Feature::kKueueDRAIntegrationConsumableCapacity,
                                    "KueueDRAIntegrationConsumableCapacity"}};

void CheckSources(const Json& mapping, const std::string& parent, const FeatureGates& gates,
                  FieldErrors& errors) {
  const Json::Array& sources = Items(mapping, "sources");
  std::array<bool, 2> seen{};
  for (size_t i = 0; i < sources.size(); ++i) {
    const std::string path = Field(Field(parent, "sources"), i);
    int sorts = 0;
    for (size_t s = 0; s < seen.size(); ++s) {
      const Json* part = sources[i].Find(kSources[s].member);
      if (part == nullptr || !part->IsObject()) continue;
      ++sorts;
      seen[s] = true;
      const std::string at = Field(path, kSources[s].member);
      if (!gates.Enabled(kSources[s].gate)) {
        AddInvalid(errors, at,
                   std::string("needs the feature gate ") + kSources[s].gate_name +
                       ", which is off: turn it on or leave the source out");
      }
      CheckDriver(*part, at, errors);
      CheckSelectors(*part, at, errors);
    }
    if (sorts == 1) continue;
    AddInvalid(errors, path,
               "has " + std::string(sorts == 0 ? "neither" : "both") +
                   " of counter and capacity: must have exactly one");
  }
  if (!seen[0] || !seen[1]) return;
  AddInvalid(errors, Field(parent, "sources"),
             "mixes counters and capacities: a mapping has sources of one sort");
}

// The counters a mapping counts; of one without, the empty name: a device class counts in whole
// devices only once.
std::set<std::string> CountersOf(const Json& mapping) {
  std::set<std::string> names;
  for (const Json& source : Items(mapping, "sources")) {
    const Json& counter = PartOf(source, "counter");
    if (counter.size() != 0) names.insert(std::string(Text(counter, "name")));
  }
  if (names.empty()) names.insert("");
  return names;
}

}  // namespace

void CheckDeviceClassMappings(const Json& resources, const FeatureGates& gates,
                              FieldErrors& errors) {
  std::map<std::string, std::set<std::string>, std::less<>> counted;  // by device class
  const Json::Array& mappings = Items(resources, "deviceClassMappings");
  for (size_t i = 0; i < mappings.size(); ++i) {
    const std::string path = Field("resources.deviceClassMappings", i);
    const std::string_view name = Text(mappings[i], "name");
    if (!IsQualifiedName(name)) {
      AddInvalid(errors, Field(path, "name"),
                 InQuotes(name) + ": must be a resource's name, as in example.com/gpu");
    }
    const std::set<std::string> counters = CountersOf(mappings[i]);
    const Json::Array& classes = Items(mappings[i], "deviceClassNames");
    for (size_t c = 0; c < classes.size(); ++c) {
      const std::string at = Field(Field(path, "deviceClassNames"), c);
      const std::string_view device_class = TextIn(classes[c]);
      if (!IsQualifiedName(device_class) || device_class.size() > 253) {
        AddInvalid(errors, at,
                   InQuotes(device_class) + ": must be a device class, as in gpu.example.com");
      }
      auto& before = counted[std::string(device_class)];
      const bool whole = before.count("") != 0 || (counters.count("") != 0 && !before.empty());
      for (const std::string& counter : counters) {
        if (before.insert(counter).second && !whole) continue;
        AddError(errors, FieldErrorType::kDuplicate, at,
                 InQuotes(device_class) +
                     " is in another mapping: allowed only where each counts a "
                     "counter of its own");
        break;
      }
    }
    CheckSources(mappings[i], path, gates, errors);
  }
}

void CheckConfigurationOfServers(const Json& object, FieldErrors& errors) {
  CheckTls(object, errors);
  CheckCertificates(object, errors);
  CheckVisibility(object, errors);
  CheckMetricLabels(object, errors);
}

}  // namespace kueue::api
