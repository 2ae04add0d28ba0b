#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "cel/program.h"

// What expressions of admission policies and of match conditions may refer to, and how they are
// compiled: when such an object is written, and again when it is used.
// https://kubernetes.io/docs/reference/access-authn-authz/validating-admission-policy/
namespace kueue::api {

class ExpressionScope {
 public:
  // The numbers of the variables: the same for all scopes, so that one Activation serves them all.
  enum Slot : size_t {
    kObject,
    kOldObject,
    kRequest,
    kNamespaceObject,
    kParams,
    kVariables,
    kAuthorizer,
    kRequestResource,  // authorizer.requestResource
  };
  // What an expression may result in.
  enum class Result { kAny, kBool, kText, kTextOrNull };

  struct Has {
    bool namespace_object = true;
    bool params = false;
    bool variables = false;
  };
  explicit ExpressionScope(Has has);

  // Compiles an expression that may refer to the variables declared so far. kInvalid: "compilation
  // failed: ERROR: <input>:1:6: ..." or "must evaluate to bool".
  base::Result<cel::Program> Compile(std::string_view text, Result result,
                                     bool with_authorizer) const;
  // Compiles the expression of a variable and declares `variables.name`, whatever came out.
  // Takes as long as there are variables already: callers bound their number.
  base::Result<cel::Program> Declare(std::string name, std::string_view text);

  // For making Activations.
  static const cel::Environment& Slots();

 private:
  cel::Environment Environment(bool with_authorizer) const;

  Has has_;
  std::vector<std::pair<std::string, cel::TypeRef>> variables_;
  cel::TypeRef variables_type_;
};

// Whether a variable may be called so.
bool IsCelIdentifier(std::string_view name);

}  // namespace kueue::api
