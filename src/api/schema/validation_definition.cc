#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "api/schema/defined_kind.h"
#include "api/schema/validation_parts.h"
#include "api/structural/definition_schema.h"
#include "api/structural/rules.h"
#include "api/structural/schema.h"
#include "api/structural/schema_json.h"
#include "api/structural/value_text.h"

// CustomResourceDefinitions: names, versions, conversion, columns. Paths and sentences are those of
// the real API server, which moves what all versions have in common to the front and then speaks of
// spec.validation, spec.version and the like.
namespace kueue::api {
namespace {

using structural::ChildPath;
using structural::Forbidden;
using structural::Has;
using structural::IndexPath;
using structural::Invalid;
using structural::InvalidWithoutValue;
using structural::ListAt;
using structural::NotSupported;
using structural::Required;
using structural::TextAt;
using structural::TrueAt;

constexpr const char* kLabelProblem =
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an "
    "alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', "
    "regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";
constexpr const char* kSubdomainProblem =
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or "
    "'.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used "
    "for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

// "" if it is one.
std::string LabelProblem(std::string_view text) {
  static const structural::Pattern kLabel("^[a-z]([-a-z0-9]*[a-z0-9])?$");
  std::string problem;
  if (text.size() > 63) problem = "must be no more than 63 bytes";
  if (!kLabel.Matches(text)) problem += (problem.empty() ? "" : ",") + std::string(kLabelProblem);
  return problem;
}

std::string LowerCase(std::string text) {
  for (char& c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return text;
}

const Json& Member(const Json& object, std::string_view name) {
  static const Json* const none = new Json(Json::MakeObject());
  const Json* member = object.Find(name);
  return member != nullptr && member->IsObject() ? *member : *none;
}

class DefinitionChecker {
 public:
  DefinitionChecker(const Json& object, const Json* before, FieldErrors& errors)
      : object_(object), spec_(Member(object, "spec")), before_(before), errors_(errors) {}

  void Check() {
    if (before_ == nullptr) Name();
    Group();
    Scope();
    const Json::Array& versions = ListAt(spec_, "versions");
    SchemasAreThere(versions);
    Versions(versions);
    Names(Member(spec_, "names"), "spec.names", true);
    Shared(versions);
    Conversion();
    if (before_ != nullptr) Immutable();
    Names(Member(Member(object_, "status"), "acceptedNames"), "status.acceptedNames", false);
    StoredVersions(versions);
    Approval();
    if (TrueAt(spec_, "preserveUnknownFields")) {
      errors_.push_back(Invalid("spec.preserveUnknownFields", true,
                                "cannot set to true, set x-kubernetes-preserve-unknown-fields to "
                                "true in spec.versions[*].schema instead"));
    }
  }

 private:
  void Add(FieldError error) { errors_.push_back(std::move(error)); }

  void Name() {
    const std::string name = object_.StringAt({"metadata", "name"});
    if (name == object_.StringAt({"spec", "names", "plural"}) + "." + TextAt(spec_, "group")) {
      return;
    }
    Add(Invalid("metadata.name", Json(name), "must be spec.names.plural+\".\"+spec.group"));
  }

  void Group() {
    const std::string group = TextAt(spec_, "group");
    static const structural::Pattern kSubdomain(
        "^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$");
    if (group.empty()) {
      Add(Required("spec.group", ""));
    } else if (group.size() > 253 || !kSubdomain.Matches(group)) {
      Add(Invalid("spec.group", Json(group), kSubdomainProblem));
    } else if (group.find('.') == std::string::npos) {
      Add(Invalid("spec.group", Json(group), "should be a domain with at least one dot"));
    }
  }

  void Scope() {
    const std::string scope = TextAt(spec_, "scope");
    if (scope.empty()) {
      Add(Required("spec.scope", ""));
    } else if (scope != "Cluster" && scope != "Namespaced") {
      Add(NotSupported("spec.scope", Json(scope), {"Cluster", "Namespaced"}));
    }
  }

  static const Json* SchemaOf(const Json& version) {
    const Json* schema = version.FindPath({"schema", "openAPIV3Schema"});
    return schema != nullptr && schema->IsObject() ? schema : nullptr;
  }

  void SchemasAreThere(const Json::Array& versions) {
    for (size_t i = 0; i < versions.size(); ++i) {
      if (SchemaOf(versions[i]) != nullptr) continue;
      Add(Required(IndexPath("spec.versions", i) + ".schema.openAPIV3Schema", ""));
    }
  }

  // Whether all versions have the same of it, so that it counts as the definition's own.
  static bool Same(const Json::Array& versions, std::string_view name) {
    for (const Json& version : versions) {
      const Json* first = versions[0].Find(name);
      const Json* other = version.Find(name);
      if ((first == nullptr) != (other == nullptr)) return false;
      if (first != nullptr && !(*first == *other)) return false;
    }
    return true;
  }

  static bool HasStatus(const Json& version) {
    return version.FindPath({"subresources", "status"}) != nullptr;
  }

  structural::SchemaCheckOptions OptionsFor(const Json& version, bool status) const {
    structural::SchemaCheckOptions options;
    options.status_subresource = status;
    if (before_ == nullptr) return options;
    for (const Json& old : ListAt(Member(*before_, "spec"), "versions")) {
      if (TextAt(old, "name") != TextAt(version, "name")) continue;
      const Json* schema = SchemaOf(old);
      const Json* now = SchemaOf(version);
      options.forgive_rule_cost = schema != nullptr && now != nullptr && *schema == *now;
    }
    return options;
  }

  void Schema(const Json& version, const std::string& path, bool status) {
    const Json* schema = SchemaOf(version);
    if (schema == nullptr) return;
    auto found = structural::CheckDefinitionSchema(*schema, path, OptionsFor(version, status));
    errors_.insert(errors_.end(), found.begin(), found.end());
  }

  void Versions(const Json::Array& versions) {
    size_t stored = 0;
    std::set<std::string> names;
    bool unique = true;
    for (size_t i = 0; i < versions.size(); ++i) {
      const Json& version = versions[i];
      const std::string path = IndexPath("spec.versions", i);
      const std::string name = TextAt(version, "name");
      stored += TrueAt(version, "storage") ? 1 : 0;
      unique = names.insert(name).second && unique;
      if (const std::string problem = LabelProblem(name); !problem.empty()) {
        Add(Invalid(path + ".name", Json(name), problem));
      }
      Deprecation(version, path);
      if (!Same(versions, "schema")) {
        Schema(version, path + ".schema.openAPIV3Schema", HasStatus(version));
      }
      if (!Same(versions, "subresources")) Subresources(version, path + ".subresources");
      if (!Same(versions, "additionalPrinterColumns")) Columns(version, path);
      if (!Same(versions, "selectableFields")) SelectableFields(version, path);
    }
    if (!unique) Add(InvalidWithoutValue("spec.versions", "must contain unique version names"));
    if (stored != 1) {
      Add(InvalidWithoutValue("spec.versions",
                              "must have exactly one version marked as storage version"));
    }
    if (versions.empty()) return;
    const std::string first = TextAt(versions[0], "name");
    if (const std::string problem = LabelProblem(first); !first.empty() && !problem.empty()) {
      Add(Invalid("spec.version", Json(first), problem));
    }
  }

  // What all versions have in common.
  void Shared(const Json::Array& versions) {
    if (versions.empty()) return;
    if (Same(versions, "schema")) {
      Schema(versions[0], "spec.validation.openAPIV3Schema",
             std::any_of(versions.begin(), versions.end(), HasStatus));
    }
    if (Same(versions, "subresources")) Subresources(versions[0], "spec.subresources");
    if (Same(versions, "additionalPrinterColumns")) Columns(versions[0], "spec");
    if (Same(versions, "selectableFields")) SelectableFields(versions[0], "spec");
  }

  void Deprecation(const Json& version, const std::string& path) {
    const Json* warning = version.Find("deprecationWarning");
    if (warning == nullptr || !warning->IsString()) return;
    const std::string at = path + ".deprecationWarning";
    if (!TrueAt(version, "deprecated")) {
      return Add(Invalid(at, *warning, "can only be set for deprecated versions"));
    }
    const std::string& text = warning->AsString();
    if (text.size() > 256) Add(Invalid(at, *warning, "must be <= 256 characters long"));
    if (text.empty()) Add(Invalid(at, *warning, "must not be an empty string"));
    for (size_t i = 0; i < text.size(); ++i) {
      const auto c = static_cast<unsigned char>(text[i]);
      if (c >= 0x20 && c != 0x7f) continue;
      return Add(Invalid(at, *warning,
                         fmt::format("must only contain printable UTF-8 characters; "
                                     "non-printable character found at index {}",
                                     i)));
    }
  }

  void SimplePath(const std::string& text, const std::string& at) {
    if (text[0] == '.') return;
    Add(Invalid(at, Json(text), "must be a simple json path starting with ."));
  }

  void Subresources(const Json& version, const std::string& path) {
    const Json* scale = version.FindPath({"subresources", "scale"});
    if (scale == nullptr || !scale->IsObject()) return;
    const auto check = [&](const char* member, const char* below, const char* detail) {
      const std::string text = TextAt(*scale, member);
      const std::string at = path + ".scale." + member;
      if (text.empty()) return Add(Required(at, ""));
      if (text[0] != '.') return SimplePath(text, at);
      if (text.rfind(below, 0) != 0) Add(Invalid(at, Json(text), detail));
    };
    check("specReplicasPath", ".spec.", "should be a json path under .spec");
    check("statusReplicasPath", ".status.", "should be a json path under .status");
    const std::string selector = TextAt(*scale, "labelSelectorPath");
    const std::string at = path + ".scale.labelSelectorPath";
    if (selector.empty()) return;
    if (selector[0] != '.') return SimplePath(selector, at);
    if (selector.rfind(".spec.", 0) != 0 && selector.rfind(".status.", 0) != 0) {
      Add(Invalid(at, Json(selector), "should be a json path under either .spec or .status"));
    }
  }

  void Columns(const Json& version, const std::string& path) {
    static const std::vector<std::string> kTypes = {"boolean", "date", "integer", "number",
                                                    "string"};
    static const std::vector<std::string> kFormats = {"byte",  "date",  "date-time", "double",
                                                      "float", "int32", "int64",     "password"};
    const Json::Array& columns = ListAt(version, "additionalPrinterColumns");
    for (size_t i = 0; i < columns.size(); ++i) {
      const std::string at = IndexPath(path + ".additionalPrinterColumns", i);
      const std::string type = TextAt(columns[i], "type"), format = TextAt(columns[i], "format");
      const std::string json_path = TextAt(columns[i], "jsonPath");
      if (TextAt(columns[i], "name").empty()) Add(Required(at + ".name", ""));
      const std::string types = fmt::format("must be one of {}", fmt::join(kTypes, ","));
      if (type.empty()) {
        Add(Required(at + ".type", types));
      } else if (std::find(kTypes.begin(), kTypes.end(), type) == kTypes.end()) {
        Add(Invalid(at + ".type", Json(type), types));
      }
      if (!format.empty() &&
          std::find(kFormats.begin(), kFormats.end(), format) == kFormats.end()) {
        Add(Invalid(at + ".format", Json(format),
                    fmt::format("must be one of {}", fmt::join(kFormats, ","))));
      }
      if (json_path.empty()) {
        Add(Required(at + ".JSONPath", ""));
      } else {
        SimplePath(json_path, at + ".JSONPath");
      }
    }
  }

  void SelectableFields(const Json& version, const std::string& path) {
    const Json::Array& fields = ListAt(version, "selectableFields");
    const Json* json = SchemaOf(version);
    if (fields.empty() || json == nullptr) return;
    const structural::Schema schema = structural::ReadSchema(*json);
    std::set<std::string> seen;
    const std::string list = path + ".selectableFields";
    for (size_t i = 0; i < fields.size(); ++i) {
      const std::string at = IndexPath(list, i) + ".jsonPath";
      const std::string text = TextAt(fields[i], "jsonPath");
      if (text.empty()) {
        Add(Required(at, ""));
        continue;
      }
      std::string problem;
      const auto found = structural::FindField(schema, text, false, problem);
      if (!found) {
        Add(Invalid(at, Json(text), "is an invalid path: " + problem));
        continue;
      }
      if (found->path == "metadata" || found->path.rfind("metadata.", 0) == 0) {
        Add(Invalid(at, Json(text), "must not point to fields in metadata"));
      }
      const std::string& type = found->schema->type;
      if (type != "string" && type != "boolean" && type != "integer") {
        Add(Invalid(at, Json(text),
                    "must point to a field of type string, boolean or integer. Enum string fields "
                    "and strings with formats are allowed."));
      }
      if (!seen.insert(found->path).second) Add(structural::Duplicate(at, Json(text)));
    }
    if (seen.size() > 8) Add(structural::TooMany(list, static_cast<int64_t>(seen.size()), 8));
  }

  void Names(const Json& names, const std::string& path, bool required) {
    if (required) {
      for (const char* name : {"plural", "singular", "kind", "listKind"}) {
        if (TextAt(names, name).empty()) Add(Required(ChildPath(path, name), ""));
      }
    }
    const auto label = [&](const std::string& text, const std::string& at) {
      const std::string problem = LabelProblem(text);
      if (!text.empty() && !problem.empty()) Add(Invalid(at, Json(text), problem));
    };
    label(TextAt(names, "plural"), path + ".plural");
    label(TextAt(names, "singular"), path + ".singular");
    for (const char* name : {"kind", "listKind"}) {
      const std::string text = TextAt(names, name);
      const std::string problem = LabelProblem(LowerCase(text));
      if (text.empty() || problem.empty()) continue;
      Add(Invalid(ChildPath(path, name), Json(text),
                  "may have mixed case, but should otherwise match: " + problem));
    }
    List(names, "shortNames", path);
    const std::string kind = TextAt(names, "kind");
    if (!kind.empty() && kind == TextAt(names, "listKind")) {
      Add(Invalid(path + ".listKind", Json(kind), "kind and listKind may not be the same"));
    }
    List(names, "categories", path);
  }

  void List(const Json& names, const char* member, const std::string& path) {
    const Json::Array& list = ListAt(names, member);
    for (size_t i = 0; i < list.size(); ++i) {
      const std::string text = list[i].IsString() ? list[i].AsString() : "";
      const std::string problem = LabelProblem(text);
      if (!problem.empty()) {
        Add(Invalid(IndexPath(ChildPath(path, member), i), Json(text), problem));
      }
    }
  }

  void Conversion() {
    const Json& conversion = Member(spec_, "conversion");
    const std::string strategy = TextAt(conversion, "strategy");
    if (strategy.empty()) {
      if (Has(spec_, "conversion")) Add(Required("spec.conversion.strategy", ""));
      return;
    }
    if (strategy != "None" && strategy != "Webhook") {
      Add(NotSupported("spec.conversion.strategy", Json(strategy), {"None", "Webhook"}));
    }
    const Json& webhook = Member(conversion, "webhook");
    const Json* client = structural::ObjectAt(webhook, "clientConfig");
    const Json::Array& versions = ListAt(webhook, "conversionReviewVersions");
    if (strategy != "Webhook") {
      const char* detail = "should not be set when strategy is not set to Webhook";
      if (client != nullptr) Add(Forbidden("spec.conversion.webhookClientConfig", detail));
      if (!versions.empty()) Add(Forbidden("spec.conversion.conversionReviewVersions", detail));
      return;
    }
    if (client == nullptr) {
      Add(Required("spec.conversion.webhookClientConfig",
                   "required when strategy is set to Webhook"));
    } else if (Has(*client, "url") == Has(*client, "service")) {
      Add(Required("spec.conversion.webhookClientConfig",
                   "exactly one of url or service is required"));
    }
    ReviewVersions(versions);
  }

  void ReviewVersions(const Json::Array& versions) {
    const std::string path = "spec.conversion.conversionReviewVersions";
    if (versions.empty()) return Add(Required(path, ""));
    std::set<std::string> seen;
    bool known = false;
    for (size_t i = 0; i < versions.size(); ++i) {
      const std::string text = versions[i].IsString() ? versions[i].AsString() : "";
      if (!seen.insert(text).second) {
        Add(Invalid(IndexPath(path, i), Json(text), "duplicate version"));
        continue;
      }
      if (const std::string problem = LabelProblem(text); !problem.empty()) {
        Add(Invalid(IndexPath(path, i), Json(text), problem));
      }
      known = known || text == "v1" || text == "v1beta1";
    }
    if (!known) Add(Invalid(path, Json(versions), "must include at least one of v1, v1beta1"));
  }

  void Immutable() {
    const Json& old = Member(*before_, "spec");
    const auto same = [&](const Json& a, const Json& b, const char* member, const char* path) {
      if (TextAt(a, member) == TextAt(b, member)) return;
      Add(Invalid(path, Json(TextAt(a, member)), "field is immutable"));
    };
    const Json& names = Member(spec_, "names");
    const Json& old_names = Member(old, "names");
    if (DefinitionCondition(*before_, "Established")) {
      same(spec_, old, "scope", "spec.scope");
      same(names, old_names, "kind", "spec.names.kind");
    }
    same(spec_, old, "group", "spec.group");
    same(names, old_names, "plural", "spec.names.plural");
  }

  void StoredVersions(const Json::Array& versions) {
    const std::string path = "status.storedVersions";
    const Json::Array& list = ListAt(Member(object_, "status"), "storedVersions");
    const Json shown = list.empty() ? Json() : Json(list);
    if (list.empty()) return Add(Invalid(path, shown, "must have at least one stored version"));
    std::set<std::string> stored;
    for (const Json& version : list) {
      if (version.IsString()) stored.insert(version.AsString());
    }
    for (const Json& version : versions) {
      const std::string name = TextAt(version, "name");
      if (stored.erase(name) == 0 && TrueAt(version, "storage")) {
        Add(Invalid(path, shown, "must have the storage version " + name));
      }
    }
    for (size_t i = 0; i < list.size(); ++i) {
      const std::string name = list[i].IsString() ? list[i].AsString() : "";
      if (stored.erase(name) == 0) continue;
      Add(Invalid(IndexPath(path, i), Json(name),
                  fmt::format("missing from spec.versions; {0} was previously a storage version, "
                              "and must remain in spec.versions until a storage migration ensures "
                              "no data remains persisted in {0} and removes {0} from "
                              "status.storedVersions",
                              name)));
    }
  }

  // Groups of the Kubernetes community need a link to where they were agreed on.
  static std::string ApprovalProblem(const Json& object) {
    const Json* value = object.FindPath({"metadata", "annotations", "api-approved.kubernetes.io"});
    const std::string text = value != nullptr && value->IsString() ? value->AsString() : "";
    if (text.empty()) {
      return "protected groups must have approval annotation \"api-approved.kubernetes.io\", see "
             "https://github.com/kubernetes/enhancements/pull/1111";
    }
    const bool link = text.rfind("https://", 0) == 0 || text.rfind("http://", 0) == 0;
    if (link || text.rfind("unapproved", 0) == 0) return "";
    return "protected groups must have approval annotation \"api-approved.kubernetes.io\" with "
           "either a URL or a reason starting with \"unapproved\", see "
           "https://github.com/kubernetes/enhancements/pull/1111";
  }

  void Approval() {
    const std::string group = TextAt(spec_, "group");
    const auto ends = [&](std::string_view tail) {
      return group == tail || (group.size() > tail.size() &&
                               group.compare(group.size() - tail.size() - 1, std::string::npos,
                                             "." + std::string(tail)) == 0);
    };
    if (!ends("k8s.io") && !ends("kubernetes.io")) return;
    const std::string problem = ApprovalProblem(object_);
    if (problem.empty()) return;
    if (before_ != nullptr && ApprovalProblem(*before_) == problem) return;
    const std::string path = "metadata.annotations[api-approved.kubernetes.io]";
    const Json* value = object_.FindPath({"metadata", "annotations", "api-approved.kubernetes.io"});
    Add(value == nullptr ? Required(path, problem) : Invalid(path, *value, problem));
  }

  const Json& object_;
  const Json& spec_;
  const Json* before_;
  FieldErrors& errors_;
};

}  // namespace

std::vector<std::string> DefinitionWarnings(const Json& definition, const Json* before) {
  const auto formats = [](const Json& of) {
    std::vector<std::string> found;
    const Json* last = nullptr;
    for (const Json& version : ListAt(Member(of, "spec"), "versions")) {
      const Json* schema = version.FindPath({"schema", "openAPIV3Schema"});
      if (schema == nullptr || (last != nullptr && *last == *schema)) continue;
      last = schema;
      for (std::string& format : structural::UnknownFormats(*schema)) {
        found.push_back(std::move(format));
      }
    }
    return found;
  };
  const std::vector<std::string> old =
      before != nullptr ? formats(*before) : std::vector<std::string>();
  std::vector<std::string> warnings;
  for (const std::string& format : formats(definition)) {
    if (std::find(old.begin(), old.end(), format) != old.end()) continue;
    warnings.push_back("unrecognized format \"" + format + "\"");
  }
  return warnings;
}

void CheckCustomResourceDefinitionRules(const Json& object, const Json* before,
                                        FieldErrors& errors) {
  // Only the status was written: what it says of the names is all there is to look at.
  if (before != nullptr && *before->Find("spec") == *object.Find("spec") &&
      !(Member(*before, "status") == Member(object, "status"))) {
    return;
  }
  DefinitionChecker(object, before, errors).Check();
}

}  // namespace kueue::api
