// What the embedded API server can do over HTTPS, with its objects kept in SQLite.
//
//   apiserver_load creates|gets|inprocess|watch|list [--dir FOLDER] [--pin] [--memory]
//   apiserver_load start --kueue BINARY [--objects N]
//
// Server and clients are processes of their own. Prints one line per figure.

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <future>
#include <sstream>
#include <thread>

#include "api/codec/json_text.h"
#include "apiserver/server.h"
#include "apiserver/storage/sqlite_storage.h"
#include "base/executor.h"
#include "load_client.h"
#include "net/server.h"
#include "net/tls.h"

namespace kueue::perf {
namespace {

constexpr char kToken[] = "load";
constexpr char kMaps[] = "/api/v1/namespaces/default/configmaps";

struct Options {
  std::string what, folder, kueue;
  bool pin = false;     // the server on core 0, the clients on the others
  bool memory = false;  // no storage
  int objects = 50000;
};

void PinTo(int core) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(core, &set);
  sched_setaffinity(0, sizeof(set), &set);
}

std::string MapOf(const std::string& name, size_t bytes) {
  return R"({"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":")" + name +
         R"("},"data":{"fill":")" + std::string(bytes, 'x') + "\"}}";
}

std::string WorkloadOf(int number) {
  return R"({"apiVersion":"kueue.x-k8s.io/v1beta2","kind":"Workload","metadata":{"name":"w)" +
         std::to_string(number) + R"(","namespace":"default","annotations":{"fill":")" +
         std::string(1500, 'x') +
         R"("}},"spec":{"queueName":"q","podSets":[{"name":"main","count":3,)"
         R"("template":{"spec":{"restartPolicy":"Never","containers":[{"name":"c","image":"i",)"
         R"("resources":{"requests":{"cpu":"1","memory":"1Gi"}}}]}}}]}})";
}

// ---- the server's process

// Fills the store the short way: what is measured is reading.
void AddWorkloads(apiserver::Server& server, int count) {
  for (int i = 0; i < count; ++i) {
    auto object = api::ParseJson(WorkloadOf(i));
    (*object)["metadata"].Set("uid", "0a0a0a0a-0000-4000-8000-" + std::to_string(100000000000 + i));
    (*object)["metadata"].Set("creationTimestamp", "2026-01-01T00:00:00Z");
    server.store().Put(api::KindOf<api::Workload>(), "default/w" + std::to_string(i),
                       std::move(*object));
  }
}

[[noreturn]] void Serve(const Options& options, int to_parent, int from_parent) {
  if (options.pin) PinTo(0);
  const base::RealClock clock;
  base::ThreadExecutor executor("control", clock), disk("storage", clock);
  std::unique_ptr<apiserver::SqliteStorage> storage;
  apiserver::ServerOptions server_options;
  if (!options.memory) {
    apiserver::SqliteOptions sqlite;
    sqlite.path = options.folder + "/objects.db";
    auto opened = apiserver::SqliteStorage::Open(sqlite, disk, executor);
    if (!opened.ok()) std::fprintf(stderr, "%s\n", opened.error().message.c_str());
    storage = std::move(*opened);
    server_options.store.storage = storage.get();
  }
  std::unique_ptr<apiserver::Server> server;
  executor.RunAndWait([&] {
    server = std::make_unique<apiserver::Server>(executor, base::Random(1), server_options);
    apiserver::User owner;
    owner.name = "load";
    owner.groups = {apiserver::kOwnersGroup};
    server->AddToken(kToken, owner);
    if (options.what == "list") AddWorkloads(*server, options.objects);
  });
  // Readers are shown what is kept: all of it, before the first one comes.
  std::promise<void> kept;
  executor.RunAndWait([&] { server->store().OnceKept([&](bool) { kept.set_value(); }); });
  kept.get_future().wait();
  const base::Time now = clock.Now();
  auto authority = net::MakeAuthority("load", now);
  net::LeafRequest leaf;
  leaf.common_name = "load";
  leaf.hosts = {"localhost"};
  net::ServerOptions listen;
  listen.tls = *net::IssueCertificate(*authority, leaf, now);
  auto listening = net::Server::Listen(listen, *server);
  const uint16_t port = (*listening)->port();
  if (write(to_parent, &port, sizeof(port)) != sizeof(port)) std::_Exit(1);
  char end = 0;
  if (read(from_parent, &end, 1) < 0) std::_Exit(1);
  // The parent asks for the end; a tidy one would only take time.
  std::_Exit(0);
}

class ServerProcess {
 public:
  explicit ServerProcess(const Options& options) {
    int up[2], down[2];
    if (pipe(up) != 0 || pipe(down) != 0) std::exit(1);
    child_ = fork();
    if (child_ == 0) {
      close(down[1]);
      Serve(options, up[1], down[0]);
    }
    close(down[0]);
    end_ = down[1];
    if (read(up[0], &port_, sizeof(port_)) != sizeof(port_)) std::exit(1);
    if (options.pin) PinTo(1);
  }
  ~ServerProcess() {
    close(end_);
    waitpid(child_, nullptr, 0);
  }
  uint16_t port() const { return port_; }
  pid_t pid() const { return child_; }

 private:
  pid_t child_ = 0;
  int end_ = -1;
  uint16_t port_ = 0;
};

// ---- what /proc says of a process

int64_t FieldOfStatus(pid_t pid, const char* field) {
  std::ifstream status("/proc/" + std::to_string(pid) + "/status");
  for (std::string line; std::getline(status, line);) {
    if (line.rfind(field, 0) == 0) return std::atoll(line.c_str() + std::strlen(field) + 1);
  }
  return 0;
}

double CpuSeconds(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::stringstream text;
  text << file.rdbuf();
  std::istringstream fields(text.str().substr(text.str().rfind(')') + 2));
  std::string field;
  double ticks = 0;
  for (int i = 0; i < 13 && fields >> field; ++i) {
    if (i >= 11) ticks += std::atof(field.c_str());
  }
  return ticks / static_cast<double>(sysconf(_SC_CLK_TCK));
}

void Print(const char* what, double value, const char* unit, const std::string& more = "") {
  std::printf("%-34s %12.2f %s%s%s\n", what, value, unit, more.empty() ? "" : "  ", more.c_str());
}

std::string Latencies(std::vector<double>& seconds) {
  char text[100];
  std::snprintf(text, sizeof(text), "median %.2f ms, p99 %.2f ms", Percentile(seconds, 0.5) * 1e3,
                Percentile(seconds, 0.99) * 1e3);
  return text;
}

// ---- the figures

void Creates(const Options& options) {
  const ServerProcess server(options);
  LoadClient client(server.port(), kToken, 64);
  constexpr int kCreates = 20000;
  int sent = 0, refused = 0;
  std::vector<double> latencies;
  const double cpu = CpuSeconds(server.pid());
  const double seconds = client.Run(
      [&](int) {
        if (sent >= kCreates) return std::string();
        return client.Request("POST", kMaps, MapOf("m" + std::to_string(sent++), 1900));
      },
      [&](const LoadClient::Answer& answer) {
        if (answer.status != 201) ++refused;
        latencies.push_back(answer.seconds);
      });
  Print("creates, 64 clients, 2 KiB, synced", kCreates / seconds, "/s", Latencies(latencies));
  Print("  processor time of the server", (CpuSeconds(server.pid()) - cpu) / kCreates * 1e6,
        "us each");
  if (refused > 0) Print("  REFUSED", refused, "");
}

void Gets(const Options& options) {
  const ServerProcess server(options);
  LoadClient client(server.port(), kToken, 32);
  int made = 0;
  client.Run(
      [&](int) {
        if (made >= 1000) return std::string();
        return client.Request("POST", kMaps, MapOf("m" + std::to_string(made++), 1900));
      },
      [](const LoadClient::Answer&) {});
  constexpr int kGets = 100000;
  int sent = 0, failed = 0;
  std::vector<double> latencies;
  const double cpu = CpuSeconds(server.pid());
  const double seconds = client.Run(
      [&](int) {
        if (sent >= kGets) return std::string();
        ++sent;
        return client.Request("GET", std::string(kMaps) + "/m" + std::to_string(sent * 7 % 1000));
      },
      [&](const LoadClient::Answer& answer) {
        if (answer.status != 200) ++failed;
        latencies.push_back(answer.seconds);
      });
  const double used = CpuSeconds(server.pid()) - cpu;
  Print("gets, 32 TLS connections", kGets / seconds, "/s", Latencies(latencies));
  Print("  processor time of the server", used / kGets * 1e6, "us each");
  Print("  that is, a core to itself", kGets / used, "/s");
  if (failed > 0) Print("  FAILED", failed, "");
}

// Counts answers, keeps nothing.
class Sink final : public net::Responder {
 public:
  void Start(int status, net::Headers) override { good = good || status == 200; }
  void Write(std::string chunk) override { bytes += chunk.size(); }
  void End() override {}
  bool Closed() const override { return false; }
  size_t Backlog() const override { return 0; }
  bool good = false;
  size_t bytes = 0;
};

void InProcess() {
  base::VirtualExecutor executor{base::Time(base::hours(500000))};
  apiserver::Server server(executor, base::Random(1), {});
  for (int i = 0; i < 1000; ++i) {
    server.store().Put(api::KindOf<api::ConfigMap>(), "default/m" + std::to_string(i),
                       *api::ParseJson(MapOf("m" + std::to_string(i), 1900)));
  }
  constexpr int kGets = 300000;
  const auto sink = std::make_shared<Sink>();
  const double started = Now();
  for (int i = 0; i < kGets; ++i) {
    net::Request request;
    request.method = "GET";
    request.target = std::string(kMaps) + "/m" + std::to_string(i % 1000);
    request.peer.trusted = true;
    server.Handle(std::move(request), sink);
    executor.RunReady();
  }
  Print("gets in process", kGets / (Now() - started), "/s", sink->good ? "" : "FAILED");
}

void Watch(const Options& options) {
  const ServerProcess server(options);
  constexpr int kWatchers = 200, kEvents = 1000;
  constexpr double kEventsPerSecond = 100;
  LoadClient watchers(server.port(), kToken, kWatchers);
  for (int i = 0; i < kWatchers; ++i) {
    watchers.Send(i, watchers.Request("GET", std::string(kMaps) + "?watch=1&resourceVersion=0"));
  }
  const double cpu = CpuSeconds(server.pid());
  const double started = Now();
  // The object's name is the moment it was sent.
  std::thread writer([&] {
    LoadClient client(server.port(), kToken, 1);
    int sent = 0;
    client.Run(
        [&](int) {
          if (sent >= kEvents) return std::string();
          const double due = started + 0.5 + sent++ / kEventsPerSecond;
          while (Now() < due) usleep(100);
          const auto name = std::to_string(static_cast<uint64_t>(Now() * 1e6));
          return client.Request("POST", kMaps, MapOf("t" + name, 300));
        },
        [](const LoadClient::Answer&) {});
  });
  std::vector<double> delays;
  std::vector<std::string> tails(kWatchers);
  watchers.Stream(
      [&](int connection, std::string_view bytes) {
        std::string& text = tails[static_cast<size_t>(connection)];
        text += bytes;
        const double now = Now();
        constexpr std::string_view kMark = "\"name\":\"t";
        size_t at = 0;
        for (size_t end = text.find('\n', at); end != std::string::npos;
             end = text.find('\n', at)) {
          const size_t name = text.find(kMark, at);
          if (name < end) {
            delays.push_back(now - std::strtod(text.c_str() + name + kMark.size(), nullptr) * 1e-6);
          }
          at = end + 1;
        }
        text.erase(0, at);
      },
      [&] { return delays.size() >= kWatchers * kEvents || Now() > started + 60; });
  writer.join();
  const double seconds = Now() - started;
  Print("events delivered to 200 watchers", static_cast<double>(delays.size()) / seconds, "/s",
        Latencies(delays));
  Print("  of those sent", static_cast<double>(delays.size()) / kWatchers / kEvents * 100, "%");
  Print("  processor time of the server", (CpuSeconds(server.pid()) - cpu) / seconds * 100,
        "% of a core");
}

void List(const Options& options) {
  const ServerProcess server(options);
  LoadClient client(server.port(), kToken, 1);
  const std::string target = "/apis/kueue.x-k8s.io/v1beta2/namespaces/default/workloads";
  // The first one makes the texts, which stay.
  for (const char* which : {"list of 50,000 Workloads, first", "the same again"}) {
    const int64_t before = FieldOfStatus(server.pid(), "VmRSS:");
    std::ofstream("/proc/" + std::to_string(server.pid()) + "/clear_refs") << "5";
    int left = 1;
    size_t bytes = 0;
    const double seconds =
        client.Run([&](int) { return left-- > 0 ? client.Request("GET", target) : std::string(); },
                   [&](const LoadClient::Answer& answer) { bytes = answer.body.size(); });
    const int64_t extra = FieldOfStatus(server.pid(), "VmHWM:") - before;
    Print(
        which, seconds, "s",
        std::to_string(bytes >> 20) + " MiB, extra memory " + std::to_string(extra >> 10) + " MiB");
  }
}

// ---- start and idle, of the real binary

// Starts `kueue up` and returns the seconds until it answers over TLS.
double StartKueue(const Options& options, pid_t& pid) {
  std::filesystem::remove(options.folder + "/instance.json");
  const double started = Now();
  pid = fork();
  if (pid == 0) {
    const int null = open("/dev/null", O_WRONLY);
    dup2(null, 1);
    execl(options.kueue.c_str(), "kueue", "up", "--data-dir", options.folder.c_str(),
          static_cast<char*>(nullptr));
    std::_Exit(1);
  }
  std::string url;
  while (url.empty()) {
    usleep(500);
    std::ifstream file(options.folder + "/instance.json");
    std::stringstream text;
    text << file.rdbuf();
    const auto json = api::ParseJson(text.str());
    if (json.ok()) url = json->StringAt({"url"});
    if (waitpid(pid, nullptr, WNOHANG) == pid) std::exit(1);
  }
  std::ifstream token_file(options.folder + "/token");
  std::string token;
  token_file >> token;
  LoadClient client(static_cast<uint16_t>(std::stoi(url.substr(url.rfind(':') + 1))), token, 1);
  int left = 1;
  client.Run(
      [&](int) { return left-- > 0 ? client.Request("GET", "/api/v1/nodes") : std::string(); },
      [](const LoadClient::Answer& answer) {
        if (answer.status != 200) std::printf("status %d\n", answer.status);
      });
  return Now() - started;
}

void EndKueue(pid_t pid) {
  kill(pid, SIGTERM);
  waitpid(pid, nullptr, 0);
}

void Idle(pid_t pid, int settle) {
  sleep(static_cast<unsigned>(settle));
  const double cpu = CpuSeconds(pid);
  sleep(10);
  Print("  idle, anonymous memory", static_cast<double>(FieldOfStatus(pid, "RssAnon:")) / 1024,
        "MiB");
  Print("  idle, processor", (CpuSeconds(pid) - cpu) / 10 * 100, "% of a core");
}

// A database with many objects, written the way the server does.
void FillDatabase(const Options& options) {
  base::VirtualExecutor executor{base::Time(base::hours(500000))};
  apiserver::SqliteOptions sqlite;
  sqlite.path = options.folder + "/objects.db";
  auto storage = apiserver::SqliteStorage::Open(sqlite, executor, executor);
  apiserver::ServerOptions server_options;
  server_options.store.storage = storage->get();
  apiserver::Server server(executor, base::Random(1), server_options);
  AddWorkloads(server, options.objects);
  executor.RunReady();
}

void Start(const Options& options) {
  pid_t pid = 0;
  Print("start on an empty folder", StartKueue(options, pid) * 1e3, "ms");
  Idle(pid, 3);
  EndKueue(pid);
  Print("start on a folder in use", StartKueue(options, pid) * 1e3, "ms");
  EndKueue(pid);
  FillDatabase(options);
  Print("start with 50,000 Workloads", StartKueue(options, pid) * 1e3, "ms");
  Idle(pid, 30);
  EndKueue(pid);
}

int Main(int argc, char** argv) {
  Options options;
  options.what = argc > 1 ? argv[1] : "";
  options.folder = std::filesystem::temp_directory_path().string();
  for (int i = 2; i < argc; ++i) {
    const std::string flag = argv[i];
    if (flag == "--pin") options.pin = true;
    if (flag == "--memory") options.memory = true;
    if (flag == "--dir" && i + 1 < argc) options.folder = argv[++i];
    if (flag == "--kueue" && i + 1 < argc) options.kueue = argv[++i];
    if (flag == "--objects" && i + 1 < argc) options.objects = std::atoi(argv[++i]);
  }
  std::string folder = options.folder + "/apiserver-load-XXXXXX";
  if (mkdtemp(folder.data()) == nullptr) return 1;
  options.folder = folder;
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  if (options.what == "creates")
    Creates(options);
  else if (options.what == "gets")
    Gets(options);
  else if (options.what == "inprocess")
    InProcess();
  else if (options.what == "watch")
    Watch(options);
  else if (options.what == "list")
    List(options);
  else if (options.what == "start")
    Start(options);
  else
    std::fprintf(stderr, "apiserver_load creates|gets|inprocess|watch|list|start\n");
  std::filesystem::remove_all(folder);
  return 0;
}

}  // namespace
}  // namespace kueue::perf

int main(int argc, char** argv) { return kueue::perf::Main(argc, argv); }
