// Plays recorded scenarios of scheduling cycles against the decision core and compares every
// cycle:
//   cycles_player [--data DIR] [--one-by-one] [family|name ...]

#include <algorithm>

#include "recorded.h"
#include "scenario_world.h"

namespace kueue::conformance {
namespace {

using api::Json;

// Empty when everything is equal; else the place and the lines that differ.
std::vector<std::string> Check(const Json& scenario) {
  ScenarioWorld world(scenario);
  const std::vector<Json> got = world.Play();
  if (!world.problem().empty()) return {"cannot be read", world.problem()};
  const Json::Array& want = scenario.Find("expect")->AsArray();
  Json missing = Json::MakeObject();
  missing.Set("cycle", "missing");
  for (size_t i = 0; i < std::max(want.size(), got.size()); ++i) {
    std::vector<std::string> lines =
        Differences(i < want.size() ? want[i] : missing, i < got.size() ? got[i] : missing);
    if (lines.empty()) continue;
    lines.insert(lines.begin(), "cycle " + std::to_string(i));
    return lines;
  }
  std::vector<std::string> lines = Differences(*scenario.Find("end"), world.End());
  if (!lines.empty()) lines.insert(lines.begin(), "end");
  return lines;
}

}  // namespace
}  // namespace kueue::conformance

int main(int argc, char** argv) {
  kueue::conformance::Recorded cycles;
  cycles.folder = "cycles";
  // Every cycle is compared anyway: the core fuses none.
  cycles.flags = {"--one-by-one"};
  cycles.check = kueue::conformance::Check;
  return kueue::conformance::PlayRecorded(argc, argv, cycles);
}
