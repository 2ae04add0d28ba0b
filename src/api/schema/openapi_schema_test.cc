#include "api/schema/openapi_schema.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/schema/descriptors.h"

namespace kueue::api {
namespace {

using ::testing::IsNull;
using ::testing::NotNull;

Json SchemasOf(std::string_view component) {
  OpenApiComponents components(OpenApiComponents::GroupVersions{{"batch", "v1"}});
  components.Reference(component);
  return components.Take();
}

TEST(OpenApiSchema, NamesComponentsAsKubernetesDoes) {
  EXPECT_EQ(ComponentName("batch.v1.JobSpec"), "io.k8s.api.batch.v1.JobSpec");
  EXPECT_EQ(ComponentName("meta.v1.ObjectMeta"), "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta");
  EXPECT_EQ(ComponentName(KindOf<Workload>()), "io.x-k8s.kueue.v1beta2.Workload");
  EXPECT_EQ(ListComponentName(KindOf<Job>()), "io.k8s.api.batch.v1.JobList");
}

TEST(OpenApiSchema, HoldsWhatAComponentRefersTo) {
  const Json schemas = SchemasOf("batch.v1.JobSpec");
  EXPECT_THAT(schemas.Find("io.k8s.api.core.v1.Container"), NotNull());
  EXPECT_THAT(schemas.Find("io.k8s.apimachinery.pkg.api.resource.Quantity"), NotNull());
  EXPECT_THAT(schemas.Find("io.k8s.api.core.v1.Node"), IsNull());
}

TEST(OpenApiSchema, TellsHowListsMerge) {
  const Json schemas = SchemasOf("core.v1.PodSpec");
  const Json* containers =
      schemas.FindPath({"io.k8s.api.core.v1.PodSpec", "properties", "containers"});
  ASSERT_THAT(containers, NotNull());
  EXPECT_EQ(containers->StringAt({"x-kubernetes-list-type"}), "map");
  EXPECT_EQ(containers->StringAt({"x-kubernetes-patch-merge-key"}), "name");
  EXPECT_EQ(containers->StringAt({"x-kubernetes-patch-strategy"}), "merge");
}

TEST(OpenApiSchema, GivesWhatIsAlwaysThereItsZero) {
  const Json schemas = SchemasOf("core.v1.ContainerPort");
  const Json* port = schemas.FindPath(
      {"io.k8s.api.core.v1.ContainerPort", "properties", "containerPort", "default"});
  ASSERT_THAT(port, NotNull());
  EXPECT_EQ(port->AsInt(), 0);
  EXPECT_EQ(schemas.Find("io.k8s.api.core.v1.ContainerPort")
                ->StringAt({"properties", "protocol", "default"}),
            "TCP");
}

TEST(OpenApiSchema, ShowsACustomResourceWithEverythingInside) {
  OpenApiComponents components(OpenApiComponents::GroupVersions{});
  components.ListReference(KindOf<ResourceFlavor>());
  const Json schemas = components.Take();
  const Json* taints = schemas.FindPath({"io.x-k8s.kueue.v1beta2.ResourceFlavor", "properties",
                                         "spec", "properties", "nodeTaints", "items", "type"});
  ASSERT_THAT(taints, NotNull());
  EXPECT_EQ(taints->AsString(), "object");
  EXPECT_THAT(schemas.Find("io.x-k8s.kueue.v1beta2.ResourceFlavorList"), NotNull());
}

TEST(OpenApiSchema, TakesASchemaThatCameAtRunTime) {
  Json given = Json::MakeObject();
  given["properties"]["spec"].Set("type", "string");
  OpenApiComponents components(OpenApiComponents::GroupVersions{});
  components.Reference(KindOf<ResourceFlavor>(), &given);
  const Json schemas = components.Take();
  EXPECT_EQ(schemas.Find("io.x-k8s.kueue.v1beta2.ResourceFlavor")
                ->StringAt({"properties", "spec", "type"}),
            "string");
}

}  // namespace
}  // namespace kueue::api
