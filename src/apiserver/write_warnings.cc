#include "apiserver/write_warnings.h"

#include <fmt/format.h>
#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

#include <memory>
#include <set>
#include <utility>

#include "base/base64.h"
#include "resources/quantity.h"

namespace kueue::apiserver {

using api::Json;

namespace {

using Warnings = std::vector<std::string>;

const Json::Array& ListAt(const Json& object, const char* member) {
  static const Json::Array none;
  const Json* list = object.Find(member);
  return list != nullptr && list->IsArray() ? list->AsArray() : none;
}

// The pod template of a kind that has one, and where it is.
const Json* TemplateOf(const api::KindInfo& kind, const Json& object, std::string& path) {
  if (kind.custom_resource) return nullptr;
  if (kind.group.empty() && kind.kind == "Pod") {
    path = "";
    return &object;
  }
  if (kind.kind == "PodTemplate") {
    path = "template.";
    return object.Find("template");
  }
  if (kind.kind == "CronJob") {
    path = "spec.jobTemplate.spec.template.";
    return object.FindPath({"spec", "jobTemplate", "spec", "template"});
  }
  const bool has =
      kind.group == "apps" || kind.group == "batch" || kind.kind == "ReplicationController";
  path = "spec.template.";
  return has ? object.FindPath({"spec", "template"}) : nullptr;
}

void WarnOfContainer(const Json& container, const std::string& path, Warnings& warnings) {
  std::set<std::string> names;
  const Json::Array& env = ListAt(container, "env");
  for (size_t i = 0; i < env.size(); ++i) {
    const std::string name = env[i].StringAt({"name"});
    if (names.insert(name).second) continue;
    warnings.push_back(
        fmt::format("{}.env[{}]: hides previous definition of \"{}\", which may be "
                    "dropped when using apply",
                    path, i, name));
  }
  for (const char* list : {"limits", "requests"}) {
    for (const char* name : {"memory", "ephemeral-storage"}) {
      const std::string text = container.StringAt({"resources", list, name});
      const auto quantity = resources::Quantity::Parse(text);
      if (text.empty() || !quantity.ok() || quantity->nano() % 1000000000 == 0) continue;
      warnings.push_back(
          fmt::format("{}.resources.{}[{}]: fractional byte value \"{}\" is invalid, "
                      "must be an integer",
                      path, list, name, text));
    }
  }
}

void WarnOfPod(const Json& pod, const std::string& root, Warnings& warnings) {
  const Json* spec = pod.Find("spec");
  if (spec == nullptr || !spec->IsObject()) return;
  const std::string path = root + "spec";
  for (const char* list : {"initContainers", "containers"}) {
    const Json::Array& containers = ListAt(*spec, list);
    for (size_t i = 0; i < containers.size(); ++i) {
      WarnOfContainer(containers[i], fmt::format("{}.{}[{}]", path, list, i), warnings);
    }
  }
  const Json::Array& spread = ListAt(*spec, "topologySpreadConstraints");
  for (size_t i = 0; i < spread.size(); ++i) {
    const Json* selector = spread[i].Find("labelSelector");
    if (selector != nullptr && !selector->IsNull()) continue;
    warnings.push_back(
        fmt::format("{}.topologySpreadConstraints[{}].labelSelector: a null "
                    "labelSelector results in matching no pod",
                    path, i));
  }
  std::set<std::string> seen;
  const Json::Array& secrets = ListAt(*spec, "imagePullSecrets");
  for (size_t i = 0; i < secrets.size(); ++i) {
    const std::string name = secrets[i].StringAt({"name"});
    if (name.empty()) {
      warnings.push_back(
          fmt::format("{}.imagePullSecrets[{}].name: invalid empty name \"\"", path, i));
    } else if (!seen.insert(name).second) {
      warnings.push_back(
          fmt::format("{}.imagePullSecrets[{}].name: duplicate name \"{}\"", path, i, name));
    }
  }
  std::set<std::string> addresses;
  const Json::Array& aliases = ListAt(*spec, "hostAliases");
  for (size_t i = 0; i < aliases.size(); ++i) {
    const std::string ip = aliases[i].StringAt({"ip"});
    if (addresses.insert(ip).second) continue;
    warnings.push_back(fmt::format("{}.hostAliases[{}].ip: duplicate ip \"{}\"", path, i, ip));
  }
  constexpr std::pair<const char*, const char*> kOldLabels[] = {
      {"beta.kubernetes.io/arch", "kubernetes.io/arch"},
      {"beta.kubernetes.io/os", "kubernetes.io/os"},
      {"failure-domain.beta.kubernetes.io/region", "topology.kubernetes.io/region"},
      {"failure-domain.beta.kubernetes.io/zone", "topology.kubernetes.io/zone"},
      {"beta.kubernetes.io/instance-type", "node.kubernetes.io/instance-type"}};
  for (const auto& [old_label, label] : kOldLabels) {
    if (spec->FindPath({"nodeSelector", old_label}) == nullptr) continue;
    warnings.push_back(
        fmt::format("{}.nodeSelector[{}]: deprecated since v1.14; use \"{}\" "
                    "instead",
                    path, old_label, label));
  }
}

// What is wrong with a certificate and its key; "" if nothing is.
std::string PairProblem(const std::string& certificate_pem, const std::string& key_pem) {
  using Bio = std::unique_ptr<BIO, decltype(&BIO_free)>;
  const Bio certificate_text(
      BIO_new_mem_buf(certificate_pem.data(), static_cast<int>(certificate_pem.size())), BIO_free);
  const Bio key_text(BIO_new_mem_buf(key_pem.data(), static_cast<int>(key_pem.size())), BIO_free);
  const std::unique_ptr<X509, decltype(&X509_free)> certificate(
      PEM_read_bio_X509(certificate_text.get(), nullptr, nullptr, nullptr), X509_free);
  const std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> key(
      PEM_read_bio_PrivateKey(key_text.get(), nullptr, nullptr, nullptr), EVP_PKEY_free);
  const bool fit = certificate && key && X509_check_private_key(certificate.get(), key.get()) == 1;
  ERR_clear_error();
  if (!certificate) return "tls: failed to find any PEM data in certificate input";
  if (!key) return "tls: failed to find any PEM data in key input";
  return fit ? "" : "tls: private key does not match public key";
}

void WarnOfSecret(const Json& secret, Warnings& warnings) {
  if (secret.StringAt({"type"}) != "kubernetes.io/tls") return;
  std::string problem = PairProblem(base::DecodeBase64(secret.StringAt({"data", "tls.crt"})).bytes,
                                    base::DecodeBase64(secret.StringAt({"data", "tls.key"})).bytes);
  if (!problem.empty()) warnings.push_back(std::move(problem));
}

}  // namespace

void WarnAbout(const api::KindInfo& kind, const Json& object, Warnings* warnings) {
  if (warnings == nullptr) return;
  if (&kind == &api::KindOf<api::Secret>()) return WarnOfSecret(object, *warnings);
  std::string path;
  const Json* pod = TemplateOf(kind, object, path);
  if (pod != nullptr) WarnOfPod(*pod, path, *warnings);
}

void WarnOfRepeatedOwners(Json& object, Warnings* warnings) {
  Json* metadata = object.Find("metadata");
  Json* owners = metadata != nullptr ? metadata->Find("ownerReferences") : nullptr;
  if (owners == nullptr || !owners->IsArray() || owners->size() < 2) return;
  std::set<std::string> seen, repeated;
  Json::Array kept;
  for (Json& owner : owners->AsArray()) {
    const std::string uid = owner.StringAt({"uid"});
    if (uid.empty() || seen.insert(uid).second) {
      kept.push_back(std::move(owner));
    } else {
      repeated.insert(uid);
    }
  }
  const bool told = !repeated.empty();
  *owners = Json(std::move(kept));
  if (!told || warnings == nullptr) return;
  warnings->push_back(
      fmt::format(".metadata.ownerReferences contains duplicate entries; each owner "
                  "is kept once; duplicate UID(s): {}",
                  fmt::join(repeated, ", ")));
}

}  // namespace kueue::apiserver
