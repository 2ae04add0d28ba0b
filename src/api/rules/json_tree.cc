#include "api/rules/json_tree.h"

#include <cstdlib>

namespace kueue::api {
namespace {

using cel::Value;

class JsonTree final : public cel::Tree {
 public:
  size_t Size(const void* node) const override { return At(node).size(); }
  Value Element(const void* list, size_t i) const override {
    return JsonValue(At(list).AsArray()[i]);
  }
  Value Find(const void* map, std::string_view key) const override {
    const Json* found = At(map).Find(key);
    return found == nullptr ? Value() : JsonValue(*found);
  }
  std::pair<std::string_view, Value> Entry(const void* map, size_t i) const override {
    const Json::Member& member = At(map).AsObject()[i];
    return {member.key, JsonValue(member.value)};
  }

 private:
  static const Json& At(const void* node) { return *static_cast<const Json*>(node); }
};

const JsonTree kTree;

}  // namespace

Value JsonValue(const Json& json) {
  switch (json.type()) {
    case Json::Type::kNull:
      return Value::Null();
    case Json::Type::kBool:
      return Value::Bool(json.AsBool());
    case Json::Type::kInt:
      return Value::Int(json.AsInt());
    case Json::Type::kNumber:
      return Value::Double(std::strtod(json.NumberText().c_str(), nullptr));
    case Json::Type::kString:
      return Value::BorrowedString(json.AsString());
    case Json::Type::kArray:
      return Value::TreeList(&kTree, &json);
    case Json::Type::kObject:
      return Value::TreeMap(&kTree, &json);
  }
  return {};
}

}  // namespace kueue::api
