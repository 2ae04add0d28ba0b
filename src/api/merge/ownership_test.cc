#include "api/merge/ownership.h"

#include <gtest/gtest.h>

#include "api/codec/json_text.h"
#include "api/merge/typed_value.h"
#include "api/schema/kind.h"

namespace kueue::api {
namespace {

Json J(std::string_view text) {
  auto json = ParseJson(text);
  EXPECT_TRUE(json.ok()) << text;
  return json.ok() ? *json : Json();
}

const MergeSchema& ConfigMaps() { return MergeSchemaOf(*KindOf<ConfigMap>().table); }
const MergeSchema& Pods() { return MergeSchemaOf(*KindOf<Pod>().table); }

std::string Fields(const FieldSet& set) {
  std::string text;
  AppendFieldsText(set, text);
  return text;
}

class OneVersion final : public MergeVersions {
 public:
  explicit OneVersion(const MergeSchema& schema) : schema_(schema) {}
  const MergeSchema* SchemaOf(const std::string& version) const override {
    return version == "v1" ? &schema_ : nullptr;
  }
  bool Convert(const std::string&, const std::string&, Json&) const override { return true; }
  const FieldSet* NeverOwned(const std::string&) const override { return nullptr; }

 private:
  const MergeSchema& schema_;
};

Writing By(const std::string& manager, int second = 0) {
  return {manager, "v1", "", base::Time(base::seconds(1000 + second))};
}

TEST(FieldsV1, GoesThereAndBack) {
  const std::string text =
      R"({"f:metadata":{"f:labels":{".":{},"f:a":{}}},"f:spec":{"f:ports":)"
      R"({"k:{\"port\":80,\"protocol\":\"TCP\"}":{".":{},"f:port":{}},)"
      R"("k:{\"port\":443,\"protocol\":\"TCP\"}":{}},"f:set":{"v:\"x\"":{},"i:3":{}}}})";
  const auto set = DecodeFields(J(text));
  ASSERT_TRUE(set.ok());
  // Numbers sort as numbers, values before positions.
  EXPECT_EQ(Fields(*set), text);
  EXPECT_EQ(WriteJson(EncodeFields(*set)), text);
}

TEST(FieldsV1, PassesOverElementsOfAnUnknownKind) {
  const auto set = DecodeFields(J(R"({"x:new":{},"f:a":{"z:9":{}}})"));
  ASSERT_TRUE(set.ok());
  EXPECT_EQ(Fields(*set), R"({"f:a":{}})");
  EXPECT_FALSE(DecodeFields(J(R"({"f":{}})")).ok());
  EXPECT_FALSE(DecodeFields(J(R"({"i:one":{}})")).ok());
  EXPECT_FALSE(DecodeFields(J(R"({"f:a":1})")).ok());
}

TEST(FieldSet, KnowsDifferencesOfParentsAndChildren) {
  const FieldSet all = *DecodeFields(J(R"({"f:a":{".":{},"f:b":{".":{},"f:c":{}}}})"));
  const FieldSet parent = *DecodeFields(J(R"({"f:a":{"f:b":{}}})"));
  EXPECT_EQ(Fields(FieldSet::Difference(all, parent)), R"({"f:a":{".":{},"f:b":{"f:c":{}}}})");
  EXPECT_EQ(Fields(FieldSet::RecursiveDifference(all, parent)), R"({"f:a":{}})");
  EXPECT_EQ(Fields(FieldSet::Intersection(all, parent)), R"({"f:a":{"f:b":{}}})");
  EXPECT_TRUE(FieldSet::Union(FieldSet::Difference(all, parent), parent) == all);
}

