#include "api/schema/defined_kind.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <set>

#include "api/schema/descriptors.h"
#include "api/schema/table_edit.h"
#include "api/structural/defaulting.h"
#include "api/structural/rules.h"
#include "api/structural/schema.h"
#include "api/structural/schema_json.h"
#include "api/structural/validation.h"
#include "api/structural/value_text.h"

namespace kueue::api {
namespace {

using structural::ListAt;
using structural::TextAt;
using structural::TrueAt;

// All that is known of every custom resource.
const StructDescriptor& MetadataTable() {
  static const StructDescriptor table = [] {
    StructDescriptor made;
    made.name = "CustomResource";
    made.top_level = true;
    FieldDescriptor metadata;
    metadata.json_name = "metadata";
    metadata.ops = &Described<DescriptorOf<ObjectMeta>>::kStruct;
    made.fields.push_back(std::move(metadata));
    made.by_name = {0};
    return made;
  }();
  return table;
}

// After these a rule could not rely on the shape of what it reads.
bool BlocksRules(FieldErrorType type) {
  return type == FieldErrorType::kRequired || type == FieldErrorType::kNotSupported ||
         type == FieldErrorType::kTooLong || type == FieldErrorType::kTooMany ||
         type == FieldErrorType::kTypeInvalid;
}

const Json* Follow(const Json& object, std::string_view path) {
  const Json* at = &object;
  while (at != nullptr && !path.empty()) {
    if (path.front() == '.') path.remove_prefix(1);
    const size_t end = std::min(path.find('.'), path.size());
    at = at->Find(path.substr(0, end));
    path.remove_prefix(end);
  }
  return at;
}

std::string WrongType(const std::string& path, const Json& value, const char* wanted) {
  const std::string shown = value.IsString() ? value.AsString() : structural::ValueText(value);
  const char* type = value.IsString()   ? "string"
                     : value.IsBool()   ? "bool"
                     : value.IsInt()    ? "int64"
                     : value.IsNumber() ? "float64"
                     : value.IsArray()  ? "[]interface {}"
                     : value.IsObject() ? "map[string]interface {}"
                                        : "<nil>";
  return path + " accessor error: " + (value.IsNull() ? "<nil>" : shown) + " is of the type " +
         type + ", expected " + wanted;
}

class SchemaDefinition final : public KindDefinition {
 public:
  // `siblings` finds the definition of another version of the kind; null if it has none.
  using Siblings = std::function<const KindDefinition*(const std::string& version)>;

  SchemaDefinition(const Json& version, uint64_t revision, Siblings siblings)
      : siblings_(std::move(siblings)), since_(revision) {
    if (const Json* json = version.FindPath({"schema", "openAPIV3Schema"})) json_ = *json;
    schema_ = structural::ReadSchema(json_);
    rules_ = structural::RuleSet::Of(schema_, true);
    const Json* scale = version.FindPath({"subresources", "scale"});
    if (scale == nullptr || !scale->IsObject()) return;
    scale_ = std::make_unique<ScalePaths>();
    scale_->spec_replicas = TextAt(*scale, "specReplicasPath");
    scale_->status_replicas = TextAt(*scale, "statusReplicasPath");
    scale_->label_selector = TextAt(*scale, "labelSelectorPath");
  }

  void ApplyDefaults(Json& object) const override {
    structural::NormalizeNumbers(object);
    structural::DropNulls(schema_, object);
    structural::FillDefaults(schema_, object);
  }

  void ApplyStoredDefaults(Json& object) const override {
    const std::string version = object.StringAt({"apiVersion"});
    const KindDefinition* written = siblings_(version.substr(version.rfind('/') + 1));
    if (written != nullptr) written->ApplyDefaults(object);
  }

  std::vector<std::string> Prune(Json& object) const override {
    return structural::Prune(schema_, object);
  }

  Findings Check(const Json& object, const Json* before, bool status) const override {
    Findings findings;
    Values(object, before, status, findings.errors);
    if (scale_ != nullptr) Scale(object, status, findings.errors);
    Append(structural::CheckEmbedded(schema_, object, ""), findings.errors);
    // Lists that had duplicates before may have them still.
    if (before == nullptr || structural::CheckLists(schema_, *before, "").empty()) {
      Append(structural::CheckLists(schema_, object, ""), findings.errors);
    }
    if (rules_ != nullptr) Rules(object, before, findings);
    if (!status) Finalizers(object, before, findings.warnings);
    return findings;
  }

  const ScalePaths* scale() const override { return scale_.get(); }
  const Json& schema_json() const override { return json_; }
  uint64_t since() const override { return since_; }

