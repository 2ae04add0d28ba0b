#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>

#include "api/match/name_rules.h"
#include "api/structural/validation.h"
#include "api/structural/value_text.h"

namespace kueue::api::structural {
namespace {

using Errors = std::vector<FieldError>;

// Each value that was there before, told once.
std::vector<size_t> Repeated(const std::vector<Json>& values) {
  std::map<std::string, int> seen;
  std::vector<size_t> repeated;
  for (size_t i = 0; i < values.size(); ++i) {
    if (++seen[SortedJson(values[i])] == 2) repeated.push_back(i);
  }
  return repeated;
}

void CheckKeyed(const Schema& schema, const Json& list, const std::string& path, Errors& errors) {
  std::vector<Json> keys;
  size_t index = 0;
  for (const Json& item : list.AsArray()) {
    if (!item.IsObject() && !item.IsNull()) {
      errors.push_back(
          Invalid(IndexPath(path, index), item, "must be an object for an array of list-type map"));
      return;
    }
    ++index;
    Json key = Json::MakeObject();
    for (const std::string& name : schema.list_map_keys) {
      if (const Json* value = item.Find(name)) key.Set(name, *value);
    }
    keys.push_back(std::move(key));
  }
  for (const size_t i : Repeated(keys)) {
    errors.push_back(Duplicate(IndexPath(path, i), keys[i]));
  }
}

void Lists(const Schema& schema, const Json& value, const std::string& path, Errors& errors) {
  if (value.IsArray()) {
    if (schema.list_type == "set") {
      for (const size_t i : Repeated(value.AsArray())) {
        errors.push_back(Duplicate(IndexPath(path, i), value.AsArray()[i]));
      }
    } else if (schema.list_type == "map") {
      CheckKeyed(schema, value, path, errors);
    }
    if (schema.items == nullptr) return;
    for (size_t i = 0; i < value.size(); ++i) {
      Lists(*schema.items, value.AsArray()[i], IndexPath(path, i), errors);
    }
    return;
  }
  if (!value.IsObject()) return;
  for (const Json::Member& member : value.AsObject()) {
    if (const Schema* property = schema.FindProperty(member.key)) {
      Lists(*property, member.value, ChildPath(path, member.key), errors);
    } else if (schema.additional_properties != nullptr) {
      Lists(*schema.additional_properties, member.value, KeyPath(path, member.key), errors);
    }
  }
}

void CheckKind(const Json& kind, const std::string& path, Errors& errors) {
  if (!kind.IsString()) return errors.push_back(Invalid(path, kind, "must be a string"));
  if (kind.AsString().empty()) return errors.push_back(Invalid(path, kind, "must not be empty"));
  static const Pattern kLabel("^[a-zA-Z]([-a-zA-Z0-9]*[a-zA-Z0-9])?$");
  if (kind.AsString().size() <= 63 && kLabel.Matches(kind.AsString())) return;
  errors.push_back(Invalid(
      path, kind,
      "may have mixed case, but should otherwise match: a DNS-1035 label must consist of lower "
      "case alphanumeric characters or '-', start with an alphabetic character, and end with an "
      "alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is "
      "'[a-z]([-a-z0-9]*[a-z0-9])?')"));
}

void CheckApiVersion(const Json& version, const std::string& path, Errors& errors) {
  if (!version.IsString()) return errors.push_back(Invalid(path, version, "must be a string"));
  const std::string& text = version.AsString();
  if (text.empty()) return errors.push_back(Invalid(path, version, "must not be empty"));
  if (std::count(text.begin(), text.end(), '/') > 1) {
    errors.push_back(Invalid(path, version, "unexpected GroupVersion string: " + text));
  }
}

void Embedded(const Schema& schema, const Json& value, const std::string& path, Errors& errors) {
  if (value.IsArray()) {
    if (schema.items == nullptr) return;
    for (size_t i = 0; i < value.size(); ++i) {
      Embedded(*schema.items, value.AsArray()[i], IndexPath(path, i), errors);
    }
    return;
  }
  if (!value.IsObject()) return;
  if (schema.embedded) {
    for (const char* name : {"apiVersion", "kind"}) {
      if (value.Find(name) == nullptr) errors.push_back(Required(ChildPath(path, name), ""));
    }
    if (const Json* version = value.Find("apiVersion")) {
      CheckApiVersion(*version, ChildPath(path, "apiVersion"), errors);
    }
    if (const Json* kind = value.Find("kind")) CheckKind(*kind, ChildPath(path, "kind"), errors);
  }
  for (const Json::Member& member : value.AsObject()) {
    if (const Schema* property = schema.FindProperty(member.key)) {
      Embedded(*property, member.value, ChildPath(path, member.key), errors);
    } else if (schema.additional_properties != nullptr) {
      Embedded(*schema.additional_properties, member.value, KeyPath(path, member.key), errors);
    }
  }
}

}  // namespace

Errors CheckLists(const Schema& schema, const Json& value, const std::string& path) {
  Errors errors;
  Lists(schema, value, path, errors);
  return errors;
}

Errors CheckEmbedded(const Schema& schema, const Json& value, const std::string& path) {
  Errors errors;
  Embedded(schema, value, path, errors);
  return errors;
}

}  // namespace kueue::api::structural
