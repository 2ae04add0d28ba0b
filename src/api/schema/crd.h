#pragma once

#include <string>
#include <vector>

#include "api/schema/kind.h"

// CustomResourceDefinitions made from the tables: what a real cluster needs to serve our kinds.
namespace kueue::api {

// The definition of a custom resource with all its served versions: schema, rules in CEL, columns,
// selectable fields, deprecations, conversion. REQUIRES: kind.custom_resource, and it is stored.
Json CrdManifest(const KindInfo& kind);

// The schema of one version of a custom resource as its definition has it (openAPIV3Schema).
// REQUIRES: kind.custom_resource, and its table describes it.
Json StructuralSchema(const KindInfo& kind);

struct CrdFile {
  std::string name;  // "kueue.x-k8s.io_workloads.yaml"
  std::string text;  // YAML
};
// Of all kinds of kueue.x-k8s.io, in the order of KueueKinds().
std::vector<CrdFile> CrdFiles();

}  // namespace kueue::api
