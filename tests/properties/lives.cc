// Random lives of the whole product in virtual time:
//   lives [--seeds N] [--first SEED] [--steps N] [--policies] [--verbose]
// Prints what did not hold and what had happened before; exit code 1 if anything.

#include <cstdio>
#include <cstdlib>
#include <string>

#include "simulation/lives.h"

int main(int argc, char** argv) {
  uint64_t seeds = 30, first = 1;
  kueue::simulation::LivesOptions options;
  for (int i = 1; i < argc; ++i) {
    const std::string option = argv[i];
    const bool more = i + 1 < argc;
    if (option == "--policies") {
      options.policies = true;
    } else if (option == "--verbose") {
      options.verbose = true;
    } else if (option == "--seeds" && more) {
      seeds = std::strtoull(argv[++i], nullptr, 10);
    } else if (option == "--first" && more) {
      first = std::strtoull(argv[++i], nullptr, 10);
    } else if (option == "--steps" && more) {
      options.steps = std::atoi(argv[++i]);
    } else {
      std::fprintf(stderr,
                   "lives [--seeds N] [--first SEED] [--steps N] [--policies] [--verbose]\n");
      return 2;
    }
  }
  int failed = 0;
  uint64_t jobs = 0, completed = 0, evictions = 0, restarts = 0;
  for (uint64_t seed = first; seed < first + seeds; ++seed) {
    options.seed = seed;
    const auto report = kueue::simulation::Lives(options).Run();
    jobs += static_cast<uint64_t>(report.jobs);
    completed += static_cast<uint64_t>(report.completed);
    evictions += static_cast<uint64_t>(report.evictions);
    restarts += static_cast<uint64_t>(report.restarts);
    if (report.problems.empty()) continue;
    ++failed;
    std::printf("seed %llu\n", static_cast<unsigned long long>(seed));
    const size_t from = report.history.size() > 12 ? report.history.size() - 12 : 0;
    for (size_t i = from; i < report.history.size(); ++i) {
      std::printf("  %s\n", report.history[i].c_str());
    }
    for (const std::string& problem : report.problems) std::printf("  >> %s\n", problem.c_str());
  }
  std::printf("%llu lives, %d failed; %llu jobs, %llu completed, %llu evictions, %llu restarts\n",
              static_cast<unsigned long long>(seeds), failed, static_cast<unsigned long long>(jobs),
              static_cast<unsigned long long>(completed),
              static_cast<unsigned long long>(evictions),
              static_cast<unsigned long long>(restarts));
  return failed == 0 ? 0 : 1;
}
