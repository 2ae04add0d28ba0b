#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace kueue::cel {

class Type;
using TypeRef = std::shared_ptr<const Type>;

// A static type: what the checker reasons with, and how host values are read. Immutable once
// shared; compared by content.
class Type {
 public:
  enum class Kind : uint8_t {
    kDyn,  // known only at run time (int-or-string, the objects of admission policies)
    kNull,
    kBool,
    kInt,
    kUint,
    kDouble,
    kString,
    kBytes,      // base64 text on the host's side (format "byte")
    kDuration,   // text like "1h30m" on the host's side (format "duration")
    kTimestamp,  // RFC 3339 text, or a date, on the host's side (formats "date-time", "date")
    kList,
    kMap,
    kObject,    // a fixed set of fields
    kOptional,  // optional_type(T)
    kType,      // the type of types
    kOpaque,    // quantity, URL and the like
    kParam,     // a placeholder of a signature or of the checker
    kError,     // the type of an expression that was refused already
  };
  // x-kubernetes-list-type: sets and maps compare without order, and + unites them.
  enum class ListKind : uint8_t { kAtomic, kSet, kMap };

  struct Field {
    std::string name;       // as an expression writes it
    std::string json_name;  // as the host knows it
    TypeRef type;
  };

  static TypeRef Simple(Kind kind);  // one of the kinds without parameters
  static TypeRef Dyn() { return Simple(Kind::kDyn); }
  static TypeRef List(TypeRef element, ListKind kind = ListKind::kAtomic,
                      std::vector<std::string> keys = {});
  static TypeRef Map(TypeRef key, TypeRef value);
  static TypeRef Optional(TypeRef inner);
  static TypeRef TypeOf(TypeRef inner);
  static TypeRef Opaque(std::string name);
  static TypeRef Param(std::string name, int id);
  // `name` is what messages call the type. Fields whose JSON name cannot be written as an
  // identifier (EscapeIdentifier) are left out, as Kubernetes leaves them out.
  static TypeRef Object(std::string name, std::vector<std::pair<std::string, TypeRef>> fields);
  // The same with fields that expressions write as they are: request.namespace.
  static TypeRef PlainObject(std::string name, std::vector<std::pair<std::string, TypeRef>> fields);

  Kind kind() const { return kind_; }
  const std::string& name() const { return name_; }
  const TypeRef& param(size_t i) const { return params_[i]; }
  const std::vector<TypeRef>& params() const { return params_; }
  ListKind list_kind() const { return list_kind_; }
  // JSON names of the key fields of a map-like list.
  const std::vector<std::string>& keys() const { return keys_; }
  const std::vector<Field>& fields() const { return fields_; }
  int id() const { return id_; }
  bool has_params() const { return has_params_; }
  // The number of types within this one, saturated: deep types are refused, see Checker.
  uint32_t weight() const { return weight_; }

  // nullptr when the type has no such field.
  const Field* FindField(std::string_view name) const;

  // As messages write it: "list(int)", "map(string, dyn)". Cut at a few hundred characters.
  std::string ToString() const;

 private:
  explicit Type(Kind kind) : kind_(kind) {}
  static TypeRef ObjectOf(std::string name, std::vector<Field> fields);
  static TypeRef Composite(Kind kind, std::vector<TypeRef> params);
  void Append(std::string* out) const;

  Kind kind_;
  ListKind list_kind_ = ListKind::kAtomic;
  bool has_params_ = false;
  uint32_t weight_ = 1;
  int id_ = 0;
  std::string name_;
  std::vector<TypeRef> params_;
  std::vector<std::string> keys_;
  std::vector<Field> fields_;  // sorted by name
};

// How an expression writes the property `name`: "a.b" is a__dot__b, "namespace" is
// __namespace__. Empty when the name cannot be written ("1x", "a b").
// https://kubernetes.io/docs/reference/using-api/cel/#escaping
std::string EscapeIdentifier(std::string_view name);

}  // namespace kueue::cel
