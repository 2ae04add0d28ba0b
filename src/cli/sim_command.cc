#include "cli/sim_command.h"

#include <fmt/format.h>

#include "base/clock.h"

namespace kueue::cli {

int SimulateDay(const simulation::DayOptions& options) {
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
