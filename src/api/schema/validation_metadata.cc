#include <algorithm>
#include <set>

#include "api/match/name_rules.h"
#include "api/schema/validation_parts.h"
#include "api/types/batch.h"

namespace kueue::api {
namespace {

constexpr size_t kAnnotationsBytes = 256 * 1024;

std::string LowerCase(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return result;
}

// Anything that can stand between two slashes of a URL.
std::vector<std::string> PathSegmentProblems(std::string_view name) {
  if (name == "." || name == "..") return {"must not be '.' or '..'"};
  std::vector<std::string> problems;
  for (const char c : {'/', '%'}) {
    if (name.find(c) != std::string_view::npos) {
      problems.push_back(std::string("must not contain '") + c + "'");
    }
  }
  return problems;
}

std::vector<std::string> NameProblems(const KindInfo& kind, std::string_view name) {
  if (&kind == &KindOf<Namespace>()) return DnsLabelProblems(name);
  if (kind.group.empty() && kind.kind == "Service") return DnsLabelProblems(name);
  if (kind.group == "rbac.authorization.k8s.io") return PathSegmentProblems(name);
  return DnsSubdomainProblems(name);
}

void CheckName(const KindInfo& kind, const Json& metadata, FieldErrors& errors) {
  // What is generated is cut to fit; only the beginning has to be right.
  if (std::string_view prefix = Text(metadata, "generateName"); !prefix.empty()) {
    while (!prefix.empty() && prefix.back() == '-') prefix.remove_suffix(1);
    const std::string sample = std::string(prefix) + "a";
    AddInvalid(errors, "metadata.generateName", NameProblems(kind, sample));
  }
  const std::string_view name = Text(metadata, "name");
  if (name.empty()) {
    AddRequired(errors, "metadata.name", "name or generateName must be set");
    return;
  }
  AddInvalid(errors, "metadata.name", NameProblems(kind, name));
}

void CheckNamespace(const KindInfo& kind, const Json& metadata, FieldErrors& errors) {
  const std::string_view text = Text(metadata, "namespace");
  if (!kind.namespaced) {
    if (!text.empty()) {
      AddError(errors, FieldErrorType::kForbidden, "metadata.namespace",
               "this kind lives outside of namespaces");
    }
    return;
  }
  if (text.empty()) {
    AddRequired(errors, "metadata.namespace");
  } else {
    AddInvalid(errors, "metadata.namespace", DnsLabelProblems(text));
  }
}

void CheckOwners(const Json& metadata, FieldErrors& errors) {
  const std::string path = "metadata.ownerReferences";
  std::set<std::string_view> controllers;  // by uid: naming one twice is harmless
  for (const Json& owner : Items(metadata, "ownerReferences")) {
    for (const char* member : {"apiVersion", "kind", "name", "uid"}) {
      if (Text(owner, member).empty()) {
        AddInvalid(errors, Field(path, member), "must not be empty");
      }
    }
    if (Text(owner, "kind") == "Event" && Text(owner, "apiVersion") == "v1") {
      AddInvalid(errors, path, "an event cannot own anything");
    }
    if (True(owner, "controller")) controllers.insert(Text(owner, "uid"));
  }
  if (controllers.size() > 1) AddInvalid(errors, path, "only one owner can be the controller");
}

// `times`: how often each name is looked at.
void CheckFinalizers(const KindInfo& kind, const Json& metadata, int times, FieldErrors& errors) {
  const std::string path = "metadata.finalizers";
  bool orphan = false, foreground = false;
  const Json::Array& finalizers = Items(metadata, "finalizers");
  for (size_t i = 0; i < finalizers.size(); ++i) {
    if (!finalizers[i].IsString()) continue;
    const std::string& text = finalizers[i].AsString();
    orphan = orphan || text == "orphan";
    foreground = foreground || text == "foregroundDeletion";
    AddInvalid(errors, path, QualifiedNameProblems(text));
    const bool known = text == "orphan" || text == "foregroundDeletion" || text == "kubernetes";
    const bool named = kind.custom_resource || known || text.find('/') != std::string::npos;
    for (int round = 0; !named && round < times; ++round) {
      AddInvalid(errors, Field(path, i), "must be a known finalizer or a name with a domain");
    }
  }
  if (orphan && foreground) {
    AddInvalid(errors, path, "orphan and foregroundDeletion exclude each other");
  }
}

void CheckSelectorRequirement(const Json& requirement, const std::string& path,
                              FieldErrors& errors) {
  const std::string_view op = Text(requirement, "operator");
  const Json::Array& values = Items(requirement, "values");
  if (op == "In" || op == "NotIn") {
    if (values.empty()) {
      AddRequired(errors, Field(path, "values"), "In and NotIn need values");
    }
  } else if (op == "Exists" || op == "DoesNotExist") {
    if (!values.empty()) {
      AddError(errors, FieldErrorType::kForbidden, Field(path, "values"),
               "Exists and DoesNotExist take no values");
    }
  } else {
    AddInvalid(errors, Field(path, "operator"), "must be In, NotIn, Exists or DoesNotExist");
  }
  AddInvalid(errors, Field(path, "key"), QualifiedNameProblems(Text(requirement, "key")));
  for (size_t i = 0; i < values.size(); ++i) {
    if (!values[i].IsString()) continue;
    AddInvalid(errors, Field(Field(path, "values"), i), LabelValueProblems(values[i].AsString()));
  }
}

}  // namespace

void CheckLabels(const Json* labels, const std::string& path, FieldErrors& errors) {
  for (const Json::Member& label : Members(labels)) {
    AddInvalid(errors, path, QualifiedNameProblems(label.key));
    if (label.value.IsString()) {
      AddInvalid(errors, path, LabelValueProblems(label.value.AsString()));
    }
  }
}

void CheckAnnotations(const Json* annotations, const std::string& path, FieldErrors& errors) {
  size_t bytes = 0;
  for (const Json::Member& annotation : Members(annotations)) {
    AddInvalid(errors, path, QualifiedNameProblems(LowerCase(annotation.key)));
    bytes += annotation.key.size();
    if (annotation.value.IsString()) bytes += annotation.value.AsString().size();
  }
  if (bytes > kAnnotationsBytes) {
    AddError(errors, FieldErrorType::kTooLong, path,
             "all annotations together must have at most 262144 bytes");
  }
}

void CheckLabelSelector(const Json* selector, const std::string& path, FieldErrors& errors) {
  if (!selector || !selector->IsObject()) return;
  CheckLabels(selector->Find("matchLabels"), Field(path, "matchLabels"), errors);
  const Json::Array& expressions = Items(*selector, "matchExpressions");
  for (size_t i = 0; i < expressions.size(); ++i) {
    CheckSelectorRequirement(expressions[i], Field(Field(path, "matchExpressions"), i), errors);
  }
}

void CheckMetadata(const KindInfo& kind, const Json& object, bool update, FieldErrors& errors) {
  static const Json* const none = new Json(Json::MakeObject());
  const Json* found = object.Find("metadata");
  const Json& metadata = found ? *found : *none;
  CheckName(kind, metadata, errors);
  CheckNamespace(kind, metadata, errors);
  // A job without labels has those of its template, where mistakes are reported.
  const Json* labels = metadata.Find("labels");
  const Json* inherited = object.FindPath({"spec", "template", "metadata", "labels"});
  const bool is_job = &kind == &KindOf<Job>();
  // An update is looked at as an object, as a change of any object and as a change of this kind,
  // and each tells everything.
  for (int round = 0; round < (update ? 3 : 1); ++round) {
    if (!(is_job && SameOrBothEmpty(labels, inherited))) {
      CheckLabels(labels, "metadata.labels", errors);
    }
    CheckAnnotations(metadata.Find("annotations"), "metadata.annotations", errors);
    CheckOwners(metadata, errors);
  }
  CheckFinalizers(kind, metadata, update ? 2 : 1, errors);
  if (const auto generation = Int(metadata, "generation"); generation && *generation < 0) {
    AddInvalid(errors, "metadata.generation", "must not be negative");
  }
}

void CheckMetadataUpdate(const Json& before, const Json& after, FieldErrors& errors) {
  for (const char* member : {"name", "namespace", "uid", "creationTimestamp", "deletionTimestamp",
                             "deletionGracePeriodSeconds"}) {
    if (!SameOrBothEmpty(before.FindPath({"metadata", member}),
                         after.FindPath({"metadata", member}))) {
      AddInvalid(errors, Field("metadata", member), "may not be changed");
    }
  }
  const Json* deleted = before.FindPath({"metadata", "deletionTimestamp"});
  if (!deleted || deleted->IsNull()) return;
  const Json::Array& old = Items(before.FindPath({"metadata", "finalizers"}));
  for (const Json& finalizer : Items(after.FindPath({"metadata", "finalizers"}))) {
    if (std::find(old.begin(), old.end(), finalizer) != old.end()) continue;
    AddError(errors, FieldErrorType::kForbidden, "metadata.finalizers",
             "no finalizer can be added to an object that is being deleted");
    return;
  }
}

}  // namespace kueue::api
