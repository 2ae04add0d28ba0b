#include "api/types/json.h"

#include <algorithm>
#include <cstdlib>
#include <limits>

#include "base/check.h"

namespace kueue::api {
namespace {

// A decimal number taken apart so that two spellings of one value compare equal.
struct Decimal {
  bool negative = false;
  std::string digits;    // without leading and trailing zeros; empty: zero
  int64_t exponent = 0;  // value = 0.digits * 10^exponent
  friend bool operator==(const Decimal&, const Decimal&) = default;
};

// Exponents beyond this bound are all alike: nobody can mean them.
constexpr int64_t kExponentBound = int64_t{1} << 40;

int64_t ParseExponent(std::string_view text) {
  bool negative = false;
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) {
    negative = text[0] == '-';
    text.remove_prefix(1);
  }
  int64_t value = 0;
  for (const char c : text) value = std::min(kExponentBound, value * 10 + (c - '0'));
  return negative ? -value : value;
}

Decimal TakeApart(std::string_view text) {
  Decimal out;
  if (!text.empty() && text[0] == '-') {
    out.negative = true;
    text.remove_prefix(1);
  }
  const size_t e = text.find_first_of("eE");
  if (e != std::string_view::npos) {
    out.exponent = ParseExponent(text.substr(e + 1));
    text = text.substr(0, e);
  }
  const size_t point = text.find('.');
  out.exponent += static_cast<int64_t>(point == std::string_view::npos ? text.size() : point);
  for (const char c : text) {
    if (c != '.') out.digits += c;
  }
  const size_t first = out.digits.find_first_not_of('0');
  if (first == std::string::npos) return Decimal();
  out.digits.erase(0, first);
  out.exponent -= static_cast<int64_t>(first);
  out.digits.erase(out.digits.find_last_not_of('0') + 1);
  return out;
}

bool SameNumber(const Json& a, const Json& b) {
  if (a.IsInt() && b.IsInt()) return a.AsInt() == b.AsInt();
  const std::string x = a.NumberText(), y = b.NumberText();
  return x == y || TakeApart(x) == TakeApart(y);
}

std::vector<const Json::Member*> SortedMembers(const Json::Object& object) {
  std::vector<const Json::Member*> out;
  out.reserve(object.size());
  for (const auto& member : object) out.push_back(&member);
  std::sort(out.begin(), out.end(), [](const Json::Member* a, const Json::Member* b) {
    return a->key != b->key ? a->key < b->key : a < b;
  });
  return out;
}

bool SameObject(const Json::Object& a, const Json::Object& b) {
  if (a.size() != b.size()) return false;
  size_t i = 0;  // mostly both have their members in one order
  while (i < a.size() && a[i].key == b[i].key) {
    if (!(a[i].value == b[i].value)) return false;
    ++i;
  }
  if (i == a.size()) return true;
  const auto left = SortedMembers(a), right = SortedMembers(b);
  for (size_t k = 0; k < left.size(); ++k) {
    if (left[k]->key != right[k]->key || !(left[k]->value == right[k]->value)) return false;
  }
  return true;
}

}  // namespace

Json Json::MakeObject() { return Json(Object()); }

bool Json::AsBool() const {
  KUEUE_CHECK(IsBool());
  return *std::get_if<bool>(&value_);
}

int64_t Json::AsInt() const {
  KUEUE_CHECK(IsInt());
  return *std::get_if<int64_t>(&value_);
}

const std::string& Json::AsString() const {
  KUEUE_CHECK(IsString());
  return *std::get_if<std::string>(&value_);
}

const Json::Array& Json::AsArray() const {
  KUEUE_CHECK(IsArray());
  return *std::get_if<Array>(&value_);
}

Json::Array& Json::AsArray() {
  KUEUE_CHECK(IsArray());
  return *std::get_if<Array>(&value_);
}

const Json::Object& Json::AsObject() const {
  KUEUE_CHECK(IsObject());
  return *std::get_if<Object>(&value_);
}

Json::Object& Json::AsObject() {
  KUEUE_CHECK(IsObject());
  return *std::get_if<Object>(&value_);
}

std::string Json::NumberText() const {
  KUEUE_CHECK(IsNumber());
  if (IsInt()) return std::to_string(AsInt());
  return std::get_if<Number>(&value_)->text;
}

const Json* Json::Find(std::string_view key) const {
  const auto* object = std::get_if<Object>(&value_);
  if (object == nullptr) return nullptr;
  for (const auto& member : *object) {
    if (member.key == key) return &member.value;
  }
  return nullptr;
}

Json* Json::Find(std::string_view key) {
  return const_cast<Json*>(static_cast<const Json*>(this)->Find(key));
}

const Json* Json::FindPath(std::initializer_list<std::string_view> path) const {
  const Json* at = this;
  for (const auto key : path) {
    at = at->Find(key);
    if (at == nullptr) return nullptr;
  }
  return at;
}

std::string Json::StringAt(std::initializer_list<std::string_view> path,
                           std::string_view otherwise) const {
  const Json* found = FindPath(path);
  return found != nullptr && found->IsString() ? found->AsString() : std::string(otherwise);
}

Json& Json::Set(std::string_view key, Json value) {
  Json& member = (*this)[key];
  member = std::move(value);
  return member;
}

Json& Json::operator[](std::string_view key) {
  if (IsNull()) value_ = Object();
  if (Json* found = Find(key)) return *found;
  Object& object = AsObject();
  object.push_back(Member{std::string(key), Json()});
  return object.back().value;
}

bool Json::Erase(std::string_view key) {
  auto* object = std::get_if<Object>(&value_);
  if (object == nullptr) return false;
  const auto found = std::find_if(object->begin(), object->end(),
                                  [&](const Member& member) { return member.key == key; });
  if (found == object->end()) return false;
  object->erase(found);
  return true;
}

void Json::Append(Json value) {
  if (IsNull()) value_ = Array();
  AsArray().push_back(std::move(value));
}

size_t Json::size() const {
  if (const auto* array = std::get_if<Array>(&value_)) return array->size();
  if (const auto* object = std::get_if<Object>(&value_)) return object->size();
  return 0;
}

bool operator==(const Json& a, const Json& b) {
  if (a.IsNumber() && b.IsNumber()) return SameNumber(a, b);
  if (a.type() != b.type()) return false;
  switch (a.type()) {
    case Json::Type::kNull: return true;
    case Json::Type::kBool: return a.AsBool() == b.AsBool();
    case Json::Type::kString: return a.AsString() == b.AsString();
    case Json::Type::kArray: return a.AsArray() == b.AsArray();
    case Json::Type::kObject: return SameObject(a.AsObject(), b.AsObject());
    default: return false;  // numbers were compared above
  }
}

void Extra::Add(std::string key, Json value) {
  if (members_ == nullptr) members_ = std::make_unique<Json>(Json::MakeObject());
  members_->AsObject().push_back(Json::Member{std::move(key), std::move(value)});
}

bool operator==(const Extra& a, const Extra& b) {
  const size_t left = a.members_ ? a.members_->size() : 0;
  const size_t right = b.members_ ? b.members_->size() : 0;
  if (left != right) return false;
  return left == 0 || *a.members_ == *b.members_;
}

}  // namespace kueue::api
