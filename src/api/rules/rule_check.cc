#include "api/rules/rule_check.h"

#include "api/rules/json_tree.h"
#include "api/rules/rule_plan.h"
#include "api/types/place.h"

namespace kueue::api {
namespace {

constexpr size_t kLongestMessage = 5 * 1024;

constexpr char kOutOfBudget[] =
    "validation failed due to running out of cost budget, no further validation rules will be run";

std::string_view Trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

std::string_view NameOf(const CelRule& rule) {
  return Trimmed(rule.message.empty() ? rule.rule : rule.message);
}

FieldErrorType TypeOf(std::string_view reason) {
  if (reason == "FieldValueForbidden") return FieldErrorType::kForbidden;
  if (reason == "FieldValueRequired") return FieldErrorType::kRequired;
  if (reason == "FieldValueDuplicate") return FieldErrorType::kDuplicate;
  return FieldErrorType::kInvalid;
}

class RuleRun {
 public:
  explicit RuleRun(std::vector<FieldError>& errors) : errors_(errors) {}

  // What is known of a value and the one it is compared with.
  struct Old {
    const Json* value = nullptr;  // the comparable value, if there is one
    // The closest part around the value that has a comparable one was left as it was.
    bool unchanged = false;
  };

  void Visit(const RulePlan& plan, const Json& value, Old old, const Place& place) {
    if (old.value != nullptr && !old.unchanged) old.unchanged = *old.value == value;
    if (value.IsNull() || (old.unchanged && !plan.has_transitions)) return;
    Evaluate(plan, value, old, place);
    if (over_) return;
    if (value.IsObject() && plan.entries == nullptr) return Members(plan, value, old, place);
    if (value.IsObject()) return MapEntries(plan, value, old, place);
    if (value.IsArray()) return ListEntries(plan, value, old, place);
  }

 private:
  static Old Below(const Old& parent, const Json* value) {
    // Of a value that came no part can be as it was; without a comparable parent nothing is said.
    return {value, parent.unchanged};
  }

  void Members(const RulePlan& plan, const Json& value, const Old& old, const Place& place) {
    for (const RulePlan::Member& member : plan.members) {
      const Json* inside = value.Find(member.field->json_name);
      if (inside == nullptr) continue;
      const Json* was = old.value != nullptr ? old.value->Find(member.field->json_name) : nullptr;
      Visit(*member.plan, *inside, Below(old, was), Place{&place, member.field->json_name});
      if (over_) return;
    }
  }

  void MapEntries(const RulePlan& plan, const Json& value, const Old& old, const Place& place) {
    for (const Json::Member& entry : value.AsObject()) {
      const Json* was = old.value != nullptr ? old.value->Find(entry.key) : nullptr;
      Visit(*plan.entries, entry.value, Below(old, was), Place{&place, entry.key});
      if (over_) return;
    }
  }

  void ListEntries(const RulePlan& plan, const Json& value, const Old& old, const Place& place) {
    if (plan.entries == nullptr) return;
    const Json::Array& items = value.AsArray();
    for (size_t i = 0; i < items.size(); ++i) {
      const Json* was = plan.list != nullptr ? Counterpart(*plan.list, items[i], old, i) : nullptr;
      Visit(*plan.entries, items[i], Below(old, was), Place{&place, {}, i, true});
      if (over_) return;
    }
  }

  static bool SameKeys(const FieldDescriptor& list, const Json& a, const Json& b) {
    for (const std::string_view key : list.list_keys) {
      const Json* left = a.Find(key);
      const Json* right = b.Find(key);
      if (left == nullptr || right == nullptr ? left != right : !(*left == *right)) return false;
    }
    return true;
  }

  // Mostly it is where it was.
  static const Json* Counterpart(const FieldDescriptor& list, const Json& item, const Old& old,
                                 size_t i) {
    if (old.value == nullptr || !old.value->IsArray()) return nullptr;
    const Json::Array& items = old.value->AsArray();
    if (i < items.size() && SameKeys(list, item, items[i])) return &items[i];
    for (const Json& other : items) {
      if (SameKeys(list, item, other)) return &other;
    }
    return nullptr;
  }

