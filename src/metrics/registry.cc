#include "metrics/registry.h"

#include <prometheus/check_names.h>
#include <prometheus/counter.h>
#include <prometheus/family.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>
#include <prometheus/text_serializer.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "base/check.h"
#include "base/mutex.h"

namespace kueue::metrics {
namespace {

// The series of one metric by label values; T is one of Prometheus' metric types, made from Args.
template <class T, class... Args>
class Series {
 public:
  Series(const std::string& name, const std::string& help, std::vector<std::string> label_names,
         Args... args)
      : label_names_(std::move(label_names)), family_(Checked(name), help, {}),
        args_(std::move(args)...) {
    for (const std::string& label : label_names_) {
      KUEUE_CHECK_MSG(prometheus::CheckLabelName(label), name + ": " + label);
    }
  }

  // Calls `f` with the series, which is made if need be.
  template <class F>
  void Use(const LabelValues& values, F f) {
    base::MutexLock lock(mutex_);
    const auto it = series_.find(values);
    f(it != series_.end() ? *it->second : Make(values));
  }

  // What Prometheus collects of the series, or of an empty one.
  prometheus::ClientMetric Look(const LabelValues& values) const {
    base::MutexLock lock(mutex_);
    const auto it = series_.find(values);
    return it == series_.end() ? prometheus::ClientMetric() : it->second->Collect();
  }

  size_t Remove(const LabelValues& values) {
    base::MutexLock lock(mutex_);
    const auto it = series_.find(values);
    if (it == series_.end()) return 0;
    family_.Remove(it->second);
    series_.erase(it);
    return 1;
  }

  size_t RemoveMatching(const LabelFilter& filter) {
    std::vector<std::pair<size_t, std::string>> wanted;  // by the label's place
    for (const auto& [name, value] : filter) {
      const auto it = std::find(label_names_.begin(), label_names_.end(), name);
      if (it == label_names_.end()) return 0;
      wanted.emplace_back(static_cast<size_t>(it - label_names_.begin()), value);
    }
    base::MutexLock lock(mutex_);
    return std::erase_if(series_, [&](const auto& entry) {
      for (const auto& [place, value] : wanted) {
        if (entry.first[place] != value) return false;
      }
      family_.Remove(entry.second);
      return true;
    });
  }

  // Appends this metric with its series in order, unless there are none.
  void Collect(std::vector<prometheus::MetricFamily>& out) const {
    base::MutexLock lock(mutex_);
    if (series_.empty()) return;
    // The library keeps series in a hashed container and labels in alphabetical order; ours come
    // by label values, labels in the order of their declaration.
    prometheus::MetricFamily family;
    family.name = family_.GetName();
    family.help = family_.Collect().front().help;
    family.type = T::metric_type;
    for (const auto& [values, metric] : series_) {
      prometheus::ClientMetric collected = metric->Collect();
      for (size_t i = 0; i < values.size(); ++i) {
        collected.label.push_back({label_names_[i], values[i]});
      }
      family.metric.push_back(std::move(collected));
    }
    out.push_back(std::move(family));
  }

 private:
  static const std::string& Checked(const std::string& name) {
    KUEUE_CHECK_MSG(prometheus::CheckMetricName(name), name);
    return name;
  }

  T& Make(const LabelValues& values) REQUIRES_LOCK(mutex_) {
    KUEUE_CHECK_MSG(values.size() == label_names_.size(), family_.GetName());
    std::map<std::string, std::string> labels;
    for (size_t i = 0; i < values.size(); ++i) labels[label_names_[i]] = values[i];
    T& made = std::apply(
        [&](const Args&... args) -> T& { return family_.Add(labels, args...); }, args_);
    series_[values] = &made;
    return made;
  }

