#include "api/rules/rule_plan.h"

#include <algorithm>
#include <map>

#include "base/mutex.h"

namespace kueue::api {
namespace {

using Plan = std::unique_ptr<RulePlan>;

bool IsRuleType(const cel::Type& type, cel::Type::Kind wanted) {
  return type.kind() == wanted || type.kind() == cel::Type::Kind::kDyn;
}

PlannedRule Compiled(const CelRule& rule, const cel::TypeRef& type) {
  PlannedRule planned;
  planned.text = &rule;
  cel::Environment environment;
  environment.AddVariable("self", type);
  environment.AddVariable("oldSelf", rule.optional_old_self ? cel::Type::Optional(type) : type);
  auto program = cel::Compile(rule.rule, environment);
  if (!program.ok()) {
    planned.problem = program.error().message;
    return planned;
  }
  if (!IsRuleType(program->result_type(), cel::Type::Kind::kBool)) {
    planned.problem = "cel expression must evaluate to a bool";
    return planned;
  }
  planned.is_transition = program->Reads(RulePlan::kOldSelf);
  planned.program.emplace(*std::move(program));
  if (rule.message_expression.empty()) return planned;
  auto message = cel::Compile(rule.message_expression, environment);
  if (!message.ok()) {
    planned.problem = message.error().message;
  } else if (!IsRuleType(message->result_type(), cel::Type::Kind::kString)) {
    planned.problem = "messageExpression must evaluate to a string";
  } else {
    planned.message.emplace(*std::move(message));
  }
  return planned;
}

class Planner {
 public:
  Plan Root(const StructDescriptor& table) {
    Plan plan = Struct(table, TablePlace::kRoot);
    Finish(plan, RuleTypeOf(table, TablePlace::kRoot), table.rules, {});
    return plan;
  }

 private:
  static RulePlan& Made(Plan& plan) {
    if (plan == nullptr) plan = std::make_unique<RulePlan>();
    return *plan;
  }

  // Adds the rules of a value of that type: those of its type first, then those of the field.
  static void Finish(Plan& plan, const cel::TypeRef& type, const std::vector<CelRule>& of_type,
                     const std::vector<CelRule>& of_field) {
    if (!of_type.empty() || !of_field.empty()) {
      RulePlan& made = Made(plan);
      made.environment.AddVariable("self", type);
      made.environment.AddVariable("oldSelf", type);
      for (const auto* rules : {&of_type, &of_field})
        for (const CelRule& rule : *rules) {
          made.rules.push_back(Compiled(rule, type));
          made.has_transitions = made.has_transitions || made.rules.back().is_transition;
        }
    }
  }

  static void AddBelow(RulePlan& plan, const RulePlan& below) {
    plan.has_transitions = plan.has_transitions || below.has_transitions;
  }

  // What is in a struct, without its own rules.
  Plan Struct(const StructDescriptor& table, TablePlace place) {
    Plan plan;
    if (place == TablePlace::kInside && table.name == "ObjectMeta") return plan;
    if (std::find(open_.begin(), open_.end(), &table) != open_.end()) return plan;
    open_.push_back(&table);
    for (const FieldDescriptor& field : table.fields) {
      if (place == TablePlace::kRoot && field.json_name == "metadata") continue;
      Plan below = Field(field);
      if (below == nullptr) continue;
      AddBelow(Made(plan), *below);
      plan->members.push_back({&field, std::move(below)});
    }
    open_.pop_back();
    return plan;
  }

  Plan Field(const FieldDescriptor& field) {
    Plan plan = Inside(*field.ops, &field);
    Finish(plan, RuleTypeOf(field), RulesOf(*field.ops), field.rules);
    return plan;
  }

  Plan Value(const ValueOps& ops) {
    Plan plan = Inside(ops, nullptr);
    Finish(plan, RuleTypeOf(ops), RulesOf(ops), {});
    return plan;
  }

  Plan Inside(const ValueOps& ops, const FieldDescriptor* field) {
    if (ops.kind == FieldKind::kStruct) return Struct(ops.Table(), TablePlace::kInside);
    if (ops.kind != FieldKind::kList && ops.kind != FieldKind::kMap) return nullptr;
    Plan plan;
    Plan entries = Value(*ops.item);
    if (entries == nullptr) return plan;
    AddBelow(Made(plan), *entries);
    plan->entries = std::move(entries);
    if (field != nullptr && field->list_type == ListType::kMap) plan->list = field;
    return plan;
  }

  static const std::vector<CelRule>& RulesOf(const ValueOps& ops) {
    static const std::vector<CelRule>* const none = new std::vector<CelRule>;
    return ops.kind == FieldKind::kStruct ? ops.Table().rules : *none;
  }

  std::vector<const StructDescriptor*> open_;
};

void CollectBroken(const RulePlan& plan, const std::string& path,
                   std::vector<std::string>& broken) {
  for (const PlannedRule& rule : plan.rules) {
    if (rule.problem.empty()) continue;
    broken.push_back(path + ": " + std::string(rule.text->rule) + ": " + rule.problem);
  }
  for (const RulePlan::Member& member : plan.members) {
    CollectBroken(*member.plan, path + "." + std::string(member.field->json_name), broken);
  }
  if (plan.entries != nullptr) CollectBroken(*plan.entries, path + "[]", broken);
}

struct SharedPlans {
  base::Mutex mutex;
  std::map<const StructDescriptor*, Plan> plans GUARDED_BY(mutex);
};

}  // namespace

const RulePlan* RulePlanOf(const StructDescriptor& table) {
  static auto* const shared = new SharedPlans;
  const base::MutexLock lock(shared->mutex);
  const auto [it, is_new] = shared->plans.try_emplace(&table);
  if (is_new) it->second = Planner().Root(table);
  return it->second.get();
}

std::vector<std::string> BrokenRules(const StructDescriptor& table) {
  std::vector<std::string> broken;
  if (const RulePlan* plan = RulePlanOf(table)) CollectBroken(*plan, "", broken);
  return broken;
}

}  // namespace kueue::api
