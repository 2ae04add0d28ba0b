#include "integrations/topology_request.h"

#include <gtest/gtest.h>

#include "api/types/names.h"

namespace kueue::integrations {
namespace {

namespace names = api::names;

api::ObjectMeta Meta(const api::StringMap& annotations) {
  api::ObjectMeta meta;
  meta.annotations = annotations;
  return meta;
}
std::optional<api::PodSetTopologyRequest> Request(const api::StringMap& annotations,
                                                  const IndexLabels& labels = {}) {
  auto request = TopologyRequestOf(Meta(annotations), labels);
  EXPECT_TRUE(request.ok());
  return request.ok() ? *request : std::nullopt;
}
// "type field" of every error.
std::vector<std::string> Errors(const api::StringMap& annotations, int32_t count,
                                bool layers = true) {
  std::vector<std::string> out;
  for (const auto& e : CheckTopologyAnnotations(Meta(annotations), "m", count, layers)) {
    out.push_back(std::string(api::CauseReason(e.type)) + " " + e.field);
  }
  return out;
}
using Texts = std::vector<std::string>;
std::string At(const char* key) { return std::string("m.annotations[") + key + "]"; }

TEST(TopologyRequest, RequiredWinsOverPreferredOverUnconstrained) {
  const auto all = Request({{names::kRequiredTopology, "rack"},
                            {names::kPreferredTopology, "block"},
                            {names::kUnconstrainedTopology, "true"}});
  EXPECT_EQ(all->required, "rack");
  EXPECT_FALSE(all->preferred || all->unconstrained);
  EXPECT_EQ(Request({{names::kUnconstrainedTopology, "f"}})->unconstrained, false);
}

TEST(TopologyRequest, IsAbsentWithoutAnyWord) {
  EXPECT_FALSE(Request({}));
  EXPECT_FALSE(Request({{names::kSliceSize, "2"}}));
  EXPECT_EQ(Request({}, {"index", "", {}})->pod_index_label, "index");
}

TEST(TopologyRequest, GroupNameGoesOnlyWithAPlace) {
  EXPECT_FALSE(Request({{names::kPodSetGroupName, "g"}}, {"i", "", {}})->pod_set_group_name);
  const auto grouped =
      Request({{names::kPodSetGroupName, "g"}, {names::kRequiredTopology, "rack"}});
  EXPECT_EQ(grouped->pod_set_group_name, "g");
}

TEST(TopologyRequest, LayersAreReadAndWinOverThePair) {
  const auto request =
      Request({{names::kSliceTopologyConstraints,
                R"([{"topology":"rack","size":4},{"topology":"kubernetes.io/hostname","size":2}])"},
               {names::kSliceRequiredTopology, "rack"},
               {names::kSliceSize, "4"}});
  ASSERT_EQ(request->podset_slice_required_topology_constraints.size(), 2u);
  EXPECT_EQ(request->podset_slice_required_topology_constraints[1].size, 2);
  EXPECT_FALSE(request->pod_set_slice_size);
}

TEST(TopologyRequest, WhatCannotBeReadIsAnError) {
  for (const char* text : {"", "{}", "[]", "[1]", R"([{"topology":"a","size":1.5}])",
                           R"([{"topology":"a","size":99999999999}])", R"([{},{},{},{}])"}) {
    EXPECT_FALSE(TopologyRequestOf(Meta({{names::kSliceTopologyConstraints, text}}), {}).ok())
        << text;
  }
  EXPECT_FALSE(TopologyRequestOf(Meta({{names::kUnconstrainedTopology, "maybe"}}), {}).ok());
}

TEST(TopologyAnnotations, OnlyOneOfThreeAndWellFormed) {
  EXPECT_EQ(Errors({{names::kRequiredTopology, "rack"}, {names::kPreferredTopology, "rack"}}, 3),
            Texts{"FieldValueInvalid m.annotations"});
  EXPECT_EQ(Errors({{names::kRequiredTopology, "bad key!"}}, 3).front(),
            "FieldValueInvalid " + At(names::kRequiredTopology));
  EXPECT_EQ(Errors({{names::kUnconstrainedTopology, "maybe"}}, 3),
            Texts{"FieldValueInvalid " + At(names::kUnconstrainedTopology)});
}

TEST(TopologyAnnotations, SliceSizeAndLevelGoTogetherAndFit) {
  EXPECT_EQ(Errors({{names::kSliceRequiredTopology, "rack"}}, 3),
            Texts{"FieldValueRequired " + At(names::kSliceSize)});
  EXPECT_EQ(Errors({{names::kSliceSize, "2"}}, 1),
            (Texts{"FieldValueForbidden " + At(names::kSliceSize),
                   "FieldValueInvalid " + At(names::kSliceSize)}));
  EXPECT_TRUE(
      Errors({{names::kSliceRequiredTopology, "rack"}, {names::kSliceSize, "3"}}, 3).empty());
}

TEST(TopologyAnnotations, GroupNamesAreNoNumbersAndNeedAPlace) {
  EXPECT_EQ(Errors({{names::kPodSetGroupName, "7"}, {names::kRequiredTopology, "rack"}}, 1),
            Texts{"FieldValueInvalid " + At(names::kPodSetGroupName)});
  EXPECT_EQ(Errors({{names::kPodSetGroupName, "g"}}, 1),
            Texts{"FieldValueForbidden " + At(names::kPodSetGroupName)});
}

TEST(TopologyAnnotations, EachLayerDividesTheOneBefore) {
  const std::string key = names::kSliceTopologyConstraints;
  EXPECT_EQ(Errors({{key, R"([{"topology":"b","size":4},{"topology":"b","size":3}])"}}, 2),
            (Texts{"FieldValueDuplicate " + At(key.c_str()) + "[1].topology",
                   "FieldValueInvalid " + At(key.c_str()) + "[1].size",
                   "FieldValueInvalid " + At(key.c_str())}));
  EXPECT_EQ(Errors({{key, R"([{"topology":"b","size":4}])"}}, 4, false),
            Texts{"FieldValueForbidden " + At(key.c_str())});
}

TEST(TopologyGroups, TwoPodSetsOneOfThemSingleAndTheSamePlace) {
  const api::ObjectMeta leader =
      Meta({{names::kPodSetGroupName, "g"}, {names::kRequiredTopology, "rack"}});
  const api::ObjectMeta other =
      Meta({{names::kPodSetGroupName, "g"}, {names::kRequiredTopology, "block"}});
  EXPECT_TRUE(CheckTopologyGroups({{&leader, "a", 1}, {&leader, "b", 5}}).empty());
  EXPECT_EQ(CheckTopologyGroups({{&leader, "a", 1}}).size(), 1u);
  EXPECT_EQ(CheckTopologyGroups({{&leader, "a", 2}, {&leader, "b", 5}}).size(), 2u);
  const auto differ = CheckTopologyGroups({{&leader, "a", 1}, {&other, "b", 5}});
  ASSERT_EQ(differ.size(), 2u);
  EXPECT_EQ(differ[0].field, "a.annotations");
}

}  // namespace
}  // namespace kueue::integrations
