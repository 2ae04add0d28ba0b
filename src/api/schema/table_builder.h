#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/codec/codec.h"
#include "api/types/meta.h"

// How the tables are written. Only tables_*.cc include this. A type of our own says everything:
//
//   template <>
//   const StructDescriptor& DescriptorOf<TopologyLevel>() {
//     using S = TopologyLevel;
//     static const StructDescriptor table =
//         MakeTable<S>("TopologyLevel", kComplete, [](TableBuilder& t) {
//           t.Field<&S::node_label>("nodeLabel").Required();
//           ...
//         });
//     return table;
//   }
//
// A type of Kubernetes only says which fields have a member; the rest is in the facts:
//
//   MakeKubernetesTable<S>("core.v1.Taint", [](TableBuilder& t) { t.Field<&S::key>("key"); ... });
//
// Compiling one field costs one tiny accessor; the operations of a member type are made once per
// type, and the setters are ordinary functions.
namespace kueue::api {

namespace table_detail {

template <class T>
const StructDescriptor* Element() {
  return &DescriptorOf<T>();
}

// The operations of a member type. Anything that is not listed is a described struct.
template <class T>
struct OpsOf {
  static constexpr ValueOps kOps{.kind = FieldKind::kStruct, .element = &Element<T>};
};
template <FieldKind kKind>
struct ScalarOps {
  static constexpr ValueOps kOps{.kind = kKind};
};
template <> struct OpsOf<bool> : ScalarOps<FieldKind::kBool> {};
template <> struct OpsOf<int32_t> : ScalarOps<FieldKind::kInt32> {};
template <> struct OpsOf<int64_t> : ScalarOps<FieldKind::kInt64> {};
template <> struct OpsOf<std::string> : ScalarOps<FieldKind::kString> {};
template <> struct OpsOf<Quantity> : ScalarOps<FieldKind::kQuantity> {};
template <> struct OpsOf<Time> : ScalarOps<FieldKind::kTime> {};
template <> struct OpsOf<Duration> : ScalarOps<FieldKind::kDuration> {};
template <> struct OpsOf<ConditionStatus> : ScalarOps<FieldKind::kConditionStatus> {};
template <> struct OpsOf<Json> : ScalarOps<FieldKind::kJson> {};

template <class T>
struct OpsOf<std::vector<T>> {
  using V = std::vector<T>;
  static size_t Size(const void* p) { return static_cast<const V*>(p)->size(); }
  static void Reserve(void* p, size_t n) { static_cast<V*>(p)->reserve(n); }
  static void* Append(void* p) { return &static_cast<V*>(p)->emplace_back(); }
  static void ForEach(const void* p, void* context, EntryVisitor visit) {
    for (const T& entry : *static_cast<const V*>(p)) visit(context, nullptr, &entry);
  }
  static constexpr ValueOps kOps{.kind = FieldKind::kList,
                                 .item = &OpsOf<T>::kOps,
                                 .size = &Size,
                                 .reserve = &Reserve,
                                 .append = &Append,
                                 .for_each = &ForEach};
};

template <class T>
struct OpsOf<std::map<std::string, T>> {
  using M = std::map<std::string, T>;
  static size_t Size(const void* p) { return static_cast<const M*>(p)->size(); }
  static void Reserve(void*, size_t) {}
  // What comes in is mostly sorted, so the end is the right guess.
  static void* Insert(void* p, std::string_view key) {
    M& map = *static_cast<M*>(p);
    return &map.try_emplace(map.end(), std::string(key))->second;
  }
  static void ForEach(const void* p, void* context, EntryVisitor visit) {
    for (const auto& [key, entry] : *static_cast<const M*>(p)) visit(context, &key, &entry);
  }
  static constexpr ValueOps kOps{.kind = FieldKind::kMap,
                                 .item = &OpsOf<T>::kOps,
                                 .size = &Size,
                                 .reserve = &Reserve,
                                 .insert = &Insert,
                                 .for_each = &ForEach};
};

template <class T>
struct OpsOf<std::optional<T>> {
  using O = std::optional<T>;
  static bool Has(const void* p) { return static_cast<const O*>(p)->has_value(); }
  static const void* Get(const void* p) { return &**static_cast<const O*>(p); }
  static void* Emplace(void* p) {
    O& optional = *static_cast<O*>(p);
    if (!optional.has_value()) optional.emplace();
    return &*optional;
  }
  static constexpr ValueOps kOps = [] {
    ValueOps ops = OpsOf<T>::kOps;
    ops.optional = true;
    ops.has = &Has;
    ops.get = &Get;
    ops.emplace = &Emplace;
    return ops;
  }();
};

// An optional<Time> that is written with six digits.
inline constexpr ValueOps kOptionalMicroTimeOps = [] {
  ValueOps ops = OpsOf<std::optional<Time>>::kOps;
  ops.kind = FieldKind::kMicroTime;
  return ops;
}();

// std::string members that hold base64.
inline constexpr ValueOps kBytesOps{.kind = FieldKind::kBytes};
inline constexpr ValueOps kBytesMapOps = [] {
  ValueOps ops = OpsOf<std::map<std::string, std::string>>::kOps;
  ops.item = &kBytesOps;
  return ops;
}();

template <class P>
struct MemberPointer;
template <class C, class M>
struct MemberPointer<M C::*> {
  using Class = C;
  using Member = M;
};

template <auto kMember>
void* Address(void* object) {
  return &(static_cast<typename MemberPointer<decltype(kMember)>::Class*>(object)->*kMember);
}

template <class T>
Extra* ExtraOf(void* object) {
  return &static_cast<T*>(object)->extra;
}

}  // namespace table_detail

// Sets properties of the field just added; see FieldDescriptor for what they mean. Valid until the
// next field is added.
class FieldSetter {
 public:
  explicit FieldSetter(FieldDescriptor* field) : field_(field) {}
  const FieldSetter& Required() const;
  const FieldSetter& AlwaysWritten() const;
  const FieldSetter& Atomic() const;    // list, struct or map that is replaced whole
  const FieldSetter& Set() const;       // list of unique scalars
  const FieldSetter& MapBy(std::string_view key) const;
  const FieldSetter& MapBy(std::string_view key, std::string_view second_key) const;
  const FieldSetter& Default(std::string_view json) const;
  const FieldSetter& Pattern(std::string_view pattern) const;
  const FieldSetter& Enum(std::initializer_list<std::string_view> values) const;
  const FieldSetter& Min(int64_t minimum) const;
  const FieldSetter& Max(int64_t maximum) const;
  const FieldSetter& Length(int64_t least, int64_t most) const;
  const FieldSetter& MaxLength(int64_t most) const;
  const FieldSetter& Items(int64_t least, int64_t most) const;
  const FieldSetter& MaxItems(int64_t most) const;
  const FieldSetter& MaxProperties(int64_t most) const;
  const FieldSetter& Immutable() const;
  const FieldSetter& Doc(std::string_view sentence) const;
  // A rule in CEL on the field's value; may be called repeatedly.
  const FieldSetter& Rule(std::string_view rule, std::string_view message) const;
  // An optional<Time> member with six digits.
  const FieldSetter& MicroTime() const;
  // Bounds of a list's entries or a map's values.
  const FieldSetter& ItemPattern(std::string_view pattern) const;
  const FieldSetter& ItemLength(int64_t least, int64_t most) const;
  const FieldSetter& ItemMin(int64_t minimum) const;
  // Names of other objects: a DNS subdomain of at most 253 characters (spec/api.md §2.1).
  const FieldSetter& ObjectName() const;
  const FieldSetter& ItemObjectName() const;

