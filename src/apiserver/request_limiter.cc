#include "apiserver/request_limiter.h"

#include <algorithm>

namespace kueue::apiserver {

RequestLimiter::RequestLimiter(size_t per_second, size_t burst) {
  if (per_second == 0) return;
  cost_ = base::Duration(base::seconds(1)) / static_cast<int64_t>(per_second);
  tolerance_ = cost_ * static_cast<int64_t>(std::max<size_t>(burst, 1) - 1);
}

bool RequestLimiter::Take(const std::string& user, base::Time now) {
  if (cost_ == base::Duration(0)) return true;
  if (paid_.size() >= look_at_) {
    for (auto it = paid_.begin(); it != paid_.end();) {
      it = it->second <= now ? paid_.erase(it) : std::next(it);
    }
    look_at_ = std::max<size_t>(64, 2 * paid_.size());
  }
  base::Time& paid = paid_.emplace(user, now).first->second;
  paid = std::max(paid, now);
  if (paid > now + tolerance_) return false;
  paid += cost_;
  return true;
}

}  // namespace kueue::apiserver
