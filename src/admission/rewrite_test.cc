#include "admission/review.h"

#include <gtest/gtest.h>

#include "api/codec/json_text.h"

namespace kueue::admission {
namespace {

class NoWorld final : public Lookup {
 public:
  std::shared_ptr<const api::Namespace> Namespace(const std::string&) const override {
    return nullptr;
  }
  std::shared_ptr<const api::LocalQueue> LocalQueue(const std::string&,
                                                    const std::string&) const override {
    return nullptr;
  }
  std::shared_ptr<const api::WorkloadPriorityClass> PriorityClass(
      const std::string&) const override {
    return nullptr;
  }
};

template <class T>
std::string Mutated(const char* text, const Policy& policy = {}) {
  api::Json object = *api::ParseJson(text);
  Review review;
  review.kind = &api::KindOf<T>();
  const Ruling ruling = Mutate(review, NoWorld(), policy, object);
  if (!ruling.readable) return "unreadable: " + ruling.errors[0].field;
  return api::WriteJson(object);
}

TEST(Defaulting, AFlavorGetsAFinalizer) {
  EXPECT_EQ(
      Mutated<api::ResourceFlavor>(R"({"metadata":{"name":"f"},"spec":{}})"),
      R"({"metadata":{"name":"f","finalizers":["kueue.x-k8s.io/resource-in-use"]},"spec":{}})");
}

// What the encoder never leaves out appears when something was changed, and only then.
TEST(Defaulting, AChangedObjectIsWrittenAnew) {
  EXPECT_EQ(Mutated<api::ResourceFlavor>(R"({"metadata":{"name":"f"},"spec":{"nodeTaints":[{}]}})"),
            R"({"metadata":{"name":"f","finalizers":["kueue.x-k8s.io/resource-in-use"]},)"
            R"("spec":{"nodeTaints":[{"key":"","effect":""}]}})");
  const char* as_is = R"({"metadata":{"name":"f","finalizers":["kueue.x-k8s.io/resource-in-use"]},)"
                      R"("spec":{"nodeTaints":[{}]}})";
  EXPECT_EQ(Mutated<api::ResourceFlavor>(as_is), as_is);
}

TEST(Defaulting, WhatCannotBeReadIsNamed) {
  EXPECT_EQ(
      Mutated<api::ClusterQueue>(R"({"spec":{"resourceGroups":[{"coveredResources":"cpu"}]}})"),
      "unreadable: spec.resourceGroups[0].coveredResources");
}

TEST(Defaulting, WithoutPartialAdmissionThereIsNoMinCount) {
  const char* workload =
      R"({"spec":{"podSets":[{"name":"a","count":3,"minCount":1,"template":{}}]}})";
  EXPECT_EQ(Mutated<api::Workload>(workload), workload);
  Policy policy;
  policy.gates.Set(api::Feature::kPartialAdmission, false);
  EXPECT_EQ(Mutated<api::Workload>(workload, policy),
            R"({"spec":{"podSets":[{"name":"a","count":3,"template":{}}]}})");
}

}  // namespace
}  // namespace kueue::admission
