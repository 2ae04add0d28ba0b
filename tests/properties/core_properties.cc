// Seeded random worlds in which the invariants of the decision core are checked after every step:
//   core_properties [--worlds N] [--first SEED] [--steps N] [--policies on]
// A world that breaks one is named by its seed and step; the same seed breaks it again.

#include <cstdlib>
#include <cstring>
#include <iostream>

#include "invariants.h"

namespace kueue::properties {
namespace {

struct Options {
  uint64_t first = 1, worlds = 300;
  int steps = 40;
  bool policies = false;
};

using Check = std::string (*)(RandomWorld&);

bool Passes(RandomWorld& world, const char* name, Check check, uint64_t seed, int step) {
  const std::string wrong = check(world);
  if (wrong.empty()) return true;
  std::cout << "seed " << seed << " step " << step << ": " << name << ": " << wrong << "\n";
  return false;
}

bool PlayStep(RandomWorld& world, uint64_t seed, int step, bool policies) {
  const auto passes = [&](const char* name, Check check) {
    return Passes(world, name, check, seed, step);
  };
  for (int i = step % 4; i >= 0; --i) world.Change();
  if (!passes("(3) usage", CheckUsage) || !passes("(2) places", CheckNobodyLost)) return false;
  if (!world.Cycle()) {
    std::cout << "seed " << seed << " step " << step << ": (5) two States decide differently\n";
    return false;
  }
  if (!passes("(1) over-admission", CheckNoOverAdmission) ||
      !passes("(3) evictions", CheckEvictions) || !passes("(3) usage", CheckUsage) ||
      !passes("(2) places", CheckNobodyLost) || !passes("(4) fork", CheckRestart)) {
    return false;
  }
  if (step % 3 == 2) return true;  // the writes of this cycle come with those of the next
  world.Settle();
  return passes("(2) places", CheckNobodyLost) && passes("(3) usage", CheckUsage) &&
         passes("(4) restart", CheckRestart) && passes("(8) silence", CheckSilence) &&
         // A policy may hold back what quota alone would admit.
         (step % 5 != 0 || policies || passes("(7) least change", CheckLeastChange));
}

bool PlayWorld(uint64_t seed, int steps, bool policies) {
  RandomWorld world(seed, policies);
  for (int step = 0; step < steps; ++step) {
    if (!PlayStep(world, seed, step, policies)) return false;
  }
  world.Empty();
  return Passes(world, "(3) released", CheckUsage, seed, steps);
}

int Main(int argc, char** argv) {
  Options options;
  for (int i = 1; i + 1 < argc; i += 2) {
    const auto value = std::strtoull(argv[i + 1], nullptr, 10);
    if (std::strcmp(argv[i], "--worlds") == 0) options.worlds = value;
    if (std::strcmp(argv[i], "--first") == 0) options.first = value;
    if (std::strcmp(argv[i], "--policies") == 0) options.policies = true;
    if (std::strcmp(argv[i], "--steps") == 0) options.steps = static_cast<int>(value);
  }
  uint64_t failed = 0;
  for (uint64_t i = 0; i < options.worlds; ++i) {
    if (!PlayWorld(options.first + i, options.steps, options.policies)) ++failed;
  }
  std::cout << options.worlds - failed << " worlds passed, " << failed << " failed\n";
  return failed > 0 ? 1 : 0;
}

}  // namespace
}  // namespace kueue::properties

int main(int argc, char** argv) { return kueue::properties::Main(argc, argv); }