 private:
  static void Append(std::vector<FieldError> more, std::vector<FieldError>& errors) {
    for (FieldError& error : more) errors.push_back(std::move(error));
  }

  void Values(const Json& object, const Json* before, bool status,
              std::vector<FieldError>& errors) const {
    if (!status) {
      if (before == nullptr) return Append(structural::CheckValue(schema_, object, ""), errors);
      const structural::Correlation same(object, *before, &schema_);
      return Append(structural::CheckValue(schema_, object, "", &same), errors);
    }
    const Json* value = object.Find("status");
    const structural::Schema* schema = schema_.FindProperty("status");
    if (value == nullptr || schema == nullptr) return;
    const Json* old = before != nullptr ? before->Find("status") : nullptr;
    if (old == nullptr) return Append(structural::CheckValue(*schema, *value, "status"), errors);
    const structural::Correlation same(*value, *old, schema);
    Append(structural::CheckValue(*schema, *value, "status", &same), errors);
  }

  void Scale(const Json& object, bool status, std::vector<FieldError>& errors) const {
    const auto count = [&](const std::string& path) {
      const Json* value = Follow(object, path);
      if (value == nullptr) return;
      if (!value->IsInt()) {
        errors.push_back(structural::Invalid(path, 0, WrongType(path, *value, "int64")));
      } else if (value->AsInt() < 0) {
        errors.push_back(structural::Invalid(path, *value, "should be a non-negative integer"));
      } else if (value->AsInt() > std::numeric_limits<int32_t>::max()) {
        errors.push_back(
            structural::Invalid(path, *value, "should be less than or equal to 2147483647"));
      }
    };
    if (!status) count(scale_->spec_replicas);
    count(scale_->status_replicas);
    if (scale_->label_selector.empty()) return;
    const Json* selector = Follow(object, scale_->label_selector);
    if (selector == nullptr || selector->IsString()) return;
    errors.push_back(structural::Invalid(scale_->label_selector, "",
                                         WrongType(scale_->label_selector, *selector, "string")));
  }

  void Rules(const Json& object, const Json* before, Findings& findings) const {
    for (const FieldError& error : findings.errors) {
      if (!BlocksRules(error.type)) continue;
      findings.errors.push_back(structural::Invalid(
          "<nil>", Json(),
          "some validation rules were not checked because the object was invalid; correct the "
          "existing errors to complete validation"));
      return;
    }
    std::unique_ptr<structural::Correlation> same;
    if (before != nullptr) {
      same = std::make_unique<structural::Correlation>(object, *before, &schema_);
    }
    auto outcome = rules_->Check(object, before, same.get(), "");
    Append(std::move(outcome.errors), findings.errors);
    for (std::string& warning : outcome.warnings) {
      findings.warnings.push_back(std::move(warning));
    }
  }

  static void Finalizers(const Json& object, const Json* before,
                         std::vector<std::string>& warnings) {
    const auto list = [](const Json& of) {
      const Json* metadata = of.Find("metadata");
      return metadata != nullptr ? ListAt(*metadata, "finalizers") : Json::Array();
    };
    const Json::Array old = before != nullptr ? list(*before) : Json::Array();
    std::set<std::string> added;
    for (const Json& finalizer : list(object)) {
      if (finalizer.IsString() && std::find(old.begin(), old.end(), finalizer) == old.end()) {
        added.insert(finalizer.AsString());
      }
    }
    for (const std::string& name : added) {
      if (name.find('/') != std::string::npos || name == "orphan" || name == "foregroundDeletion" ||
          name == "kubernetes") {
        continue;
      }
      const bool domain = name.find('.') != std::string::npos;
      warnings.push_back("metadata.finalizers: \"" + name +
                         "\": prefer a domain-qualified finalizer name " +
                         (domain ? "including a path (/) " : "") +
                         "to avoid accidental conflicts with other finalizer writers");
    }
  }

