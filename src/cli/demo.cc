#include "cli/demo.h"

#include <fmt/format.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <future>
#include <thread>

#include "api/codec/json_text.h"
#include "cli/demo_picture.h"
#include "cli/demo_scenario.h"
#include "cli/signals.h"
#include "embedded/instance.h"
#include "kube/informer.h"
#include "net/client.h"

namespace kueue::cli {
namespace {

constexpr base::Duration kLongest = base::seconds(180);
constexpr base::Duration kFrame = base::milliseconds(250);

// A client of the demonstration's server, on a thread of its own: all it knows it has over HTTPS.
class Spectator {
 public:
  Spectator(const embedded::Instance& instance)
      : executor_("demo", clock_),
        transport_(net::MakeHttpClient(OptionsFor(instance), executor_)),
        client_(*transport_, instance.token(), "kueue-cpp/demo", executor_),
        cache_(std::make_unique<kube::Cache>(client_, executor_)) {}

  ~Spectator() {
    executor_.RunAndWait([this] { cache_.reset(); });
    executor_.Stop();
  }

  base::Status Watch() {
    auto ready = std::make_shared<std::promise<void>>();
    auto future = ready->get_future();
    executor_.Post([this, ready] {
      cache_->InformerOf<api::ClusterQueue>();
      cache_->InformerOf<api::Workload>();
      cache_->InformerOf<api::Job>();
      cache_->Start([ready] { ready->set_value(); });
    });
    if (future.wait_for(base::seconds(20)) == std::future_status::ready) return {};
    return base::Unavailable("the server does not answer");
  }

  base::Status Create(const api::Json& object) {
    const api::KindInfo* kind = api::FindKindOf(object);
    KUEUE_CHECK(kind != nullptr);
    auto answer = std::make_shared<std::promise<base::Status>>();
    auto future = answer->get_future();
    executor_.Post([this, kind, object, answer] {
      client_.Create(*kind, object, [answer](base::Result<api::Json> result) {
        answer->set_value(result.ok() ? base::Status() : base::Status(result.error()));
      });
    });
    return future.get();
  }

  DemoView Look() {
    DemoView view;
    executor_.RunAndWait([this, &view] {
      view.cluster_queues = cache_->List<api::ClusterQueue>();
      view.workloads = cache_->List<api::Workload>();
      view.jobs = cache_->List<api::Job>();
    });
    return view;
  }

 private:
  static net::ClientOptions OptionsFor(const embedded::Instance& instance) {
    const std::string& url = instance.info().url;
    net::ClientOptions options;
    options.host = "127.0.0.1";
    options.port = url.substr(url.rfind(':') + 1);
    options.authority_pem = instance.authority_pem();
    return options;
  }

  base::RealClock clock_;
  base::ThreadExecutor executor_;
  std::unique_ptr<net::Transport> transport_;
  kube::Client client_;
  std::unique_ptr<kube::Cache> cache_;
};

// A folder that is removed at the end.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "kueue-demo-XXXXXX").string();
    const char* made = ::mkdtemp(pattern.data());
    path_ = made != nullptr ? made : "";
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
  }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

class Show {
 public:
  Show(const DemoFlags& flags, Spectator& spectator)
      : live_(!flags.plain && ::isatty(STDOUT_FILENO) == 1), spectator_(spectator) {}

  // Hands the jobs in when they are due and shows frames; false if it was interrupted, took too
  // long, or a job was refused.
  base::Status Run(const std::vector<DemoJob>& jobs, const SignalWaiter& signals) {
    const base::RealClock clock;
    const base::Duration start = clock.Elapsed();
    size_t next = 0;
    while (true) {
      const base::Duration now = clock.Elapsed() - start;
      for (; next < jobs.size() && jobs[next].at <= now; ++next) {
        if (auto made = spectator_.Create(MakeDemoJob(jobs[next])); !made.ok()) return made;
        if (!live_) Line(now, jobs[next].name, "Created   in " + jobs[next].queue);
      }
      const DemoView view = spectator_.Look();
      Frame(view, now);
      if (next == jobs.size() && AllEnded(view, jobs.size())) return {};
      if (signals.Pending()) return base::Unavailable("interrupted");
      if (now > kLongest)
        return base::Error{base::Code::kTimeout, "the jobs have not ended in time"};
      std::this_thread::sleep_for(kFrame);
    }
  }

