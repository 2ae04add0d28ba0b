#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>

// How large the values of variables can get: what a cost can be estimated from without them.
namespace kueue::cel {

struct SizeBound {
  // Code points of a text, elements, entries; 0 for everything else.
  uint64_t most = 0;
  std::shared_ptr<const SizeBound> elements;  // of a list, values of a map
  std::shared_ptr<const SizeBound> keys;      // of a map
  std::map<std::string, std::shared_ptr<const SizeBound>, std::less<>> fields;  // by name
};

}  // namespace kueue::cel
