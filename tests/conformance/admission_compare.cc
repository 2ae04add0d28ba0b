#include "admission_compare.h"

#include <fmt/core.h>

#include "api/codec/json_text.h"
#include "base/time.h"
#include "resources/quantity.h"

namespace kueue::conformance {
namespace {

using api::Json;

const Json::Array& Items(const Json* list) {
  static const Json::Array none;
  return list != nullptr && list->IsArray() ? list->AsArray() : none;
}

Json Domain(Json values, const Json& count) {
  Json domain = Json::MakeObject();
  domain.Set("values", std::move(values));
  domain.Set("count", count);
  return domain;
}

// The domains of one slice of the compact form.
void AppendDomains(const Json& slice, Json& domains) {
  const Json* counts = slice.Find("podCounts");
  const Json* n = slice.Find("domainCount");
  for (size_t i = 0; n != nullptr && n->IsInt() && static_cast<int64_t>(i) < n->AsInt(); ++i) {
    Json values = Json::MakeArray();
    for (const Json& level : Items(slice.Find("valuesPerLevel"))) {
      const Json* individual = level.Find("individual");
      if (individual == nullptr) {
        values.Append(level.StringAt({"universal"}));
        continue;
      }
      const auto& roots = Items(individual->Find("roots"));
      values.Append(individual->StringAt({"prefix"}) +
                    (i < roots.size() ? roots[i].AsString() : "?") +
                    individual->StringAt({"suffix"}));
    }
    const Json* universal = counts ? counts->Find("universal") : nullptr;
    const auto& each = Items(counts ? counts->Find("individual") : nullptr);
    domains.Append(Domain(std::move(values), universal         ? *universal
                                             : i < each.size() ? each[i]
                                                               : Json()));
  }
}

Json DecodedAssignment(const Json& assignment) {
  Json domains = Json::MakeArray();
  for (const Json& domain : Items(assignment.Find("domains"))) {
    domains.Append(Domain(domain.Find("values") ? *domain.Find("values") : Json(),
                          domain.Find("count") ? *domain.Find("count") : Json()));
  }
  for (const Json& slice : Items(assignment.Find("slices"))) AppendDomains(slice, domains);
  Json out = Json::MakeObject();
  if (const Json* levels = assignment.Find("levels")) out.Set("levels", *levels);
  out.Set("domains", std::move(domains));
  return out;
}

// Without what does not count. `status`: inside of it.
Json Reduced(const Json& json, bool status) {
  if (json.IsArray()) {
    Json out = Json::MakeArray();
    for (const Json& item : json.AsArray()) out.Append(Reduced(item, status));
    return out;
  }
  if (!json.IsObject()) return json;
  Json out = Json::MakeObject();
  for (const Json::Member& member : json.AsObject()) {
    if (member.key.rfind("kueue-cpp.dev/", 0) == 0) continue;
    const bool assignment = member.key == "topologyAssignment";
    Json value = Reduced(assignment ? DecodedAssignment(member.value) : member.value,
                         status || member.key == "status");
    if (value.IsNull() || ((value.IsArray() || value.IsObject()) && value.size() == 0)) continue;
    if (status && value.IsInt() && value.AsInt() == 0) continue;
    out.Set(member.key, std::move(value));
  }
  return out;
}

std::string TextOf(const Json& json) {
  return json.IsString() ? json.AsString() : json.IsNumber() ? json.NumberText() : std::string();
}

bool SameScalar(const Json& a, const Json& b) {
  if (a == b) return true;
  const std::string left = TextOf(a), right = TextOf(b);
  if (left.empty() || right.empty()) return false;
  const auto p = resources::Quantity::Parse(left), q = resources::Quantity::Parse(right);
  if (p.ok() && q.ok()) return p->nano() == q->nano();
  const auto s = base::ParseTime(left), t = base::ParseTime(right);
  return s.ok() && t.ok() && *s == *t;
}

std::string Compare(const Json& wanted, const Json& got, const std::string& path) {
  if (wanted.IsObject() && got.IsObject()) {
    for (const Json::Member& member : wanted.AsObject()) {
      const std::string at = path.empty() ? member.key : path + "." + member.key;
      const Json* other = got.Find(member.key);
      if (other == nullptr) {
        return fmt::format("{} is absent, want {}", at, api::WriteJson(member.value));
      }
      const std::string difference = Compare(member.value, *other, at);
      if (!difference.empty()) return difference;
    }
    for (const Json::Member& member : got.AsObject()) {
      if (wanted.Find(member.key)) continue;
      return fmt::format("{}.{} is {}, want none", path, member.key,
                         api::WriteJson(member.value).substr(0, 200));
    }
    return "";
  }
  if (wanted.IsArray() && got.IsArray() && wanted.size() == got.size()) {
    for (size_t i = 0; i < wanted.size(); ++i) {
      const std::string difference =
          Compare(wanted.AsArray()[i], got.AsArray()[i], fmt::format("{}[{}]", path, i));
      if (!difference.empty()) return difference;
    }
    return "";
  }
  if (SameScalar(wanted, got)) return "";
  return fmt::format("{} is {}, want {}", path, api::WriteJson(got).substr(0, 200),
                     api::WriteJson(wanted).substr(0, 200));
}

}  // namespace

std::string CompareObjects(const Json& wanted, const Json& got) {
  Json reduced = Reduced(got, false);
  if (Json* metadata = reduced.Find("metadata")) {
    for (const char* member :
         {"uid", "resourceVersion", "creationTimestamp", "managedFields", "generation"}) {
      metadata->Erase(member);
    }
  }
  return Compare(Reduced(wanted, false), reduced, "");
}

}  // namespace kueue::conformance
