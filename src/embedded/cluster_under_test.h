#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "api/codec/json_text.h"
#include "api/schema/kind.h"
#include "embedded/control_plane.h"

// A whole control plane in virtual time, for tests.
namespace kueue::embedded {

class ClusterUnderTest {
 public:
  explicit ClusterUnderTest(const std::string& nodes = "3x(cpu=8)",
                            ControlPlaneOptions options = {})
      : executor(*base::ParseTime("2026-01-01T00:00:00Z")) {
    options.cluster.nodes = *localcluster::ParseNodeSpec(nodes);
    plane = std::make_unique<ControlPlane>(executor, base::Random(1), std::move(options));
    plane->Start();
    executor.RunFor(base::seconds(1));
  }

  struct Answer {
    int status = 0;
    std::string body;
  };
  Answer Ask(const std::string& method, const std::string& path, const std::string& body = "",
             const std::string& type = "application/json") {
    auto answer = std::make_shared<Answer>();
    net::Request request;
    request.method = method;
    request.target = path;
    request.body = body;
    request.headers = {{"content-type", type}};
    request.peer.trusted = true;
    plane->server().Handle(std::move(request), std::make_shared<Keeper>(answer));
    executor.RunFor(base::milliseconds(1));
    return *answer;
  }
  // Creates what the YAML says, in namespace default unless it says another.
  void Apply(const std::string& yaml) {
    const auto documents = api::ParseYaml(yaml);
    ASSERT_TRUE(documents.ok()) << documents.error().message;
    for (const api::Json& object : *documents) {
      if (!object.IsObject()) continue;
      const api::KindInfo* kind = api::FindKindOf(object);
      ASSERT_NE(kind, nullptr) << api::WriteJson(object);
      const std::string space = object.StringAt({"metadata", "namespace"}, "default");
      const Answer answer = Ask("POST", PathOf(*kind, space), api::WriteJson(object));
      ASSERT_EQ(answer.status, 201) << answer.body;
    }
  }
  Answer Patch(const api::KindInfo& kind, const std::string& name, const std::string& patch,
               const std::string& subresource = "") {
    const Answer answer = Ask("PATCH", PathOf(kind, "default") + "/" + name + subresource, patch,
                              "application/merge-patch+json");
    EXPECT_EQ(answer.status, 200) << answer.body;
    return answer;
  }
  void Delete(const api::KindInfo& kind, const std::string& name) {
    EXPECT_EQ(Ask("DELETE", PathOf(kind, "default") + "/" + name).status, 200);
  }

  std::vector<api::Json> All(const api::KindInfo& kind, const std::string& space = "default") {
    std::vector<api::Json> out;
    plane->server().store().Scan(kind, kind.namespaced ? space : "", "",
                                 [&](const auto&, const auto& object) {
                                   out.push_back(object->object());
                                   return true;
                                 });
    return out;
  }
  api::Json Get(const api::KindInfo& kind, const std::string& name) {
    for (api::Json& object : All(kind)) {
      if (object.StringAt({"metadata", "name"}) == name) return object;
    }
    return api::Json::MakeObject();
  }
  // Pods that neither ended nor are being deleted.
  std::vector<api::Json> LivePods() {
    std::vector<api::Json> out;
    for (api::Json& pod : All(api::KindOf<api::Pod>())) {
      const std::string phase = pod.StringAt({"status", "phase"});
      if (phase == "Succeeded" || phase == "Failed") continue;
      if (pod.FindPath({"metadata", "deletionTimestamp"}) == nullptr) out.push_back(pod);
    }
    return out;
  }
  static int64_t Number(const api::Json& object, std::initializer_list<std::string_view> path) {
    const api::Json* value = object.FindPath(path);
    return value != nullptr && value->IsInt() ? value->AsInt() : 0;
  }
  // "True/Reason" of a condition; "" if there is none.
  static std::string Condition(const api::Json& object, std::string_view type) {
    const api::Json* conditions = object.FindPath({"status", "conditions"});
    if (conditions == nullptr || !conditions->IsArray()) return "";
    for (const api::Json& condition : conditions->AsArray()) {
      if (condition.StringAt({"type"}) != type) continue;
      return condition.StringAt({"status"}) + "/" + condition.StringAt({"reason"});
    }
    return "";
  }
  static const api::KindInfo& Kind(const char* group, const char* kind) {
    return *api::FindKind(group, "v1", kind);
  }
  static std::string PathOf(const api::KindInfo& kind, const std::string& space) {
    std::string path = kind.group.empty() ? "/api/v1" : "/apis/" + kind.ApiVersion();
    if (kind.namespaced) path += "/namespaces/" + space;
    return path + "/" + std::string(kind.plural);
  }

  base::VirtualExecutor executor;
  std::unique_ptr<ControlPlane> plane;

 private:
  class Keeper final : public net::Responder {
   public:
    explicit Keeper(std::shared_ptr<Answer> answer) : answer_(std::move(answer)) {}
    void Start(int status, net::Headers) override { answer_->status = status; }
    void Write(std::string chunk) override { answer_->body += chunk; }
    void End() override {}
    bool Closed() const override { return false; }
    size_t Backlog() const override { return 0; }

   private:
    std::shared_ptr<Answer> answer_;
  };
};

}  // namespace kueue::embedded
