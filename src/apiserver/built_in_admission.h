#pragma once

#include "apiserver/admission.h"
#include "apiserver/kind_registry.h"
#include "apiserver/store.h"
#include "base/random.h"

// The admissions every API server brings along, as far as they concern pods and what pods need.
// All of them judge by what the store holds at that moment. `store` must outlive them.
namespace kueue::apiserver {

// The numbers behind priority classes, and that only one class is the default.
class PriorityAdmission final : public Admission {
 public:
  PriorityAdmission(const Store& store, const KindRegistry& kinds);
  bool Concerns(const AdmissionRequest& request, bool mutating) const override;
  Verdict Mutate(AdmissionRequest& request) override;
  Verdict Validate(const AdmissionRequest& request) override;

 private:
  StoredPtr DefaultClass() const;
  const Store& store_;
  const api::KindInfo& classes_;
};

// Pods bear nodes that are not ready or not reachable for five minutes, unless they say otherwise,
// whenever they are written.
class TolerationAdmission final : public Admission {
 public:
  bool Concerns(const AdmissionRequest& request, bool mutating) const override;
  Verdict Mutate(AdmissionRequest& request) override;
};

// What the runtime class of a pod adds to it: overhead, and where it can run.
class RuntimeClassAdmission final : public Admission {
 public:
  RuntimeClassAdmission(const Store& store, const KindRegistry& kinds);
  bool Concerns(const AdmissionRequest& request, bool mutating) const override;
  Verdict Mutate(AdmissionRequest& request) override;

 private:
  const Store& store_;
  const api::KindInfo& classes_;
};

// Pods run as a service account, which has to be there, and get a token of it.
class ServiceAccountAdmission final : public Admission {
 public:
  // `random` names the volumes.
  ServiceAccountAdmission(const Store& store, const KindRegistry& kinds, base::Random random);
  bool Concerns(const AdmissionRequest& request, bool mutating) const override;
  Verdict Mutate(AdmissionRequest& request) override;

 private:
  std::string Suffix(const AdmissionRequest& request);

  const Store& store_;
  const api::KindInfo& accounts_;
  base::Random random_;
};

// The LimitRanges of a namespace: what containers get that ask for nothing, and the bounds of what
// containers, pods and claims may ask for.
class LimitAdmission final : public Admission {
 public:
  LimitAdmission(const Store& store, const KindRegistry& kinds);
  bool Concerns(const AdmissionRequest& request, bool mutating) const override;
  Verdict Mutate(AdmissionRequest& request) override;
  Verdict Validate(const AdmissionRequest& request) override;

 private:
  const Store& store_;
  const api::KindInfo& limit_ranges_;
};

}  // namespace kueue::apiserver
