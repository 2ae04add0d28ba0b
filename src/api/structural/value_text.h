#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "api/codec/codec.h"
#include "api/types/json.h"

// Values, and what is wrong with them, in the words of the real API server: clients of custom
// resources see the same sentences here and there.
namespace kueue::api::structural {

double DoubleOf(const Json& number);
// Shortest digits that give the number back: 1.5, 1e+21.
std::string DoubleText(double number);
// In double quotes; what cannot be printed is escaped.
std::string Quoted(std::string_view text);
// As it stands in a refusal: quoted texts, bare numbers, everything else as JSON with sorted keys.
std::string ValueText(const Json& value);
// Compact JSON, members sorted by key.
std::string SortedJson(const Json& value);

// "Invalid value: 5: must be ..."
FieldError Invalid(std::string field, const Json& value, std::string_view detail);
// The same without the value.
FieldError InvalidWithoutValue(std::string field, std::string_view detail);
FieldError TypeInvalid(std::string field, const Json& value, std::string_view detail);
FieldError Required(std::string field, std::string_view detail);
FieldError Forbidden(std::string field, std::string_view detail);
FieldError Duplicate(std::string field, const Json& value);
FieldError NotSupported(std::string field, const Json& value,
                        const std::vector<std::string>& supported);
FieldError TooLong(std::string field, int64_t limit);
FieldError TooMany(std::string field, int64_t actual, int64_t limit);

// "[a: Invalid ..., b: Required ...]", each only once; one alone without brackets.
std::string AggregateText(const std::vector<FieldError>& errors);

// Paths: "a.b" (b alone below ""), "a[b]", "a[0]".
std::string ChildPath(const std::string& path, std::string_view member);
std::string KeyPath(const std::string& path, std::string_view key);
std::string IndexPath(const std::string& path, size_t index);

}  // namespace kueue::api::structural
