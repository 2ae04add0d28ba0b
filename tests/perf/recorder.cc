#include "recorder.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <fstream>

namespace kueue::perf {
namespace {

using scheduling::Plan;

// FNV-1a, with lengths, so that no two different Plans are written alike.
class Digest {
 public:
  explicit Digest(uint64_t& value) : value_(value) {}
  void Number(int64_t number) {
    for (int i = 0; i < 8; ++i) Byte(static_cast<uint8_t>(static_cast<uint64_t>(number) >> 8 * i));
  }
  void Text(const std::string& text) {
    Number(static_cast<int64_t>(text.size()));
    for (const char c : text) Byte(static_cast<uint8_t>(c));
  }

 private:
  void Byte(uint8_t byte) { value_ = (value_ ^ byte) * 1099511628211ULL; }
  uint64_t& value_;
};

void Add(Digest& out, const api::Admission& admission) {
  out.Text(admission.cluster_queue);
  for (const api::PodSetAssignment& pods : admission.pod_set_assignments) {
    out.Text(pods.name);
    out.Number(pods.count.value_or(-1));
    for (const auto& [resource, flavor] : pods.flavors) {
      out.Text(resource);
      out.Text(flavor);
    }
    for (const auto& [resource, amount] : pods.resource_usage) {
      out.Text(resource);
      out.Text(amount.ToString());
    }
  }
}

// Admissions and evictions, ties within a cycle by name.
void AddSequence(Digest& out, const Plan& plan) {
  std::vector<std::string> names;
  for (const auto& reservation : plan.reservations) names.push_back("+" + reservation.workload);
  for (const auto& eviction : plan.evictions) names.push_back("-" + eviction.workload);
  std::sort(names.begin(), names.end());
  for (const std::string& name : names) out.Text(name);
}

void AddPlan(Digest& out, const Plan& plan) {
  for (const auto& reservation : plan.reservations) {
    out.Text(reservation.workload);
    Add(out, reservation.admission);
    out.Number(reservation.borrowing_level);
  }
  for (const auto& eviction : plan.evictions) {
    out.Text(eviction.workload);
    out.Text(eviction.preempted_reason);
    out.Text(eviction.by_workload);
  }
  for (const auto& requeue : plan.requeues) {
    out.Text(requeue.workload);
    out.Text(requeue.requeue_reason);
    out.Text(requeue.condition_reason);
    out.Text(requeue.message);
  }
  for (const auto& evaluated : plan.evaluated) {
    out.Text(evaluated.workload);
    out.Number(static_cast<int64_t>(evaluated.mode));
    for (const auto& attempt : evaluated.attempts) {
      out.Text(attempt.flavor);
      out.Text(attempt.refusal);
      for (const auto& resource : attempt.resources) {
        out.Text(resource.resource);
        out.Number(static_cast<int64_t>(resource.mode));
        out.Number(resource.borrowing_level);
        out.Number(resource.requested);
        out.Number(resource.used.value());
        out.Number(resource.available.value());
      }
    }
    for (const std::string& victim : evaluated.victims) out.Text(victim);
  }
}

}  // namespace

double ThreadSeconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

size_t ResidentBytes() {
  std::ifstream statm("/proc/self/statm");
  size_t total = 0, resident = 0;
  statm >> total >> resident;
  return resident * static_cast<size_t>(sysconf(_SC_PAGESIZE));
}

void Recorder::AddCycle(double seconds, const Plan& plan) {
  seconds_.push_back(seconds + carried_);
  total_ += seconds_.back();
  carried_ = 0;
  heads_ += plan.evaluated.size();
  decisions_ += plan.reservations.size();
  evictions_ += plan.evictions.size();
  Digest plans(plans_), sequence(sequence_);
  AddPlan(plans, plan);
  AddSequence(sequence, plan);
}

double Recorder::Quantile(double share) const {
  if (seconds_.empty()) return 0;
  std::vector<double> sorted = seconds_;
  std::sort(sorted.begin(), sorted.end());
  const auto at = static_cast<size_t>(share * static_cast<double>(sorted.size()));
  return 1e3 * sorted[std::min(at, sorted.size() - 1)];
}

std::string Recorder::Label() const {
  char text[80];
  std::snprintf(text, sizeof(text), "plans %016llx sequence %016llx",
                static_cast<unsigned long long>(plans_),
                static_cast<unsigned long long>(sequence_));
  return text;
}

}  // namespace kueue::perf
