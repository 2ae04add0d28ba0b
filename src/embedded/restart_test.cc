#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "api/codec/json_text.h"
#include "apiserver/storage/sqlite_storage.h"
#include "embedded/control_plane.h"

// The control plane dies in the middle of its work, again and again, and goes on.
namespace kueue::embedded {
namespace {

const char* const kQueues[] = {
    R"({"apiVersion":"kueue.x-k8s.io/v1beta2","kind":"ResourceFlavor","metadata":{"name":"f"}})",
    R"({"apiVersion":"kueue.x-k8s.io/v1beta2","kind":"ClusterQueue","metadata":{"name":"cq"},
        "spec":{"namespaceSelector":{},"resourceGroups":[{"coveredResources":["cpu"],
        "flavors":[{"name":"f","resources":[{"name":"cpu","nominalQuota":"4"}]}]}]}})",
    R"({"apiVersion":"kueue.x-k8s.io/v1beta2","kind":"LocalQueue",
        "metadata":{"name":"lq","namespace":"default"},"spec":{"clusterQueue":"cq"}})"};

std::string JobOf(int number) {
  return R"({"apiVersion":"batch/v1","kind":"Job","metadata":{"name":"j)" + std::to_string(number) +
         R"(","namespace":"default","labels":{"kueue.x-k8s.io/queue-name":"lq"}},"spec":{)"
         R"("parallelism":2,"completions":2,"suspend":true,"template":{"metadata":{"annotations":)"
         R"({"kueue-cpp.dev/run-seconds":"20"}},"spec":{"restartPolicy":"Never","containers":[)"
         R"({"name":"c","image":"i","resources":{"requests":{"cpu":"1"}}}]}}}})";
}

class Life {
 public:
  Life(const std::string& path, base::Time now, uint64_t seed) : executor(now) {
    apiserver::SqliteOptions sqlite;
    sqlite.path = path;
    auto opened = apiserver::SqliteStorage::Open(sqlite, executor, executor);
    EXPECT_TRUE(opened.ok()) << (opened.ok() ? "" : opened.error().message);
    storage_ = std::move(*opened);
    ControlPlaneOptions options;
    options.server.store.storage = storage_.get();
    options.cluster.nodes = *localcluster::ParseNodeSpec("2x(cpu=8)");
    plane_ = std::make_unique<ControlPlane>(executor, base::Random(seed), std::move(options));
    plane_->Start();
  }

  void Create(const std::string& path, const std::string& body) {
    net::Request request;
    request.method = "POST";
    request.target = path;
    request.body = body;
    request.peer.trusted = true;
    plane_->server().Handle(std::move(request), std::make_shared<Nobody>());
    executor.RunFor(base::milliseconds(10));
  }

  std::vector<api::Json> All(const api::KindInfo& kind) {
    std::vector<api::Json> out;
    plane_->server().store().Scan(kind, "", "", [&](const auto&, const auto& object) {
      out.push_back(object->object());
      return true;
    });
    return out;
  }

  size_t JobsThatAre(const std::string& condition) {
    size_t count = 0;
    for (const api::Json& job : All(api::KindOf<api::Job>())) {
      const api::Json* conditions = job.FindPath({"status", "conditions"});
      if (conditions == nullptr) continue;
      for (const api::Json& one : conditions->AsArray()) {
        if (one.StringAt({"type"}) == condition && one.StringAt({"status"}) == "True") ++count;
      }
    }
    return count;
  }

  base::VirtualExecutor executor;

 private:
  class Nobody final : public net::Responder {
   public:
    void Start(int status, net::Headers) override { EXPECT_EQ(status, 201); }
    void Write(std::string) override {}
    void End() override {}
    bool Closed() const override { return false; }
    size_t Backlog() const override { return 0; }
  };

  std::unique_ptr<apiserver::SqliteStorage> storage_;
  std::unique_ptr<ControlPlane> plane_;
};

TEST(Restart, JobsGoOnAndNoneRunsTwice) {
  constexpr int kJobs = 6;
  const auto folder = std::filesystem::path(testing::TempDir()) / "kueue-restart";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  const std::string path = (folder / "objects.db").string();
  base::Random random(5);
  base::Time now = *base::ParseTime("2026-01-01T00:00:00Z");
  const base::Time start = now;
  std::set<std::string> pods;
  size_t complete = 0;
  int lives = 0;
  for (; complete < kJobs && lives < 40; ++lives) {
    Life life(path, now, random.Next());
    life.executor.RunFor(base::milliseconds(500));
    if (lives == 0) {
      life.Create("/apis/kueue.x-k8s.io/v1beta2/resourceflavors", kQueues[0]);
      life.Create("/apis/kueue.x-k8s.io/v1beta2/clusterqueues", kQueues[1]);
      life.Create("/apis/kueue.x-k8s.io/v1beta2/namespaces/default/localqueues", kQueues[2]);
      for (int i = 0; i < kJobs; ++i) {
        life.Create("/apis/batch/v1/namespaces/default/jobs", JobOf(i));
      }
    }
    life.executor.RunFor(base::milliseconds(1000 + random.Below(9000)));
    complete = life.JobsThatAre("Complete");
    EXPECT_EQ(life.JobsThatAre("Failed"), 0u);
    EXPECT_EQ(life.All(api::KindOf<api::Job>()).size(), size_t{kJobs});
    EXPECT_EQ(life.All(api::KindOf<api::Workload>()).size(), size_t{kJobs});
    for (const api::Json& pod : life.All(api::KindOf<api::Pod>())) {
      pods.insert(pod.StringAt({"metadata", "uid"}));
    }
    now = life.executor.clock().Now() + base::milliseconds(random.Below(2000));
  }
  EXPECT_EQ(complete, size_t{kJobs});
  EXPECT_GT(lives, 5);
  EXPECT_EQ(pods.size(), size_t{2 * kJobs}) << "a pod was made twice";
  // Three pairs of jobs of twenty seconds each; restarts cost moments, not runs.
  EXPECT_LT(now - start, base::seconds(110));
}

}  // namespace
}  // namespace kueue::embedded
