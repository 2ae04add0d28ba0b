#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "api/codec/descriptor.h"
#include "api/rules/rule_types.h"
#include "cel/program.h"

namespace kueue::api {

// A rule of a table, compiled.
struct PlannedRule {
  const CelRule* text = nullptr;
  std::optional<cel::Program> program;  // nothing: see problem
  std::optional<cel::Program> message;  // of messageExpression, if there is a usable one
  bool is_transition = false;           // reads oldSelf
  std::string problem;                  // why it could not be compiled
};

// The rules of one value and of everything in it. Immutable once made, as is what it refers to.
struct RulePlan {
  struct Member {
    const FieldDescriptor* field;
    std::unique_ptr<RulePlan> plan;
  };
  static constexpr size_t kSelf = 0, kOldSelf = 1;  // variables of the environment

  cel::Environment environment;
  std::vector<PlannedRule> rules;
  std::vector<Member> members;            // of a struct
  std::unique_ptr<RulePlan> entries;      // of a list or a map
  const FieldDescriptor* list = nullptr;  // whose list_keys tell entries apart; null: nothing does
  bool has_transitions = false;           // here or below
};

// The plan for whole objects of the table, or null if there is no rule in it. Made when it is first
// asked for and kept for the life of the process. Safe from any thread.
const RulePlan* RulePlanOf(const StructDescriptor& table);

// "<path>: <rule>: <what the compiler says>" for each rule of the table that is no CEL of a
// boolean result: our own mistakes, for tests.
std::vector<std::string> BrokenRules(const StructDescriptor& table);

}  // namespace kueue::api