  void Evaluate(const RulePlan& plan, const Json& value, const Old& old, const Place& place) {
    if (plan.rules.empty()) return;
    cel::Activation activation(plan.environment);
    activation.Set(RulePlan::kSelf, JsonValue(value));
    if (old.value != nullptr) activation.Set(RulePlan::kOldSelf, JsonValue(*old.value));
    for (const PlannedRule& rule : plan.rules) {
      const bool optional = rule.text->optional_old_self;
      if (rule.is_transition ? old.value == nullptr && !optional : old.unchanged) continue;
      if (!optional) {
        One(rule, activation, place);
      } else {
        cel::Activation with_optional = activation;
        with_optional.Set(RulePlan::kOldSelf, OptionalOld(plan, old.value));
        One(rule, with_optional, place);
      }
      if (over_) return;
    }
  }

  static cel::Value OptionalOld(const RulePlan& plan, const Json* old) {
    if (old == nullptr) return cel::Value::None();
    const cel::TypeRef& type = plan.environment.variables()[RulePlan::kOldSelf].type;
    return cel::Value::Some(cel::ReadAs(JsonValue(*old), type.get()));
  }

  void One(const PlannedRule& rule, const cel::Activation& activation, const Place& place) {
    if (!rule.program.has_value()) {
      return Tell(FieldErrorType::kInvalid, place, "rule compile error: " + rule.problem);
    }
    if (budget_.remaining == 0) return Stop(place, kOutOfBudget);
    const base::Result<cel::Value> holds = rule.program->Evaluate(activation, &budget_);
    if (!holds.ok()) return Failed(rule, holds.error(), place);
    if (holds->IsTrue()) return;
    Broken(rule, activation, place);
  }

  void Failed(const PlannedRule& rule, const base::Error& error, const Place& place) {
    const std::string name(NameOf(*rule.text));
    if (error.code == base::Code::kTooLarge) {
      if (budget_.remaining == 0) return Stop(place, kOutOfBudget);
      return Stop(place, "'" + error.message +
                             "': no further validation rules will be run due to "
                             "call cost exceeds limit for rule: " +
                             name);
    }
    if (error.message.rfind("no such overload", 0) == 0) {
      return Tell(FieldErrorType::kInvalid, place,
                  "'" + error.message +
                      "': call arguments did not match a supported operator, "
                      "function or macro signature for rule: " +
                      name);
    }
    Tell(FieldErrorType::kInvalid, place, error.message + " evaluating rule: " + name);
  }

  void Broken(const PlannedRule& rule, const cel::Activation& activation, const Place& place) {
    const CelRule& text = *rule.text;
    std::string message;
    if (rule.message.has_value()) {
      const base::Result<cel::Value> told = rule.message->Evaluate(activation, &budget_);
      if (told.ok() && told->is(cel::Value::Kind::kString)) message = UsableMessage(*told);
      if (!told.ok() && told.error().code == base::Code::kTooLarge && budget_.remaining == 0) {
        return Stop(place,
                    "messageExpression evaluation failed due to running out of cost budget, "
                    "no further validation rules will be run");
      }
    }
    if (message.empty()) {
      message = text.message.empty() ? "failed rule: " + std::string(Trimmed(text.rule))
                                     : std::string(Trimmed(text.message));
    }
    const FieldErrorType type = TypeOf(text.reason);
    if (text.field_path.empty()) return Tell(type, place, std::move(message));
    const std::string path = place.Words() + std::string(text.field_path);
    errors_.push_back({type, path.substr(path[0] == '.' ? 1 : 0), std::move(message)});
  }

  // What cannot stand in a message is as if it were not there.
  static std::string UsableMessage(const cel::Value& told) {
    const std::string_view text = Trimmed(told.AsText());
    if (text.size() > kLongestMessage || text.find('\n') != std::string_view::npos) return "";
    return std::string(text);
  }

  void Tell(FieldErrorType type, const Place& place, std::string message) {
    std::string path = place.Words();
    errors_.push_back({type, path.empty() ? "<nil>" : std::move(path), std::move(message)});
  }
  void Stop(const Place& place, std::string message) {
    Tell(FieldErrorType::kInvalid, place, std::move(message));
    over_ = true;
  }

  std::vector<FieldError>& errors_;
  cel::CostBudget budget_;
  bool over_ = false;
};

}  // namespace

void CheckTableRules(const StructDescriptor& table, const Json& object, const Json* before,
                     std::vector<FieldError>& errors) {
  const RulePlan* plan = RulePlanOf(table);
  if (plan == nullptr) return;
  RuleRun(errors).Visit(*plan, object, {before, false}, Place{});
}

}  // namespace kueue::api
