#include "admission/rewrite.h"

namespace kueue::admission {
namespace {

using api::FieldKind;
using api::Json;

// `before` is null where nothing corresponds to the value.
void RewriteStruct(const api::StructDescriptor& table, const Json* before, const Json& after,
                   Json& object);

void RewriteValue(const api::ValueOps& ops, const Json* before, const Json& after, Json& value) {
  if (ops.kind == FieldKind::kStruct && value.IsObject()) {
    return RewriteStruct(ops.Table(), before, after, value);
  }
  if (ops.kind == FieldKind::kList && value.IsArray() && value.size() <= after.size()) {
    const bool same_length = before != nullptr && before->size() == after.size();
    for (size_t i = 0; i < after.size(); ++i) {
      const Json* old = same_length ? &before->AsArray()[i] : nullptr;
      if (i < value.size()) {
        RewriteValue(*ops.item, old, after.AsArray()[i], value.AsArray()[i]);
      } else {
        value.Append(after.AsArray()[i]);
      }
    }
    return;
  }
  if (ops.kind == FieldKind::kMap && value.IsObject()) {
    for (const Json::Member& entry : after.AsObject()) {
      if (Json* old = value.Find(entry.key)) {
        RewriteValue(*ops.item, nullptr, entry.value, *old);
      } else {
        value.Set(entry.key, entry.value);
      }
    }
    return;
  }
  value = after;
}

void RewriteStruct(const api::StructDescriptor& table, const Json* before, const Json& after,
                   Json& object) {
  if (before != nullptr) {
    for (const Json::Member& member : before->AsObject()) {
      if (after.Find(member.key) == nullptr) object.Erase(member.key);
    }
  }
  for (const Json::Member& member : after.AsObject()) {
    const api::FieldDescriptor* field = table.Find(member.key);
    Json* old = object.Find(member.key);
    if (old != nullptr && field != nullptr) {
      RewriteValue(*field->ops, before ? before->Find(member.key) : nullptr, member.value, *old);
    } else if (old == nullptr) {
      object.Set(member.key, member.value);
    }
  }
}

}  // namespace

void Rewrite(const api::StructDescriptor& table, const Json& before, const Json& after,
             Json& object) {
  RewriteStruct(table, &before, after, object);
  // The encoder writes the spec even if it is empty.
  if (table.Find("spec") != nullptr && object.Find("spec") == nullptr) {
    object.Set("spec", Json::MakeObject());
  }
}

}  // namespace kueue::admission
