#include "api/types/json.h"

#include <gtest/gtest.h>

namespace kueue::api {
namespace {

Json Number(const char* text) { return Json(Json::Number{text}); }

TEST(Json, EqualsByMeaning) {
  Json a, b;
  a.Set("x", 1);
  a.Set("y", "z");
  b.Set("y", "z");
  b.Set("x", 1);
  EXPECT_EQ(a, b);
  b.Set("x", 2);
  EXPECT_FALSE(a == b);
}

TEST(Json, LargeObjectsCompareInAnyOrder) {
  Json a, b;
  for (int i = 0; i < 200; ++i) a.Set("k" + std::to_string(i), i);
  for (int i = 199; i >= 0; --i) b.Set("k" + std::to_string(i), i);
  EXPECT_EQ(a, b);
}

TEST(Json, NumbersCompareByValue) {
  EXPECT_EQ(Json(1), Number("1.0"));
  EXPECT_EQ(Number("1e3"), Json(1000));
  EXPECT_EQ(Number("0.0"), Json(0));
  EXPECT_EQ(Number("-0"), Json(0));
  EXPECT_EQ(Number("12.5"), Number("1.25e1"));
  EXPECT_FALSE(Number("1e30") == Number("1e31"));
  EXPECT_FALSE(Number("-1.5") == Number("1.5"));
  // Exponents nobody can mean must cost nothing.
  EXPECT_FALSE(Number("1e999999999999999999999") == Json(1));
}

TEST(Json, TypesDiffer) {
  EXPECT_FALSE(Json(1) == Json("1"));
  EXPECT_FALSE(Json() == Json(false));
  EXPECT_FALSE(Json::MakeArray() == Json::MakeObject());
}

TEST(Json, FindsByPath) {
  Json object;
  object["metadata"].Set("name", "a");
  object["metadata"].Set("generation", 3);
  EXPECT_EQ(object.StringAt({"metadata", "name"}), "a");
  EXPECT_EQ(object.StringAt({"metadata", "generation"}, "none"), "none");
  EXPECT_EQ(object.FindPath({"metadata", "absent"}), nullptr);
  EXPECT_EQ(Json(1).Find("x"), nullptr);
}

TEST(Json, EditsMembers) {
  Json object;
  object.Set("a", 1);
  object.Set("b", 2);
  EXPECT_TRUE(object.Erase("a"));
  EXPECT_FALSE(object.Erase("a"));
  EXPECT_EQ(object.size(), 1u);
  Json array;
  array.Append("x");
  EXPECT_EQ(array.AsArray().size(), 1u);
}

TEST(Extra, EmptyAndAbsentAreEqual) {
  Extra a, b;
  EXPECT_EQ(a, b);
  a.Add("x", 1);
  EXPECT_FALSE(a == b);
  b = a;
  EXPECT_EQ(a, b);
}

}  // namespace
}  // namespace kueue::api
