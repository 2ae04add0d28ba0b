// Plays recorded scenarios of scheduling cycles against the decision core and compares every
// cycle:
//   cycles_player [--data DIR] [--one-by-one] [family|name ...]

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <set>
#include <sstream>

#include "api/codec/json_text.h"
#include "scenario_world.h"

namespace kueue::conformance {
namespace {

namespace fs = std::filesystem;
using api::Json;

struct Options {
  std::string data;
  std::vector<std::string> words;  // families or names; empty: all but the topology ones
};

std::string FamilyOf(const std::string& name) { return name.substr(0, name.rfind('-')); }

// The nested value as flat lines, so that differences are easy to see.
void Flatten(const std::string& prefix, const Json& value, std::set<std::string>& lines) {
  if (!value.IsObject() || value.size() == 0) {
    lines.insert(prefix + " " + api::WriteJson(value));
    return;
  }
  for (const Json::Member& member : value.AsObject()) {
    Flatten(prefix.empty() ? member.key : prefix + " " + member.key, member.value, lines);
  }
}

std::vector<std::string> Differences(const Json& want, const Json& got) {
  if (want == got) return {};
  std::set<std::string> a, b;
  Flatten("", want, a);
  Flatten("", got, b);
  std::vector<std::string> lines;
  for (const std::string& line : a) {
    if (!b.contains(line)) lines.push_back("want " + line);
  }
  for (const std::string& line : b) {
    if (!a.contains(line)) lines.push_back("got  " + line);
  }
  return lines;
}

// Empty when everything is equal; else the place and the lines that differ.
std::vector<std::string> Check(const Json& scenario) {
  ScenarioWorld world(scenario);
  const std::vector<Json> got = world.Play();
  if (!world.problem().empty()) return {"cannot be read", world.problem()};
  const Json::Array& want = scenario.Find("expect")->AsArray();
  Json missing = Json::MakeObject();
  missing.Set("cycle", "missing");
  for (size_t i = 0; i < std::max(want.size(), got.size()); ++i) {
    std::vector<std::string> lines = Differences(i < want.size() ? want[i] : missing,
                                                 i < got.size() ? got[i] : missing);
    if (lines.empty()) continue;
    lines.insert(lines.begin(), "cycle " + std::to_string(i));
    return lines;
  }
  std::vector<std::string> lines = Differences(*scenario.Find("end"), world.End());
  if (!lines.empty()) lines.insert(lines.begin(), "end");
  return lines;
}

// "../shared/conformance/cycles" beside the project, found by walking up; empty if there is none.
std::string DefaultData() {
  for (fs::path at = fs::current_path(); at != at.root_path(); at = at.parent_path()) {
    const fs::path data = at / ".." / "shared" / "conformance" / "cycles";
    std::error_code error;
    if (fs::exists(at / "cmake" / "layers.cmake", error) && fs::is_directory(data, error)) {
      return data.string();
    }
  }
  return {};
}

std::vector<std::string> Choose(const Options& options) {
  std::vector<std::string> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(options.data)) {
    if (entry.path().extension() != ".json") continue;
    const std::string name = entry.path().stem().string();
    const auto named = [&](const std::string& word) {
      return word == name || word == FamilyOf(name);
    };
    const bool chosen =
        options.words.empty()
            ? FamilyOf(name) != "topology" && FamilyOf(name) != "reference-topology"
            : std::any_of(options.words.begin(), options.words.end(), named);
    if (chosen) names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

int Run(const Options& options) {
  struct Score {
    int passed = 0, failed = 0;
  };
  std::map<std::string, Score> scores;
  Score total;
  for (const std::string& name : Choose(options)) {
    std::ifstream file(options.data + "/" + name + ".json");
    std::stringstream text;
    text << file.rdbuf();
    const auto scenario = api::ParseJson(text.str());
    const std::vector<std::string> lines =
        scenario.ok() ? Check(*scenario) : std::vector<std::string>{scenario.error().message};
    ++(lines.empty() ? scores[FamilyOf(name)].passed : scores[FamilyOf(name)].failed);
    ++(lines.empty() ? total.passed : total.failed);
    if (lines.empty()) continue;
    std::cout << name << ": " << lines[0] << "\n";
    for (size_t i = 1; i < std::min<size_t>(lines.size(), 41); ++i) {
      std::cout << "    " << lines[i] << "\n";
    }
  }
  for (const auto& [family, score] : scores) {
    std::cout << family << ": " << score.passed << " passed, " << score.failed << " failed\n";
  }
  std::cout << "total: " << total.passed << " passed, " << total.failed << " failed\n";
  return total.failed > 0 ? 1 : 0;
}

int Main(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--data" && i + 1 < argc) {
      options.data = argv[++i];
    } else if (word == "--one-by-one") {
      // Every cycle is compared anyway: the core fuses none.
    } else {
      options.words.push_back(word);
    }
  }
  if (options.data.empty()) options.data = DefaultData();
  if (options.data.empty() || !fs::is_directory(options.data)) {
    std::cout << "skipped: no recorded scenarios found\n";
    return 0;
  }
  return Run(options);
}

}  // namespace
}  // namespace kueue::conformance

int main(int argc, char** argv) { return kueue::conformance::Main(argc, argv); }
