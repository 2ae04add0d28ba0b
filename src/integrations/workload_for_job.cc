#include "integrations/workload_for_job.h"

#include <openssl/evp.h>

#include <algorithm>
#include <cctype>
#include <charconv>

#include "api/types/names.h"

namespace kueue::integrations {
namespace {

constexpr size_t kLongestName = 253;
constexpr size_t kHashDigits = 5;

std::string Sha1Hex(const std::string& text) {
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned int length = 0;
  EVP_Digest(text.data(), text.size(), digest, &length, EVP_sha1(), nullptr);
  static constexpr char kHex[] = "0123456789abcdef";
  std::string out;
  for (unsigned int i = 0; i < length; ++i) {
    out += kHex[digest[i] >> 4];
    out += kHex[digest[i] & 15];
  }
  return out;
}

bool PodSetAgrees(const api::PodSet& a, const api::PodSet& b, bool ignore_tolerations) {
  const api::PodSpec& x = a.pod_template.spec;
  const api::PodSpec& y = b.pod_template.spec;
  return a.count == b.count && a.min_count.value_or(-1) == b.min_count.value_or(-1) &&
         x.init_containers == y.init_containers && x.containers == y.containers &&
         (ignore_tolerations || x.tolerations == y.tolerations);
}

// The workload's pod sets with what admission added: what a started job looks like. Empty if that
// cannot be built (a flavor is gone, values conflict).
std::vector<api::PodSet> AdmittedPodSets(const api::Workload& workload,
                                         const FindFlavor& find_flavor) {
  auto infos = InfosFromAdmission(workload, find_flavor);
  if (!infos.ok() || infos->size() != workload.spec.pod_sets.size()) return {};
  std::vector<api::PodSet> sets = workload.spec.pod_sets;
  for (size_t i = 0; i < sets.size(); ++i) {
    if (!MergeInto(sets[i].pod_template, (*infos)[i]).ok()) return {};
    if (sets[i].min_count) sets[i].count = (*infos)[i].count;
  }
  return sets;
}

}  // namespace

std::string WorkloadName(const api::KindInfo& owner_kind, const std::string& owner_name,
                         const std::string& owner_uid) {
  std::string prefix;
  for (const char c : owner_kind.kind) {
    prefix += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  prefix += "-" + owner_name;
  prefix.resize(std::min(prefix.size(), kLongestName - kHashDigits - 1));
  const std::string hashed = std::string(owner_kind.kind) + "\n" + std::string(owner_kind.group) +
                             "\n" + owner_name + "\n" + owner_uid;
  return prefix + "-" + Sha1Hex(hashed).substr(0, kHashDigits);
}

bool PodSetsAgree(const std::vector<api::PodSet>& a, const std::vector<api::PodSet>& b,
                  bool ignore_tolerations) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i) {
    if (!PodSetAgrees(a[i], b[i], ignore_tolerations)) return false;
  }
  return true;
}

void RemoveRepeatedEnv(std::vector<api::PodSet>& pod_sets) {
  const auto clean = [](std::vector<api::Container>& containers) {
    for (api::Container& container : containers) {
      std::vector<api::EnvVar> kept;
      for (api::EnvVar& variable : container.env) {
        const auto same = [&](const api::EnvVar& have) { return have.name == variable.name; };
        const auto it = std::find_if(kept.begin(), kept.end(), same);
        if (it == kept.end()) {
          kept.push_back(std::move(variable));
        } else {
          *it = std::move(variable);
        }
      }
      container.env = std::move(kept);
    }
  };
  for (api::PodSet& set : pod_sets) {
    clean(set.pod_template.spec.init_containers);
    clean(set.pod_template.spec.containers);
  }
}

std::optional<int32_t> MaximumExecutionTime(const api::ObjectMeta& job) {
  const auto it = job.labels.find(api::names::kMaxExecTimeLabel);
  if (it == job.labels.end()) return std::nullopt;
  const std::string& text = it->second;
  int32_t seconds = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  if (error != std::errc() || end != text.data() + text.size() || seconds <= 0) return std::nullopt;
  return seconds;
}

bool WorkloadMatchesJob(const api::Workload& workload, const api::ObjectMeta& job,
                        std::vector<api::PodSet> job_pod_sets, bool job_suspended,
                        const FindFlavor& find_flavor) {
  const api::OwnerReference* owner = api::ControllerOf(workload.metadata);
  if (owner != nullptr && (owner->name != job.name || owner->uid != job.uid)) return false;
  if (workload.spec.maximum_execution_time_seconds.value_or(-1) !=
      MaximumExecutionTime(job).value_or(-1)) {
    return false;
  }
  RemoveRepeatedEnv(job_pod_sets);
  const bool admitted = api::IsConditionTrue(workload.status.conditions, api::names::kAdmitted);
  if (!api::IsConditionTrue(workload.status.conditions, api::names::kQuotaReserved)) {
    return PodSetsAgree(workload.spec.pod_sets, job_pod_sets, admitted);
  }
  const std::vector<api::PodSet> expected = AdmittedPodSets(workload, find_flavor);
  if (expected.empty()) return PodSetsAgree(workload.spec.pod_sets, job_pod_sets, admitted);
  return PodSetsAgree(expected, job_pod_sets, admitted) ||
         (job_suspended && PodSetsAgree(workload.spec.pod_sets, job_pod_sets, admitted));
}

}  // namespace kueue::integrations
