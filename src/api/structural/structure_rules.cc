#include <fmt/format.h>

#include <algorithm>

#include "api/structural/definition_schema.h"
#include "api/structural/schema.h"
#include "api/structural/schema_json.h"
#include "api/structural/value_text.h"

namespace kueue::api::structural {
namespace {

enum class Level { kRoot, kItem, kField };

class StructureChecker {
 public:
  explicit StructureChecker(std::vector<FieldError>& errors) : errors_(errors) {}

  void Schema(const Json& s, Level level, const std::string& path) {
    const std::string type = TextAt(s, "type");
    const Json* items = ObjectAt(s, "items");
    if (type == "array" && items == nullptr) {
      errors_.push_back(Required(ChildPath(path, "items"), "must be specified"));
    }
    if (items != nullptr) Schema(*items, Level::kItem, ChildPath(path, "items"));
    for (const Json::Member& property : MembersAt(s, "properties")) {
      Schema(property.value, Level::kField, KeyPath(ChildPath(path, "properties"), property.key));
    }
    if (Has(s, "additionalProperties")) {
      const std::string at = ChildPath(path, "additionalProperties");
      if (level == Level::kRoot) errors_.push_back(Forbidden(at, "must not be used at the root"));
      if (const Json* inner = ObjectAt(s, "additionalProperties")) {
        Schema(*inner, Level::kField, at);
      }
    }
    Extensions(s, path);
    const bool either = IsIntOrString(ListAt(s, "anyOf"));
    const Json::Array& all = ListAt(s, "allOf");
    const bool first = !all.empty() && IsIntOrString(ListAt(all[0], "anyOf"));
    Logic(s, either, first, path);
    TypeOf(s, type, level, path);
    Resource(s, level, path);
  }

  void Complete(const Json& v, const Json* s, const std::string& s_path,
                const std::string& v_path) {
    if (s == nullptr) {
      errors_.push_back(Required(s_path, "because it is defined in " + v_path));
      return;
    }
    if (const Json* negated = ObjectAt(v, "not")) {
      CompleteNested(*negated, s, s_path, ChildPath(v_path, "not"));
    }
    for (const char* name : {"allOf", "anyOf", "oneOf"}) {
      size_t index = 0;
      for (const Json& part : ListAt(v, name)) {
        CompleteNested(part, s, s_path, IndexPath(ChildPath(v_path, name), index++));
      }
    }
  }

 private:
  static bool IsIntOrString(const Json::Array& parts) {
    if (parts.size() != 2) return false;
    const auto is = [](const Json& part, const char* type) {
      return part.size() == 1 && TextAt(part, "type") == type;
    };
    return is(parts[0], "integer") && is(parts[1], "string");
  }

  void Extensions(const Json& s, const std::string& path) {
    if (!TrueAt(s, "x-kubernetes-int-or-string")) return;
    for (const char* name :
         {"x-kubernetes-preserve-unknown-fields", "x-kubernetes-embedded-resource"}) {
      if (!TrueAt(s, name)) continue;
      errors_.push_back(Invalid(ChildPath(path, name), true,
                                "must be false if x-kubernetes-int-or-string is true"));
    }
  }

  void TypeOf(const Json& s, const std::string& type, Level level, const std::string& path) {
    const std::string at = ChildPath(path, "type");
    const bool embedded = TrueAt(s, "x-kubernetes-embedded-resource");
    if (embedded && type != "object") {
      const char* detail = "must be object if x-kubernetes-embedded-resource is true";
      errors_.push_back(type.empty() ? Required(at, detail) : Invalid(at, Json(type), detail));
    } else if (type.empty() && !TrueAt(s, "x-kubernetes-int-or-string") &&
               !TrueAt(s, "x-kubernetes-preserve-unknown-fields")) {
      errors_.push_back(Required(at, level == Level::kRoot ? "must not be empty at the root"
                                     : level == Level::kItem
                                         ? "must not be empty for specified array items"
                                         : "must not be empty for specified object fields"));
    }
    if (embedded && Has(s, "additionalProperties")) {
      errors_.push_back(Forbidden(ChildPath(path, "additionalProperties"),
                                  "must not be used if x-kubernetes-embedded-resource is set"));
    }
    if (level == Level::kRoot && !type.empty() && type != "object") {
      errors_.push_back(Invalid(at, Json(type), "must be object at the root"));
    }
  }

  void Resource(const Json& s, Level level, const std::string& path) {
    const bool embedded = TrueAt(s, "x-kubernetes-embedded-resource");
    const bool resource = level == Level::kRoot || embedded;
    const std::string properties = ChildPath(path, "properties");
    for (const char* name : {"kind", "apiVersion"}) {
      const Json* property = s.FindPath({"properties", name});
      if (!resource || property == nullptr || TextAt(*property, "type") == "string") continue;
      errors_.push_back(Invalid(ChildPath(KeyPath(properties, name), "type"),
                                Json(TextAt(*property, "type")), "must be string"));
    }
    if (const Json* metadata = s.FindPath({"properties", "metadata"})) {
      const std::string at = KeyPath(properties, "metadata");
      if (resource && TextAt(*metadata, "type") != "object") {
        errors_.push_back(
            Invalid(ChildPath(at, "type"), Json(TextAt(*metadata, "type")), "must be object"));
      }
      if (level == Level::kRoot && !OnlyNames(*metadata)) {
        errors_.push_back(Forbidden(at,
                                    "must not specify anything other than name and "
                                    "generateName, but metadata is implicitly specified"));
      }
    }
    if (embedded && !TrueAt(s, "x-kubernetes-preserve-unknown-fields") &&
        MembersAt(s, "properties").empty()) {
      errors_.push_back(Required(properties,
                                 "must not be empty if x-kubernetes-embedded-resource is true "
                                 "without x-kubernetes-preserve-unknown-fields"));
    }
  }

