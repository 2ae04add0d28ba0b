#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cel/type.h"

namespace kueue::cel {

// Type parameters while an expression is checked: what each stands for so far.
class Unifier {
 public:
  // `count` fresh parameters, numbered from the result.
  int AddParams(int count);
  TypeRef Fresh();
  // The type with its placeholders 0, 1 ... numbered from `base`.
  TypeRef Instantiate(const TypeRef& type, int base) const;
  // What a parameter stands for, itself when nothing yet.
  const TypeRef& Resolve(const TypeRef& type) const;
  // The type with all parameters replaced; those that stand for nothing become dyn.
  TypeRef Finish(const TypeRef& type) const;

  // Whether a value of type `from` can be used where `to` is wanted; binds parameters. dyn goes
  // with everything; null with objects, times, optionals and opaque types.
  bool Assign(const TypeRef& from, const TypeRef& to);
  // Whether the two are the same type; binds parameters. dyn is only dyn.
  bool Unify(const TypeRef& a, const TypeRef& b);

  // Whether types got so involved that answers are no longer to be trusted.
  bool exhausted() const { return steps_ > kMostSteps; }

  // Undoes all bindings made since Mark returned `mark`.
  size_t Mark() const { return trail_.size(); }
  void Rewind(size_t mark);

 private:
  bool Bind(const Type& param, const TypeRef& type);
  bool Occurs(int id, const TypeRef& type) const;
  bool Match(const TypeRef& from, const TypeRef& to, bool strict);
  bool MatchParams(const Type& from, const Type& to, bool strict);

  static constexpr uint64_t kMostSteps = 2'000'000;
  mutable uint64_t steps_ = 0;
  std::vector<TypeRef> bound_;
  std::vector<std::pair<int, TypeRef>> trail_;  // the parameter and what it was bound to before
};

}  // namespace kueue::cel