  const std::vector<std::string> label_names_;
  prometheus::Family<T> family_;
  const std::tuple<Args...> args_;
  mutable base::Mutex mutex_;
  std::map<LabelValues, T*> series_ GUARDED_BY(mutex_);
};

}  // namespace

class Counter::Impl : public Series<prometheus::Counter> {
  using Series::Series;
};
class Gauge::Impl : public Series<prometheus::Gauge> {
  using Series::Series;
};
class Histogram::Impl : public Series<prometheus::Histogram, std::vector<double>> {
  using Series::Series;
};

// ---- Counter

Counter::Counter(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Counter::~Counter() = default;
void Counter::Add(const LabelValues& values, double by) {
  KUEUE_CHECK(by >= 0);
  impl_->Use(values, [by](prometheus::Counter& counter) { counter.Increment(by); });
}
double Counter::Value(const LabelValues& values) const {
  return impl_->Look(values).counter.value;
}
size_t Counter::Remove(const LabelValues& values) { return impl_->Remove(values); }
size_t Counter::RemoveMatching(const LabelFilter& filter) { return impl_->RemoveMatching(filter); }

// ---- Gauge

Gauge::Gauge(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Gauge::~Gauge() = default;
void Gauge::Set(const LabelValues& values, double to) {
  impl_->Use(values, [to](prometheus::Gauge& gauge) { gauge.Set(to); });
}
void Gauge::Add(const LabelValues& values, double by) {
  impl_->Use(values, [by](prometheus::Gauge& gauge) { gauge.Increment(by); });
}
double Gauge::Value(const LabelValues& values) const { return impl_->Look(values).gauge.value; }
size_t Gauge::Remove(const LabelValues& values) { return impl_->Remove(values); }
size_t Gauge::RemoveMatching(const LabelFilter& filter) { return impl_->RemoveMatching(filter); }

// ---- Histogram

Histogram::Histogram(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Histogram::~Histogram() = default;
void Histogram::Observe(const LabelValues& values, double measurement) {
  impl_->Use(values, [measurement](prometheus::Histogram& h) { h.Observe(measurement); });
}
uint64_t Histogram::Count(const LabelValues& values) const {
  return impl_->Look(values).histogram.sample_count;
}
double Histogram::Sum(const LabelValues& values) const {
  return impl_->Look(values).histogram.sample_sum;
}
size_t Histogram::Remove(const LabelValues& values) { return impl_->Remove(values); }
size_t Histogram::RemoveMatching(const LabelFilter& filter) {
  return impl_->RemoveMatching(filter);
}

std::vector<double> ExponentialBuckets(double start, double factor, int count) {
  KUEUE_CHECK(start > 0 && factor > 1);
  std::vector<double> bounds;
  for (int i = 0; i < count; ++i, start *= factor) bounds.push_back(start);
  return bounds;
}

// ---- Registry

class Registry::Impl {
 public:
  // A metric and how to collect it.
  template <class Metric>
  struct Entry {
    std::unique_ptr<Metric> metric;
    typename Metric::Impl* impl;
  };

  template <class Metric, class... Args>
  Metric& Add(std::map<std::string, Entry<Metric>>& metrics, const std::string& name,
              Args&&... args) {
    auto impl = std::make_unique<typename Metric::Impl>(name, std::forward<Args>(args)...);
    base::MutexLock lock(mutex_);
    KUEUE_CHECK_MSG(!counters_.count(name) && !gauges_.count(name) && !histograms_.count(name),
                    "metric " + name + " is registered twice");
    auto* const raw = impl.get();
    const auto it = metrics.emplace(
        name, Entry<Metric>{std::make_unique<Metric>(std::move(impl)), raw}).first;
    return *it->second.metric;
  }

  std::string Text() const {
    std::vector<prometheus::MetricFamily> families;
    {
      base::MutexLock lock(mutex_);
      for (const auto& [name, entry] : counters_) entry.impl->Collect(families);
      for (const auto& [name, entry] : gauges_) entry.impl->Collect(families);
      for (const auto& [name, entry] : histograms_) entry.impl->Collect(families);
    }
    std::sort(families.begin(), families.end(),
              [](const auto& a, const auto& b) { return a.name < b.name; });
    return prometheus::TextSerializer().Serialize(families);
  }

  mutable base::Mutex mutex_;
  // All names are looked at before one is added.
  std::map<std::string, Entry<Counter>> counters_;
  std::map<std::string, Entry<Gauge>> gauges_;
  std::map<std::string, Entry<Histogram>> histograms_;
};

Registry::Registry() : impl_(std::make_unique<Impl>()) {}
Registry::~Registry() = default;

Counter& Registry::AddCounter(const std::string& name, const std::string& help,
                              const std::vector<std::string>& label_names) {
  return impl_->Add<Counter>(impl_->counters_, name, help, label_names);
}
Gauge& Registry::AddGauge(const std::string& name, const std::string& help,
                          const std::vector<std::string>& label_names) {
  return impl_->Add<Gauge>(impl_->gauges_, name, help, label_names);
}
Histogram& Registry::AddHistogram(const std::string& name, const std::string& help,
                                  const std::vector<std::string>& label_names,
                                  const std::vector<double>& bounds) {
  KUEUE_CHECK_MSG(std::is_sorted(bounds.begin(), bounds.end()), name);
  return impl_->Add<Histogram>(impl_->histograms_, name, help, label_names, bounds);
}
std::string Registry::Text() const { return impl_->Text(); }

}  // namespace kueue::metrics
