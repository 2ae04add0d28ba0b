#include "cel/authorizer.h"

#include "cel/catalogue.h"

namespace kueue::cel {
namespace {

using Kind = Value::Kind;

// An authorizer and the checks that are built step by step from it: the steps so far.
struct CheckBox : OpaqueBox {
  CheckBox(const AccessJudge& j, AccessQuestion q) : judge(j), question(std::move(q)) {}
  bool Equals(const OpaqueBox& other) const override { return this == &other; }
  std::string ToString() const override { return "check(" + question.resource + ")"; }
  const AccessJudge& judge;
  AccessQuestion question;
};

struct DecisionBox : OpaqueBox {
  explicit DecisionBox(AccessAnswer a) : answer(std::move(a)) {}
  bool Equals(const OpaqueBox& other) const override { return this == &other; }
  std::string ToString() const override { return answer.allowed ? "allowed" : "denied"; }
  AccessAnswer answer;
};

bool AreTexts(const Call& call) {
  for (size_t i = 1; i < call.count; ++i) {
    if (!call[i].is(Kind::kString)) return false;
  }
  return true;
}

// The next step: `from` with one more part of the question.
template <class Change>
Value Step(const Call& call, Kind from, Kind to, Change change) {
  if (!call[0].is(from) || !AreTexts(call)) return {};
  const CheckBox& box = call[0].As<CheckBox>();
  AccessQuestion question = box.question;
  change(question, std::string(call[1].AsText()));
  return Value::Opaque(to, new CheckBox(box.judge, std::move(question)));
}

Value Path(const Call& call) {
  if (call[1].is(Kind::kString) && call[1].AsText().empty())
    return Value::Error("path must not be empty");
  return Step(call, Kind::kAuthorizer, Kind::kPathCheck,
              [](AccessQuestion& q, std::string text) { q.path = std::move(text); });
}
Value Group(const Call& call) {
  return Step(call, Kind::kAuthorizer, Kind::kGroupCheck,
              [](AccessQuestion& q, std::string text) { q.group = std::move(text); });
}
Value ServiceAccount(const Call& call) {
  return Step(call, Kind::kAuthorizer, Kind::kAuthorizer,
              [&call](AccessQuestion& q, std::string text) {
                q.account_namespace = std::move(text);
                q.account_name = std::string(call[2].AsText());
              });
}
Value Resource(const Call& call) {
  if (call[1].is(Kind::kString) && call[1].AsText().empty())
    return Value::Error("resource must not be empty");
  return Step(call, Kind::kGroupCheck, Kind::kResourceCheck,
              [](AccessQuestion& q, std::string text) { q.resource = std::move(text); });
}
Value Subresource(const Call& call) {
  return Step(call, Kind::kResourceCheck, Kind::kResourceCheck,
              [](AccessQuestion& q, std::string text) { q.subresource = std::move(text); });
}
Value Namespace(const Call& call) {
  return Step(call, Kind::kResourceCheck, Kind::kResourceCheck,
              [](AccessQuestion& q, std::string text) { q.namespace_name = std::move(text); });
}
Value Name(const Call& call) {
  return Step(call, Kind::kResourceCheck, Kind::kResourceCheck,
              [](AccessQuestion& q, std::string text) { q.name = std::move(text); });
}
// Selectors narrow a list or a watch; who decides by resource alone does not look at them.
Value Selector(const Call& call) {
  return Step(call, Kind::kResourceCheck, Kind::kResourceCheck,
              [](AccessQuestion&, const std::string&) {});
}

Value Check(const Call& call) {
  if (!call[0].is(Kind::kPathCheck) && !call[0].is(Kind::kResourceCheck)) return {};
  if (!AreTexts(call)) return {};
  const CheckBox& box = call[0].As<CheckBox>();
  AccessQuestion question = box.question;
  question.verb = std::string(call[1].AsText());
  return Value::Opaque(Kind::kDecision, new DecisionBox(box.judge.Judge(question)));
}

Value Allowed(const Call& call) {
  if (!call[0].is(Kind::kDecision)) return {};
  return Value::Bool(call[0].As<DecisionBox>().answer.allowed);
}
Value Reason(const Call& call) {
  if (!call[0].is(Kind::kDecision)) return {};
  return Value::String(call[0].As<DecisionBox>().answer.reason);
}
// Ours never fails to decide.
Value Errored(const Call& call) {
  return call[0].is(Kind::kDecision) ? Value::Bool(false) : Value();
}
Value ErrorText(const Call& call) {
  return call[0].is(Kind::kDecision) ? Value::BorrowedString("") : Value();
}

}  // namespace

Value AuthorizerValue(const AccessJudge& judge) {
  return Value::Opaque(Kind::kAuthorizer, new CheckBox(judge, {}));
}
Value ResourceCheckValue(const AccessJudge& judge, AccessQuestion question) {
  return Value::Opaque(Kind::kResourceCheck, new CheckBox(judge, std::move(question)));
}

std::vector<FunctionRow> AuthorizerFunctions() {
  const auto one = CostRule::kOne;
#define KUEUE_AUTHORIZATION "kubernetes.authorization."
#define KUEUE_RESOURCE_STEP \
  "(" KUEUE_AUTHORIZATION "ResourceCheck, string) " KUEUE_AUTHORIZATION "ResourceCheck"
  return {
      {"path",
       true,
       one,
       Path,
       {"(" KUEUE_AUTHORIZATION "Authorizer, string) " KUEUE_AUTHORIZATION "PathCheck"}},
      {"group",
       true,
       one,
       Group,
       {"(" KUEUE_AUTHORIZATION "Authorizer, string) " KUEUE_AUTHORIZATION "GroupCheck"}},
      {"serviceAccount",
       true,
       one,
       ServiceAccount,
       {"(" KUEUE_AUTHORIZATION "Authorizer, string, string) " KUEUE_AUTHORIZATION "Authorizer"}},
      {"resource",
       true,
       one,
       Resource,
       {"(" KUEUE_AUTHORIZATION "GroupCheck, string) " KUEUE_AUTHORIZATION "ResourceCheck"}},
      {"subresource", true, one, Subresource, {KUEUE_RESOURCE_STEP}},
      {"namespace", true, one, Namespace, {KUEUE_RESOURCE_STEP}},
      {"name", true, one, Name, {KUEUE_RESOURCE_STEP}},
      {"fieldSelector", true, one, Selector, {KUEUE_RESOURCE_STEP}},
      {"labelSelector", true, one, Selector, {KUEUE_RESOURCE_STEP}},
      {"check",
       true,
       CostRule::kAccess,
       Check,
       {"(" KUEUE_AUTHORIZATION "PathCheck, string) " KUEUE_AUTHORIZATION "Decision",
        "(" KUEUE_AUTHORIZATION "ResourceCheck, string) " KUEUE_AUTHORIZATION "Decision"}},
      {"allowed", true, one, Allowed, {"(" KUEUE_AUTHORIZATION "Decision) bool"}},
      {"reason", true, one, Reason, {"(" KUEUE_AUTHORIZATION "Decision) string"}},
      {"errored", true, one, Errored, {"(" KUEUE_AUTHORIZATION "Decision) bool"}},
      {"error", true, one, ErrorText, {"(" KUEUE_AUTHORIZATION "Decision) string"}},
  };
#undef KUEUE_AUTHORIZATION
#undef KUEUE_RESOURCE_STEP
}

}  // namespace kueue::cel
