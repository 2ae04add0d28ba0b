#include "api/structural/correlation.h"

namespace kueue::api::structural {

const Json* FindByKeys(const Json& list, const Json& entry, const Schema& schema) {
  if (!list.IsArray() || !entry.IsObject() || schema.list_map_keys.empty()) return nullptr;
  for (const Json& candidate : list.AsArray()) {
    if (!candidate.IsObject()) continue;
    bool same = true;
    for (const std::string& key : schema.list_map_keys) {
      const Json* a = candidate.Find(key);
      const Json* b = entry.Find(key);
      same = same && (a == nullptr) == (b == nullptr) && (a == nullptr || *a == *b);
    }
    if (same) return &candidate;
  }
  return nullptr;
}

std::optional<Correlation> Correlation::Member(std::string_view name) const {
  if (schema_ == nullptr) return std::nullopt;
  const Json* now = now_->Find(name);
  const Json* before = before_->Find(name);
  const Schema* schema = schema_->MemberSchema(name);
  if (now == nullptr || before == nullptr || schema == nullptr) return std::nullopt;
  return Correlation(*now, *before, schema);
}

std::optional<Correlation> Correlation::Entry(size_t index) const {
  if (schema_ == nullptr || schema_->items == nullptr || schema_->list_type != "map" ||
      !now_->IsArray() || index >= now_->size()) {
    return std::nullopt;
  }
  const Json& now = now_->AsArray()[index];
  const Json* before = FindByKeys(*before_, now, *schema_);
  if (before == nullptr) return std::nullopt;
  return Correlation(now, *before, schema_->items.get());
}

bool Correlation::Equal() const {
  if (now_->IsNull() || before_->IsNull()) return now_->IsNull() && before_->IsNull();
  if (now_->type() != before_->type() && !(now_->IsNumber() && before_->IsNumber())) return false;
  if (now_->IsArray()) {
    if (now_->size() != before_->size()) return false;
    if (schema_ == nullptr || schema_->list_type != "map") return *now_ == *before_;
    for (size_t i = 0; i < now_->size(); ++i) {
      const auto entry = Entry(i);
      if (!entry || !entry->Equal()) return false;
    }
    return true;
  }
  if (now_->IsObject()) {
    if (now_->size() != before_->size()) return false;
    for (const Json::Member& member : now_->AsObject()) {
      const auto child = Member(member.key);
      if (!child || !child->Equal()) return false;
    }
    return true;
  }
  return *now_ == *before_;
}

}  // namespace kueue::api::structural
