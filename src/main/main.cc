#include <string>
#include <vector>

#include "cli/commands.h"

int main(int argc, char** argv) {
  const std::string path = argc > 0 ? argv[0] : "kueue";
  return kueue::cli::Run(path.substr(path.rfind('/') + 1),
                         std::vector<std::string>(argv + 1, argv + argc));
}
