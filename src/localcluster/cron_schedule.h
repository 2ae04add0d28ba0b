#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/time.h"

namespace kueue::localcluster {

// A CronJob's schedule: five fields (minute, hour, day of month, month, day of week) with lists,
// ranges, steps and English names; @hourly, @daily, ...; "@every 1h30m". In UTC.
class CronSchedule {
 public:
  // Nothing if the text makes no sense.
  static std::optional<CronSchedule> Parse(std::string_view text);
  // The first time after `time`; nothing if none comes within five years.
  std::optional<base::Time> After(base::Time time) const;

 private:
  struct Field {
    uint64_t bits = 0;
    bool every = false;  // a plain star
    bool Has(unsigned value) const { return (bits >> value & 1) != 0; }
  };
  static std::optional<Field> ParseField(std::string_view text, int number);

  Field minute_, hour_, day_, month_, weekday_;
  std::optional<base::Duration> every_;
};

}  // namespace kueue::localcluster
