#include "object_difference.h"

#include <algorithm>

#include "api/codec/json_text.h"
#include "api/types/meta.h"
#include "base/time.h"

namespace kueue::api::properties {
namespace {

std::string Shown(const Json* value) { return value == nullptr ? "absent" : WriteJson(*value); }

std::string Differs(const std::string& path, const Json* before, const Json* after) {
  return path + ": was " + Shown(before) + ", is " + Shown(after);
}

bool SameQuantity(const Json& a, const Json& b) {
  const auto parse = [](const Json& value) {
    return Quantity::Parse(value.IsString() ? value.AsString() : value.NumberText());
  };
  const auto x = parse(a);
  const auto y = parse(b);
  return x.ok() && y.ok() && *x == *y;
}

template <class Parse>
bool SameText(const Json& a, const Json& b, Parse parse) {
  if (!a.IsString() || !b.IsString()) return false;
  const auto x = parse(a.AsString());
  const auto y = parse(b.AsString());
  return x.ok() && y.ok() && *x == *y;
}

class Comparison {
 public:
  explicit Comparison(Absence absence) : absence_(absence) {}

  std::string Whole(const StructDescriptor& table, const Json& before, const Json& after) const {
    return StructDifference(table, before, after, "");
  }

 private:
  // Whether the field's type counts, or only its JSON as it stands.
  bool IsRead(const FieldDescriptor* field) const {
    return field != nullptr && (field->member != nullptr || absence_ == Absence::kIsZero);
  }
  bool ZeroIsAbsent(const FieldDescriptor& field) const {
    return absence_ == Absence::kIsZero || !field.ops->optional;
  }

  // Whether reading gives the zero value.
  bool IsZero(const ValueOps& ops, const Json& value) const {
    switch (ops.kind) {
      case FieldKind::kBool:
        return value == Json(false);
      case FieldKind::kInt32:
      case FieldKind::kInt64:
        return value == Json(0);
      case FieldKind::kString:
      case FieldKind::kBytes:
        return value == Json("");
      case FieldKind::kQuantity:
        return SameQuantity(value, Json(0));
      case FieldKind::kDuration:
        return SameText(value, Json("0s"), base::ParseDuration);
      case FieldKind::kList:
      case FieldKind::kMap:
        return value.size() == 0;
      case FieldKind::kStruct:
        break;
      default:
        return value.IsNull();
    }
    const StructDescriptor& table = ops.Table();
    return std::all_of(value.AsObject().begin(), value.AsObject().end(), [&](const auto& member) {
      const FieldDescriptor* field = table.Find(member.key);
      if (!IsRead(field)) return false;
      if (member.value.IsNull()) return true;
      return ZeroIsAbsent(*field) && IsZero(*field->ops, member.value);
    });
  }

  std::string FieldDifference(const FieldDescriptor* field, const Json* before, const Json* after,
                              const std::string& path) const {
    const bool typed = IsRead(field);
    if (typed) {
      if (before != nullptr && before->IsNull()) before = nullptr;
      if (after != nullptr && after->IsNull()) after = nullptr;
    }
    if (before == nullptr && after == nullptr) return {};
    if (before != nullptr && after != nullptr) {
      if (typed) return ValueDifference(*field->ops, *before, *after, path);
      return *before == *after ? std::string() : Differs(path, before, after);
    }
    const Json& there = before != nullptr ? *before : *after;
    if (typed && ZeroIsAbsent(*field) && IsZero(*field->ops, there)) return {};
    return Differs(path, before, after);
  }

  std::string StructDifference(const StructDescriptor& table, const Json& before, const Json& after,
                               const std::string& path) const {
    if (!before.IsObject() || !after.IsObject()) {
      return before == after ? std::string() : Differs(path, &before, &after);
    }
    const auto look = [&](const std::string& key) {
      return FieldDifference(table.Find(key), before.Find(key), after.Find(key),
                             path.empty() ? key : path + "." + key);
    };
    for (const auto& member : before.AsObject()) {
      if (std::string found = look(member.key); !found.empty()) return found;
    }
    for (const auto& member : after.AsObject()) {
      if (before.Find(member.key) != nullptr) continue;
      if (std::string found = look(member.key); !found.empty()) return found;
    }
    return {};
  }

  std::string MapDifference(const ValueOps& ops, const Json& before, const Json& after,
                            const std::string& path) const {
    if (before.size() != after.size()) return Differs(path, &before, &after);
    for (const auto& entry : before.AsObject()) {
      const Json* other = after.Find(entry.key);
      const std::string place = path + "[" + entry.key + "]";
      if (other == nullptr) return Differs(place, &entry.value, nullptr);
      std::string found = ValueDifference(*ops.item, entry.value, *other, place);
      if (!found.empty()) return found;
    }
    return {};
  }

  std::string ListDifference(const ValueOps& ops, const Json& before, const Json& after,
                             const std::string& path) const {
    if (before.size() != after.size()) return Differs(path, &before, &after);
    for (size_t i = 0; i < before.size(); ++i) {
      std::string found = ValueDifference(*ops.item, before.AsArray()[i], after.AsArray()[i],
                                          path + "[" + std::to_string(i) + "]");
      if (!found.empty()) return found;
    }
    return {};
  }

  std::string ValueDifference(const ValueOps& ops, const Json& before, const Json& after,
                              const std::string& path) const {
    if (before == after) return {};
    bool same = false;
    switch (ops.kind) {
      case FieldKind::kStruct:
        return StructDifference(ops.Table(), before, after, path);
      case FieldKind::kList:
        return ListDifference(ops, before, after, path);
      case FieldKind::kMap:
        return MapDifference(ops, before, after, path);
      case FieldKind::kQuantity:
        same = SameQuantity(before, after);
        break;
      case FieldKind::kTime:
      case FieldKind::kMicroTime:
        same = SameText(before, after, base::ParseTime);
        break;
      case FieldKind::kDuration:
        same = SameText(before, after, base::ParseDuration);
        break;
      default:
        break;
    }
    return same ? std::string() : Differs(path, &before, &after);
  }

  const Absence absence_;
};

}  // namespace

std::string FirstDifference(const StructDescriptor& table, const Json& before, const Json& after,
                            Absence absence) {
  return Comparison(absence).Whole(table, before, after);
}

}  // namespace kueue::api::properties
