#include "api/merge/path_element.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <utility>

#include "api/codec/json_text.h"
#include "base/error.h"

namespace kueue::api {

namespace {

int Sign(bool less, bool greater) { return static_cast<int>(greater) - static_cast<int>(less); }

int RankOf(const Json& value) {
  switch (value.type()) {
    case Json::Type::kInt:
    case Json::Type::kNumber:
      return 0;
    case Json::Type::kString:
      return 1;
    case Json::Type::kBool:
      return 2;
    case Json::Type::kArray:
      return 3;
    case Json::Type::kObject:
      return 4;
    case Json::Type::kNull:
      return 5;
  }
  return 5;
}

int CompareNumbers(const Json& a, const Json& b) {
  if (a.IsInt() && b.IsInt()) return Sign(a.AsInt() < b.AsInt(), a.AsInt() > b.AsInt());
  const double x = std::strtod(a.NumberText().c_str(), nullptr);
  const double y = std::strtod(b.NumberText().c_str(), nullptr);
  return Sign(x<y, x> y);
}

int CompareArrays(const Json::Array& a, const Json::Array& b) {
  for (size_t i = 0; i < a.size() && i < b.size(); ++i) {
    if (const int order = CompareJson(a[i], b[i])) return order;
  }
  return Sign(a.size() < b.size(), a.size() > b.size());
}

std::vector<const Json::Member*> ByKey(const Json::Object& object) {
  std::vector<const Json::Member*> members;
  for (const Json::Member& member : object) members.push_back(&member);
  std::sort(members.begin(), members.end(),
            [](const Json::Member* a, const Json::Member* b) { return a->key < b->key; });
  return members;
}

int CompareObjects(const Json::Object& a, const Json::Object& b) {
  const auto x = ByKey(a), y = ByKey(b);
  for (size_t i = 0; i < x.size() && i < y.size(); ++i) {
    if (const int order = x[i]->key.compare(y[i]->key)) return order;
    if (const int order = CompareJson(x[i]->value, y[i]->value)) return order;
  }
  return Sign(x.size() < y.size(), x.size() > y.size());
}

// Values inside an element are written as Go's encoder does, which keeps HTML harmless.
std::string ValueText(const Json& value) {
  const std::string plain = WriteJson(value);
  if (plain.find_first_of("<>&\xe2") == std::string::npos) return plain;
  std::string out;
  for (size_t i = 0; i < plain.size(); ++i) {
    const std::string_view rest = std::string_view(plain).substr(i, 3);
    if (plain[i] == '<') {
      out += "\\u003c";
    } else if (plain[i] == '>') {
      out += "\\u003e";
    } else if (plain[i] == '&') {
      out += "\\u0026";
    } else if (rest == "\xe2\x80\xa8" || rest == "\xe2\x80\xa9") {
      out += rest[2] == '\xa8' ? "\\u2028" : "\\u2029";
      i += 2;
    } else {
      out += plain[i];
    }
  }
  return out;
}

base::Error Unreadable(std::string_view text) {
  return base::Invalid("no path element can be read from \"" + std::string(text) + "\"");
}

}  // namespace

int CompareJson(const Json& a, const Json& b) {
  const int x = RankOf(a), y = RankOf(b);
  if (x != y) return x - y;
  switch (a.type()) {
    case Json::Type::kInt:
    case Json::Type::kNumber:
      return CompareNumbers(a, b);
    case Json::Type::kString:
      return a.AsString().compare(b.AsString());
    case Json::Type::kBool:
      return Sign(!a.AsBool() && b.AsBool(), a.AsBool() && !b.AsBool());
    case Json::Type::kArray:
      return CompareArrays(a.AsArray(), b.AsArray());
    case Json::Type::kObject:
      return CompareObjects(a.AsObject(), b.AsObject());
    case Json::Type::kNull:
      return 0;
  }
  return 0;
}

PathElement PathElement::Field(std::string_view name) {
  PathElement element;
  element.field_ = name;
  return element;
}

PathElement PathElement::OfKey(Key fields) {
  std::sort(fields.begin(), fields.end(),
            [](const KeyField& a, const KeyField& b) { return a.name < b.name; });
  PathElement element;
  element.kind_ = Kind::kKey;
  element.key_ = std::make_shared<const Key>(std::move(fields));
  return element;
}

PathElement PathElement::OfValue(Json value) {
  PathElement element = OfKey({{"", std::move(value)}});
  element.kind_ = Kind::kValue;
  return element;
}

PathElement PathElement::OfIndex(int64_t index) {
  PathElement element = OfKey({{"", Json(index)}});
  element.kind_ = Kind::kIndex;
  return element;
}

base::Result<PathElement> PathElement::Parse(std::string_view text) {
  if (text.size() < 2 || text[1] != ':') return Unreadable(text);
  const std::string_view rest = text.substr(2);
  if (text[0] == 'f') return Field(rest);
  if (text[0] == 'i') {
    int64_t index = 0;
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), index);
    if (error != std::errc() || end != rest.data() + rest.size()) return Unreadable(text);
    return OfIndex(index);
  }
  if (text[0] != 'v' && text[0] != 'k') {
    return base::NotFound("unknown kind of path element: \"" + std::string(text) + "\"");
  }
  auto value = ParseJson(rest);
  if (!value.ok()) return Unreadable(text);
  if (text[0] == 'v') return OfValue(std::move(*value));
  if (!value->IsObject()) return Unreadable(text);
  Key key;
  for (Json::Member& member : value->AsObject()) {
    key.push_back({std::move(member.key), std::move(member.value)});
  }
  return OfKey(std::move(key));
}

std::string PathElement::Wire() const {
  switch (kind_) {
    case Kind::kField:
      return "f:" + field_;
    case Kind::kValue:
      return "v:" + ValueText(key_->front().value);
    case Kind::kIndex:
      return "i:" + ValueText(key_->front().value);
    case Kind::kKey:
      break;
  }
  std::string out = "k:{";
  for (const KeyField& field : *key_) {
    if (out.size() > 3) out += ',';
    out += WriteJson(Json(field.name)) + ":" + ValueText(field.value);
  }
  return out + "}";
}

std::string PathElement::ToString() const {
  switch (kind_) {
    case Kind::kField:
      return "." + field_;
    case Kind::kValue:
      return "[=" + WriteJson(key_->front().value) + "]";
    case Kind::kIndex:
      return "[" + WriteJson(key_->front().value) + "]";
    case Kind::kKey:
      break;
  }
  std::string out = "[";
  for (const KeyField& field : *key_) {
    if (out.size() > 1) out += ',';
    out += field.name + "=" + WriteJson(field.value);
  }
  return out + "]";
}

int Compare(const PathElement& a, const PathElement& b) {
  if (a.kind_ != b.kind_) return static_cast<int>(a.kind_) - static_cast<int>(b.kind_);
  if (a.kind_ == PathElement::Kind::kField) return a.field_.compare(b.field_);
  if (a.key_ == b.key_) return 0;
  const PathElement::Key &x = *a.key_, &y = *b.key_;
  for (size_t i = 0; i < x.size() && i < y.size(); ++i) {
    if (const int order = x[i].name.compare(y[i].name)) return order;
    if (const int order = CompareJson(x[i].value, y[i].value)) return order;
  }
  return Sign(x.size() < y.size(), x.size() > y.size());
}

std::string PathText(const FieldPath& path) {
  std::string out;
  for (const PathElement& element : path) out += element.ToString();
  return out;
}

}  // namespace kueue::api
