#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "api/types/json.h"
#include "base/time.h"
#include "net/http.h"

// Where the texts that pods print come from. Whoever runs pods implements it.
namespace kueue::apiserver {

struct LogQuery {
  std::string container;   // one the pod has
  bool follow = false, previous = false, timestamps = false;
  std::optional<int64_t> tail_lines, since_seconds, limit_bytes;
  std::optional<base::Time> since_time;
};

class LogSource {
 public:
  virtual ~LogSource() = default;
  // Starts, writes and ends the answer, now or later. `pod` is valid during the call only.
  virtual void Read(const api::Json& pod, const LogQuery& query,
                    std::shared_ptr<net::Responder> responder) = 0;
};

}  // namespace kueue::apiserver
