// Whether the definitions in deploy/crds are those the tables say.
//
//   crds_check DIR            exit code 1 and a line for each file that differs
//   crds_check DIR --write    writes them

#include <filesystem>
#include <fstream>
#include <iostream>
#include <set>
#include <sstream>
#include <string>

#include "api/schema/crd.h"

namespace {

std::string Read(const std::filesystem::path& path) {
  std::ifstream in(path);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::cerr << "usage: crds_check DIR [--write]\n";
    return 2;
  }
  const std::filesystem::path folder = argv[1];
  const bool write = argc > 2 && std::string(argv[2]) == "--write";
  std::set<std::string> names;
  int wrong = 0;
  for (const auto& file : kueue::api::CrdFiles()) {
    names.insert(file.name);
    if (file.text.find("x-kubernetes-preserve-unknown-fields") != std::string::npos) {
      std::cout << file.name << ": keeps fields no schema describes\n";
      ++wrong;
    }
    if (write) {
      std::ofstream(folder / file.name) << file.text;
    } else if (Read(folder / file.name) != file.text) {
      std::cout << file.name << ": not what the tables say; run crds_check DIR --write\n";
      ++wrong;
    }
  }
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (entry.path().extension() != ".yaml" || names.count(name) > 0) continue;
    std::cout << name << ": there is no such kind\n";
    ++wrong;
  }
  return wrong == 0 ? 0 : 1;
}