 private:
  static bool AllEnded(const DemoView& view, size_t jobs) {
    if (CountEnded(view) < jobs || view.workloads.size() < jobs) return false;
    for (const auto& w : view.workloads) {
      if (StateOf(*w).state != "Finished") return false;
    }
    return true;
  }
  void Line(base::Duration at, const std::string& name, const std::string& text) {
    fmt::print("{:>6.1f} s  {:<24} {}\n", static_cast<double>(at.count()) / 1e6, name, text);
  }
  void Frame(const DemoView& view, base::Duration now) {
    if (!live_) {
      for (const std::string& line : DescribeChanges(last_, view)) {
        fmt::print("{:>6.1f} s  {}\n", static_cast<double>(now.count()) / 1e6, line);
      }
      last_ = view;
    } else {
      winsize size{};
      ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size);
      const int columns = size.ws_col > 0 ? size.ws_col : 100;
      const int rows = size.ws_row > 0 ? size.ws_row : 40;
      fmt::print("\033[H\033[2J{}", DrawTable(view, columns, rows));
    }
    std::fflush(stdout);
  }

  const bool live_;
  Spectator& spectator_;
  DemoView last_;
};

embedded::InstanceOptions OptionsIn(const std::string& folder, uint64_t seed) {
  embedded::InstanceOptions options;
  options.in_memory = true;
  options.data_dir = folder;
  options.seed = seed;
  auto& cluster = options.control_plane.cluster;
  cluster.nodes = *localcluster::ParseNodeSpec(kDemoNodes);
  cluster.pods.start_delay = base::milliseconds(300);
  cluster.pods.termination = base::milliseconds(300);
  return options;
}

int Fail(const std::string& text) {
  fmt::print(stderr, "kueue demo: {}\n", text);
  return 1;
}

void PrintNextSteps(const embedded::InstanceInfo& info, bool keep) {
  if (!keep) {
    fmt::print(
        "\nTo go on by hand, on a cluster that stays (or run this again with --keep):\n\n"
        "  build/release/bin/kueue up --nodes '{}' &\n"
        "  export KUBECONFIG={}/kubeconfig\n\n"
        "  kubectl apply -f examples/research/queues.yaml\n"
        "  kubectl create -f examples/research/job.yaml\n"
        "  kubectl get workloads --watch\n",
        kDemoNodes, embedded::DefaultDataDir());
    return;
  }
  fmt::print(
      "\nGo on with\n\n"
      "  kubectl --kubeconfig {0} get clusterqueues,localqueues,workloads\n"
      "  kubectl --kubeconfig {0} describe workloads\n"
      "  kubectl --kubeconfig {0} get pods --watch\n\nCtrl-C ends it.\n",
      info.kubeconfig);
  std::fflush(stdout);
}

}  // namespace

int Demo(const DemoFlags& flags) {
  const TemporaryFolder folder;
  if (folder.path().empty()) return Fail("cannot make a temporary folder");
  const SignalWaiter signals;
  auto instance = embedded::Instance::Start(OptionsIn(folder.path(), flags.seed));
  if (!instance.ok()) return Fail(instance.error().message);
  if (!(*instance)->WaitUntilReady(base::seconds(30))) {
    return Fail("the control plane did not become ready");
  }
  Spectator spectator(**instance);
  if (auto watching = spectator.Watch(); !watching.ok()) return Fail(watching.error().message);
  const auto documents = api::ParseYaml(kResearchQueues);
  KUEUE_CHECK(documents.ok());
  for (const api::Json& document : *documents) {
    if (auto made = spectator.Create(document); !made.ok()) return Fail(made.error().message);
  }
  Show show(flags, spectator);
  if (auto ended = show.Run(PlanDemo(flags.seed), signals); !ended.ok()) {
    return Fail(ended.error().message);
  }
  fmt::print("\n{}", Summarise(spectator.Look()));
  PrintNextSteps((*instance)->info(), flags.keep);
  if (flags.keep) signals.Wait();
  return 0;
}

}  // namespace kueue::cli
