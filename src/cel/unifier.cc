#include "cel/unifier.h"

namespace kueue::cel {
namespace {

using Kind = Type::Kind;

bool TakesNull(Kind kind) {
  return kind == Kind::kNull || kind == Kind::kObject || kind == Kind::kTimestamp ||
         kind == Kind::kDuration || kind == Kind::kOptional || kind == Kind::kOpaque;
}

TypeRef Rebuild(const Type& type, std::vector<TypeRef> params) {
  switch (type.kind()) {
    case Kind::kList:
      return Type::List(params[0], type.list_kind(), type.keys());
    case Kind::kMap:
      return Type::Map(params[0], params[1]);
    case Kind::kOptional:
      return Type::Optional(params[0]);
    default:
      return Type::TypeOf(params[0]);
  }
}

}  // namespace

int Unifier::AddParams(int count) {
  const auto base = static_cast<int>(bound_.size());
  bound_.resize(bound_.size() + static_cast<size_t>(count));
  return base;
}

TypeRef Unifier::Fresh() { return Type::Param("T", AddParams(1)); }

TypeRef Unifier::Instantiate(const TypeRef& type, int base) const {
  if (!type->has_params()) return type;
  if (type->kind() == Kind::kParam) return Type::Param(type->name(), type->id() + base);
  std::vector<TypeRef> params;
  for (const TypeRef& param : type->params()) params.push_back(Instantiate(param, base));
  return Rebuild(*type, std::move(params));
}

const TypeRef& Unifier::Resolve(const TypeRef& type) const {
  const TypeRef* at = &type;
  while ((*at)->kind() == Kind::kParam) {
    const TypeRef& next = bound_[static_cast<size_t>((*at)->id())];
    if (next == nullptr) break;
    at = &next;
  }
  return *at;
}

TypeRef Unifier::Finish(const TypeRef& type) const {
  const TypeRef resolved = Resolve(type);
  if (!resolved->has_params()) return resolved;
  if (++steps_ > kMostSteps) return Type::Dyn();
  if (resolved->kind() == Kind::kParam) return Type::Dyn();
  std::vector<TypeRef> params;
  for (const TypeRef& param : resolved->params()) params.push_back(Finish(param));
  return Rebuild(*resolved, std::move(params));
}

void Unifier::Rewind(size_t mark) {
  while (trail_.size() > mark) {
    bound_[static_cast<size_t>(trail_.back().first)] = std::move(trail_.back().second);
    trail_.pop_back();
  }
}

bool Unifier::Occurs(int id, const TypeRef& type) const {
  const TypeRef& resolved = Resolve(type);
  if (!resolved->has_params()) return false;
  if (++steps_ > kMostSteps) return true;
  if (resolved->kind() == Kind::kParam) return resolved->id() == id;
  for (const TypeRef& param : resolved->params())
    if (Occurs(id, param)) return true;
  return false;
}

bool Unifier::Bind(const Type& param, const TypeRef& type) {
  if (type->kind() == Kind::kParam && type->id() == param.id()) return true;
  if (Occurs(param.id(), type)) return false;
  TypeRef& place = bound_[static_cast<size_t>(param.id())];
  trail_.emplace_back(param.id(), place);
  place = type;
  return true;
}

bool Unifier::MatchParams(const Type& from, const Type& to, bool strict) {
  for (size_t i = 0; i < from.params().size(); ++i)
    if (!Match(from.param(i), to.param(i), strict)) return false;
  return true;
}

bool Unifier::Match(const TypeRef& from_type, const TypeRef& to_type, bool strict) {
  const TypeRef from = Resolve(from_type);
  const TypeRef to = Resolve(to_type);
  if (from == to) return true;
  if (++steps_ > kMostSteps) return false;
  if (from->kind() == Kind::kError || to->kind() == Kind::kError) return true;
  if (to->kind() == Kind::kParam) return Bind(*to, from);
  if (from->kind() == Kind::kParam) return Bind(*from, to);
  if (from->kind() == Kind::kDyn || to->kind() == Kind::kDyn)
    return !strict || from->kind() == to->kind();
  if (from->kind() != to->kind()) {
    if (strict) return false;
    return (from->kind() == Kind::kNull && TakesNull(to->kind())) ||
           (to->kind() == Kind::kNull && TakesNull(from->kind()));
  }
  if (from->kind() == Kind::kObject || from->kind() == Kind::kOpaque)
    return from->name() == to->name();
  return from->kind() == Kind::kType || MatchParams(*from, *to, strict);
}

bool Unifier::Assign(const TypeRef& from, const TypeRef& to) {
  // A parameter that met int and now meets dyn is dyn: its value may be either.
  if (to->kind() == Kind::kParam && Resolve(from)->kind() == Kind::kDyn) {
    const TypeRef known = Resolve(to);
    if (known->kind() != Kind::kParam && known->kind() != Kind::kDyn) {
      TypeRef& place = bound_[static_cast<size_t>(to->id())];
      trail_.emplace_back(to->id(), place);
      place = Type::Dyn();
      return true;
    }
  }
  return Match(from, to, false);
}

bool Unifier::Unify(const TypeRef& a, const TypeRef& b) { return Match(a, b, true); }

}  // namespace kueue::cel
