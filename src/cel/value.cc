#include "cel/value.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "cel/base64.h"
#include "cel/boxes.h"
#include "cel/compare.h"
#include "cel/moment.h"
#include "cel/text.h"

namespace kueue::cel {
namespace {

constexpr size_t kLongestText = 1U << 20;
constexpr size_t kSmallMap = 8;

}  // namespace

MapBox::MapBox(Value::Entries all) {
  const bool large = all.size() > kSmallMap;
  for (auto& entry : all) {
    const uint64_t hash = large ? HashOf(entry.first) : 0;
    if (const Value* known = Find(entry.first, hash); known != nullptr) {
      *const_cast<Value*>(known) = std::move(entry.second);
      continue;
    }
    if (large) index.emplace(hash, entries.size());
    entries.push_back(std::move(entry));
  }
}

const Value* MapBox::Find(const Value& key, uint64_t hash) const {
  Work work;
  if (index.empty()) {
    for (const auto& [known, value] : entries)
      if (Equal(known, key, &work)) return &value;
    return nullptr;
  }
  const auto [first, last] = index.equal_range(hash);
  for (auto it = first; it != last; ++it)
    if (Equal(entries[it->second].first, key, &work)) return &entries[it->second].second;
  return nullptr;
}

Value Value::Bool(bool b) {
  Value v(Kind::kBool);
  v.word_.u = 0;
  v.word_.b = b;
  return v;
}
Value Value::Int(int64_t i) {
  Value v(Kind::kInt);
  v.word_.i = i;
  return v;
}
Value Value::Uint(uint64_t u) {
  Value v(Kind::kUint);
  v.word_.u = u;
  return v;
}
Value Value::Double(double d) {
  Value v(Kind::kDouble);
  v.word_.d = d;
  return v;
}

Value Value::Text(Kind kind, std::string_view text, Box* owner) {
  Value v(kind);
  v.word_.text = text.data();
  v.size_ = static_cast<uint32_t>(text.size());
  v.box_ = owner;
  if (owner != nullptr) ++owner->references;
  return v;
}
Value Value::String(std::string text) {
  auto* box = new TextBox(std::move(text));
  return Text(Kind::kString, box->text, box);
}
Value Value::Bytes(std::string bytes) {
  auto* box = new TextBox(std::move(bytes));
  return Text(Kind::kBytes, box->text, box);
}
Value Value::BorrowedString(std::string_view text) { return Text(Kind::kString, text, nullptr); }
Value Value::BorrowedBytes(std::string_view bytes) { return Text(Kind::kBytes, bytes, nullptr); }
Value Value::TypeName(std::string_view name) { return Text(Kind::kType, name, nullptr); }

Value Value::Duration(int64_t nanoseconds) {
  Value v(Kind::kDuration);
  v.word_.i = nanoseconds;
  return v;
}
Value Value::Timestamp(int64_t seconds, uint32_t nanoseconds, int32_t offset_seconds) {
  Value v(Kind::kTimestamp);
  v.word_.i = seconds;
  v.size_ = nanoseconds;
  v.more_ = reinterpret_cast<const void*>(static_cast<intptr_t>(offset_seconds));
  return v;
}

Value Value::ListOf(std::vector<Value> elements, const Type* type) {
  Value v(Kind::kList);
  v.box_ = new ListBox(std::move(elements), type);
  ++v.box_->references;
  return v;
}
Value Value::List(std::vector<Value> elements) { return ListOf(std::move(elements), nullptr); }
Value Value::Map(Entries entries) {
  Value v(Kind::kMap);
  v.box_ = new MapBox(std::move(entries));
  ++v.box_->references;
  return v;
}
Value Value::None() { return Value(Kind::kOptional); }
Value Value::Some(Value inner) {
  Value v(Kind::kOptional);
  v.box_ = new OptionalBox(std::move(inner));
  ++v.box_->references;
  return v;
}
Value Value::Error(std::string message) {
  Value v(Kind::kError);
  v.box_ = new TextBox(std::move(message));
  ++v.box_->references;
  return v;
}
Value Value::Opaque(Kind kind, OpaqueBox* box) {
  Value v(kind);
  v.box_ = box;
  ++box->references;
  return v;
}
Value Value::TreeList(const Tree* tree, const void* node, const Type* type) {
  Value v(Kind::kList);
  v.from_tree_ = true;
  v.word_.node = node;
  v.more_ = tree;
  v.type_ = type;
  return v;
}
Value Value::TreeMap(const Tree* tree, const void* node, const Type* type) {
  Value v = TreeList(tree, node, type);
  v.kind_ = Kind::kMap;
  return v;
}

Value Value::Borrow() const {
  Value v;
  v.Share(*this);
  if (box_ != nullptr && !borrowed_ && !from_tree_) {
    --box_->references;
    v.borrowed_ = true;
  }
  return v;
}

const Value& Value::inner() const { return As<OptionalBox>().inner; }
const std::string& Value::message() const { return As<TextBox>().text; }

const Type* Value::list_type() const {
  if (from_tree_) return type_;
  return is(Kind::kList) ? As<ListBox>().type : nullptr;
}

size_t Value::size() const {
  if (from_tree_) return tree().Size(word_.node);
  if (is(Kind::kList)) return As<ListBox>().elements.size();
  return is(Kind::kMap) ? As<MapBox>().entries.size() : 0;
}

Value Value::At(size_t i) const {
  if (!from_tree_) return As<ListBox>().elements[i];
  const bool typed = type_ != nullptr && type_->kind() == Type::Kind::kList;
  return ReadAs(tree().Element(word_.node, i), typed ? type_->param(0).get() : nullptr);
}

Value Value::FindField(const Type::Field& field) const {
  Value found = tree().Find(word_.node, field.json_name);
  if (found.is(Kind::kNull) && !tree().KeepsNull()) return {};
  return ReadAs(std::move(found), field.type.get());
}

Value Value::FindText(std::string_view key) const {
  if (!from_tree_) return Find(BorrowedString(key));
  if (type_ == nullptr) return tree().Find(word_.node, key);
  if (type_->kind() == Type::Kind::kObject) {
    const Type::Field* field = type_->FindField(key);
    return field == nullptr ? Value() : FindField(*field);
  }
  const bool typed = type_->kind() == Type::Kind::kMap;
  return ReadAs(tree().Find(word_.node, key), typed ? type_->param(1).get() : nullptr);
}

Value Value::Find(const Value& key) const {
  if (from_tree_) return key.is(Kind::kString) ? FindText(key.AsText()) : Value();
  const auto& box = As<MapBox>();
  const Value* found = box.Find(key, box.index.empty() ? 0 : HashOf(key));
  return found == nullptr ? Value() : *found;
}

std::pair<Value, Value> Value::EntryAt(size_t i) const {
  if (!from_tree_) return As<MapBox>().entries[i];
  auto [key, value] = tree().Entry(word_.node, i);
  if (!IsObject()) {
    const bool typed = type_ != nullptr && type_->kind() == Type::Kind::kMap;
    return {BorrowedString(key), ReadAs(std::move(value), typed ? type_->param(1).get() : nullptr)};
  }
  // An object's entries go by the names that expressions use.
  for (const Type::Field& field : type_->fields()) {
    if (field.json_name != key) continue;
    if (value.is(Kind::kNull)) break;
    return {BorrowedString(field.name), ReadAs(std::move(value), field.type.get())};
  }
  return {BorrowedString(key), Value()};
}

std::string_view Value::TypeText() const {
  switch (kind_) {
    case Kind::kNull:
      return "null_type";
    case Kind::kBool:
      return "bool";
    case Kind::kInt:
      return "int";
    case Kind::kUint:
      return "uint";
    case Kind::kDouble:
      return "double";
    case Kind::kString:
      return "string";
    case Kind::kBytes:
      return "bytes";
    case Kind::kDuration:
      return "google.protobuf.Duration";
    case Kind::kTimestamp:
      return "google.protobuf.Timestamp";
    case Kind::kList:
      return "list";
    case Kind::kMap:
      return "map";
    case Kind::kType:
      return "type";
    case Kind::kOptional:
      return "optional_type";
    case Kind::kQuantity:
      return "kubernetes.Quantity";
    case Kind::kUrl:
      return "kubernetes.URL";
    case Kind::kIp:
      return "net.IP";
    case Kind::kCidr:
      return "net.CIDR";
    case Kind::kSemver:
      return "kubernetes.Semver";
    case Kind::kNamedFormat:
      return "kubernetes.NamedFormat";
    case Kind::kAuthorizer:
      return "kubernetes.authorization.Authorizer";
    case Kind::kPathCheck:
      return "kubernetes.authorization.PathCheck";
    case Kind::kGroupCheck:
      return "kubernetes.authorization.GroupCheck";
    case Kind::kResourceCheck:
      return "kubernetes.authorization.ResourceCheck";
    case Kind::kDecision:
      return "kubernetes.authorization.Decision";
    case Kind::kAbsent:
    case Kind::kError:
      break;
  }
  return "error";
}

namespace {

void AppendValue(const Value& v, std::string* out);

void AppendList(const Value& v, std::string* out) {
  *out += '[';
  for (size_t i = 0; i < v.size() && out->size() < kLongestText; ++i) {
    if (i > 0) *out += ", ";
    AppendValue(v.At(i), out);
  }
  *out += ']';
}

void AppendMap(const Value& v, std::string* out) {
  // Sorted, so that the text does not depend on how the map came about.
  std::vector<std::string> parts;
  for (size_t i = 0; i < v.size() && out->size() < kLongestText; ++i) {
    const auto [key, value] = v.EntryAt(i);
    if (value.absent()) continue;
    std::string part;
    AppendValue(key, &part);
    part += ": ";
    AppendValue(value, &part);
    parts.push_back(std::move(part));
  }
  std::sort(parts.begin(), parts.end());
  *out += fmt::format("{{{}}}", fmt::join(parts, ", "));
}

void AppendValue(const Value& v, std::string* out) {
  if (out->size() > kLongestText) return;
  switch (v.kind()) {
    case Value::Kind::kAbsent:
      *out += "absent";
      break;
    case Value::Kind::kError:
      *out += "error: " + v.message();
      break;
    case Value::Kind::kNull:
      *out += "null";
      break;
    case Value::Kind::kBool:
      *out += v.AsBool() ? "true" : "false";
      break;
    case Value::Kind::kInt:
      *out += std::to_string(v.AsInt());
      break;
    case Value::Kind::kUint:
      *out += std::to_string(v.AsUint()) + "u";
      break;
    case Value::Kind::kDouble:
      *out += "double(" + DoubleText(v.AsDouble()) + ")";
      break;
    case Value::Kind::kString:
      *out += QuoteText(v.AsText());
      break;
    case Value::Kind::kBytes:
      *out += "bytes(";
      for (const char c : v.AsText()) *out += fmt::format("{:02x}", static_cast<uint8_t>(c));
      *out += ")";
      break;
    case Value::Kind::kDuration:
      *out += "duration(" + DurationText(v.AsNanoseconds()) + ")";
      break;
    case Value::Kind::kTimestamp:
      *out += "timestamp(" + TimestampText(v) + ")";
      break;
    case Value::Kind::kList:
      AppendList(v, out);
      break;
    case Value::Kind::kMap:
      AppendMap(v, out);
      break;
    case Value::Kind::kType:
      *out += fmt::format("type({})", v.AsText());
      break;
    case Value::Kind::kOptional:
      if (!v.has_inner()) {
        *out += "none";
        break;
      }
      *out += "optional(";
      AppendValue(v.inner(), out);
      *out += ")";
      break;
    default:
      *out += v.As<OpaqueBox>().ToString();
      break;
  }
}

}  // namespace

std::string Value::ToString() const {
  std::string out;
  AppendValue(*this, &out);
  return out;
}

Value ReadAs(Value value, const Type* type) {
  if (type == nullptr) return value;
  switch (value.kind()) {
    case Value::Kind::kInt:
      if (type->kind() == Type::Kind::kDouble)
        return Value::Double(static_cast<double>(value.AsInt()));
      return value;
    case Value::Kind::kString:
      if (type->kind() == Type::Kind::kTimestamp) return ReadHostTimestamp(value.AsText());
      if (type->kind() == Type::Kind::kDuration) return ReadDuration(value.AsText());
      if (type->kind() == Type::Kind::kBytes) return ReadBase64(value.AsText());
      return value;
    case Value::Kind::kList:
      if (value.from_tree() && type->kind() == Type::Kind::kList) value.SetType(type);
      return value;
    case Value::Kind::kMap:
      if (value.from_tree() &&
          (type->kind() == Type::Kind::kMap || type->kind() == Type::Kind::kObject))
        value.SetType(type);
      return value;
    default:
      return value;
  }
}

}  // namespace kueue::cel
