#include "integrations/topology_request.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <string_view>

#include "api/codec/json_text.h"
#include "api/match/name_rules.h"
#include "api/types/names.h"

namespace kueue::integrations {
namespace {

using api::FieldError;
using api::FieldErrorType;
namespace names = api::names;

constexpr size_t kMostLayers = 3;

const std::string* Find(const api::ObjectMeta& meta, const char* key) {
  const auto found = meta.annotations.find(key);
  return found == meta.annotations.end() ? nullptr : &found->second;
}

// The texts that stand for a boolean in Go's ParseBool.
std::optional<bool> ParseBool(const std::string& text) {
  static const std::set<std::string_view> kTrue{"1", "t", "T", "TRUE", "true", "True"};
  static const std::set<std::string_view> kFalse{"0", "f", "F", "FALSE", "false", "False"};
  if (kTrue.contains(text)) return true;
  if (kFalse.contains(text)) return false;
  return std::nullopt;
}

std::optional<int32_t> ParseInt(const std::string& text) {
  std::string_view digits = text;
  if (digits.size() > 1 && digits[0] == '+' && digits[1] != '-') digits.remove_prefix(1);
  int32_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return value;
}

bool IsUnsigned(const std::string& text) {
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

using Layers = std::vector<api::SliceTopologyConstraint>;

// A JSON list of {"topology", "size"}.
base::Result<Layers> ParseLayers(const std::string& text) {
  const auto wrong = [&](const std::string& what) {
    return base::Invalid(std::string("annotation ") + names::kSliceTopologyConstraints + ": " +
                         what);
  };
  const auto json = api::ParseJson(text);
  if (!json.ok()) return wrong(json.error().message);
  if (!json->IsArray()) return wrong("must be a JSON list of {\"topology\": ..., \"size\": ...}");
  Layers layers;
  for (const api::Json& item : json->AsArray()) {
    if (!item.IsObject()) return wrong("every entry must be {\"topology\": ..., \"size\": ...}");
    api::SliceTopologyConstraint& layer = layers.emplace_back();
    if (const api::Json* topology = item.Find("topology")) {
      if (!topology->IsString()) return wrong("\"topology\" must be a string");
      layer.topology = topology->AsString();
    }
    if (const api::Json* size = item.Find("size")) {
      if (!size->IsInt() || size->AsInt() > INT32_MAX || size->AsInt() < INT32_MIN) {
        return wrong("\"size\" must be a whole number of 32 bits");
      }
      layer.size = static_cast<int32_t>(size->AsInt());
    }
  }
  if (layers.empty() || layers.size() > kMostLayers) {
    return wrong("must have 1 to 3 entries, has " + std::to_string(layers.size()));
  }
  return layers;
}

// Fills in where the pods shall be; false if no annotation says so.
base::Result<bool> ReadMainLevel(const api::ObjectMeta& meta, api::PodSetTopologyRequest& request) {
  if (const std::string* level = Find(meta, names::kRequiredTopology)) {
    request.required = *level;
    return true;
  }
  if (const std::string* level = Find(meta, names::kPreferredTopology)) {
    request.preferred = *level;
    return true;
  }
  const std::string* const text = Find(meta, names::kUnconstrainedTopology);
  if (text == nullptr) return false;
  const auto value = ParseBool(*text);
  if (!value) {
    return base::Invalid(std::string("annotation ") + names::kUnconstrainedTopology + ": '" +
                         *text + "' must be true or false");
  }
  request.unconstrained = *value;
  return true;
}

base::Result<bool> ReadSlices(const api::ObjectMeta& meta, api::PodSetTopologyRequest& request) {
  if (const std::string* text = Find(meta, names::kSliceTopologyConstraints)) {
    auto layers = ParseLayers(*text);
    if (!layers.ok()) return layers.error();
    request.podset_slice_required_topology_constraints = std::move(*layers);
    return true;
  }
  const std::string* const level = Find(meta, names::kSliceRequiredTopology);
  const std::string* const size = Find(meta, names::kSliceSize);
  if (level == nullptr || size == nullptr) return false;
  const auto value = ParseInt(*size);
  if (!value) {
    return base::Invalid(std::string("annotation ") + names::kSliceSize + ": '" + *size +
                         "' must be a whole number of 32 bits");
  }
  request.pod_set_slice_required_topology = *level;
  request.pod_set_slice_size = *value;
  return true;
}

// One template's check; collects errors under the path of its annotations.
class TemplateCheck {
 public:
  TemplateCheck(const api::ObjectMeta& meta, const std::string& path, int32_t count, bool layers)
      : meta_(meta), path_(path + ".annotations"), count_(count), layers_(layers) {}

  std::vector<FieldError> Run() {
    CheckMain();
    CheckPair();
    CheckGroupName();
    CheckLayers();
    return std::move(errors_);
  }

 private:
  std::string At(const char* key) const { return path_ + "[" + key + "]"; }
  void Add(FieldErrorType type, std::string field, std::string message) {
    errors_.push_back({type, std::move(field), std::move(message)});
  }
  bool Has(const char* key) const { return Find(meta_, key) != nullptr; }

  void CheckLevel(const char* key) {
    const std::string* const level = Find(meta_, key);
    if (level == nullptr) return;
    for (const std::string& problem : api::QualifiedNameProblems(*level)) {
      Add(FieldErrorType::kInvalid, At(key), "'" + *level + "' is not a node label: " + problem);
    }
  }

  void CheckMain() {
    const int asked = Has(names::kRequiredTopology) + Has(names::kPreferredTopology) +
                      Has(names::kUnconstrainedTopology);
    if (asked > 1) {
      Add(FieldErrorType::kInvalid, path_,
          "only one of required, preferred and unconstrained topology can be asked for");
    }
    CheckLevel(names::kRequiredTopology);
    CheckLevel(names::kPreferredTopology);
    const std::string* const text = Find(meta_, names::kUnconstrainedTopology);
    if (text != nullptr && !ParseBool(*text)) {
      Add(FieldErrorType::kInvalid, At(names::kUnconstrainedTopology),
          "'" + *text + "' must be true or false");
    }
  }

  void CheckPair() {
    CheckLevel(names::kSliceRequiredTopology);
    const std::string* const text = Find(meta_, names::kSliceSize);
    if (text == nullptr) {
      if (!Has(names::kSliceRequiredTopology)) return;
      return Add(FieldErrorType::kRequired, At(names::kSliceSize),
                 std::string("must be set together with ") + names::kSliceRequiredTopology);
    }
    if (!Has(names::kSliceRequiredTopology)) {
      Add(FieldErrorType::kForbidden, At(names::kSliceSize),
          std::string("goes only together with ") + names::kSliceRequiredTopology);
    }
    const auto size = ParseInt(*text);
    if (!size || *size < 1) {
      Add(FieldErrorType::kInvalid, At(names::kSliceSize),
          "'" + *text + "' must be a whole number from 1 on");
    } else if (*size > count_) {
      Add(FieldErrorType::kInvalid, At(names::kSliceSize),
          "'" + *text + "' is more than the " + std::to_string(count_) + " pods there are");
    }
  }

  void CheckGroupName() {
    const std::string* const name = Find(meta_, names::kPodSetGroupName);
    if (name == nullptr) return;
    const std::string at = At(names::kPodSetGroupName);
    if (IsUnsigned(*name)) {
      Add(FieldErrorType::kInvalid, at, "'" + *name + "' must not be a number");
    }
    for (const char* key :
         {names::kSliceRequiredTopology, names::kSliceSize, names::kSliceTopologyConstraints}) {
      if (!Has(key)) continue;
      Add(FieldErrorType::kForbidden, at, std::string("does not go together with ") + key);
      break;
    }
    if (!Has(names::kRequiredTopology) && !Has(names::kPreferredTopology)) {
      Add(FieldErrorType::kForbidden, at, "needs a required or preferred topology");
    }
  }

  void CheckLayers() {
    const std::string* const text = Find(meta_, names::kSliceTopologyConstraints);
    if (text == nullptr) return;
    const std::string at = At(names::kSliceTopologyConstraints);
    if (!layers_) {
      return Add(FieldErrorType::kForbidden, at, "needs feature gate TASMultiLayerTopology");
    }
    if (Has(names::kSliceRequiredTopology) || Has(names::kSliceSize)) {
      Add(FieldErrorType::kForbidden, at,
          std::string("does not go together with ") + names::kSliceRequiredTopology + " and " +
              names::kSliceSize);
    }
    const auto layers = ParseLayers(*text);
    if (!layers.ok()) return Add(FieldErrorType::kInvalid, at, layers.error().message);
    std::set<std::string> seen;
    for (size_t i = 0; i < layers->size(); ++i) {
      CheckLayer(*layers, i, at + "[" + std::to_string(i) + "]", seen);
    }
    if (layers->front().size > count_) {
      Add(FieldErrorType::kInvalid, at,
          "the first size, " + std::to_string(layers->front().size) + ", is more than the " +
              std::to_string(count_) + " pods there are");
    }
  }

  void CheckLayer(const Layers& layers, size_t i, const std::string& at,
                  std::set<std::string>& seen) {
    const api::SliceTopologyConstraint& layer = layers[i];
    for (const std::string& problem : api::QualifiedNameProblems(layer.topology)) {
      Add(FieldErrorType::kInvalid, at + ".topology",
          "'" + layer.topology + "' is not a node label: " + problem);
    }
    if (!seen.insert(layer.topology).second) {
      Add(FieldErrorType::kDuplicate, at + ".topology",
          "'" + layer.topology + "' is named by an earlier entry");
    }
    const std::string size = "'" + std::to_string(layer.size) + "'";
    if (layer.size < 1) {
      Add(FieldErrorType::kInvalid, at + ".size", size + " must be at least 1");
    } else if (i > 0 && layers[i - 1].size % layer.size != 0) {
      Add(FieldErrorType::kInvalid, at + ".size",
          size + " must divide the size before it, " + std::to_string(layers[i - 1].size));
    }
  }

  const api::ObjectMeta& meta_;
  const std::string path_;
  const int32_t count_;
  const bool layers_;
  std::vector<FieldError> errors_;
};

std::string LevelOf(const api::ObjectMeta& meta, const char* key) {
  const std::string* const text = Find(meta, key);
  return text == nullptr ? "" : *text;
}

}  // namespace

base::Result<std::optional<api::PodSetTopologyRequest>> TopologyRequestOf(
    const api::ObjectMeta& pod_template, const IndexLabels& labels) {
  api::PodSetTopologyRequest request;
  const auto main = ReadMainLevel(pod_template, request);
  if (!main.ok()) return main.error();
  const auto slices = ReadSlices(pod_template, request);
  if (!slices.ok()) return slices.error();
  const bool numbered =
      !labels.pod_index.empty() || !labels.sub_group.empty() || labels.sub_group_count;
  if (!*main && !*slices && !numbered) return std::optional<api::PodSetTopologyRequest>();
  if (!labels.pod_index.empty()) request.pod_index_label = labels.pod_index;
  if (!labels.sub_group.empty()) request.sub_group_index_label = labels.sub_group;
  request.sub_group_count = labels.sub_group_count;
  if (request.required || request.preferred) {
    if (const std::string* group = Find(pod_template, names::kPodSetGroupName)) {
      request.pod_set_group_name = *group;
    }
  }
  return std::optional(std::move(request));
}

void LimitTopologyRequests(std::vector<api::PodSet>& pod_sets, bool topology_off) {
  for (api::PodSet& pod_set : pod_sets) {
    if (topology_off) {
      pod_set.topology_request.reset();
    } else if (pod_set.topology_request) {
      pod_set.topology_request->podset_slice_required_topology_constraints.clear();
    }
  }
}

std::vector<FieldError> CheckTopologyAnnotations(const api::ObjectMeta& pod_template,
                                                 const std::string& path, int32_t count,
                                                 bool layers) {
  return TemplateCheck(pod_template, path, count, layers).Run();
}

std::vector<FieldError> CheckTopologyGroups(const std::vector<TemplateAt>& templates) {
  std::vector<FieldError> errors;
  std::map<std::string, std::vector<const TemplateAt*>> groups;
  for (const TemplateAt& at : templates) {
    const std::string* const name = Find(*at.metadata, names::kPodSetGroupName);
    if (name != nullptr) groups[*name].push_back(&at);
  }
  for (const auto& group : groups) {
    const std::string& name = group.first;
    const std::vector<const TemplateAt*>& members = group.second;
    const auto refuse = [&](const std::string& field, const std::string& message) {
      for (const TemplateAt* at : members) {
        errors.push_back({FieldErrorType::kInvalid, at->path + ".annotations" + field, message});
      }
    };
    const std::string key = std::string("[") + names::kPodSetGroupName + "]";
    if (members.size() != 2) {
      refuse(key, "group '" + name + "' has " + std::to_string(members.size()) +
                      " pod sets, must have exactly 2");
      continue;
    }
    if (members[0]->count != 1 && members[1]->count != 1) {
      refuse(key, "one pod set of group '" + name + "' must have exactly one pod");
    }
    const auto same = [&](const char* level) {
      return LevelOf(*members[0]->metadata, level) == LevelOf(*members[1]->metadata, level);
    };
    if (!same(names::kRequiredTopology) || !same(names::kPreferredTopology)) {
      refuse("", "both pod sets of group '" + name + "' must ask for the same topology");
    }
  }
  return errors;
}

}  // namespace kueue::integrations