TEST(TypedValue, SetsNameEntriesByTheirKeys) {
  const Json pod = J(R"({"spec":{"containers":[{"name":"c","ports":[{"containerPort":80}],
                        "args":["x"],"resources":{}}],"nodeSelector":{"a":"b"}}})");
  EXPECT_EQ(Fields(FieldsOf(Pods(), pod)),
            R"({"f:spec":{"f:containers":{"k:{\"name\":\"c\"}":{".":{},"f:args":{},"f:name":{},)"
            R"("f:ports":{"k:{\"containerPort\":80,\"protocol\":\"TCP\"}":{".":{},)"
            R"("f:containerPort":{}}},"f:resources":{}}},"f:nodeSelector":{}}})");
}

TEST(TypedValue, MergedListsKeepTheOrderOfBoth) {
  const auto names = [](std::string_view live, std::string_view config) {
    const auto list = [](std::string_view letters) {
      Json out = Json::MakeArray();
      for (const char c : letters) {
        Json item;
        item.Set("name", std::string(1, c));
        out.Append(std::move(item));
      }
      Json pod;
      pod["spec"].Set("containers", std::move(out));
      return pod;
    };
    const auto merged = MergeTyped(Pods(), list(live), list(config));
    std::string order;
    if (!merged.ok()) return merged.error().message;
    for (const Json& item : merged->FindPath({"spec", "containers"})->AsArray()) {
      order += item.StringAt({"name"});
    }
    return order;
  };
  EXPECT_EQ(names("abc", "cb"), "acb");
  EXPECT_EQ(names("abc", "xbz"), "axbcz");
  EXPECT_EQ(names("", "ba"), "ba");
  EXPECT_EQ(names("aab", "b"), "aab");
  EXPECT_NE(names("a", "bb").find("more than one"), std::string::npos);
}

TEST(TypedValue, FaultsAreNamedWithTheirPath) {
  const auto wrong = CheckTyped(Pods(), J(R"({"spec":{"containers":[{"name":"c","image":5},
                                              {"name":"c"}],"bogus":1}})"),
                                false);
  ASSERT_FALSE(wrong.ok());
  const std::string& message = wrong.error().message;
  EXPECT_NE(message.find(".spec.containers[name=\"c\"].image: must be a string"), std::string::npos)
      << message;
  EXPECT_NE(message.find(".spec.bogus: no such field"), std::string::npos) << message;
  EXPECT_NE(message.find("more than one"), std::string::npos) << message;
}

TEST(Ownership, FieldsChangeHandsWithUpdates) {
  const OneVersion versions(ConfigMaps());
  const Json first = J(R"({"data":{"k":"1","l":"1"}})"), second = J(R"({"data":{"k":"2"}})");
  ManagedFields owned = TrackUpdate(versions, By("a"), J("{}"), first, {});
  ASSERT_EQ(owned.size(), 1u);
  EXPECT_EQ(Fields(owned[0].set()), R"({"f:data":{".":{},"f:k":{},"f:l":{}}})");
  owned = TrackUpdate(versions, By("b", 1), first, second, owned);
  ASSERT_EQ(owned.size(), 2u);
  EXPECT_EQ(Fields(owned[0].set()), R"({"f:data":{}})");
  EXPECT_EQ(owned[0].time, By("a").now);
  EXPECT_EQ(owned[1].manager, "b");
  EXPECT_EQ(Fields(owned[1].set()), R"({"f:data":{"f:k":{}}})");
}

TEST(Ownership, TheOldestUpdatersAreMerged) {
  const OneVersion versions(ConfigMaps());
  Json before = J("{}");
  ManagedFields owned;
  for (int i = 0; i < 12; ++i) {
    Json after = before;
    after["data"].Set("k" + std::to_string(i), "v");
    owned = TrackUpdate(versions, By("m" + std::to_string(i), i), before, after, owned);
    before = after;
  }
  ASSERT_EQ(owned.size(), 10u);
  EXPECT_EQ(owned[0].manager, "ancient-changes");
  EXPECT_EQ(Fields(owned[0].set()), R"({"f:data":{".":{},"f:k0":{},"f:k1":{},"f:k2":{}}})");
  EXPECT_EQ(owned[1].manager, "m3");
}

TEST(Ownership, WhatIsNoLongerAppliedGoesUnlessOthersHaveIt) {
  const OneVersion versions(ConfigMaps());
  const auto apply = [&](const char* manager, Json live, const char* config,
                         const ManagedFields& owned, bool force) {
    auto applied = ApplyConfiguration(versions, By(manager), live, J(config), owned, force);
    EXPECT_TRUE(applied.ok());
    return *applied;
  };
  Applied one = apply("one", J("{}"), R"({"data":{"k":"1","l":"1"}})", {}, false);
  Applied two = apply("two", *one.object, R"({"data":{"l":"1"}})", one.managed, false);
  EXPECT_FALSE(two.object);  // two only shares a field
  EXPECT_FALSE(two.managed[0].time);
  Applied less = apply("one", *one.object, R"({"data":{}})", two.managed, false);
  EXPECT_EQ(WriteJson(*less.object), R"({"data":{"l":"1"}})");
  const Applied conflict = apply("one", *less.object, R"({"data":{"l":"2"}})", less.managed, false);
  ASSERT_EQ(conflict.conflicts.size(), 1u);
  EXPECT_EQ(ConflictText(conflict.conflicts),
            R"(Apply failed with 1 conflict: conflict with "two": .data.l)");
  const Applied forced = apply("one", *less.object, R"({"data":{"l":"2"}})", less.managed, true);
  ASSERT_EQ(forced.managed.size(), 1u);
  EXPECT_EQ(forced.managed[0].manager, "one");
}

