#pragma once

#include <string>
#include <vector>

// The reference of the API for its users, written from the tables: a page per kind of
// kueue.x-k8s.io and for the configuration, with every field's type, default, allowed values,
// rules and meaning, and an index with the built-in kinds.
namespace kueue::api {

struct ReferencePage {
  std::string name;  // "clusterqueue.md"
  std::string text;  // Markdown
};
// "README.md", the index, first; then by name.
std::vector<ReferencePage> ReferencePages();

// "ClusterQueueSpec.cohortName" of every field that has no sentence about its meaning.
std::vector<std::string> FieldsWithoutMeaning();

}  // namespace kueue::api
