// What a write costs in the embedded API server, from the request to the answer, in one process.

#include <benchmark/benchmark.h>

#include <memory>
#include <string>

#include "apiserver/server.h"
#include "base/check.h"
#include "base/executor.h"

namespace kueue {
namespace {

class Answer final : public net::Responder {
 public:
  void Start(int status, net::Headers) override { KUEUE_CHECK(status < 300); }
  void Write(std::string) override {}
  void End() override {}
  bool Closed() const override { return false; }
  size_t Backlog() const override { return 0; }
};

class World {
 public:
  World()
      : executor_(*base::ParseTime("2026-01-01T00:00:00Z")),
        server_(executor_, base::Random(1), apiserver::ServerOptions()) {}

  void Ask(const std::string& method, const std::string& target, const char* type,
           std::string body) {
    net::Request request;
    request.method = method;
    request.target = target;
    request.body = std::move(body);
    request.headers = {
        {"Content-Type", type}, {"User-Agent", "kueue/1.0"}, {"Kueue-Omit", "managedFields"}};
    request.peer.trusted = true;
    server_.Handle(std::move(request), std::make_shared<Answer>());
    executor_.RunReady();
  }

 private:
  base::VirtualExecutor executor_;
  apiserver::Server server_;
};

constexpr char kWorkloads[] = "/apis/kueue.x-k8s.io/v1beta2/namespaces/default/workloads";

// About 2 KiB: two pod sets of two containers with requests and an environment.
std::string WorkloadText(int64_t number) {
  const auto container = [](const std::string& name) {
    return R"({"name":")" + name +
           R"(","image":"registry.example.com/team/training:1.2.3","args":["--epochs","10",)"
           R"("--data","/mnt/data"],"env":[{"name":"LEVEL","value":"debug"},{"name":"REGION",)"
           R"("value":"eu-west-1"}],"resources":{"requests":{"cpu":"2","memory":"8Gi",)"
           R"("nvidia.com/gpu":"1"},"limits":{"memory":"8Gi","nvidia.com/gpu":"1"}}})";
  };
  const auto pod_set = [&](const std::string& name, int count) {
    return R"({"name":")" + name + R"(","count":)" + std::to_string(count) +
           R"(,"template":{"metadata":{"labels":{"app":"training","role":")" + name +
           R"("}},"spec":{"restartPolicy":"Never","nodeSelector":{"zone":"a"},"tolerations":)"
           R"([{"key":"gpu","operator":"Exists"}],"containers":[)" +
           container("main") + "," + container("sidecar") + "]}}}";
  };
  return R"({"apiVersion":"kueue.x-k8s.io/v1beta2","kind":"Workload","metadata":{"name":"w)" +
         std::to_string(number) +
         R"(","labels":{"team":"a"},"finalizers":["kueue.x-k8s.io/resource-in-use"]},"spec":)"
         R"({"queueName":"lq","priority":10,"podSets":[)" +
         pod_set("driver", 1) + "," + pod_set("workers", 8) + "]}}";
}

void CreateWorkload(benchmark::State& state) {
  World world;
  int64_t number = 0;
  for (auto step : state) {
    world.Ask("POST", kWorkloads, "application/json", WorkloadText(number++));
  }
}
BENCHMARK(CreateWorkload);

// A controller writes a condition into the status, again and again.
void PatchStatus(benchmark::State& state) {
  World world;
  world.Ask("POST", kWorkloads, "application/json", WorkloadText(0));
  const std::string target = std::string(kWorkloads) + "/w0/status";
  int64_t number = 0;
  for (auto step : state) {
    world.Ask("PATCH", target, "application/merge-patch+json",
              R"({"status":{"conditions":[{"type":"QuotaReserved","status":"False","reason":)"
              R"("Pending","message":"attempt )" +
                  std::to_string(number++) +
                  R"(","lastTransitionTime":"2026-01-01T00:00:00Z"}]}})");
  }
}
BENCHMARK(PatchStatus);

void PatchSpec(benchmark::State& state) {
  World world;
  world.Ask("POST", kWorkloads, "application/json", WorkloadText(0));
  const std::string target = std::string(kWorkloads) + "/w0";
  int64_t number = 0;
  for (auto step : state) {
    world.Ask("PATCH", target, "application/merge-patch+json",
              R"({"spec":{"priority":)" + std::to_string(number++) + "}}");
  }
}
BENCHMARK(PatchSpec);

}  // namespace
}  // namespace kueue

BENCHMARK_MAIN();
