#pragma once

#include <cstdint>
#include <string>

namespace kueue::cli {

struct DemoFlags {
  uint64_t seed = 7;
  bool keep = false;   // go on serving when all jobs have ended
  bool plain = false;  // lines instead of a live table, also on a terminal
};

// Starts an embedded cluster in a temporary folder, hands in thirty jobs of three teams over HTTPS
// as any client would, shows what happens until all have ended, and sums up. 0 if all ended well.
int Demo(const DemoFlags& flags);

}  // namespace kueue::cli
