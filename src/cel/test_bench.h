#pragma once

#include <string>

#include "cel/environment.h"
#include "cel/program.h"
#include "cel/test_tree.h"

namespace kueue::cel {

// The two objects and the schema that the measured rows were measured with.
inline constexpr const char* kSelf =
    R"({"apiVersion":"v1","kind":"Widget","metadata":{"name":"w1","namespace":"ns",
"labels":{"l":"1"}},"name":"widget","replicas":3,"ratio":1.5,"whole":2,"enabled":true,
"big":9007199254740993,"tags":["a","b"],"items":[{"name":"x","value":1},{"name":"y",
"value":2,"note":"n"}],"ports":[80,443],"labels":{"app":"web","kueue.x-k8s.io/queue":"q"},
"nested":{"deep":{"leaf":"v"},"words":["one","two"]},"port":8080,"target":"http",
"when":"2024-01-02T03:04:05Z","day":"2024-05-06","wait":"1h30m","blob":"aGVsbG8=",
"empty":[],"nothing":null,"a.b":"dot","namespace":"res","x-y":"dash","a/b":"slash",
"__dunder":"under","any":{"k":1,"l":[1,"s"]},"matrix":[[1,2],[3]],"text":"héllo wörld",
"anything":[1,{"z":2.5}],"limits":{"cpu":"500m","memory":"1Gi"},
"conditions":[{"type":"Ready","status":"True"},{"type":"Admitted","status":"False"}],
"emptyText":"","zero":0})";
inline constexpr const char* kOldSelf =
    R"({"apiVersion":"v1","kind":"Widget","metadata":{"name":"w1"},"name":"widget","replicas":2,
"minReplicas":1,"ratio":1.5,"whole":2,"enabled":true,"big":1,"tags":["b","a"],
"items":[{"name":"y","value":2,"note":"n"},{"name":"x","value":1}],"ports":[443,80],
"labels":{"kueue.x-k8s.io/queue":"q","app":"web"},"nested":{"deep":{"leaf":"v"},
"words":["one"]},"port":"8080","target":"http","when":"2024-01-01T00:00:00Z","wait":"90m",
"blob":"aGVsbG8=","empty":[],"any":{"k":1,"l":[1,"s"]},"matrix":[[1,2],[3]],
"limits":{"cpu":"1"},"text":"x","conditions":[{"type":"Ready","status":"True"}]})";

inline TypeRef WidgetType() {
  using T = Type;
  const auto text = T::Simple(T::Kind::kString);
  const auto integer = T::Simple(T::Kind::kInt);
  const auto number = T::Simple(T::Kind::kDouble);
  const auto texts = T::List(text);
  const auto item =
      T::Object("Self.items.@idx", {{"name", text}, {"value", integer}, {"note", text}});
  const auto condition = T::Object("Self.conditions.@idx", {{"type", text}, {"status", text}});
  const auto deep = T::Object("Self.nested.deep", {{"leaf", text}});
  return T::Object(
      "Self", {{"apiVersion", text},
               {"kind", text},
               {"metadata", T::Object("Self.metadata", {{"name", text}, {"generateName", text}})},
               {"name", text},
               {"replicas", integer},
               {"minReplicas", integer},
               {"ratio", number},
               {"whole", number},
               {"enabled", T::Simple(T::Kind::kBool)},
               {"big", integer},
               {"tags", T::List(text, T::ListKind::kSet)},
               {"items", T::List(item, T::ListKind::kMap, {"name"})},
               {"ports", T::List(integer)},
               {"labels", T::Map(text, text)},
               {"nested", T::Object("Self.nested", {{"deep", deep}, {"words", texts}})},
               {"port", T::Dyn()},
               {"target", T::Dyn()},
               {"when", T::Simple(T::Kind::kTimestamp)},
               {"day", T::Simple(T::Kind::kTimestamp)},
               {"wait", T::Simple(T::Kind::kDuration)},
               {"blob", T::Simple(T::Kind::kBytes)},
               {"empty", texts},
               {"nothing", text},
               {"a.b", text},
               {"namespace", text},
               {"x-y", text},
               {"a/b", text},
               {"__dunder", text},
               {"any", T::Object("Self.any", {})},
               {"matrix", T::List(T::List(integer))},
               {"text", text},
               {"limits", T::Map(text, T::Dyn())},
               {"conditions", T::List(condition, T::ListKind::kMap, {"type"})},
               {"emptyText", text},
               {"zero", integer},
               {"absent", T::Object("Self.absent", {{"x", integer}})}});
}

// Evaluates expressions over those objects: typed as self and oldSelf, untyped as object and
// oldObject.
class Bench {
 public:
  explicit Bench(Extras extras = {}) : self_(kSelf), old_(kOldSelf) {
    environment_.AllowExtras(extras);
    const TypeRef widget = WidgetType();
    environment_.AddVariable("self", widget);
    environment_.AddVariable("oldSelf", widget);
    environment_.AddVariable("object", Type::Dyn());
    environment_.AddVariable("oldObject", Type::Dyn());
    environment_.AddVariable("maybe", Type::Optional(widget));
  }

  struct Outcome {
    std::string text;  // the value; "! message" of an evaluation; "? messages" of the compiler
    int64_t cost = -1;
  };
  Outcome Run(std::string_view expression) const {
    const auto program = Compile(expression, environment_);
    if (!program.ok()) return {"? " + program.error().message, -1};
    CostBudget budget;
    uint64_t cost = 0;
    const auto value = program->Evaluate(activation(), &budget, &cost);
    if (!value.ok()) return {"! " + value.error().message, static_cast<int64_t>(cost)};
    return {value->ToString(), static_cast<int64_t>(cost)};
  }

  const Environment& environment() const { return environment_; }
  Activation activation() const {
    Activation activation(environment_);
    activation.Set(0, self_.Root());
    activation.Set(1, old_.Root());
    activation.Set(2, self_.Root());
    activation.Set(3, old_.Root());
    activation.Set(4, Value::None());
    return activation;
  }

 private:
  TestTree self_;
  TestTree old_;
  Environment environment_;
};

}  // namespace kueue::cel
