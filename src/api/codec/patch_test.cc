#include "api/codec/patch.h"

#include <gtest/gtest.h>

#include "api/codec/json_text.h"

namespace kueue::api {
namespace {

Json Parse(std::string_view text) {
  auto parsed = ParseJson(text);
  EXPECT_TRUE(parsed.ok()) << text;
  return parsed.ok() ? *std::move(parsed) : Json();
}

TEST(MergePatch, Rfc7386Examples) {
  const char* cases[][3] = {
      {R"({"a":"b"})", R"({"a":"c"})", R"({"a":"c"})"},
      {R"({"a":"b"})", R"({"b":"c"})", R"({"a":"b","b":"c"})"},
      {R"({"a":"b"})", R"({"a":null})", R"({})"},
      {R"({"a":"b","b":"c"})", R"({"a":null})", R"({"b":"c"})"},
      {R"({"a":["b"]})", R"({"a":"c"})", R"({"a":"c"})"},
      {R"({"a":"c"})", R"({"a":["b"]})", R"({"a":["b"]})"},
      {R"({"a":{"b":"c"}})", R"({"a":{"b":"d","c":null}})", R"({"a":{"b":"d"}})"},
      {R"({"a":[{"b":"c"}]})", R"({"a":[1]})", R"({"a":[1]})"},
      {R"(["a","b"])", R"(["c","d"])", R"(["c","d"])"},
      {R"({"a":"b"})", R"(["c"])", R"(["c"])"},
      {R"({"a":"foo"})", "null", "null"},
      {R"({"e":null})", R"({"a":1})", R"({"e":null,"a":1})"},
      {R"([1,2])", R"({"a":"b","c":null})", R"({"a":"b"})"},
      {R"({})", R"({"a":{"bb":{"ccc":null}}})", R"({"a":{"bb":{}}})"},
  };
  for (const auto& [target, patch, want] : cases) {
    EXPECT_EQ(WriteJson(ApplyMergePatch(Parse(target), Parse(patch))), want) << target << patch;
  }
}

TEST(MergePatch, ManyMembers) {
  Json target, patch, want;
  for (int i = 0; i < 500; ++i) {
    const std::string key = "k" + std::to_string(i);
    target.Set(key, i);
    patch.Set(key, i % 2 == 0 ? Json() : Json(-i));
    if (i % 2 == 1) want.Set(key, -i);
  }
  const Json merged = ApplyMergePatch(target, patch);
  EXPECT_EQ(merged, want);
  EXPECT_EQ(ApplyMergePatch(target, DiffMergePatch(target, want)), want);
}

TEST(DiffMergePatch, IsSmallestAndTurnsBeforeIntoAfter) {
  const char* cases[][3] = {
      {R"({"a":1,"b":2})", R"({"b":2,"a":1})", "{}"},
      {R"({"a":1,"b":2})", R"({"b":2})", R"({"a":null})"},
      {R"({"a":{"x":1,"y":2}})", R"({"a":{"x":1,"y":3}})", R"({"a":{"y":3}})"},
      {R"({"a":[1,2]})", R"({"a":[1,3]})", R"({"a":[1,3]})"},
      {R"({"a":1})", R"({"a":{"b":2}})", R"({"a":{"b":2}})"},
      {R"({"a":{"b":2}})", R"({"a":"s"})", R"({"a":"s"})"},
      {R"({"a":1})", R"({"a":1.0})", "{}"},
      {R"({"a":null})", R"({})", "{}"},
      {R"({})", R"({"a":null})", "{}"},
  };
  for (const auto& [before, after, want] : cases) {
    EXPECT_EQ(WriteJson(DiffMergePatch(Parse(before), Parse(after))), want) << before << after;
  }
}

std::string Patched(std::string_view target, std::string_view patch) {
  const auto result = ApplyJsonPatch(Parse(target), Parse(patch));
  return result.ok() ? WriteJson(*result) : "error: " + result.error().message;
}

TEST(JsonPatch, Operations) {
  EXPECT_EQ(Patched(R"({"a":1})", R"([{"op":"add","path":"/b","value":[1]},
                                      {"op":"add","path":"/b/-","value":3},
                                      {"op":"add","path":"/b/1","value":2}])"),
            R"({"a":1,"b":[1,2,3]})");
  EXPECT_EQ(Patched(R"({"a":[1,2,3],"b":1})",
                    R"([{"op":"remove","path":"/a/1"},{"op":"remove","path":"/b"}])"),
            R"({"a":[1,3]})");
  EXPECT_EQ(Patched(R"({"a":[1,2]})", R"([{"op":"replace","path":"/a/0","value":{"x":1}}])"),
            R"({"a":[{"x":1},2]})");
  EXPECT_EQ(Patched(R"({"a":{"x":1}})", R"([{"op":"move","from":"/a/x","path":"/b"},
                                            {"op":"copy","from":"/b","path":"/a/y"}])"),
            R"({"a":{"y":1},"b":1})");
  EXPECT_EQ(Patched(R"({"a/b":1,"m~n":2})", R"([{"op":"test","path":"/a~1b","value":1.0},
                                                {"op":"replace","path":"/m~0n","value":3}])"),
            R"({"a/b":1,"m~n":3})");
  EXPECT_EQ(Patched("1", R"([{"op":"replace","path":"","value":[]}])"), "[]");
}

