#pragma once

#include <memory>

#include "base/executor.h"
#include "base/random.h"
#include "net/http.h"

namespace kueue::simulation {

// How often writes go wrong: once in so many; 0: never. Reads and watches are left alone.
struct FaultRates {
  uint64_t refused = 0;    // answered with 500, 503 or 409, not carried out
  uint64_t unheard = 0;    // carried out, and answered with 500
};

// A transport whose writes sometimes fail, by a seeded generator.
class FaultyTransport final : public net::Transport {
 public:
  // All must outlive it; `rates` may be changed at any time.
  FaultyTransport(net::Transport& inner, base::Executor& executor, base::Random random,
                  const FaultRates& rates)
      : inner_(inner), executor_(executor), random_(random), rates_(rates) {}

  std::unique_ptr<net::Exchange> Send(net::Request request, net::ResponseEvents events) override;

 private:
  net::Transport& inner_;
  base::Executor& executor_;
  base::Random random_;
  const FaultRates& rates_;
};

}  // namespace kueue::simulation
