#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cel/type.h"

namespace kueue::cel {

// Libraries beyond what Kubernetes gives to all expressions.
struct Extras {
  bool math = false;      // math.greatest, math.least, math.abs ...
  bool encoders = false;  // base64.encode, base64.decode
  bool bindings = false;  // cel.bind
};

// What an expression may refer to: its variables and libraries. Kubernetes' libraries are always
// there (those of 1.37). A value; Programs keep a copy.
class Environment {
 public:
  struct Variable {
    std::string name;
    TypeRef type;
  };

  // Returns the number of the variable, which Activation::Set takes. Type::Dyn() for variables
  // whose shape is known at run time only.
  size_t AddVariable(std::string name, TypeRef type) {
    variables_.push_back({std::move(name), std::move(type)});
    return variables_.size() - 1;
  }
  // Device selectors have cel.bind; no Kubernetes expression has the others.
  void AllowExtras(Extras extras) { extras_ = extras; }

  const std::vector<Variable>& variables() const { return variables_; }
  const Extras& extras() const { return extras_; }
  // The variable's number, or -1.
  int FindVariable(std::string_view name) const {
    for (size_t i = 0; i < variables_.size(); ++i)
      if (variables_[i].name == name) return static_cast<int>(i);
    return -1;
  }
  // The same of a variable called "first.second".
  int FindDotted(std::string_view first, std::string_view second) const {
    for (size_t i = 0; i < variables_.size(); ++i) {
      const std::string_view name = variables_[i].name;
      if (name.size() == first.size() + 1 + second.size() && name[first.size()] == '.' &&
          name.substr(0, first.size()) == first && name.substr(first.size() + 1) == second)
        return static_cast<int>(i);
    }
    return -1;
  }

 private:
  std::vector<Variable> variables_;
  Extras extras_;
};

}  // namespace kueue::cel
