#include "cel/compare.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "cel/moment.h"

namespace kueue::cel {
namespace {

using Kind = Value::Kind;

int Sign(bool less, bool more) { return less ? -1 : more ? 1 : 0; }

// Between a whole number and a double, CEL compares doubles: 2^53 + 1 equals 2^53 as a double.
int OrderDoubles(double a, double b) { return Sign(a<b, a> b); }

// REQUIRES two numbers, neither NaN.
int OrderNumbers(const Value& a, const Value& b) {
  if (a.kind() == b.kind()) {
    if (a.is(Kind::kInt)) return Sign(a.AsInt() < b.AsInt(), a.AsInt() > b.AsInt());
    if (a.is(Kind::kUint)) return Sign(a.AsUint() < b.AsUint(), a.AsUint() > b.AsUint());
    return Sign(a.AsDouble() < b.AsDouble(), a.AsDouble() > b.AsDouble());
  }
  if (a.kind() > b.kind()) return -OrderNumbers(b, a);
  if (b.is(Kind::kUint)) {  // int and uint
    if (a.AsInt() < 0) return -1;
    const auto left = static_cast<uint64_t>(a.AsInt());
    return Sign(left<b.AsUint(), left> b.AsUint());
  }
  return OrderDoubles(
      a.is(Kind::kInt) ? static_cast<double>(a.AsInt()) : static_cast<double>(a.AsUint()),
      b.AsDouble());
}

bool EqualInOrder(const Value& a, const Value& b, Work* work) {
  const size_t size = a.size();
  if (size != b.size()) return false;
  for (size_t i = 0; i < size; ++i)
    if (!Equal(a.At(i), b.At(i), work)) return false;
  return true;
}

// The text that identifies an element of a set or of a map-like list.
std::string KeyOf(const Value& element, const Type& type) {
  if (type.list_kind() == Type::ListKind::kSet || !element.is(Kind::kMap))
    return element.ToString();
  std::string key;
  for (const std::string& name : type.keys()) {
    Value part;
    if (element.IsObject()) {
      for (const Type::Field& field : element.type()->fields())
        if (field.json_name == name) part = element.FindField(field);
    } else {
      part = element.FindText(name);
      if (part.absent()) part = element.FindText(EscapeIdentifier(name));
    }
    key += part.ToString();
    key += '\n';
  }
  return key;
}

bool Unordered(const Type* type) {
  return type != nullptr && type->kind() == Type::Kind::kList &&
         type->list_kind() != Type::ListKind::kAtomic;
}

bool EqualUnordered(const Value& a, const Value& b, const Type& type, Work* work) {
  const size_t size = a.size();
  if (size != b.size()) return false;
  std::unordered_multimap<std::string, Value> left;
  for (size_t i = 0; i < size; ++i) {
    Value element = a.At(i);
    left.emplace(KeyOf(element, type), std::move(element));
  }
  for (size_t i = 0; i < size; ++i) {
    const Value element = b.At(i);
    if (!work->Spend(4)) return false;
    const auto found = left.find(KeyOf(element, type));
    if (found == left.end() || !Equal(found->second, element, work)) return false;
    left.erase(found);
  }
  return true;
}

size_t CountEntries(const Value& map) {
  if (!map.IsObject()) return map.size();
  size_t count = 0;
  for (const Type::Field& field : map.type()->fields()) count += !map.FindField(field).absent();
  return count;
}

// Objects compare like maps of the fields that are set.
bool EqualMaps(const Value& a, const Value& b, Work* work) {
  if (a.IsObject() && b.IsObject() && a.type() == b.type()) {
    for (const Type::Field& field : a.type()->fields()) {
      const Value left = a.FindField(field);
      const Value right = b.FindField(field);
      if (left.absent() != right.absent()) return false;
      if (!left.absent() && !Equal(left, right, work)) return false;
    }
    return true;
  }
  if (CountEntries(a) != CountEntries(b)) return false;
  for (size_t i = 0; i < a.size(); ++i) {
    const auto [key, value] = a.EntryAt(i);
    if (value.absent()) continue;
    const Value other = b.Find(key);
    if (other.absent() || !Equal(value, other, work)) return false;
  }
  return true;
}

template <class T>
uint64_t Mix(T word) {
  return std::hash<T>()(word);
}

}  // namespace

bool IsNan(const Value& v) { return v.is(Kind::kDouble) && std::isnan(v.AsDouble()); }

bool Equal(const Value& a, const Value& b, Work* work) {
  if (!work->Spend(1)) return false;
  if (a.kind() != b.kind()) {
    return a.IsNumber() && b.IsNumber() && !IsNan(a) && !IsNan(b) && OrderNumbers(a, b) == 0;
  }
  switch (a.kind()) {
    case Kind::kBool:
      return a.AsBool() == b.AsBool();
    case Kind::kInt:
      return a.AsInt() == b.AsInt();
    case Kind::kUint:
      return a.AsUint() == b.AsUint();
    case Kind::kDouble:
      return a.AsDouble() == b.AsDouble();
    case Kind::kString:
    case Kind::kBytes:
    case Kind::kType:
      work->Spend(a.AsText().size() / 64);
      return a.AsText() == b.AsText();
    case Kind::kDuration:
      return a.AsNanoseconds() == b.AsNanoseconds();
    case Kind::kTimestamp:
      return a.AsSeconds() == b.AsSeconds() && a.subsecond() == b.subsecond();
    case Kind::kList:
      return Unordered(a.list_type()) ? EqualUnordered(a, b, *a.list_type(), work)
                                      : EqualInOrder(a, b, work);
    case Kind::kMap:
      return EqualMaps(a, b, work);
    case Kind::kOptional:
      if (!a.has_inner() || !b.has_inner()) return a.has_inner() == b.has_inner();
      return Equal(a.inner(), b.inner(), work);
    case Kind::kNull:
      return true;
    case Kind::kAbsent:
    case Kind::kError:
      return false;
    default:
      return a.As<OpaqueBox>().Equals(b.As<OpaqueBox>());
  }
}

std::optional<int> Order(const Value& a, const Value& b) {
  if (a.IsNumber() && b.IsNumber()) {
    if (IsNan(a) || IsNan(b)) return std::nullopt;
    return OrderNumbers(a, b);
  }
  if (a.kind() != b.kind()) return std::nullopt;
  switch (a.kind()) {
    case Kind::kBool:
      return Sign(!a.AsBool() && b.AsBool(), a.AsBool() && !b.AsBool());
    case Kind::kString:
    case Kind::kBytes: {
      const int order = a.AsText().compare(b.AsText());
      return Sign(order<0, order> 0);
    }
    case Kind::kDuration:
      return Sign(a.AsNanoseconds() < b.AsNanoseconds(), a.AsNanoseconds() > b.AsNanoseconds());
    case Kind::kTimestamp:
      if (a.AsSeconds() != b.AsSeconds()) return a.AsSeconds() < b.AsSeconds() ? -1 : 1;
      return Sign(a.subsecond() < b.subsecond(), a.subsecond() > b.subsecond());
    default:
      return std::nullopt;
  }
}

uint64_t HashOf(const Value& v) {
  switch (v.kind()) {
    case Kind::kBool:
      return v.AsBool() ? 3 : 5;
    case Kind::kInt:
      return Mix(static_cast<double>(v.AsInt()));
    case Kind::kUint:
      return Mix(static_cast<double>(v.AsUint()));
    case Kind::kDouble:
      return Mix(v.AsDouble() == 0 ? 0.0 : v.AsDouble());
    case Kind::kString:
    case Kind::kBytes:
      return Mix(v.AsText());
    case Kind::kDuration:
      return Mix(v.AsNanoseconds());
    case Kind::kTimestamp:
      return Mix(v.AsSeconds());
    case Kind::kList: {
      if (Unordered(v.list_type())) return v.size();
      uint64_t hash = v.size();
      for (size_t i = 0; i < std::min<size_t>(v.size(), 4); ++i) {
        const Value element = v.At(i);
        if (!element.is(Kind::kList)) hash = hash * 31 + HashOf(element);
      }
      return hash;
    }
    default:
      return 7;
  }
}

namespace {

void AppendAll(const Value& list, std::vector<Value>* out) {
  const size_t size = list.size();
  for (size_t i = 0; i < size; ++i) out->push_back(list.At(i));
}

}  // namespace

Value JoinLists(const Value& a, const Value& b, Work* work) {
  const Type* type = a.list_type();
  const size_t total = a.size() + b.size();
  std::vector<Value> all;
  if (!work->Spend(1 + total / 2)) return Value::List({});
  all.reserve(total);
  AppendAll(a, &all);
  if (!Unordered(type)) {
    AppendAll(b, &all);
    return Value::List(std::move(all));
  }
  if (!work->Spend(total * 4)) return Value::List({});
  std::unordered_map<std::string, size_t> places;
  for (size_t i = 0; i < all.size(); ++i) places.emplace(KeyOf(all[i], *type), i);
  for (size_t i = 0; i < b.size(); ++i) {
    Value element = b.At(i);
    const auto [place, fresh] = places.emplace(KeyOf(element, *type), all.size());
    if (fresh)
      all.push_back(std::move(element));
    else
      all[place->second] = std::move(element);
  }
  return Value::ListOf(std::move(all), type);
}

}  // namespace kueue::cel
