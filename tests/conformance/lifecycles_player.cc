// Plays recorded lives of workloads and queues against the product's controllers in virtual time:
//   lifecycles_player [--data DIR] [family|name ...]

#include "lifecycle_world.h"
#include "recorded.h"

namespace kueue::conformance {
namespace {

using api::Json;

std::vector<std::string> Check(const Json& scenario) {
  LifecycleWorld world(scenario);
  const Json::Array& want = scenario.Find("expect")->AsArray();
  const Json::Array& steps = scenario.Find("steps")->AsArray();
  world.Begin();
  for (size_t i = 0; i < want.size(); ++i) {
    if (i > 0) world.PlayStep(steps.at(i - 1));
    if (auto unrest = world.unrest(); !unrest.empty()) {
      unrest.insert(unrest.begin(), "state " + std::to_string(i) + ": writes without end");
      return unrest;
    }
    std::vector<std::string> lines = Differences(want[i], world.Record());
    if (lines.empty()) continue;
    lines.insert(lines.begin(), "state " + std::to_string(i));
    return lines;
  }
  return {};
}

}  // namespace
}  // namespace kueue::conformance

int main(int argc, char** argv) {
  kueue::conformance::Recorded lifecycles;
  lifecycles.folder = "lifecycles";
  lifecycles.check = [](const kueue::api::Json& scenario, const auto&) {
    return kueue::conformance::Check(scenario);
  };
  return kueue::conformance::PlayRecorded(argc, argv, lifecycles);
}
