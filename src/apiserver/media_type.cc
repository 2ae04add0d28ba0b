#include "apiserver/media_type.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <vector>

namespace kueue::apiserver {

namespace {

std::string_view Trim(std::string_view text) {
  const auto blank = [](char c) { return c == ' ' || c == '\t'; };
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  return text;
}

std::vector<std::string_view> Split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (size_t at = 0; at <= text.size();) {
    size_t end = text.find(separator, at);
    if (end == std::string_view::npos) end = text.size();
    parts.push_back(Trim(text.substr(at, end - at)));
    at = end + 1;
  }
  return parts;
}

struct Clause {
  std::string type;
  std::map<std::string, std::string, std::less<>> parameters;
  double quality = 1;

  std::string_view Parameter(std::string_view name) const {
    auto it = parameters.find(name);
    return it == parameters.end() ? std::string_view() : std::string_view(it->second);
  }
};

// The clauses of an Accept header, best first; equal ones in the order written.
std::vector<Clause> ClausesOf(std::string_view accept) {
  std::vector<Clause> clauses;
  for (std::string_view part : Split(accept, ',')) {
    if (part.empty()) continue;
    const auto pieces = Split(part, ';');
    Clause clause;
    clause.type = BareMediaType(pieces[0]);
    for (size_t i = 1; i < pieces.size(); ++i) {
      const size_t equals = pieces[i].find('=');
      if (equals == std::string_view::npos) continue;
      const std::string key(Trim(pieces[i].substr(0, equals)));
      const std::string value(Trim(pieces[i].substr(equals + 1)));
      if (key == "q") {
        clause.quality = std::strtod(value.c_str(), nullptr);
      } else {
        clause.parameters[key] = value;
      }
    }
    clauses.push_back(std::move(clause));
  }
  std::stable_sort(clauses.begin(), clauses.end(),
                   [](const Clause& a, const Clause& b) { return a.quality > b.quality; });
  return clauses;
}

bool IsJson(const Clause& clause) {
  return clause.type == "application/json" || clause.type == "*/*" ||
         clause.type == "application/*";
}

// The shape that `as` names, if an answer of this kind can have it.
std::optional<Shape> ShapeOf(std::string_view as, AnswerKind answer) {
  if (answer == AnswerKind::kPlain) return std::nullopt;
  if (as == "Table") return Shape::kTable;
  if (as == "PartialObjectMetadata" && answer == AnswerKind::kSingle) return Shape::kPartial;
  if (as == "PartialObjectMetadataList" && answer == AnswerKind::kList) return Shape::kPartialList;
  return std::nullopt;
}

}  // namespace

std::string BareMediaType(std::string_view content_type) {
  std::string type(Trim(content_type.substr(0, content_type.find(';'))));
  std::transform(type.begin(), type.end(), type.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return type;
}

std::vector<AcceptedType> ParseAccept(std::string_view accept) {
  std::vector<AcceptedType> types;
  for (const Clause& clause : ClausesOf(accept)) types.push_back({clause.type});
  return types;
}

std::optional<Representation> Negotiate(std::string_view accept, AnswerKind answer) {
  if (Trim(accept).empty()) return Representation{};
  for (const Clause& clause : ClausesOf(accept)) {
    const bool yaml = clause.type == "application/yaml";
    if (!yaml && !IsJson(clause)) continue;
    Representation found;
    found.yaml = yaml;
    const std::string_view as = clause.Parameter("as");
    if (as.empty()) return found;
    const std::string_view version = clause.Parameter("v");
    if (clause.Parameter("g") != "meta.k8s.io" || (version != "v1" && version != "v1beta1")) {
      continue;
    }
    const auto shape = ShapeOf(as, answer);
    if (!shape) continue;
    found.shape = *shape;
    found.meta_version = version;
    return found;
  }
  return std::nullopt;
}

bool AcceptsAggregatedDiscovery(std::string_view accept) {
  for (const Clause& clause : ClausesOf(accept)) {
    if (!IsJson(clause)) continue;
    if (clause.Parameter("as").empty()) return false;
    if (clause.Parameter("as") == "APIGroupDiscoveryList" &&
        clause.Parameter("g") == "apidiscovery.k8s.io" && clause.Parameter("v") == "v2") {
      return true;
    }
  }
  return false;
}

bool AcceptsPlain(std::string_view accept) {
  return Negotiate(accept, AnswerKind::kPlain).has_value();
}

bool NamesKnownType(std::string_view accept) {
  for (const Clause& clause : ClausesOf(accept)) {
    if (IsJson(clause) || clause.type == "application/yaml") return true;
  }
  return false;
}

BodyFormat BodyFormatOf(std::string_view content_type) {
  const std::string type = BareMediaType(content_type);
  if (type.empty() || type == "application/json") return BodyFormat::kJson;
  if (type == "application/yaml") return BodyFormat::kYaml;
  if (type == "application/vnd.kubernetes.protobuf") return BodyFormat::kProtobuf;
  return BodyFormat::kUnsupported;
}

}  // namespace kueue::apiserver
