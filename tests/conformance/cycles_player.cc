// Plays recorded scenarios of scheduling cycles against the decision core. With --one-by-one every
// cycle is compared; without, cycles are fused, and the order of decisions and the end are:
//   cycles_player [--data DIR] [--one-by-one] [family|name ...]

#include <algorithm>
#include <map>

#include "recorded.h"
#include "scenario_world.h"

namespace kueue::conformance {
namespace {

using api::Json;

// Empty when all cycles are equal; else the place and the lines that differ.
std::vector<std::string> CompareCycles(const Json::Array& want, const std::vector<Json>& got) {
  Json missing = Json::MakeObject();
  missing.Set("cycle", "missing");
  for (size_t i = 0; i < std::max(want.size(), got.size()); ++i) {
    std::vector<std::string> lines =
        Differences(i < want.size() ? want[i] : missing, i < got.size() ? got[i] : missing);
    if (lines.empty()) continue;
    lines.insert(lines.begin(), "cycle " + std::to_string(i));
    return lines;
  }
  return {};
}

// Reservations and evictions in their order, those of a cycle by name.
template <class Entries>
std::vector<Json> DecisionsOf(const Entries& entries) {
  std::vector<Json> decisions;
  for (const Json& entry : entries) {
    for (const char* kind : {"quotaReserved", "evicted"}) {
      const Json* const all = entry.Find(kind);
      if (all == nullptr) continue;
      std::map<std::string, Json> by_name;
      for (const Json::Member& member : all->AsObject()) by_name[member.key] = member.value;
      for (auto& [name, value] : by_name) {
        Json decision = Json::MakeObject();
        decision[kind].Set(name, std::move(value));
        decisions.push_back(std::move(decision));
      }
    }
  }
  return decisions;
}

std::vector<std::string> CompareDecisions(const Json::Array& want, const std::vector<Json>& got) {
  const std::vector<Json> a = DecisionsOf(want), b = DecisionsOf(got);
  const Json none = Json::MakeObject();
  for (size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
    std::vector<std::string> lines =
        Differences(i < a.size() ? a[i] : none, i < b.size() ? b[i] : none);
    if (lines.empty()) continue;
    lines.insert(lines.begin(), "decision " + std::to_string(i));
    return lines;
  }
  return {};
}

// Empty when everything is equal; else the place and the lines that differ.
std::vector<std::string> Check(const Json& scenario, bool one_by_one) {
  ScenarioWorld world(scenario, one_by_one);
  const std::vector<Json> got = world.Play();
  if (!world.problem().empty()) return {"cannot be read", world.problem()};
  const Json::Array& want = scenario.Find("expect")->AsArray();
  std::vector<std::string> lines =
      one_by_one ? CompareCycles(want, got) : CompareDecisions(want, got);
  if (!lines.empty()) return lines;
  lines = Differences(*scenario.Find("end"), world.End());
  if (!lines.empty()) lines.insert(lines.begin(), "end");
  return lines;
}

}  // namespace
}  // namespace kueue::conformance

int main(int argc, char** argv) {
  kueue::conformance::Recorded cycles;
  cycles.folder = "cycles";
  cycles.flags = {"--one-by-one"};
  cycles.check = [](const kueue::api::Json& scenario, const auto& self) {
    return kueue::conformance::Check(scenario, self.given.contains("--one-by-one"));
  };
  return kueue::conformance::PlayRecorded(argc, argv, cycles);
}
