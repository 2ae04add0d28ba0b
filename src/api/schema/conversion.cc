#include "api/schema/conversion.h"

#include "api/schema/kinds_built_in.h"

namespace kueue::api {
namespace {

std::vector<FieldError> Convert(std::vector<FieldError> (*convert)(Json& object),
                                const KindInfo& target, Json& object) {
  if (convert != nullptr) {
    auto errors = convert(object);
    if (!errors.empty()) return errors;
  }
  object.Set("apiVersion", target.ApiVersion());
  PruneUnknown(target, object);
  return {};
}

void AddRequiredTexts(const ValueOps& ops, Json& value);

// The encoder of v1beta1 writes required texts even if they are empty.
void AddRequiredTexts(const StructDescriptor& table, Json& object) {
  if (!object.IsObject() || table.built_in) return;
  for (const FieldDescriptor& field : table.fields) {
    if (field.json_name == "metadata") continue;
    if (Json* member = object.Find(field.json_name)) {
      AddRequiredTexts(*field.ops, *member);
    } else if (field.required && field.ops->kind == FieldKind::kString) {
      object.Set(field.json_name, "");
    }
  }
}

void AddRequiredTexts(const ValueOps& ops, Json& value) {
  if (ops.kind == FieldKind::kStruct) return AddRequiredTexts(ops.Table(), value);
  if (ops.kind != FieldKind::kList || ops.Struct() == nullptr || !value.IsArray()) return;
  for (Json& item : value.AsArray()) AddRequiredTexts(*ops.item, item);
}

}  // namespace

const KindInfo& StoredKind(const KindInfo& kind) {
  return kind.stored != nullptr ? *kind.stored : kind;
}

std::string_view StoredFieldName(const KindInfo& kind, std::string_view field) {
  return kind.from_stored == EventFromStored ? StoredFieldOfEvent(field) : field;
}

std::vector<FieldError> ToStored(const KindInfo& kind, Json& object) {
  if (kind.stored == nullptr) return {};
  auto errors = Convert(kind.to_stored, *kind.stored, object);
  if (errors.empty()) ApplyDefaults(*kind.stored, object);
  // What is stored has the defaults of its version, so that it can be shown as it is.
  if (kind.definition != nullptr) kind.definition->ApplyStoredDefaults(object);
  return errors;
}

std::vector<FieldError> FromStored(const KindInfo& kind, Json& object) {
  if (kind.stored == nullptr) return {};
  if (kind.definition != nullptr) kind.definition->ApplyStoredDefaults(object);
  auto errors = Convert(kind.from_stored, kind, object);
  if (errors.empty() && kind.from_stored != nullptr) AddRequiredTexts(*kind.table, object);
  return errors;
}

}  // namespace kueue::api
