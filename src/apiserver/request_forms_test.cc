#include <gtest/gtest.h>

#include "apiserver/kind_registry.h"
#include "apiserver/media_type.h"
#include "apiserver/options.h"
#include "apiserver/request_path.h"

// Paths, media types and options: what a request says before it does anything.
namespace kueue::apiserver {
namespace {

TEST(MediaType, TheFirstFormThatFitsIsTaken) {
  const auto shape = [](const char* accept, AnswerKind answer) {
    const auto form = Negotiate(accept, answer);
    return form ? static_cast<int>(form->shape) : -1;
  };
  const int object = static_cast<int>(Shape::kObject), table = static_cast<int>(Shape::kTable);
  EXPECT_EQ(shape("", AnswerKind::kSingle), object);
  EXPECT_EQ(shape("*/*", AnswerKind::kSingle), object);
  EXPECT_EQ(shape("text/html", AnswerKind::kSingle), -1);
  EXPECT_EQ(shape("application/json;as=Table;v=v1;g=meta.k8s.io,application/json",
                  AnswerKind::kList), table);
  EXPECT_EQ(shape("application/json;as=Table;v=v9;g=meta.k8s.io", AnswerKind::kList), -1);
  EXPECT_EQ(shape("application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io",
                  AnswerKind::kSingle), -1);
  EXPECT_EQ(shape("application/vnd.kubernetes.protobuf,application/json", AnswerKind::kSingle),
            object);
}

TEST(Options, ContinueTokensSurviveTheTrip) {
  const auto token = DecodeContinue(EncodeContinue({42, std::string("a/b\0", 4)}));
  ASSERT_TRUE(token);
  EXPECT_EQ(token->revision, 42);
  EXPECT_EQ(token->start, std::string("a/b\0", 4));
  EXPECT_FALSE(DecodeContinue("garbage"));
  EXPECT_FALSE(DecodeContinue("e30"));
}

TEST(Options, VersionMatchNeedsAVersion) {
  const auto code = [](const char* query) {
    const auto list = ParseListRequest(net::ParseTarget(std::string("/x?") + query));
    return list.ok() ? 200 : list.error().code;
  };
  EXPECT_EQ(code("resourceVersionMatch=Exact"), 422);
  EXPECT_EQ(code("resourceVersionMatch=Exact&resourceVersion=0"), 422);
  EXPECT_EQ(code("resourceVersionMatch=Exact&resourceVersion=5"), 200);
  EXPECT_EQ(code("limit=x"), 400);
  EXPECT_EQ(code("watch=1&sendInitialEvents=true"), 422);
}

TEST(RequestPath, ResourcesAndScopes) {
  const KindRegistry kinds;
  const auto parse = [&](const char* target) {
    ResourcePath path;
    const auto outcome = ParseResourcePath(net::ParseTarget(target).path, kinds, path);
    if (outcome == PathOutcome::kNotFoundStatus) return std::string("status 404");
    if (outcome == PathOutcome::kNotFoundText) return std::string("text 404");
    return path.namespace_name + "|" + std::string(path.kind ? path.kind->kind : "virtual") + "|" +
           path.name + "|" + path.subresource;
  };
  EXPECT_EQ(parse("/api/v1/pods"), "|Pod||");
  EXPECT_EQ(parse("/api/v1/namespaces/n/pods/p/log"), "n|Pod|p|log");
  EXPECT_EQ(parse("/api/v1/namespaces/n"), "|Namespace|n|");
  EXPECT_EQ(parse("/api/v1/namespaces/n/finalize"), "|Namespace|n|finalize");
  EXPECT_EQ(parse("/apis/batch/v1/namespaces/n/jobs/j/status"), "n|Job|j|status");
  EXPECT_EQ(parse("/api/v1/namespaces/n/nodes"), "status 404");
  EXPECT_EQ(parse("/api/v1/pods/p"), "status 404");
  EXPECT_EQ(parse("/apis/none.io/v1/things"), "text 404");
  EXPECT_EQ(parse("/apis/kueue.x-k8s.io/v1beta2/nothings"), "text 404");
  EXPECT_EQ(parse("/apis/authorization.k8s.io/v1/selfsubjectaccessreviews"), "|virtual||");
}

}  // namespace
}  // namespace kueue::apiserver