TEST(Ownership, FieldsOfVersionsThatAreGoneAreForgotten) {
  const OneVersion versions(ConfigMaps());
  Writing old = By("a");
  ManagedFields owned = TrackUpdate(versions, old, J("{}"), J(R"({"data":{"k":"1"}})"), {});
  owned[0].api_version = "v0";
  owned =
      TrackUpdate(versions, By("b"), J(R"({"data":{"k":"1"}})"), J(R"({"data":{"k":"2"}})"), owned);
  ASSERT_EQ(owned.size(), 1u);
  EXPECT_EQ(owned[0].manager, "b");
}

TEST(Ownership, OwnersOfAPartOfAnAtomicValueOwnTheWhole) {
  const OneVersion versions(Pods());
  const Json list = J(R"([{"manager":"a","operation":"Update","apiVersion":"v1",
      "fieldsType":"FieldsV1","fieldsV1":{"f:spec":{"f:nodeSelector":{"f:x":{}}}}}])");
  auto owned = DecodeManagedFields(&list);
  ASSERT_TRUE(owned.ok());
  Reconcile(versions, *owned);
  EXPECT_EQ(Fields((*owned)[0].set()), R"({"f:spec":{"f:nodeSelector":{}}})");
}

TEST(ManagedFieldsList, IsReadOnlyIfItIsWhole) {
  const auto readable = [](const char* text) {
    const Json list = J(text);
    return DecodeManagedFields(&list).ok();
  };
  EXPECT_TRUE(readable("[]"));
  EXPECT_FALSE(readable(R"([{"manager":"a","operation":"Other","apiVersion":"v1",
                            "fieldsType":"FieldsV1"}])"));
  EXPECT_FALSE(readable(R"([{"manager":"a","operation":"Apply","fieldsType":"FieldsV1"}])"));
  EXPECT_FALSE(readable(R"([{"manager":"a","operation":"Apply","apiVersion":"v1"}])"));
  const Json empty = J("[{}]");
  EXPECT_TRUE(ResetsManagedFields(&empty));
}

TEST(Scale, HasOnlyTheReplicasOfItsObject) {
  static const FieldPath kReplicas{PathElement::Field("spec"), PathElement::Field("replicas")};
  const ScaleMapping mapping{[](const void*, const std::string&) { return &kReplicas; }, nullptr,
                             "apps/v1"};
  const Json list = J(R"([{"manager":"a","operation":"Apply","apiVersion":"apps/v1",
      "fieldsType":"FieldsV1","fieldsV1":{"f:spec":{"f:paused":{},"f:replicas":{}}}}])");
  const ManagedFields parent = *DecodeManagedFields(&list);
  ManagedFields scale = ToScale(mapping, parent);
  ASSERT_EQ(scale.size(), 1u);
  EXPECT_EQ(scale[0].api_version, "autoscaling/v1");
  scale[0].manager = "scaler";
  const ManagedFields back = FromScale(mapping, parent, scale);
  ASSERT_EQ(back.size(), 2u);
  EXPECT_EQ(Fields(back[0].set()), R"({"f:spec":{"f:paused":{}}})");
  EXPECT_EQ(back[1].manager, "scaler");
  EXPECT_EQ(back[1].api_version, "apps/v1");
}

TEST(StructuralSchema, MarksListsAndMaps) {
  const Json schema = J(R"({"type":"object","properties":{
      "items":{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["id"],
               "items":{"type":"object","properties":{"id":{"type":"integer","default":7},
                                                      "v":{"type":"string"}}}},
      "whole":{"type":"object","x-kubernetes-map-type":"atomic"},
      "any":{"x-kubernetes-preserve-unknown-fields":true}}})");
  const auto owned = OwnedMergeSchema::OfStructural(schema, MergeSchema::Deduced());
  EXPECT_EQ(Fields(FieldsOf(owned->root(), J(R"({"items":[{"v":"a"}],"whole":{"x":1},
                                                 "any":{"y":[1]}})"))),
            R"({"f:any":{"f:y":{}},"f:items":{"k:{\"id\":7}":{".":{},"f:v":{}}},"f:whole":{}})");
  EXPECT_FALSE(CheckTyped(owned->root(), J(R"({"other":1})"), false).ok());
}

}  // namespace
}  // namespace kueue::api
