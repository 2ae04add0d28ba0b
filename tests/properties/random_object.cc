#include "random_object.h"

#include <re2/re2.h>

#include <algorithm>
#include <map>
#include <set>

#include "api/match/topology_assignment.h"
#include "api/schema/descriptors.h"
#include "api/schema/validation_parts.h"
#include "base/time.h"

namespace kueue::api::properties {
namespace {

// Names of every form that the patterns of the tables ask for.
const std::vector<std::string>& Names() {
  static const std::vector<std::string> names = {"a",
                                                 "team-a",
                                                 "b1",
                                                 "x.example.com",
                                                 "example.com/key",
                                                 "example.com/team-b",
                                                 "cpu",
                                                 "Always",
                                                 "Ready",
                                                 "QuotaReserved",
                                                 "main",
                                                 "workers",
                                                 "nvidia.com/gpu",
                                                 "Job",
                                                 "http",
                                                 "10.0.0.1",
                                                 "10.0.0.0/24",
                                                 "kubernetes.io/hostname",
                                                 "100m",
                                                 "5Gi",
                                                 "v1",
                                                 "batch",
                                                 "1",
                                                 "0",
                                                 "/var/run/data",
                                                 "IPv4",
                                                 "sha256:0af1",
                                                 "kueue.x-k8s.io/tas",
                                                 "2024-01-02T03:04:05Z"};
  return names;
}

// What readers and writers of JSON and YAML stumble over.
const std::vector<std::string>& OddTexts() {
  static const std::vector<std::string> texts = {" leading",
                                                 "trailing ",
                                                 "yes",
                                                 "No",
                                                 "~",
                                                 "null",
                                                 "1e3",
                                                 "0x10",
                                                 "0o7",
                                                 "1_000",
                                                 ".5",
                                                 "+1",
                                                 "a: b",
                                                 "a #b",
                                                 "- a",
                                                 "[a",
                                                 "{a",
                                                 "*a",
                                                 "&a",
                                                 "!a",
                                                 "|",
                                                 ">",
                                                 "%",
                                                 "@",
                                                 "`",
                                                 "'",
                                                 "\"",
                                                 "\\",
                                                 "line\nline",
                                                 "line\n",
                                                 "\n",
                                                 "\ttab",
                                                 "a\r\nb",
                                                 "\x01\x1f\x7f",
                                                 "\xC3\xA9t\xC3\xA9",
                                                 "\xE2\x80\xA8",
                                                 "\xC2\x85",
                                                 "\xEF\xBB\xBF",
                                                 "\xF0\x9F\x98\x80",
                                                 "12:30:45",
                                                 "2024-01-02",
                                                 "---",
                                                 "...",
                                                 "? a",
                                                 "=",
                                                 "<<",
                                                 "1.0",
                                                 "-0",
                                                 ".inf",
                                                 ".NaN",
                                                 "0b1",
                                                 "a\n  b\n c\n",
                                                 ":",
                                                 "a:"};
  return texts;
}

struct TextBounds {
  std::string_view pattern;
  int64_t min_length = 0, max_length = INT64_MAX;
};

const RE2& Compiled(std::string_view pattern) {
  static std::map<std::string, std::unique_ptr<RE2>, std::less<>> known;
  auto found = known.find(pattern);
  if (found == known.end()) {
    found = known.emplace(pattern, std::make_unique<RE2>(std::string(pattern))).first;
  }
  return *found->second;
}

bool Fits(const std::string& text, const TextBounds& bounds) {
  const auto length = static_cast<int64_t>(text.size());
  if (length < bounds.min_length || length > bounds.max_length) return false;
  return bounds.pattern.empty() || RE2::PartialMatch(text, Compiled(bounds.pattern));
}

class Maker {
 public:
  Maker(const ObjectStyle& style, base::Random& random) : style_(style), random_(random) {}

  Json Struct(const StructDescriptor& table, int depth) {
    Json out = Json::MakeObject();
    for (const FieldDescriptor& field : table.fields) {
      if (table.top_level && (field.json_name == "apiVersion" || field.json_name == "kind")) {
        continue;
      }
      if (!field.required && !Wanted(depth)) continue;
      if (style_.zeros && !field.required && random_.OneIn(8)) {
        out.Set(field.json_name, Json());
        continue;
      }
      ++made_;
      out.Set(field.json_name, Field(field, depth));
    }
    if (style_.unknown_members && table.extra != nullptr && random_.OneIn(3)) {
      out.Set("xUnknown", Any(0));
    }
    return out;
  }

