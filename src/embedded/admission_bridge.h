#pragma once

#include "admission/review.h"
#include "apiserver/admission.h"
#include "apiserver/store.h"

namespace kueue::embedded {

// The product's webhook rules as an admission of the embedded server: called in process, judged
// against what the store holds at that moment. Lives on the server's executor.
class AdmissionBridge final : public apiserver::Admission {
 public:
  // `store` must outlive this.
  AdmissionBridge(const apiserver::Store& store, admission::Policy policy);

  bool Concerns(const apiserver::AdmissionRequest& request, bool mutating) const override;
  apiserver::Verdict Translate(apiserver::AdmissionRequest& request) override;
  // status.state of workloads, where the dialect is on.
  void Complete(const api::KindInfo& kind, api::Json& object) const override;
  apiserver::Verdict Mutate(apiserver::AdmissionRequest& request) override;
  apiserver::Verdict Validate(const apiserver::AdmissionRequest& request) override;

 private:
  class StoreLookup final : public admission::Lookup {
   public:
    explicit StoreLookup(const apiserver::Store& store) : store_(store) {}
    std::shared_ptr<const api::Namespace> Namespace(const std::string& name) const override;
    std::shared_ptr<const api::LocalQueue> LocalQueue(const std::string& namespace_name,
                                                      const std::string& name) const override;
    std::shared_ptr<const api::WorkloadPriorityClass> PriorityClass(
        const std::string& name) const override;

   private:
    template <class T>
    std::shared_ptr<const T> Get(const std::string& namespace_name, const std::string& name) const;
    const apiserver::Store& store_;
  };

  StoreLookup lookup_;
  const admission::Policy policy_;
};

}  // namespace kueue::embedded
