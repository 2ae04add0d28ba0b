#include "api/structural/rule_cost.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "api/structural/schema_json.h"
#include "cel/type.h"

namespace kueue::api::structural {
namespace {

constexpr int64_t kRequestBytes = 3 * 1024 * 1024;

int64_t AtLeastZero(int64_t value) { return std::max<int64_t>(value, 0); }

uint64_t TextSize(const Schema& schema) {
  if (schema.format == "duration") return 32;
  if (schema.format == "date") return 12;
  if (schema.format == "date-time") return 32;
  if (schema.format != "byte" && !schema.max_length && !schema.enum_values.empty()) {
    size_t longest = 0;
    for (const Json& value : schema.enum_values) {
      if (value.IsString()) longest = std::max(longest, value.AsString().size());
    }
    return longest;
  }
  if (!schema.max_length) return kRequestBytes - 2;
  const auto length = static_cast<uint64_t>(AtLeastZero(*schema.max_length));
  // A character has up to four bytes.
  return schema.format == "byte" ? length : length * 4;
}

uint64_t LeastTextBytes(const Schema& schema) {
  if (schema.format == "duration") return 3;
  if (schema.format == "date") return 12;
  if (schema.format == "date-time") return 21;
  return 2;
}

ValueSize ObjectSize(const Schema& schema, bool resource) {
  ValueSize size;
  if (schema.additional_properties != nullptr) {
    const ValueSize values =
        SizeOf(*schema.additional_properties, schema.additional_properties->embedded);
    size.bound.elements = std::make_shared<cel::SizeBound>(values.bound);
    size.bound.keys = std::make_shared<cel::SizeBound>();
    const auto entry = static_cast<int64_t>(values.least_bytes) + 6;
    size.bound.most = static_cast<uint64_t>(
        schema.max_properties ? AtLeastZero(*schema.max_properties) : (kRequestBytes - 2) / entry);
    size.least_bytes = 2;
    return size;
  }
  size.least_bytes = 2;
  const auto add = [&](std::string_view name, cel::SizeBound bound) {
    const std::string escaped = cel::EscapeIdentifier(name);
    if (!escaped.empty()) {
      size.bound.fields[escaped] = std::make_shared<cel::SizeBound>(std::move(bound));
    }
  };
  if (resource) {
    cel::SizeBound text;
    text.most = kRequestBytes - 2;
    add("apiVersion", text);
    add("kind", text);
    cel::SizeBound metadata;
    metadata.fields["name"] = std::make_shared<cel::SizeBound>(text);
    metadata.fields["generateName"] = std::make_shared<cel::SizeBound>(text);
    add("metadata", metadata);
  }
  for (const Property& property : schema.properties) {
    const ValueSize inner = SizeOf(property.schema, property.schema.embedded);
    add(property.name, inner.bound);
    const bool required = std::find(schema.required.begin(), schema.required.end(),
                                    property.name) != schema.required.end();
    if (required && !property.schema.default_value) {
      size.least_bytes += property.name.size() + inner.least_bytes + 4;
    }
  }
  return size;
}

}  // namespace

ValueSize SizeOf(const Schema& schema, bool resource) {
  ValueSize size;
  if (schema.int_or_string) {
    size.bound.most = schema.max_length ? static_cast<uint64_t>(AtLeastZero(*schema.max_length)) * 4
                                        : kRequestBytes - 2;
    return size;
  }
  if (schema.type == "object") return ObjectSize(schema, resource);
  if (schema.type == "array" && schema.items != nullptr) {
    const ValueSize items = SizeOf(*schema.items, schema.items->embedded);
    size.bound.elements = std::make_shared<cel::SizeBound>(items.bound);
    size.bound.most = static_cast<uint64_t>(
        schema.max_items ? AtLeastZero(*schema.max_items)
                         : (kRequestBytes - 2) / (static_cast<int64_t>(items.least_bytes) + 1));
    size.least_bytes = 2;
    return size;
  }
  if (schema.type == "string") {
    size.bound.most = TextSize(schema);
    size.least_bytes = LeastTextBytes(schema);
  } else if (schema.type == "boolean") {
    size.least_bytes = 4;
  }
  return size;
}

uint64_t EstimateCost(const cel::Program& program, const ValueSize& self) {
  return program.EstimateCost({&self.bound, &self.bound});
}

uint64_t MostValues(const ValueSize& size) { return kRequestBytes / (size.least_bytes + 1); }

uint64_t TimesSaturated(uint64_t a, uint64_t b) {
  if (a == 0 || b == 0) return 0;
  constexpr uint64_t kMost = std::numeric_limits<uint64_t>::max();
  return kMost / a < b ? kMost : a * b;
}

std::optional<uint64_t> CardinalityBelow(const Json& schema, std::optional<uint64_t> above) {
  if (!above) return std::nullopt;
  const std::string type = TextAt(schema, "type");
  const char* bound = type == "array"                                           ? "maxItems"
                      : type == "object" && Has(schema, "additionalProperties") ? "maxProperties"
                                                                                : nullptr;
  if (bound == nullptr) return above;
  const Json* most = schema.Find(bound);
  if (most == nullptr || !most->IsInt()) return std::nullopt;
  return TimesSaturated(*above, static_cast<uint64_t>(AtLeastZero(most->AsInt())));
}

std::string TooExpensive(std::string_view what, uint64_t cost, uint64_t limit) {
  const double factor = static_cast<double>(cost) / static_cast<double>(limit);
  const std::string text = factor > 100.0 ? "more than 100x"
                           : factor < 1.5 ? fmt::format("{:f}x", factor)
                                          : fmt::format("{:.1f}x", factor);
  return fmt::format(
      "{} exceeds budget by factor of {} (try simplifying the rule, or adding "
      "maxItems, maxProperties, and maxLength where arrays, maps, and strings are "
      "declared)",
      what, text);
}

void TotalCost::Add(const std::string& path, uint64_t cost) {
  constexpr uint64_t kMost = std::numeric_limits<uint64_t>::max();
  total = kMost - total < cost ? kMost : total + cost;
  if (cost < kSchemaCostLimit / 100) return;
  most_expensive.push_back({path, cost});
  std::stable_sort(most_expensive.begin(), most_expensive.end(),
                   [](const Part& a, const Part& b) { return a.cost > b.cost; });
  if (most_expensive.size() > 4) most_expensive.resize(4);
}

}  // namespace kueue::api::structural
