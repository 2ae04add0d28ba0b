#pragma once

#include <string_view>
#include <vector>

#include "api/schema/kind.h"

// Objects between the served versions of a kind (spec/api.md §18). Pure functions of the object:
// the same in the embedded server and behind a conversion webhook.
//
// What v1beta2 says and v1beta1 cannot is kept in the annotation names::kNewerFields of the
// v1beta1 object, and put back on the way to v1beta2: reading and writing through v1beta1 loses
// nothing. A client that takes the annotation away takes those fields away.
namespace kueue::api {

// The version of the kind that is stored: itself, or kind.stored.
const KindInfo& StoredKind(const KindInfo& kind);

// Turns an object of `kind` into one of StoredKind(kind). Members the target does not know are
// gone, its defaults are in; values have the form the controllers' encoder gives them. Errors
// (paths of `kind`'s version) name what cannot be read or said; the object is then unusable.
std::vector<FieldError> ToStored(const KindInfo& kind, Json& object);
// The way back, from StoredKind(kind).
std::vector<FieldError> FromStored(const KindInfo& kind, Json& object);

// What a selectable field of `kind` is called in the stored version.
std::string_view StoredFieldName(const KindInfo& kind, std::string_view field);

// The conversion functions of a kind of kueue.x-k8s.io between v1beta1 and v1beta2; null for kinds
// whose versions differ in apiVersion alone.
void FindConversion(std::string_view kind, std::vector<FieldError> (*&to_stored)(Json& object),
                    std::vector<FieldError> (*&from_stored)(Json& object));

}  // namespace kueue::api
