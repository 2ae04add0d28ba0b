#include "scheduling/fairness/usage_ledger.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

#include "base/check.h"

namespace kueue::scheduling {
namespace {

using resources::Quantity;
using Wide = std::array<uint32_t, 8>;  // 256 bits, the least first

double Seconds(base::Duration d) { return static_cast<double>(d.count()) / 1e6; }

// The part of the present that a sample after `elapsed` takes in.
double Alpha(base::Duration elapsed, base::Duration half_life) {
  if (half_life.count() == 0) return 0;
  return 1 - std::pow(0.5, Seconds(elapsed) / Seconds(half_life));
}

// A decimal number: digits * 10^-places.
struct Decimal {
  uint64_t digits = 0;
  int places = 0;
};

Decimal ShortestDecimal(double factor) {
  std::array<char, 400> text{};
  const auto [end, error] =
      std::to_chars(text.data(), text.data() + text.size(), factor, std::chars_format::fixed);
  KUEUE_CHECK(error == std::errc());
  Decimal out;
  bool fraction = false;
  for (const char* at = text.data(); at != end; ++at) {
    if (*at == '.') {
      fraction = true;
      continue;
    }
    out.digits = out.digits * 10 + static_cast<uint64_t>(*at - '0');  // 17 digits at most
    out.places += fraction ? 1 : 0;
  }
  return out;
}

Wide Times(unsigned __int128 a, uint64_t b) {
  Wide out{};
  for (size_t i = 0; i < 4; ++i) {
    uint64_t carry = 0;
    const uint64_t part = static_cast<uint32_t>(a >> (32 * i));
    for (size_t j = 0; j < 2; ++j) {
      const uint64_t sum = part * static_cast<uint32_t>(b >> (32 * j)) + out[i + j] + carry;
      out[i + j] = static_cast<uint32_t>(sum);
      carry = sum >> 32;
    }
    out[i + 2] += static_cast<uint32_t>(carry);
  }
  return out;
}

void DivideBy(Wide& number, uint32_t divisor) {
  uint64_t rest = 0;
  for (size_t i = number.size(); i-- > 0;) {
    const uint64_t part = (rest << 32) | number[i];
    number[i] = static_cast<uint32_t>(part / divisor);
    rest = part % divisor;
  }
}

// Exact, then cut toward zero.
__int128 Times(__int128 nano, const Decimal& factor) {
  const bool negative = nano < 0;
  Wide product = Times(static_cast<unsigned __int128>(negative ? -nano : nano), factor.digits);
  int places = factor.places;
  for (; places >= 9; places -= 9) DivideBy(product, 1'000'000'000);
  for (; places > 0; --places) DivideBy(product, 10);
  unsigned __int128 out = 0;
  for (size_t i = 4; i-- > 0;) out = (out << 32) | product[i];
  return negative ? -static_cast<__int128>(out) : static_cast<__int128>(out);
}

void AddTo(api::ResourceList& sum, const api::ResourceList& more) {
  for (const auto& [name, quantity] : more) {
    const auto [entry, added] = sum.try_emplace(name, quantity);
    if (!added) entry->second += quantity;
  }
}

}  // namespace

api::ResourceList Scaled(const api::ResourceList& amounts, double factor) {
  const Decimal decimal = ShortestDecimal(factor);
  api::ResourceList out;
  for (const auto& [name, quantity] : amounts) {
    out[name] = Quantity::FromNano(Times(quantity.nano(), decimal), Quantity::Format::kDecimalSI);
  }
  return out;
}

api::ResourceList PastUse::Pending() const {
  api::ResourceList sum;
  for (const auto& [workload, penalty] : penalties) AddTo(sum, penalty);
  return sum;
}

bool PastUse::HasPending() const {
  return std::any_of(penalties.begin(), penalties.end(), [](const auto& penalty) {
    return std::any_of(penalty.second.begin(), penalty.second.end(),
                       [](const auto& amount) { return !amount.second.IsZero(); });
  });
}

const PastUse* UsageLedger::Find(const std::string& local_queue) const {
  const auto found = entries_.find(local_queue);
  return found == entries_.end() ? nullptr : &found->second;
}

api::ResourceList UsageLedger::Faded(const PastUse& entry, const api::ResourceList& live,
                                     base::Duration elapsed) const {
  const double alpha = Alpha(std::max(elapsed, base::Duration(0)), config_.half_life);
  api::ResourceList out = Scaled(entry.consumed, 1 - alpha);
  AddTo(out, Scaled(live, alpha));
  return out;
}

// Samples that would have changed nothing are counted as taken.
void UsageLedger::CatchUp(PastUse& entry, base::Time now) const {
  if (!entry.rests || now <= entry.last_update) return;
  entry.last_update +=
      (now - entry.last_update) / config_.sampling_interval * config_.sampling_interval;
}

PastUse& UsageLedger::Merge(const std::string& local_queue, const api::ResourceList& persisted,
                            base::Time now) {
  const auto [found, added] = entries_.try_emplace(local_queue);
  PastUse& entry = found->second;
  if (added) {
    entry.local_queue = local_queue;
    entry.last_update = base::CutToSeconds(now);
  }
  if (!entry.status_merged) AddTo(entry.consumed, persisted);
  entry.status_merged = true;
  return entry;
}

void UsageLedger::Charge(const std::string& local_queue, const std::string& workload,
                         const api::ResourceList& requests, base::Time now) {
  const auto [found, added] = entries_.try_emplace(local_queue);
  PastUse& entry = found->second;
  if (added) {
    entry.local_queue = local_queue;
    entry.last_update = base::CutToSeconds(now);
  }
  entry.penalties[workload] = Scaled(requests, Alpha(config_.sampling_interval, config_.half_life));
}

bool UsageLedger::Refund(const std::string& local_queue, const std::string& workload) {
  const auto found = entries_.find(local_queue);
  return found != entries_.end() && found->second.penalties.erase(workload) > 0;
}

void UsageLedger::Settle(const std::string& local_queue, const std::string& workload,
                         const api::ResourceList& live, base::Time now) {
  now = base::CutToSeconds(now);
  const auto [found, added] = entries_.try_emplace(local_queue);
  PastUse& entry = found->second;
  if (added) {
    entry.local_queue = local_queue;
    entry.last_update = now;
  }
  CatchUp(entry, now);
  entry.consumed = Faded(entry, live, now - entry.last_update);
  if (const auto penalty = entry.penalties.find(workload); penalty != entry.penalties.end()) {
    AddTo(entry.consumed, penalty->second);
    entry.penalties.erase(penalty);
  }
  entry.last_update = std::max(entry.last_update, now);
  entry.rests = false;
}

std::optional<base::Duration> UsageLedger::Sample(const std::string& local_queue,
                                                  const api::ResourceList& persisted,
                                                  const api::ResourceList& live,
                                                  base::Time asked_at) {
  const base::Time now = base::CutToSeconds(asked_at);
  const bool known = Find(local_queue) != nullptr;
  PastUse& entry = Merge(local_queue, persisted, now);
  CatchUp(entry, now);
  const base::Duration elapsed = now - entry.last_update;
  if (!known || elapsed >= config_.sampling_interval || entry.HasPending()) {
    entry.consumed =
        config_.half_life.count() == 0 ? api::ResourceList() : Faded(entry, live, elapsed);
    entry.last_update = std::max(entry.last_update, now);
  }
  entry.rests = !entry.HasPending() &&
                (config_.half_life.count() == 0
                     ? entry.consumed.empty()
                     : Faded(entry, live, config_.sampling_interval) == entry.consumed);
  if (entry.rests) return std::nullopt;
  return std::max(entry.last_update + config_.sampling_interval - asked_at, base::Duration(0));
}

double UsageLedger::UsageOf(const std::string& local_queue, double weight) const {
  if (weight <= 0) return std::numeric_limits<double>::infinity();
  const PastUse* const entry = Find(local_queue);
  if (entry == nullptr) return 0;
  api::ResourceList all = entry->consumed;
  AddTo(all, entry->Pending());
  double usage = 0;
  for (const auto& [name, quantity] : all) {  // by name
    const auto known = config_.resource_weights.find(name);
    const double factor = known == config_.resource_weights.end() ? 1 : known->second;
    usage += factor * (static_cast<double>(quantity.nano()) * 1e-9);
  }
  return usage / weight;
}

}  // namespace kueue::scheduling
