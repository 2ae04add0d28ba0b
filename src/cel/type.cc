#include "cel/type.h"

#include <algorithm>
#include <array>

namespace kueue::cel {
namespace {

constexpr uint32_t kHeaviest = 1U << 20;
constexpr size_t kLongestText = 400;

constexpr std::array<const char*, 18> kNames = {
    "dyn",       "null", "bool", "int",    "uint",          "double", "string", "bytes", "duration",
    "timestamp", "list", "map",  "object", "optional_type", "type",   "opaque", "param", "!error!"};

bool IsReserved(std::string_view name) {
  constexpr std::array<std::string_view, 22> kReserved = {
      "true",      "false",  "null",     "in",   "as",     "break", "const", "continue",
      "else",      "for",    "function", "if",   "import", "let",   "loop",  "package",
      "namespace", "return", "var",      "void", "while",  ""};
  return std::find(kReserved.begin(), kReserved.end(), name) != kReserved.end();
}

}  // namespace

TypeRef Type::Simple(Kind kind) {
  static const std::vector<TypeRef> kTypes = [] {
    std::vector<TypeRef> types;
    for (size_t i = 0; i < kNames.size(); ++i)
      types.push_back(TypeRef(new Type(static_cast<Kind>(i))));
    return types;
  }();
  return kTypes[static_cast<size_t>(kind)];
}

TypeRef Type::Composite(Kind kind, std::vector<TypeRef> params) {
  auto* type = new Type(kind);
  for (const TypeRef& param : params) {
    type->has_params_ |= param->has_params_;
    type->weight_ = std::min(kHeaviest, type->weight_ + param->weight_);
  }
  type->params_ = std::move(params);
  return TypeRef(type);
}

TypeRef Type::List(TypeRef element, ListKind kind, std::vector<std::string> keys) {
  TypeRef list = Composite(Kind::kList, {std::move(element)});
  auto* type = const_cast<Type*>(list.get());
  type->list_kind_ = kind;
  type->keys_ = std::move(keys);
  return list;
}

TypeRef Type::Map(TypeRef key, TypeRef value) {
  return Composite(Kind::kMap, {std::move(key), std::move(value)});
}
TypeRef Type::Optional(TypeRef inner) { return Composite(Kind::kOptional, {std::move(inner)}); }
TypeRef Type::TypeOf(TypeRef inner) { return Composite(Kind::kType, {std::move(inner)}); }

TypeRef Type::Opaque(std::string name) {
  auto* type = new Type(Kind::kOpaque);
  type->name_ = std::move(name);
  return TypeRef(type);
}

TypeRef Type::Param(std::string name, int id) {
  auto* type = new Type(Kind::kParam);
  type->name_ = std::move(name);
  type->id_ = id;
  type->has_params_ = true;
  return TypeRef(type);
}

TypeRef Type::ObjectOf(std::string name, std::vector<Field> fields) {
  auto* type = new Type(Kind::kObject);
  type->name_ = std::move(name);
  type->fields_ = std::move(fields);
  std::sort(type->fields_.begin(), type->fields_.end(),
            [](const Field& a, const Field& b) { return a.name < b.name; });
  return TypeRef(type);
}

TypeRef Type::Object(std::string name, std::vector<std::pair<std::string, TypeRef>> fields) {
  std::vector<Field> written;
  for (auto& [json_name, field] : fields) {
    std::string identifier = EscapeIdentifier(json_name);
    if (!identifier.empty())
      written.push_back({std::move(identifier), std::move(json_name), std::move(field)});
  }
  return ObjectOf(std::move(name), std::move(written));
}

TypeRef Type::PlainObject(std::string name, std::vector<std::pair<std::string, TypeRef>> fields) {
  std::vector<Field> written;
  for (auto& [json_name, field] : fields) written.push_back({json_name, json_name, field});
  return ObjectOf(std::move(name), std::move(written));
}

const Type::Field* Type::FindField(std::string_view name) const {
  const auto found = std::lower_bound(
      fields_.begin(), fields_.end(), name,
      [](const Field& field, std::string_view wanted) { return field.name < wanted; });
  return found != fields_.end() && found->name == name ? &*found : nullptr;
}

void Type::Append(std::string* out) const {
  if (out->size() > kLongestText) return;
  const bool named = kind_ == Kind::kObject || kind_ == Kind::kOpaque || kind_ == Kind::kParam;
  *out += named ? name_ : kNames[static_cast<size_t>(kind_)];
  if (params_.empty()) return;
  *out += '(';
  for (size_t i = 0; i < params_.size(); ++i) {
    if (i > 0) *out += ", ";
    params_[i]->Append(out);
  }
  *out += ')';
}

std::string Type::ToString() const {
  std::string out;
  Append(&out);
  return out;
}

std::string EscapeIdentifier(std::string_view name) {
  if (IsReserved(name)) return name.empty() ? std::string() : "__" + std::string(name) + "__";
  if (name[0] >= '0' && name[0] <= '9') return {};
  std::string out;
  for (size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    if (name.substr(i, 2) == "__") {
      out += "__underscores__";
      ++i;
    } else if (c == '.') {
      out += "__dot__";
    } else if (c == '-') {
      out += "__dash__";
    } else if (c == '/') {
      out += "__slash__";
    } else if (c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
               (c >= 'A' && c <= 'Z')) {
      out += c;
    } else {
      return {};
    }
  }
  return out;
}

}  // namespace kueue::cel
