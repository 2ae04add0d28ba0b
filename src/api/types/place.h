#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace kueue::api {

// A place in an object, put into words only when something is wrong there. Lives on the stack of a
// walk: each refers to the one around it. The root has no parent and no words.
struct Place {
  const Place* parent = nullptr;
  std::string_view member;
  size_t index = 0;
  bool is_entry = false;  // an entry of a list: `index` counts

  // "spec.a[0].b"
  std::string Words() const {
    if (parent == nullptr) return "";
    std::string words = parent->Words();
    if (is_entry) return words.append("[").append(std::to_string(index)).append("]");
    if (!words.empty()) words += '.';
    return words.append(member);
  }
};

}  // namespace kueue::api
