#include "recorded.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>

#include "api/codec/json_text.h"

namespace kueue::conformance {
namespace {

namespace fs = std::filesystem;
using api::Json;

struct Options {
  std::string data;
  std::vector<std::string> words;
};

struct Score {
  int passed = 0, failed = 0;
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

// "../shared/conformance/<folder>" beside the project, found by walking up; empty if there is none.
std::string DefaultData(const std::string& folder) {
  for (fs::path at = fs::current_path(); at != at.root_path(); at = at.parent_path()) {
    const fs::path data = at / ".." / "shared" / "conformance" / folder;
    std::error_code error;
    if (fs::exists(at / "cmake" / "layers.cmake", error) && fs::is_directory(data, error)) {
      return data.string();
    }
  }
  return {};
}

std::vector<std::string> Choose(const Options& options, const std::set<std::string>& left_out) {
  std::vector<std::string> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(options.data)) {
    if (entry.path().extension() != ".json") continue;
    const std::string name = entry.path().stem().string();
    const auto named = [&](const std::string& word) {
      return word == name || word == FamilyOf(name);
    };
    const bool chosen = options.words.empty()
                            ? left_out.count(FamilyOf(name)) == 0
                            : std::any_of(options.words.begin(), options.words.end(), named);
    if (chosen) names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

base::Result<Json> ParseFile(const fs::path& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return api::ParseJson(text.str());
}

std::vector<std::string> CheckFile(const std::string& path, const Recorded& recorded) {
  const auto scenario = ParseFile(path);
  if (!scenario.ok()) return {scenario.error().message};
  return recorded.check(*scenario, recorded);
}

int Play(const Options& options, const Recorded& recorded) {
  std::map<std::string, Score> scores;
  Score total;
  for (const std::string& name : Choose(options, recorded.left_out)) {
    const auto lines = CheckFile(options.data + "/" + name + ".json", recorded);
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

}  // namespace

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

std::vector<fs::path> ScenariosNamed(const std::string& folder,
                                     const std::vector<std::string>& words) {
  std::vector<fs::path> files;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    const std::string name = entry.path().stem().string();
    const auto starts = [&](const std::string& word) { return name.rfind(word, 0) == 0; };
    const bool wanted = words.empty() || std::any_of(words.begin(), words.end(), starts);
    if (wanted && entry.path().extension() == ".json") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::optional<Json> ReadScenario(const fs::path& file) {
  auto json = ParseFile(file);
  if (!json.ok()) return std::nullopt;
  return std::move(*json);
}

std::set<std::string> ReadLines(const std::string& path) {
  std::set<std::string> lines;
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) {
    if (!line.empty()) lines.insert(line);
  }
  return lines;
}

int PlayRecorded(int argc, char** argv, Recorded recorded) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--data" && i + 1 < argc) {
      options.data = argv[++i];
    } else if (recorded.flags.count(word) > 0) {
      recorded.given.insert(word);
    } else if (word.rfind("--", 0) == 0) {
      std::cerr << "unknown option " << word << "; known: --data DIR";
      for (const std::string& flag : recorded.flags) std::cerr << ", " << flag;
      std::cerr << "\n";
      return 2;
    } else {
      options.words.push_back(word);
    }
  }
  if (options.data.empty()) options.data = DefaultData(recorded.folder);
  if (options.data.empty() || !fs::is_directory(options.data)) {
    std::cout << "skipped: no recorded scenarios found\n";
    return 0;
  }
  return Play(options, recorded);
}

}  // namespace kueue::conformance
