#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "api/schema/kind.h"
#include "api/types/json.h"
#include "apiserver/api_error.h"
#include "base/time.h"

// What the server itself does to metadata of untyped objects.
namespace kueue::apiserver {

inline constexpr char kOrphanFinalizer[] = "orphan";
inline constexpr char kForegroundFinalizer[] = "foregroundDeletion";

// Brings metadata of a new object into shape: what only the server sets is removed or refused.
// `namespace_name` is the one of the path.
Refusal AdmitNewMetadata(const api::KindInfo& kind, const std::string& namespace_name,
                         api::Json& object);
// Gives a new object its identity.
void StampNew(const api::KindInfo& kind, const std::string& uid, base::Time now,
              api::Json& object);
// Fills in of `after` what the server owns and the client left out or may not set.
void KeepSystemMetadata(const api::KindInfo& kind, const api::Json& before, api::Json& after);
// Mistakes in metadata of an update that is no longer about the same object.
std::vector<api::FieldError> SystemMetadataErrors(const api::Json& before, const api::Json& after);

// Empty maps and lists of metadata are not kept, and nulls neither. Returns the names of those that
// were there, sorted, with ": null" after those of nulls.
std::vector<std::string> DropEmptyMetadata(api::Json& object);

// 0 if there is none.
int64_t GenerationOf(const api::Json& object);
// Counts up, for kinds that count.
void BumpGeneration(const api::KindInfo& kind, api::Json& object);
// The spec (for custom resources: everything but metadata and status) differs.
bool SpecChanged(const api::KindInfo& kind, const api::Json& before, const api::Json& after);

// The kind CustomResourceDefinition.
bool IsDefinition(const api::KindInfo& kind);
bool IsDeleting(const api::Json& object);
bool HasFinalizer(const api::Json& object, std::string_view finalizer);
bool HasFinalizers(const api::Json& object);
// Both keep the order of the others; true if anything changed.
bool AddFinalizer(api::Json& object, std::string_view finalizer);
bool RemoveFinalizer(api::Json& object, std::string_view finalizer);
// deletionGracePeriodSeconds, 0 if absent.
int64_t GraceOf(const api::Json& object);

}  // namespace kueue::apiserver