 private:
  // Fewer the deeper, none once the object is big.
  bool Wanted(int depth) {
    if (depth <= 1) return !random_.OneIn(4);
    return made_ < kEnough && random_.OneIn(style_.sparseness + static_cast<uint64_t>(depth) / 3);
  }

  template <class T>
  const T& OneOf(const std::vector<T>& choices) {
    return choices[random_.Below(choices.size())];
  }

  Json Field(const FieldDescriptor& field, int depth) {
    const ValueOps& ops = *field.ops;
    if (ops.kind == FieldKind::kList) return List(field, depth);
    if (ops.kind == FieldKind::kMap) return Map(field, depth);
    if (!field.enum_values.empty()) return std::string(OneOf(field.enum_values));
    return Value(ops, Of(field), depth);
  }

  static ValueBounds Of(const FieldDescriptor& field) {
    return {field.pattern, field.minimum, field.maximum, field.min_length, field.max_length};
  }

  size_t Count(std::optional<int64_t> least, std::optional<int64_t> most) {
    const auto low = static_cast<uint64_t>(least.value_or(0));
    const uint64_t high = std::min<uint64_t>(static_cast<uint64_t>(most.value_or(3)), low + 3);
    if (high <= low) return low;
    const bool empty = low == 0 && style_.zeros;
    return low + (empty ? random_.Below(high - low + 1)
                        : (low == 0 ? 1 + random_.Below(high) : random_.Below(high - low + 1)));
  }

  Json List(const FieldDescriptor& field, int depth) {
    Json out = Json::MakeArray();
    std::set<std::string> known;
    const size_t wanted = Count(field.min_items, field.max_items);
    for (size_t i = 0; i < wanted; ++i) {
      Json entry = !field.enum_values.empty() ? Json(std::string(OneOf(field.enum_values)))
                                              : Value(*field.ops->item, field.item, depth + 1);
      if (!known.insert(KeyOf(field, entry)).second) continue;
      out.Append(std::move(entry));
    }
    return out;
  }

  // What tells entries of a list apart; of other lists all entries differ.
  std::string KeyOf(const FieldDescriptor& field, const Json& entry) {
    if (field.list_type == ListType::kMap) {
      std::string key;
      for (const auto name : field.list_keys) {
        const Json* part = entry.Find(name);
        if (part != nullptr && part->IsString()) key += part->AsString();
        if (part != nullptr && part->IsInt()) key += part->NumberText();
        key += '\n';
      }
      return key;
    }
    if (field.list_type == ListType::kSet && entry.IsString()) return entry.AsString();
    return std::to_string(random_.Next());
  }

  Json Map(const FieldDescriptor& field, int depth) {
    Json out = Json::MakeObject();
    const size_t wanted = Count(std::nullopt, field.max_properties);
    for (size_t i = 0; i < wanted; ++i) {
      // A binary map's and a text map's keys are names too.
      out.Set(Text({{}, 1, 60}, false), Value(*field.ops->item, field.item, depth + 1));
    }
    return out;
  }

