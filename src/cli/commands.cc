#include "cli/commands.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "cli/ctl_explain.h"
#include "cli/ctl_topology.h"
#include "cli/demo.h"
#include "cli/manager_command.h"
#include "cli/sim_command.h"
#include "cli/up_command.h"
#include "embedded/instance.h"

#ifndef KUEUE_VERSION
#error "the build gives KUEUE_VERSION"
#endif

namespace kueue::cli {
namespace {

void AddUp(CLI::App& app, int& code) {
  auto flags = std::make_shared<UpFlags>();
  CLI::App* up = app.add_subcommand("up",
                                    "run a Kubernetes-compatible control plane with simulated "
                                    "nodes and job queueing in this process");
  flags->data_dir = embedded::DefaultDataDir();
  up->add_option("--data-dir", flags->data_dir,
                 "folder for objects, certificates, token and kubeconfig")
      ->capture_default_str();
  up->add_option("--kubeconfig", flags->kubeconfig, "where to write the kubeconfig");
  up->add_option("--listen", flags->listen, "ADDRESS:PORT; port 0 picks a free one")
      ->capture_default_str();
  up->add_option("--nodes", flags->nodes,
                 "simulated nodes: 4x(cpu=8,memory=32Gi,nvidia.com/gpu=1); otherwise those of the "
                 "last start on the folder, at first 1x(cpu=8,memory=32Gi)");
  up->add_option("--user", flags->users,
                 "NAME[:GROUP,GROUP]: a further user, who gets a kubeconfig; may be repeated")
      ->allow_extra_args(false);
  up->add_option("--audit-log", flags->audit_log, "file to which each request adds a line");
  up->add_option("--metrics-addr", flags->metrics_addr,
                 "ADDRESS:PORT, for example :8080: serve the manager's metrics there over HTTP");
  up->add_option("--config", flags->config,
                 "file with the manager's Configuration (config.kueue.x-k8s.io/v1beta2)");
  up->add_option("--feature-gates", flags->feature_gates,
                 "A=true,B=false; not with gates in a file");
  up->add_flag("--in-memory", flags->in_memory,
               "hold objects in memory only: they are gone when this ends");
  up->add_flag("--remote", flags->remote, "allow an address that other machines can reach");
  up->add_option(
        "--dialect", flags->dialect,
        "simple: v1beta1 also takes the short forms of docs/using/dialect.md; off: it "
        "means exactly what the reference means; default: compatibility.dialect of --config, "
        "or simple")
      ->check(CLI::IsMember({"simple", "off"}));
  up->add_option("--seed", flags->seed, "seed of generated names; 0: random");
  up->callback([flags, &code] { code = Up(*flags); });
}

void AddUserCommand(CLI::App& app, int& code) {
  CLI::App* user = app.add_subcommand("user", "further users of a running control plane");
  user->require_subcommand(1);
  auto flags = std::make_shared<UserFlags>();
  flags->data_dir = embedded::DefaultDataDir();
  CLI::App* add = user->add_subcommand(
      "add", "write a kubeconfig for a user; roles and bindings say what they may do");
  add->add_option("NAME", flags->name, "who they are")->required();
  add->add_option("--group", flags->groups, "a group they belong to; may be repeated")
      ->allow_extra_args(false);
  add->add_option("--kubeconfig", flags->kubeconfig, "where to write it");
  add->add_option("--data-dir", flags->data_dir, "folder of the instance")->capture_default_str();
  add->callback([flags, &code] { code = AddUser(*flags); });
}

void AddDataDirCommand(CLI::App& app, int& code, const std::string& name, const std::string& text,
                       int (*run)(const std::string&)) {
  auto folder = std::make_shared<std::string>(embedded::DefaultDataDir());
  CLI::App* command = app.add_subcommand(name, text);
  command->add_option("--data-dir", *folder, "folder of the instance")->capture_default_str();
  command->callback([folder, run, &code] { code = run(*folder); });
}

void AddFileCommand(CLI::App& app, int& code, const std::string& name, const std::string& text,
                    int (*run)(const std::string&, const std::string&)) {
  auto folder = std::make_shared<std::string>(embedded::DefaultDataDir());
  auto file = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand(name, text);
  command->add_option("FILE", *file, "the backup")->required();
  command->add_option("--data-dir", *folder, "folder of the instance")->capture_default_str();
  command->callback([folder, file, run, &code] { code = run(*folder, *file); });
}

void AddDemo(CLI::App& app, int& code) {
  auto flags = std::make_shared<DemoFlags>();
  CLI::App* demo = app.add_subcommand("demo", "thirty jobs of three teams on a simulated cluster");
  demo->add_option("--seed", flags->seed, "another number, another run")->capture_default_str();
  demo->add_flag("--keep", flags->keep, "go on serving when all jobs have ended");
  demo->add_flag("--plain", flags->plain, "lines instead of a live table");
  demo->callback([flags, &code] { code = Demo(*flags); });
}

void AddSim(CLI::App& app, int& code) {
  CLI::App* sim = app.add_subcommand("sim", "the whole product in virtual time");
  sim->require_subcommand(1);
  auto options = std::make_shared<simulation::DayOptions>();
  auto hours = std::make_shared<int>(24);
  CLI::App* day = sim->add_subcommand("day", "a random day of three teams on one queue");
  day->add_option("--seed", options->seed, "another number, another day")->capture_default_str();
  day->add_option("--jobs", options->jobs, "jobs handed in")
      ->capture_default_str()
      ->check(CLI::Range(1, 1000000));
  day->add_option("--hours", *hours, "length in virtual hours")
      ->capture_default_str()
      ->check(CLI::Range(1, 24 * 365));
  auto config = std::make_shared<std::string>();
  day->add_option("--config", *config,
                  "file with the manager's Configuration (config.kueue.x-k8s.io/v1beta2)");
  day->callback([options, hours, config, &code] {
    options->length = base::hours(*hours);
    code = SimulateDay(*options, *config);
  });
}

void AddClusterOptions(CLI::App& command, ClusterFlags& flags) {
  command.add_option("--kubeconfig", flags.kubeconfig,
                     "how to reach the cluster; otherwise $KUBECONFIG or ~/.kube/config");
  command.add_option("--context", flags.context, "context of the kubeconfig");
}

void AddCtl(CLI::App& app, int& code) {
  CLI::App* ctl = app.add_subcommand("ctl", "ask a cluster about its queues and work");
  ctl->require_subcommand(1);
  auto flags = std::make_shared<CtlTopologyFlags>();
  CLI::App* topology =
      ctl->add_subcommand("topology", "free and used capacity by domain, or a workload's places");
  topology->add_option("NAME", flags->topology, "only this Topology");
  topology->add_option("--workload", flags->workload, "NAMESPACE/NAME: where its pods are");
  AddClusterOptions(*topology, flags->cluster);
  topology->callback([flags, &code] { code = CtlTopology(*flags); });
  auto asked = std::make_shared<CtlExplainFlags>();
  CLI::App* explain =
      ctl->add_subcommand("explain", "why a workload waits, and what would let it in");
  explain
      ->add_option("WORKLOAD", asked->subject,
                   "a workload's name, or KIND/NAME of what it belongs to: job/train")
      ->required();
  explain->add_option("-n,--namespace", asked->namespace_name,
                      "its namespace; otherwise the context's");
  AddClusterOptions(*explain, asked->cluster);
  explain->callback([asked, &code] { code = CtlExplain(*asked); });
}

}  // namespace

int Run(const std::string& name, std::vector<std::string> arguments) {
  if (name == "kueue-controller-manager") return RunManager(std::move(arguments));
  CLI::App app("Job queueing for Kubernetes", name);
  app.require_subcommand(1);
  int code = 0;
  AddUp(app, code);
  AddUserCommand(app, code);
  AddDataDirCommand(app, code, "down", "end the control plane that runs on a folder", Down);
  AddDataDirCommand(app, code, "status", "say what runs on a folder", Status);
  AddFileCommand(app, code, "backup",
                 "write the objects of a folder to a file, whether a control plane runs or not",
                 Backup);
  AddFileCommand(app, code, "restore",
                 "put a backup in the place of the objects of an ended control plane", Restore);
  AddDataDirCommand(app, code, "reset", "remove what an ended control plane left in a folder",
                    Reset);
  AddDemo(app, code);
  AddSim(app, code);
  AddCtl(app, code);
  app.add_subcommand("version", "print versions")->callback([] {
    fmt::print("kueue-cpp {}\nAPI kueue.x-k8s.io/v1beta2, Kubernetes 1.36\n", KUEUE_VERSION);
  });
  const auto is_first = [&](CLI::App* command) { return command->get_name() == arguments[0]; };
  if (!arguments.empty() && arguments[0].rfind('-', 0) != 0 &&
      app.get_subcommands(is_first).empty()) {
    fmt::print(stderr, "kueue: '{}' is no command; `kueue --help` lists them\n", arguments[0]);
    return 2;
  }
  // CLI11 takes the arguments from the end.
  std::reverse(arguments.begin(), arguments.end());
  try {
    app.parse(std::move(arguments));
  } catch (const CLI::ParseError& error) {
    const int status = app.exit(error);
    return status == 0 ? 0 : 2;
  }
  return code;
}

}  // namespace kueue::cli
