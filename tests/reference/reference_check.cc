// Whether the pages in docs/reference are those the tables say, and every field has a meaning.
//
//   reference_check DIR            exit code 1 and a line for each page that differs
//   reference_check DIR --write    writes them

#include "api/schema/reference.h"

#include <filesystem>
#include <fstream>
#include <iostream>
#include <set>
#include <sstream>
#include <string>

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
    std::cerr << "usage: reference_check DIR [--write]\n";
    return 2;
  }
  const std::filesystem::path folder = argv[1];
  const bool write = argc > 2 && std::string(argv[2]) == "--write";
  if (write) std::filesystem::create_directories(folder);
  std::set<std::string> names;
  int wrong = 0;
  for (const auto& page : kueue::api::ReferencePages()) {
    names.insert(page.name);
    if (write) {
      std::ofstream(folder / page.name) << page.text;
    } else if (Read(folder / page.name) != page.text) {
      std::cout << page.name << ": not what the tables say; run ./dev docs\n";
      ++wrong;
    }
  }
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (names.count(name) > 0) continue;
    std::cout << name << ": there is no such kind\n";
    ++wrong;
  }
  for (const std::string& field : kueue::api::FieldsWithoutMeaning()) {
    std::cout << field << ": its table does not say what it means\n";
    ++wrong;
  }
  return wrong == 0 ? 0 : 1;
}