 private:
  FieldDescriptor* field_;
};

class TableBuilder {
 public:
  template <auto kMember>
  FieldSetter Field(std::string_view json_name) {
    using Member = typename table_detail::MemberPointer<decltype(kMember)>::Member;
    return Add(json_name, &table_detail::OpsOf<Member>::kOps, &table_detail::Address<kMember>);
  }
  FieldSetter Add(std::string_view json_name, const ValueOps* ops, void* (*member)(void*));
  // A rule in CEL on every value of the type.
  void Rule(std::string_view rule, std::string_view message) { rules_.push_back({rule, message}); }
  std::vector<FieldDescriptor> Take() { return std::move(fields_); }
  std::vector<CelRule> TakeRules() { return std::move(rules_); }

 private:
  std::vector<FieldDescriptor> fields_;
  std::vector<CelRule> rules_;
};

enum TableFlags : unsigned {
  kPartial = 0,   // the table knows only some of the type's fields
  kComplete = 1,
  kTopLevel = 2,  // has apiVersion and kind
};

StructDescriptor FinishTable(std::string_view name, unsigned flags, Extra* (*extra)(void*),
                             void (*describe)(TableBuilder&));

// Fills by_name from the fields. REQUIRES: their names differ.
void IndexFields(StructDescriptor& table);

template <class T>
StructDescriptor MakeTable(std::string_view name, unsigned flags,
                           void (*describe)(TableBuilder&)) {
  return FinishTable(name, flags, &table_detail::ExtraOf<T>, describe);
}

// A type of Kubernetes: `describe` only says which members its fields have, everything else comes
// from the facts of that name ("core.v1.Toleration"). Fields it does not name are described only.
StructDescriptor FinishKubernetesTable(std::string_view facts_name, Extra* (*extra)(void*),
                                       void (*describe)(TableBuilder&));
template <class T>
StructDescriptor MakeKubernetesTable(std::string_view facts_name,
                                     void (*describe)(TableBuilder&)) {
  return FinishKubernetesTable(facts_name, &table_detail::ExtraOf<T>, describe);
}

}  // namespace kueue::api