  Json Value(const ValueOps& ops, const ValueBounds& bounds, int depth) {
    switch (ops.kind) {
      case FieldKind::kBool:
        return style_.zeros ? random_.OneIn(2) : true;
      case FieldKind::kInt32:
        return Integer(bounds, INT32_MIN, INT32_MAX);
      case FieldKind::kInt64:
        return Integer(bounds, INT64_MIN, INT64_MAX);
      case FieldKind::kString:
        return Text({bounds.pattern, bounds.min_length.value_or(style_.zeros ? 0 : 1),
                     bounds.max_length.value_or(INT64_MAX)},
                    style_.odd_texts && depth > 1);
      case FieldKind::kQuantity:
        return AQuantity();
      case FieldKind::kTime:
        return base::FormatTime(ATime(false));
      case FieldKind::kMicroTime:
        return base::FormatMicroTime(ATime(true));
      case FieldKind::kDuration:
        return OneOf<std::string>({"1h2m3s", "300ms", "90s", "1.5h", "24h0m0s"});
      case FieldKind::kConditionStatus:
        return OneOf<std::string>({"True", "False", "Unknown"});
      case FieldKind::kBytes:
        return OneOf<std::string>({"YQ==", "AAECAw==", "a3VldWU="});
      case FieldKind::kNumber:
        return random_.OneIn(2) ? Json(static_cast<int64_t>(random_.Below(1000)) + 1)
                                : Json(Json::Number{OneOf<std::string>({"1.5", "0.25", "1e2"})});
      case FieldKind::kIntOrString:
        return random_.OneIn(2) ? Json(static_cast<int64_t>(random_.Below(100)) + 1)
                                : Json(OneOf<std::string>({"50%", "http", "1Gi"}));
      case FieldKind::kJson:
        return Any(0);
      case FieldKind::kStruct:
        return Struct(ops.Table(), depth + 1);
      case FieldKind::kList:
      case FieldKind::kMap:
        return Nested(ops, bounds, depth);
    }
    return {};
  }

  // A list or a map inside of another.
  Json Nested(const ValueOps& ops, const ValueBounds& bounds, int depth) {
    if (ops.kind == FieldKind::kList) {
      Json out = Json::MakeArray();
      out.Append(Value(*ops.item, bounds, depth + 1));
      return out;
    }
    Json out = Json::MakeObject();
    out.Set(Text({{}, 1, 60}, false), Value(*ops.item, bounds, depth + 1));
    return out;
  }

  Json Integer(const ValueBounds& bounds, int64_t lowest, int64_t highest) {
    const int64_t low = std::max(bounds.minimum.value_or(style_.odd_texts ? lowest : 1), lowest);
    const int64_t high = std::min(bounds.maximum.value_or(highest), highest);
    if (style_.odd_texts && random_.OneIn(4)) return random_.OneIn(2) ? low : high;
    const uint64_t span = static_cast<uint64_t>(high) - static_cast<uint64_t>(low);
    const int64_t from = low < 0 && high > 0 ? 0 : low;
    return from + static_cast<int64_t>(random_.Below(std::min<uint64_t>(span / 2 + 1, 50)));
  }

  Json AQuantity() {
    if (random_.OneIn(8)) return static_cast<int64_t>(random_.Below(10));
    return OneOf<std::string>({"100m", "1", "1Gi", "1.5", "0", "1e3", "2500M", "0.001", "64Ki",
                               "3T", "1500m", "12E", "1024"});
  }

  base::Time ATime(bool micro) {
    const auto start = base::ParseTime("2024-01-02T03:04:05Z").value();
    const auto seconds = static_cast<int64_t>(random_.Below(400'000'000));
    const auto micros = micro ? static_cast<int64_t>(random_.Below(1'000'000)) : 0;
    return start + std::chrono::seconds(seconds) + std::chrono::microseconds(micros);
  }

  std::string Text(const TextBounds& bounds, bool odd) {
    if (odd && random_.OneIn(2)) {
      const std::string& text = OneOf(OddTexts());
      if (Fits(text, bounds)) return text;
    }
    // Most texts without a pattern have to be names all the same.
    static const std::vector<std::string> plain = {"a", "team-a", "b1", "main", "workers", "http"};
    if (bounds.pattern.empty() && !random_.OneIn(6)) {
      const std::string& name = OneOf(plain);
      if (Fits(name, bounds)) return name;
    }
    const std::vector<std::string>& names = Names();
    const size_t first = random_.Below(names.size());
    for (size_t i = 0; i < names.size(); ++i) {
      const std::string& name = names[(first + i) % names.size()];
      if (Fits(name, bounds)) return name;
    }
    return std::string(static_cast<size_t>(bounds.min_length), 'a');
  }

