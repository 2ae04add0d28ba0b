#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Counts and measurements for Prometheus. A metric (Counter, Gauge, Histogram) has a name, a help
// text and the names of its labels; under it stands one series for each list of label values that
// was used. All classes are thread-safe, and none reads a clock: time is measured by the caller and
// given in seconds, sizes in bytes, and the metric's name ends in the unit ("_seconds", "_bytes",
// "_total" for counters).
//
// Metrics belong to their Registry and live as long as it does. A list of label values of the wrong
// length is our own mistake and ends the process.
namespace kueue::metrics {

// In the order of the metric's label names.
using LabelValues = std::vector<std::string>;
// Some of a metric's labels by name, to pick out series.
using LabelFilter = std::vector<std::pair<std::string, std::string>>;

// What only grows, and starts at 0 with the process.
class Counter {
 public:
  class Impl;
  explicit Counter(std::unique_ptr<Impl> impl);
  ~Counter();
  // REQUIRES: by >= 0. With 0 the series begins to exist.
  void Add(const LabelValues& values, double by = 1);
  // 0 for a series that does not exist.
  double Value(const LabelValues& values) const;
  // Takes away one series, or all that have every label value in `filter` (empty: all of them).
  // Labels that the metric does not have match nothing. Returns the number of series removed.
  size_t Remove(const LabelValues& values);
  size_t RemoveMatching(const LabelFilter& filter);

 private:
  const std::unique_ptr<Impl> impl_;
};

// What goes up and down.
class Gauge {
 public:
  class Impl;
  explicit Gauge(std::unique_ptr<Impl> impl);
  ~Gauge();
  void Set(const LabelValues& values, double to);
  void Add(const LabelValues& values, double by);
  // As for Counter.
  double Value(const LabelValues& values) const;
  size_t Remove(const LabelValues& values);
  size_t RemoveMatching(const LabelFilter& filter);

 private:
  const std::unique_ptr<Impl> impl_;
};

// How measurements are distributed over buckets.
class Histogram {
 public:
  class Impl;
  explicit Histogram(std::unique_ptr<Impl> impl);
  ~Histogram();
  void Observe(const LabelValues& values, double measurement);
  // Number and sum of the measurements so far; 0 for a series that does not exist.
  uint64_t Count(const LabelValues& values) const;
  double Sum(const LabelValues& values) const;
  // As for Counter.
  size_t Remove(const LabelValues& values);
  size_t RemoveMatching(const LabelFilter& filter);

 private:
  const std::unique_ptr<Impl> impl_;
};

// Upper bounds of `count` buckets: start, start * factor, start * factor^2, ...
// REQUIRES: start > 0, factor > 1.
std::vector<double> ExponentialBuckets(double start, double factor, int count);

class Registry {
 public:
  Registry();
  ~Registry();

  // Names are those of Prometheus: letters, digits, "_" (and ":"), not beginning with a digit.
  // A malformed name and a name that is taken are our own mistakes and end the process.
  Counter& AddCounter(const std::string& name, const std::string& help,
                      const std::vector<std::string>& label_names);
  Gauge& AddGauge(const std::string& name, const std::string& help,
                  const std::vector<std::string>& label_names);
  // `bounds`: the buckets' upper bounds, ascending; one to infinity is added.
  Histogram& AddHistogram(const std::string& name, const std::string& help,
                          const std::vector<std::string>& label_names,
                          const std::vector<double>& bounds);

  // Everything in Prometheus' text format 0.0.4, metrics by name and series by label values, so
  // that equal contents give equal texts. Metrics without a series are left out.
  std::string Text() const;
  // The media type of Text().
  static constexpr std::string_view kContentType = "text/plain; version=0.0.4; charset=utf-8";

 private:
  class Impl;
  const std::unique_ptr<Impl> impl_;
};

}  // namespace kueue::metrics
