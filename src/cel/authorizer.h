#pragma once

#include <string>
#include <string_view>

#include "cel/value.h"

// The authorizer that expressions of admission policies may ask.
// https://kubernetes.io/docs/reference/using-api/cel/#kubernetes-authorizer-library
namespace kueue::cel {

// One question. Either `path`, or what is about a resource.
struct AccessQuestion {
  std::string verb;
  std::string path;
  std::string group, resource, subresource, namespace_name, name;
  // Empty: the user of the request. Otherwise of a service account.
  std::string account_namespace, account_name;
};

struct AccessAnswer {
  bool allowed = false;
  std::string reason;
};

// Who answers. Called while an expression is evaluated, on its thread.
class AccessJudge {
 public:
  virtual ~AccessJudge() = default;
  virtual AccessAnswer Judge(const AccessQuestion& question) const = 0;
};

// The types of the variables "authorizer" and "authorizer.requestResource".
inline constexpr char kAuthorizerType[] = "kubernetes.authorization.Authorizer";
inline constexpr char kResourceCheckType[] = "kubernetes.authorization.ResourceCheck";

// The values of those variables; `judge` must outlive them. Of `question` the verb is not used.
Value AuthorizerValue(const AccessJudge& judge);
Value ResourceCheckValue(const AccessJudge& judge, AccessQuestion question);

}  // namespace kueue::cel
