#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "api/schema/kind.h"

// Kinds that CustomResourceDefinitions define while a server runs.
namespace kueue::api {

// Whether the definition has that condition with status True.
bool DefinitionCondition(const Json& definition, std::string_view type);
// What is odd about a definition but let pass. `before` null: a create.
std::vector<std::string> DefinitionWarnings(const Json& definition, const Json* before);
// Adds the version that is stored to status.storedVersions, where it is not yet.
void NoteStoredVersion(Json& definition);

// The kind that one definition defines. Its KindInfos keep their addresses however the definition
// changes; those of versions that are served no more stay valid, too. One thread at a time.
class DefinedKind {
 public:
  // REQUIRES: the definition is one that validation has let pass, and its names are accepted.
  // `revision` is that of the store where the definition has this form.
  DefinedKind(const Json& definition, uint64_t revision);
  ~DefinedKind();
  DefinedKind(const DefinedKind&) = delete;
  DefinedKind& operator=(const DefinedKind&) = delete;

  // Takes the definition over as it is now.
  void Update(const Json& definition, uint64_t revision);

  // Under which objects are stored, whatever version they were written in. Not served itself.
  const KindInfo& stored() const;
  // One for each version that is served, in the order of the definition.
  const std::vector<const KindInfo*>& served() const { return served_; }

 private:
  struct Version;
  struct Texts;
  Version& VersionOf(const std::string& name);
  void Fill(KindInfo& info, const Json& definition, const std::string& version);

  std::unique_ptr<Texts> texts_;
  std::unique_ptr<KindInfo> stored_;
  std::vector<std::unique_ptr<Version>> versions_;
  std::vector<const KindInfo*> served_;
};

}  // namespace kueue::api
