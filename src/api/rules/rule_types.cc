#include "api/rules/rule_types.h"

#include <map>

#include "base/mutex.h"

namespace kueue::api {
namespace {

using cel::Type;
using cel::TypeRef;
using Fields = std::vector<std::pair<std::string, TypeRef>>;

TypeRef Text() { return Type::Simple(Type::Kind::kString); }

TypeRef Simple(FieldKind kind) {
  switch (kind) {
    case FieldKind::kBool:
      return Type::Simple(Type::Kind::kBool);
    case FieldKind::kInt32:
    case FieldKind::kInt64:
      return Type::Simple(Type::Kind::kInt);
    case FieldKind::kNumber:
      return Type::Simple(Type::Kind::kDouble);
    case FieldKind::kBytes:
      return Type::Simple(Type::Kind::kBytes);
    case FieldKind::kTime:
    case FieldKind::kMicroTime:
      return Type::Simple(Type::Kind::kTimestamp);
    case FieldKind::kString:
    case FieldKind::kDuration:  // a plain string: the definition names no format
    case FieldKind::kConditionStatus:
      return Text();
    default:
      return Type::Dyn();
  }
}

TypeRef TemplateMetadata() {
  static const TypeRef type = [] {
    const TypeRef texts = Type::Map(Text(), Text());
    return Type::Object("object", Fields{{"annotations", texts},
                                         {"finalizers", Type::List(Text())},
                                         {"labels", texts},
                                         {"name", Text()},
                                         {"namespace", Text()}});
  }();
  return type;
}

// Makes types and keeps those of tables.
class TypeMaker {
 public:
  TypeRef Of(const StructDescriptor& table, TablePlace place) {
    if (place == TablePlace::kInside && table.name == "ObjectMeta") return TemplateMetadata();
    // A table within itself is of any type there: no definition could write it down either.
    const auto [it, is_new] = known_.try_emplace({&table, place}, Type::Dyn());
    if (is_new) it->second = Make(table, place);
    return it->second;
  }

  TypeRef Of(const FieldDescriptor& field) {
    if (field.ops->kind != FieldKind::kList) return Of(*field.ops);
    TypeRef item = Of(*field.ops->item);
    switch (field.list_type) {
      case ListType::kSet:
        return Type::List(std::move(item), Type::ListKind::kSet);
      case ListType::kMap:
        return Type::List(std::move(item), Type::ListKind::kMap,
                          {field.list_keys.begin(), field.list_keys.end()});
      default:
        return Type::List(std::move(item));
    }
  }

  TypeRef Of(const ValueOps& ops) {
    switch (ops.kind) {
      case FieldKind::kStruct:
        return Of(ops.Table(), TablePlace::kInside);
      case FieldKind::kList:
        return Type::List(Of(*ops.item));
      case FieldKind::kMap:
        return Type::Map(Text(), Of(*ops.item));
      default:
        return Simple(ops.kind);
    }
  }

 private:
  TypeRef Make(const StructDescriptor& table, TablePlace place) {
    Fields fields;
    if (place == TablePlace::kRoot) {
      fields.emplace_back("apiVersion", Text());
      fields.emplace_back("kind", Text());
    }
    for (const FieldDescriptor& field : table.fields) {
      const bool own = place == TablePlace::kRoot && field.json_name == "metadata";
      fields.emplace_back(std::string(field.json_name), own ? ObjectMetadata() : Of(field));
    }
    return Type::Object("object", std::move(fields));
  }

  static TypeRef ObjectMetadata() {
    return Type::Object("object", Fields{{"generateName", Text()}, {"name", Text()}});
  }

  std::map<std::pair<const StructDescriptor*, TablePlace>, TypeRef> known_;
};

struct Shared {
  base::Mutex mutex;
  TypeMaker maker GUARDED_BY(mutex);

  static Shared& Get() {
    static auto* const shared = new Shared;
    return *shared;
  }
};

template <class... Args>
TypeRef Locked(const Args&... args) {
  Shared& shared = Shared::Get();
  const base::MutexLock lock(shared.mutex);
  return shared.maker.Of(args...);
}

}  // namespace

TypeRef RuleTypeOf(const StructDescriptor& table, TablePlace place) { return Locked(table, place); }
TypeRef RuleTypeOf(const FieldDescriptor& field) { return Locked(field); }
TypeRef RuleTypeOf(const ValueOps& ops) { return Locked(ops); }

}  // namespace kueue::api
