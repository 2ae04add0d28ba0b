#include "cli/sim_command.h"

#include <fmt/format.h>

#include "base/clock.h"
#include "manager/configured.h"

namespace kueue::cli {

int SimulateDay(simulation::DayOptions options, const std::string& config) {
  auto configured = manager::ConfigureFromFile(config, "");
  if (!configured.ok()) {
    fmt::print(stderr, "kueue: {}\n", configured.error().message);
    return 1;
  }
  for (const std::string& part : configured->unused) {
    fmt::print(stderr, "kueue: {}: {}\n", config, part);
  }
  options.manager = std::move(configured->options);
  const base::RealClock clock;
  const base::Duration start = clock.Elapsed();
  const simulation::DayReport report = simulation::RunDay(options);
  const base::Duration took = clock.Elapsed() - start;
  fmt::print(
      "jobs        {} created, {} finished, {} failed\nevictions   {}\nover quota  {}\n"
      "writes      {}\ntasks       {}\ndigest      {:016x}\nreal time   {:.2f} s\n",
      report.created, report.finished, report.failed, report.evictions, report.over_quota,
      report.writes, report.tasks, report.digest, static_cast<double>(took.count()) / 1e6);
  return report.finished == options.jobs && report.over_quota == 0 ? 0 : 1;
}

}  // namespace kueue::cli