  Json json_;
  structural::Schema schema_;
  std::unique_ptr<structural::RuleSet> rules_;
  std::unique_ptr<ScalePaths> scale_;
  Siblings siblings_;
  uint64_t since_;
};

}  // namespace

bool DefinitionCondition(const Json& definition, std::string_view type) {
  const Json* status = definition.Find("status");
  if (status == nullptr) return false;
  for (const Json& condition : ListAt(*status, "conditions")) {
    if (TextAt(condition, "type") == type) return TextAt(condition, "status") == "True";
  }
  return false;
}

void NoteStoredVersion(Json& definition) {
  const Json* spec = definition.Find("spec");
  if (spec == nullptr) return;
  for (const Json& version : ListAt(*spec, "versions")) {
    if (!TrueAt(version, "storage")) continue;
    Json& stored = definition["status"]["storedVersions"];
    if (!stored.IsArray()) stored = Json::MakeArray();
    const Json name(TextAt(version, "name"));
    const auto& list = stored.AsArray();
    if (std::find(list.begin(), list.end(), name) == list.end()) stored.Append(name);
    return;
  }
}

// The texts that KindInfos point to: never freed, and each only once.
struct DefinedKind::Texts {
  std::set<std::string, std::less<>> kept;
  std::string_view Keep(const std::string& text) { return *kept.insert(text).first; }
};

struct DefinedKind::Version {
  KindInfo info;
  std::unique_ptr<SchemaDefinition> definition;
  Json source;
};

DefinedKind::DefinedKind(const Json& definition, uint64_t revision)
    : texts_(std::make_unique<Texts>()), stored_(std::make_unique<KindInfo>()) {
  Update(definition, revision);
}
DefinedKind::~DefinedKind() = default;

const KindInfo& DefinedKind::stored() const { return *stored_; }

DefinedKind::Version& DefinedKind::VersionOf(const std::string& name) {
  for (const auto& version : versions_) {
    if (version->info.version == name) return *version;
  }
  versions_.push_back(std::make_unique<Version>());
  return *versions_.back();
}

void DefinedKind::Fill(KindInfo& info, const Json& definition, const std::string& version) {
  const Json& spec = *definition.Find("spec");
  const Json* accepted = definition.FindPath({"status", "acceptedNames"});
  const Json& names = accepted != nullptr ? *accepted : *spec.Find("names");
  info.group = texts_->Keep(TextAt(spec, "group"));
  info.version = texts_->Keep(version);
  info.kind = texts_->Keep(TextAt(names, "kind"));
  info.plural = texts_->Keep(TextAt(names, "plural"));
  info.singular = texts_->Keep(TextAt(names, "singular"));
  info.short_names.clear();
  for (const Json& name : ListAt(names, "shortNames")) {
    info.short_names.push_back(texts_->Keep(name.AsString()));
  }
  info.categories.clear();
  for (const Json& name : ListAt(names, "categories")) {
    info.categories.push_back(texts_->Keep(name.AsString()));
  }
  info.namespaced = TextAt(spec, "scope") == "Namespaced";
  info.has_generation = true;
  info.custom_resource = true;
  info.defined = true;
  info.table = &MetadataTable();
}

void DefinedKind::Update(const Json& definition, uint64_t revision) {
  served_.clear();
  for (const Json& source : ListAt(*definition.Find("spec"), "versions")) {
    const std::string name = TextAt(source, "name");
    if (TrueAt(source, "storage")) Fill(*stored_, definition, name);
    Version& version = VersionOf(name);
    KindInfo& info = version.info;
    Fill(info, definition, name);
    info.stored = stored_.get();
    info.has_status = source.FindPath({"subresources", "status"}) != nullptr;
    info.has_scale = source.FindPath({"subresources", "scale"}) != nullptr;
    if (version.definition == nullptr || !(version.source == source)) {
      version.definition = std::make_unique<SchemaDefinition>(
          source, revision, [this](const std::string& other) -> const KindDefinition* {
            for (const auto& sibling : versions_) {
              if (sibling->info.version == other) return sibling->definition.get();
            }
            return nullptr;
          });
      version.source = source;
    }
    info.definition = version.definition.get();
    info.columns.clear();
    for (const Json& column : ListAt(source, "additionalPrinterColumns")) {
      PrinterColumn made;
      made.name = texts_->Keep(TextAt(column, "name"));
      made.type = texts_->Keep(TextAt(column, "type"));
      made.json_path = texts_->Keep(TextAt(column, "jsonPath"));
      made.format = texts_->Keep(TextAt(column, "format"));
      const Json* priority = column.Find("priority");
      if (priority != nullptr && priority->IsInt()) {
        made.priority = static_cast<int>(priority->AsInt());
      }
      info.columns.push_back(made);
    }
    info.selectable_fields.clear();
    for (const Json& field : ListAt(source, "selectableFields")) {
      const std::string path = TextAt(field, "jsonPath");
      info.selectable_fields.push_back(texts_->Keep(path.substr(path.rfind('.', 0) == 0 ? 1 : 0)));
    }
    info.deprecation = {};
    if (TrueAt(source, "deprecated")) {
      const std::string warning = TextAt(source, "deprecationWarning");
      info.deprecation = texts_->Keep(
          !warning.empty() ? warning
                           : info.ApiVersion() + " " + std::string(info.kind) + " is deprecated");
    }
    if (TrueAt(source, "served")) served_.push_back(&info);
  }
}

}  // namespace kueue::api
