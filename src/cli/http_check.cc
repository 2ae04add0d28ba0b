#include "cli/http_check.h"

#include <future>

#include "kube/client.h"
#include "kube/kubeconfig.h"
#include "net/client.h"

namespace kueue::cli {

base::Status CheckHealth(const std::string& kubeconfig) {
  auto access = kube::ReadKubeconfig(kubeconfig, "");
  if (!access.ok()) return access.error();
  const base::RealClock clock;
  base::ThreadExecutor executor("health", clock);
  const auto transport = net::MakeHttpClient(access->connection, executor);
  kube::Client client(*transport, access->bearer_token, "kueue-cpp/status", executor);
  auto answer = std::make_shared<std::promise<base::Status>>();
  std::future<base::Status> future = answer->get_future();
  executor.Post([&client, answer] {
    client.Raw("GET", "/readyz", "", [answer](base::Result<std::string> result) {
      answer->set_value(result.ok() ? base::Status() : base::Status(result.error()));
    });
  });
  base::Status status = base::Unavailable("no answer within five seconds");
  if (future.wait_for(base::seconds(5)) == std::future_status::ready) status = future.get();
  executor.Stop();
  return status;
}

}  // namespace kueue::cli
