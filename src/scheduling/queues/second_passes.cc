#include "scheduling/queues/second_passes.h"

#include <algorithm>

namespace kueue::scheduling {

void SecondPasses::Ask(const std::string& key, int failed, base::Time now) {
  if (waiting_.contains(key) || ready_.contains(key)) return;
  const auto delay = std::min(base::seconds(30), base::seconds(int64_t{1} << std::min(failed, 5)));
  const Waiting waiting{now + delay, failed};
  due_.emplace(waiting.due, key);
  waiting_.emplace(key, waiting);
}

void SecondPasses::Drop(const std::string& key) {
  ready_.erase(key);
  const auto found = waiting_.find(key);
  if (found == waiting_.end()) return;
  due_.erase({found->second.due, key});
  waiting_.erase(found);
}

void SecondPasses::Ring(base::Time now) {
  while (!due_.empty() && due_.begin()->first <= now) {
    const auto waiting = waiting_.find(due_.begin()->second);
    ready_.emplace(waiting->first, waiting->second.failed);
    waiting_.erase(waiting);
    due_.erase(due_.begin());
  }
}

std::vector<SecondPasses::Ready> SecondPasses::Take() {
  std::vector<Ready> taken;
  for (const auto& [key, failed] : ready_) taken.push_back({key, failed});
  ready_.clear();
  return taken;
}

std::optional<base::Time> SecondPasses::NextDue() const {
  if (due_.empty()) return std::nullopt;
  return due_.begin()->first;
}

}  // namespace kueue::scheduling
