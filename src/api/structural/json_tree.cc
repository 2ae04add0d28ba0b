#include "api/structural/json_tree.h"

#include "api/structural/value_text.h"

namespace kueue::api::structural {
namespace {

class JsonTree final : public cel::Tree {
 public:
  size_t Size(const void* node) const override { return Of(node).size(); }
  cel::Value Element(const void* list, size_t i) const override {
    return ExpressionValue(Of(list).AsArray()[i]);
  }
  cel::Value Find(const void* map, std::string_view key) const override {
    const Json* member = Of(map).Find(key);
    return member != nullptr ? ExpressionValue(*member) : cel::Value();
  }
  std::pair<std::string_view, cel::Value> Entry(const void* map, size_t i) const override {
    const Json::Member& member = Of(map).AsObject()[i];
    return {member.key, ExpressionValue(member.value)};
  }

 private:
  static const Json& Of(const void* node) { return *static_cast<const Json*>(node); }
};

}  // namespace

cel::Value ExpressionValue(const Json& json) {
  static const JsonTree tree;
  switch (json.type()) {
    case Json::Type::kNull:
      return cel::Value::Null();
    case Json::Type::kBool:
      return cel::Value::Bool(json.AsBool());
    case Json::Type::kInt:
      return cel::Value::Int(json.AsInt());
    case Json::Type::kNumber:
      return cel::Value::Double(DoubleOf(json));
    case Json::Type::kString:
      return cel::Value::BorrowedString(json.AsString());
    case Json::Type::kArray:
      return cel::Value::TreeList(&tree, &json);
    case Json::Type::kObject:
      return cel::Value::TreeMap(&tree, &json);
  }
  return cel::Value::Null();
}

}  // namespace kueue::api::structural
