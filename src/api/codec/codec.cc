#include "api/codec/codec.h"

#include <fmt/format.h>

#include <algorithm>

#include "api/types/meta.h"
#include "base/check.h"

namespace kueue::api {
namespace {

// Where in the document the decoder is; turned into text only when there is something to report.
struct Place {
  const Place* parent = nullptr;
  std::string_view name;      // of a member or a map entry
  size_t index = 0;           // of a list entry
  enum class Kind : uint8_t { kRoot, kMember, kKey, kIndex } kind = Kind::kRoot;

  std::string Text() const {
    switch (kind) {
      case Kind::kRoot: return std::string(name);
      case Kind::kKey: return fmt::format("{}[{}]", parent->Text(), name);
      case Kind::kIndex: return fmt::format("{}[{}]", parent->Text(), index);
      case Kind::kMember: break;
    }
    std::string out = parent->Text();
    if (!out.empty()) out += '.';
    return out.append(name);
  }
};

const char* Describe(const Json& json) {
  switch (json.type()) {
    case Json::Type::kNull: return "null";
    case Json::Type::kBool: return "a boolean";
    case Json::Type::kInt:
    case Json::Type::kNumber: return "a number";
    case Json::Type::kString: return "a string";
    case Json::Type::kArray: return "a list";
    case Json::Type::kObject: return "an object";
  }
  return "";
}

template <class T>
T& As(void* p) {
  return *static_cast<T*>(p);
}
template <class T>
const T& As(const void* p) {
  return *static_cast<const T*>(p);
}

// Blanks around a quantity do not count.
std::string_view Trim(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\n\v\f\r";
  const size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

constexpr const char* kStatusNames[] = {"True", "False", "Unknown"};

class Decoder {
 public:
  std::vector<FieldError> TakeErrors() { return std::move(errors_); }

  void Struct(const StructDescriptor& table, void* object, const Json& json, const Place& place) {
    if (!json.IsObject()) return WrongType(place, "an object", json);
    size_t next = 0;  // members mostly come in the table's order
    for (const auto& [key, value] : json.AsObject()) {
      const FieldDescriptor* field = nullptr;
      if (next < table.fields.size() && table.fields[next].json_name == key) {
        field = &table.fields[next];
      } else {
        field = table.Find(key);
      }
      if (field != nullptr && field->member != nullptr) {
        next = static_cast<size_t>(field - table.fields.data()) + 1;
        const Place member{&place, field->json_name, 0, Place::Kind::kMember};
        Value(*field->ops, field->member(object), value, member);
      } else if (table.extra != nullptr && !IsTypeMeta(table, key)) {
        table.extra(object)->Add(key, value);
      }
    }
  }

 private:
  static bool IsTypeMeta(const StructDescriptor& table, std::string_view key) {
    return table.top_level && (key == "apiVersion" || key == "kind");
  }

  void Value(const ValueOps& ops, void* p, const Json& json, const Place& place) {
    if (json.IsNull()) return;
    if (ops.optional) p = ops.emplace(p);
    switch (ops.kind) {
      case FieldKind::kStruct: return Struct(ops.Table(), p, json, place);
      case FieldKind::kList: return List(ops, p, json, place);
      case FieldKind::kMap: return Map(ops, p, json, place);
      case FieldKind::kString:
      case FieldKind::kBytes:
        if (!json.IsString()) return WrongType(place, "a string", json);
        As<std::string>(p) = json.AsString();
        return;
      case FieldKind::kBool:
        if (!json.IsBool()) return WrongType(place, "true or false", json);
        As<bool>(p) = json.AsBool();
        return;
      case FieldKind::kInt32: return Int32(p, json, place);
      case FieldKind::kInt64:
        if (!json.IsInt()) return WrongType(place, "a whole number of 64 bits", json);
        As<int64_t>(p) = json.AsInt();
        return;
      case FieldKind::kIntOrString:
        if (!json.IsInt() && !json.IsString()) {
          return WrongType(place, "a whole number or a string", json);
        }
        As<Json>(p) = json;
        return;
      case FieldKind::kNumber:
      case FieldKind::kJson: As<Json>(p) = json; return;
      case FieldKind::kQuantity:
      case FieldKind::kTime:
      case FieldKind::kMicroTime:
      case FieldKind::kDuration:
      case FieldKind::kConditionStatus: return Text(ops.kind, p, json, place);
    }
  }

  void Int32(void* p, const Json& json, const Place& place) {
    if (!json.IsInt() || json.AsInt() < INT32_MIN || json.AsInt() > INT32_MAX) {
      return WrongType(place, "a whole number of 32 bits", json);
    }
    As<int32_t>(p) = static_cast<int32_t>(json.AsInt());
  }

  // Kinds that have a text form of their own.
  void Text(FieldKind kind, void* p, const Json& json, const Place& place) {
    if (kind == FieldKind::kQuantity && json.IsNumber()) {
      return Take(As<Quantity>(p), Quantity::Parse(json.NumberText()), place);
    }
    if (!json.IsString()) return WrongType(place, "a string", json);
    const std::string& text = json.AsString();
    switch (kind) {
      case FieldKind::kQuantity: return Take(As<Quantity>(p), Quantity::Parse(Trim(text)), place);
      case FieldKind::kDuration: return Take(As<Duration>(p), base::ParseDuration(text), place);
      case FieldKind::kConditionStatus: return Status(As<ConditionStatus>(p), text, place);
      default: return Take(As<Time>(p), base::ParseTime(text), place);
    }
  }

  template <class T>
  void Take(T& target, base::Result<T> parsed, const Place& place) {
    if (parsed.ok()) {
      target = *parsed;
    } else {
      errors_.push_back({FieldErrorType::kTypeInvalid, place.Text(), parsed.error().message});
    }
  }

  void Status(ConditionStatus& target, const std::string& text, const Place& place) {
    for (size_t i = 0; i < std::size(kStatusNames); ++i) {
      if (text == kStatusNames[i]) {
        target = static_cast<ConditionStatus>(i);
        return;
      }
    }
    errors_.push_back({FieldErrorType::kNotSupported, place.Text(),
                       fmt::format("\"{}\" is none of True, False, Unknown", text)});
  }

  void List(const ValueOps& ops, void* p, const Json& json, const Place& place) {
    if (!json.IsArray()) return WrongType(place, "a list", json);
    const Json::Array& items = json.AsArray();
    ops.reserve(p, items.size());
    for (size_t i = 0; i < items.size(); ++i) {
      Value(*ops.item, ops.append(p), items[i], Place{&place, {}, i, Place::Kind::kIndex});
    }
  }

  void Map(const ValueOps& ops, void* p, const Json& json, const Place& place) {
    if (!json.IsObject()) return WrongType(place, "an object", json);
    for (const auto& [key, value] : json.AsObject()) {
      Value(*ops.item, ops.insert(p, key), value, Place{&place, key, 0, Place::Kind::kKey});
    }
  }

  void WrongType(const Place& place, const char* expected, const Json& json) {
    std::string found = Describe(json);
    if (json.IsNumber()) found = json.NumberText();
    errors_.push_back({FieldErrorType::kTypeInvalid, place.Text(),
                       fmt::format("expected {}, found {}", expected, found)});
  }

  std::vector<FieldError> errors_;
};

// The object's JSON without empty members; `written` says whether anything is in it.
Json WriteStruct(const StructDescriptor& table, const void* object, bool& written);

struct Written {
  Json json;
  bool zero = false;  // may be left out
};

Written WriteEntries(const ValueOps& ops, const void* p);

Written WriteValue(const ValueOps& ops, const void* p) {
  if (ops.optional) {
    if (!ops.has(p)) return {Json(), true};
    p = ops.get(p);
  }
  const bool keep = ops.optional;
  switch (ops.kind) {
    case FieldKind::kBool: return {Json(As<bool>(p)), !keep && !As<bool>(p)};
    case FieldKind::kInt32: return {Json(As<int32_t>(p)), !keep && As<int32_t>(p) == 0};
    case FieldKind::kInt64: return {Json(As<int64_t>(p)), !keep && As<int64_t>(p) == 0};
    case FieldKind::kString:
    case FieldKind::kBytes: {
      const auto& text = As<std::string>(p);
      return {Json(text), !keep && text.empty()};
    }
    case FieldKind::kQuantity: {
      const auto& quantity = As<Quantity>(p);
      return {Json(quantity.ToString()), !keep && quantity.IsZero()};
    }
    case FieldKind::kTime:
      return {Json(base::FormatTime(As<Time>(p))), !keep && As<Time>(p) == Time()};
    case FieldKind::kMicroTime:
      return {Json(base::FormatMicroTime(As<Time>(p))), !keep && As<Time>(p) == Time()};
    case FieldKind::kDuration: {
      const auto duration = As<Duration>(p);
      return {Json(base::FormatDuration(duration)), !keep && duration == Duration()};
    }
    case FieldKind::kConditionStatus:
      return {Json(kStatusNames[static_cast<size_t>(As<ConditionStatus>(p))]), false};
    case FieldKind::kIntOrString:
    case FieldKind::kNumber:
    case FieldKind::kJson: return {As<Json>(p), !keep && As<Json>(p).IsNull()};
    case FieldKind::kStruct: {
      bool written = false;
      Json json = WriteStruct(ops.Table(), p, written);
      return {std::move(json), !keep && !written};
    }
    case FieldKind::kList:
    case FieldKind::kMap: {
      Written out = WriteEntries(ops, p);
      out.zero = out.zero && !keep;
      return out;
    }
  }
  return {Json(), true};
}

Written WriteEntries(const ValueOps& ops, const void* p) {
  struct Context {
    const ValueOps& item;
    Json::Array array;
    Json::Object object;
  } context{*ops.item, {}, {}};
  const size_t size = ops.size(p);
  if (ops.kind == FieldKind::kList) {
    context.array.reserve(size);
    ops.for_each(p, &context, [](void* c, const std::string*, const void* entry) {
      auto& into = *static_cast<Context*>(c);
      into.array.push_back(WriteValue(into.item, entry).json);
    });
    return {Json(std::move(context.array)), size == 0};
  }
  context.object.reserve(size);
  ops.for_each(p, &context, [](void* c, const std::string* key, const void* entry) {
    auto& into = *static_cast<Context*>(c);
    into.object.push_back(Json::Member{*key, WriteValue(into.item, entry).json});
  });
  return {Json(std::move(context.object)), size == 0};
}

Json WriteStruct(const StructDescriptor& table, const void* object, bool& written) {
  // Accessors take a mutable object because reading and writing share them; here nothing is
  // written through them.
  void* source = const_cast<void*>(object);
  Json::Object members;
  members.reserve(4);
  for (const FieldDescriptor& field : table.fields) {
    if (field.member == nullptr) continue;
    const void* p = field.member(source);
    if (field.ops->optional && !field.ops->has(p)) continue;
    Written value = WriteValue(*field.ops, p);
    if (value.zero && !field.always_written) continue;
    written = written || !value.zero;
    members.push_back(Json::Member{std::string(field.json_name), std::move(value.json)});
  }
  const Json* extra = table.extra != nullptr ? table.extra(source)->get() : nullptr;
  if (extra != nullptr) {
    for (const auto& member : extra->AsObject()) {
      members.push_back(member);
      written = true;
    }
  }
  return Json(std::move(members));
}

}  // namespace

const FieldDescriptor* StructDescriptor::Find(std::string_view json_name) const {
  const auto found = std::lower_bound(
      by_name.begin(), by_name.end(), json_name,
      [this](uint16_t i, std::string_view wanted) { return fields[i].json_name < wanted; });
  if (found == by_name.end() || fields[*found].json_name != json_name) return nullptr;
  return &fields[*found];
}

const char* CauseReason(FieldErrorType type) {
  switch (type) {
    case FieldErrorType::kRequired: return "FieldValueRequired";
    case FieldErrorType::kInvalid: return "FieldValueInvalid";
    case FieldErrorType::kNotSupported: return "FieldValueNotSupported";
    case FieldErrorType::kDuplicate: return "FieldValueDuplicate";
    case FieldErrorType::kForbidden: return "FieldValueForbidden";
    case FieldErrorType::kTooLong: return "FieldValueTooLong";
    case FieldErrorType::kTooMany: return "FieldValueTooMany";
    case FieldErrorType::kTypeInvalid: return "FieldValueTypeInvalid";
    case FieldErrorType::kNotFound: return "FieldValueNotFound";
  }
  return "";
}

std::string JoinFieldErrors(const std::vector<FieldError>& errors) {
  std::string out;
  for (const auto& error : errors) {
    if (!out.empty()) out += "; ";
    if (!error.field.empty()) out += error.field + ": ";
    out += error.message;
  }
  return out;
}

std::vector<FieldError> DecodeStruct(const StructDescriptor& table, void* object, const Json& json,
                                     const std::string& path) {
  Decoder decoder;
  decoder.Struct(table, object, json, Place{nullptr, path, 0, Place::Kind::kRoot});
  return decoder.TakeErrors();
}

Json EncodeStruct(const StructDescriptor& table, const void* object) {
  bool written = false;
  return WriteStruct(table, object, written);
}

}  // namespace kueue::api
