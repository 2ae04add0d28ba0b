#pragma once

#include <string>
#include <vector>

#include "api/codec/codec.h"
#include "api/types/core.h"

// Checks of names and of maps of them that several rules share (spec/api.md §2.1, §2.3).
namespace kueue::admission {

using FieldErrors = std::vector<api::FieldError>;

// "spec.a[0]"
std::string At(const std::string& list, size_t index);
// "spec.a[key]"
std::string At(const std::string& map, const std::string& key);
void AddInvalid(FieldErrors& errors, std::string field, std::string message);

// Keys must be qualified names and values label values; one error at `path` for each that is not.
void CheckLabelMap(const api::StringMap& labels, const std::string& path, FieldErrors& errors);
// Keys must be qualified names, upper case letters or not; everything together has a limit.
void CheckAnnotationMap(const api::StringMap& annotations, const std::string& path,
                        FieldErrors& errors);
// TOL-W1.
void CheckTolerationKeys(const std::vector<api::Toleration>& tolerations, const std::string& path,
                         FieldErrors& errors);
// CQ-W1.
void CheckSelector(const std::optional<api::LabelSelector>& selector, const std::string& path,
                   FieldErrors& errors);

}  // namespace kueue::admission