  static bool OnlyNames(const Json& metadata) {
    for (const Json::Member& member : metadata.AsObject()) {
      if (member.key == "type" || member.key == "default" || member.value.IsNull()) continue;
      if (member.key != "properties") return false;
      for (const Json::Member& property : MembersAt(metadata, "properties")) {
        if (property.key != "name" && property.key != "generateName") return false;
      }
    }
    return true;
  }

  void Logic(const Json& v, bool skip_any, bool skip_first, const std::string& path) {
    if (!skip_any) Parts(v, "anyOf", false, path);
    Parts(v, "allOf", skip_first, path);
    Parts(v, "oneOf", false, path);
    if (const Json* negated = ObjectAt(v, "not")) Nested(*negated, false, ChildPath(path, "not"));
    const std::string pattern = TextAt(v, "pattern");
    if (pattern.empty()) return;
    const Pattern compiled(pattern);
    if (compiled.problem().empty()) return;
    errors_.push_back(Invalid(ChildPath(path, "pattern"), Json(pattern),
                              "must be a valid regular expression, but isn't: error parsing "
                              "regexp: " +
                                  compiled.problem()));
  }

  void Parts(const Json& v, const char* name, bool skip_first_any, const std::string& path) {
    size_t index = 0;
    for (const Json& part : ListAt(v, name)) {
      Nested(part, skip_first_any && index == 0, IndexPath(ChildPath(path, name), index));
      ++index;
    }
  }

  void Nested(const Json& v, bool skip_any, const std::string& path) {
    Logic(v, skip_any, false, path);
    if (const Json* items = ObjectAt(v, "items")) Nested(*items, false, ChildPath(path, "items"));
    for (const Json::Member& property : MembersAt(v, "properties")) {
      Nested(property.value, false, KeyPath(ChildPath(path, "properties"), property.key));
    }
    Forbid(v, path);
    if (v.FindPath({"properties", "metadata"}) != nullptr) {
      errors_.push_back(Forbidden(KeyPath(ChildPath(path, "properties"), "metadata"),
                                  "must not be specified in a nested context"));
    }
  }

  void Forbid(const Json& v, const std::string& path) {
    const auto forbid = [&](const char* name, bool set, const char* detail) {
      if (set) errors_.push_back(Forbidden(ChildPath(path, name), detail));
    };
    forbid("type", !TextAt(v, "type").empty(), "must be empty to be structural");
    const Json* additional = v.Find("additionalProperties");
    forbid("additionalProperties",
           additional != nullptr && (additional->IsObject() || TrueAt(v, "additionalProperties")),
           "must be undefined to be structural");
    forbid("default", Has(v, "default"), "must be undefined to be structural");
    forbid("title", !TextAt(v, "title").empty(), "must be empty to be structural");
    forbid("description", !TextAt(v, "description").empty(), "must be empty to be structural");
    for (const char* name : {"nullable", "x-kubernetes-preserve-unknown-fields",
                             "x-kubernetes-embedded-resource", "x-kubernetes-int-or-string"}) {
      forbid(name, TrueAt(v, name), "must be false to be structural");
    }
    forbid("x-kubernetes-list-map-keys", !ListAt(v, "x-kubernetes-list-map-keys").empty(),
           "must be empty to be structural");
    for (const char* name : {"x-kubernetes-list-type", "x-kubernetes-map-type"}) {
      forbid(name, Has(v, name), "must be undefined to be structural");
    }
    forbid("x-kubernetes-validations", !ListAt(v, "x-kubernetes-validations").empty(),
           "must be empty to be structural");
  }

  void CompleteNested(const Json& v, const Json* s, const std::string& s_path,
                      const std::string& v_path) {
    Complete(v, s, s_path, v_path);
    if (s == nullptr) return;
    if (const Json* items = ObjectAt(v, "items")) {
      CompleteNested(*items, ObjectAt(*s, "items"), ChildPath(s_path, "items"),
                     ChildPath(v_path, "items"));
    }
    for (const Json::Member& property : MembersAt(v, "properties")) {
      const Json* known = s->FindPath({"properties", property.key});
      const std::string at = KeyPath(ChildPath(v_path, "properties"), property.key);
      const std::string in = KeyPath(ChildPath(s_path, "properties"), property.key);
      if (known == nullptr) {
        errors_.push_back(Required(in, "because it is defined in " + at));
      } else {
        CompleteNested(property.value, known, in, at);
      }
    }
  }

  std::vector<FieldError>& errors_;
};

}  // namespace

std::vector<FieldError> CheckStructure(const Json& schema, const std::string& path) {
  std::vector<FieldError> errors;
  StructureChecker checker(errors);
  checker.Schema(schema, Level::kRoot, path);
  checker.Complete(schema, &schema, path, path);
  std::stable_sort(errors.begin(), errors.end(), [](const FieldError& a, const FieldError& b) {
    return a.field + ": " + a.message < b.field + ": " + b.message;
  });
  return errors;
}

}  // namespace kueue::api::structural