  Json Any(int depth) {
    switch (random_.Below(depth < 3 ? 8 : 5)) {
      case 0:
        return true;
      case 1:
        return static_cast<int64_t>(random_.Next());
      case 2:
        return Json::Number{OneOf<std::string>({"1.25", "-2e10", "18446744073709551616"})};
      case 3:
        return OneOf(OddTexts());
      case 4:
        return OneOf(Names());
      case 5:
        return random_.OneIn(2) ? Json::MakeArray() : Json::MakeObject();
      case 6: {
        Json out = Json::MakeArray();
        for (uint64_t i = random_.Below(3) + 1; i > 0; --i) out.Append(Any(depth + 1));
        return out;
      }
      default:
        break;
    }
    Json out = Json::MakeObject();
    for (uint64_t i = random_.Below(3) + 1; i > 0; --i) {
      out.Set(OneOf(random_.OneIn(2) ? Names() : OddTexts()), Any(depth + 1));
    }
    return out;
  }

  static constexpr int kEnough = 150;
  const ObjectStyle& style_;
  base::Random& random_;
  int made_ = 0;
};

// ---- what no table says and no conversion can do without

// A topology assignment in the form of the version: of v1beta1 domains, of v1beta2 slices.
Json RandomAssignment(bool older, base::Random& random) {
  const std::vector<std::string> levels = {"example.com/block", "kubernetes.io/hostname"};
  std::vector<TopologyDomain> domains;
  for (uint64_t i = random.Below(4) + 1; i > 0; --i) {
    TopologyDomain& domain = domains.emplace_back();
    domain.values = {"block-" + std::to_string(random.Below(2)), "host-" + std::to_string(i)};
    domain.count = static_cast<int32_t>(random.Below(3)) + 1;
  }
  if (!older) return Encode(EncodeTopology(levels, domains, true));
  Json out = Json::MakeObject();
  for (const std::string& level : levels) out["levels"].Append(level);
  for (const TopologyDomain& domain : domains) {
    Json entry = Json::MakeObject();
    for (const std::string& value : domain.values) entry["values"].Append(value);
    entry.Set("count", int64_t{domain.count});
    out["domains"].Append(std::move(entry));
  }
  return out;
}

// Group and kind of a class go together.
void RepairClass(Json& object, base::Random& random) {
  Json* spec = object.Find("spec");
  Json* ref = spec != nullptr ? spec->Find("priorityClassRef") : nullptr;
  if (ref == nullptr || !ref->IsObject()) return;
  const bool own = random.OneIn(2);
  ref->Set("group", own ? "kueue.x-k8s.io" : "scheduling.k8s.io");
  ref->Set("kind", own ? "WorkloadPriorityClass" : "PriorityClass");
}

void RepairWorkload(bool older, Json& object, base::Random& random) {
  RepairClass(object, random);
  Json* status = object.Find("status");
  Json* admission = status != nullptr ? status->Find("admission") : nullptr;
  // A struct always says the queue, and an empty name is none.
  if (admission != nullptr && admission->IsObject() && admission->Find("clusterQueue") == nullptr) {
    admission->Set("clusterQueue", "team-a");
  }
  Json* sets = admission != nullptr ? admission->Find("podSetAssignments") : nullptr;
  if (sets == nullptr || !sets->IsArray()) return;
  for (Json& set : sets->AsArray()) {
    Json* assignment = set.Find("topologyAssignment");
    if (assignment != nullptr && assignment->IsObject()) {
      *assignment = RandomAssignment(older, random);
    }
  }
}

}  // namespace

Json RandomObject(const KindInfo& kind, const ObjectStyle& style, base::Random& random) {
  Json object = Json::MakeObject();
  object.Set("apiVersion", kind.ApiVersion());
  object.Set("kind", std::string(kind.kind));
  Json body = Maker(style, random).Struct(*kind.table, 0);
  Json& metadata = body["metadata"];
  if (!metadata.IsObject()) metadata = Json::MakeObject();
  metadata.Set("name", "object-" + std::to_string(random.Below(1000)));
  if (kind.namespaced) {
    metadata.Set("namespace", "team-a");
  } else {
    metadata.Erase("namespace");
  }
  for (Json::Member& member : body.AsObject()) object.Set(member.key, std::move(member.value));
  if (kind.group == "kueue.x-k8s.io" && kind.kind == "Workload") {
    RepairWorkload(kind.version == "v1beta1", object, random);
  }
  return object;
}

}  // namespace kueue::api::properties
