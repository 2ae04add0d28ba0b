#pragma once

#include <cstddef>
#include <map>
#include <string>

#include "base/time.h"

namespace kueue::apiserver {

// How many requests a user may make: so many a second in the long run, and `burst` at once.
class RequestLimiter {
 public:
  // 0 a second: as many as they like.
  RequestLimiter(size_t per_second, size_t burst);

  // Whether a request of `user` may go on; it counts then. `now` never goes back.
  bool Take(const std::string& user, base::Time now);

 private:
  base::Duration cost_{0}, tolerance_{0};
  // When a user's requests so far are paid for. Users who owe nothing are left out by and by.
  std::map<std::string, base::Time> paid_;
  size_t look_at_ = 64;  // entries at which they are looked through
};

}  // namespace kueue::apiserver