TEST(JsonPatch, ErrorsNameOperationAndPath) {
  const std::string error =
      Patched(R"({"a":1})", R"([{"op":"test","path":"/a","value":1},{"op":"remove","path":"/x"}])");
  EXPECT_NE(error.find("operation 1"), std::string::npos) << error;
  EXPECT_NE(error.find("/x"), std::string::npos) << error;
}

TEST(JsonPatch, RefusesWhatIsWrong) {
  for (const char* patch :
       {"{}", "[1]", R"([{"op":"frob","path":"/a"}])", R"([{"op":"add","path":"a","value":1}])",
        R"([{"op":"add","path":"/a/b","value":1}])", R"([{"op":"add","path":"","value":{}}])",
        R"([{"op":"add","path":"/l/5","value":1}])", R"([{"op":"add","path":"/l/x","value":1}])",
        R"([{"op":"remove","path":""}])", R"([{"op":"remove","path":"/l/-"}])",
        R"([{"op":"test","path":"/a","value":2}])", R"([{"op":"test","path":"/x","value":2}])",
        R"([{"op":"replace","path":"/l/0","value":2}])", R"([{"op":"move","from":"/x","path":"/y"}])",
        R"([{"op":"move","from":"/o","path":"/o/p"}])", R"([{"op":"copy","path":"/x"}])"}) {
    EXPECT_EQ(Patched(R"({"a":1,"l":[],"o":{}})", patch).substr(0, 6), "error:") << patch;
  }
}

// Where RFC 6902 refuses and a Kubernetes API server does not.
TEST(JsonPatch, TakesWhatIsAbsentForNull) {
  const char* target = R"({"a":1,"l":[1,2]})";
  EXPECT_EQ(Patched(target, R"([{"op":"replace","path":"/x","value":2}])"),
            R"({"a":1,"l":[1,2],"x":2})");
  EXPECT_EQ(Patched(target, R"([{"op":"add","path":"/x"}])"), R"({"a":1,"l":[1,2],"x":null})");
  EXPECT_EQ(Patched(target, R"([{"op":"copy","from":"/y","path":"/x"}])"),
            R"({"a":1,"l":[1,2],"x":null})");
  EXPECT_EQ(Patched(target, R"([{"op":"test","path":"/x","value":null}])"), target);
  EXPECT_EQ(Patched(target, R"([{"op":"replace","path":"/l/-1","value":3}])"),
            R"({"a":1,"l":[1,3]})");
  EXPECT_EQ(Patched(target, R"([{"op":"add","path":"/l/-1","value":3}])"),
            R"({"a":1,"l":[1,2,3]})");
  EXPECT_EQ(Patched(target, R"([{"op":"add","path":"l/a","value":3}])"), R"({"a":3,"l":[1,2]})");
}

TEST(JsonPatch, GrowthAndDepthAreBounded) {
  std::string copies = "[";
  for (int i = 0; i < 60; ++i) {
    copies += i % 2 == 0 ? R"({"op":"copy","from":"","path":"/x"},)"
                         : R"({"op":"copy","from":"","path":"/y"},)";
  }
  copies.back() = ']';
  EXPECT_NE(Patched(R"({"a":"0123456789"})", copies).find("too much"), std::string::npos);
  std::string nest = "[";
  for (int i = 0; i < 2000; ++i) {
    nest += R"({"op":"add","path":"/b","value":{}},{"op":"move","from":"/a","path":"/b/a"},)"
            R"({"op":"move","from":"/b","path":"/a"},)";
  }
  nest.back() = ']';
  EXPECT_NE(Patched(R"({"a":1})", nest).find("deep"), std::string::npos);
}

}  // namespace
}  // namespace kueue::api
