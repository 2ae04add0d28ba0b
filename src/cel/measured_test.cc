// Expressions as a table: what Kubernetes answers to them, and what it charges.
#include <gtest/gtest.h>

#include "cel/test_bench.h"

namespace kueue::cel {
namespace {

struct Row {
  const char* expression;
  const char* outcome;
  int64_t cost;  // -1: not measured
  bool extras = false;
};

constexpr Row kMeasured[] = {
#define ROW(expression, outcome, cost) {expression, outcome, cost},
#define EXTRA_ROW(expression, outcome, cost) {expression, outcome, cost, true},
#include "cel/measured_rows.inc"
#undef ROW
#undef EXTRA_ROW
};

// Where Kubernetes answers otherwise, and why we do not.
constexpr Row kOurs[] = {
    // Zones by name depend on the machine's tables.
    {R"(timestamp("2024-02-29T23:34:56Z").getHours("America/New_York"))",
     "! unknown time zone America/New_York", -1},
    // Messages are never made by rules: Kubernetes fails this one when it is evaluated.
    {R"(Self{name: "x"})", "? 1:5: undeclared reference to 'Self' (in container '')", -1},
    {"google.protobuf.Int32Value{value: 1}",
     "? 1:27: undeclared reference to 'Int32Value' (in container '')", -1},
    // One message instead of two, and a simpler one.
    {"[1].optMap(x, x)",
     "? 1:11: found no matching overload for 'hasValue' applied to 'list(int).()'", -1},
    {"1.sortBy(x, x)",
     "? 1:1: expression of type 'int' cannot be range of a comprehension (must be list, map, or "
     "dynamic)",
     -1},
    // Kubernetes pads this to the width of a number.
    {R"("%e".format([1.0/0.0]))", "\"∞\"", -1},
    {R"("%.f".format([1.5]))",
     "? 1:13: could not parse formatting clause: error while parsing precision: no number", -1},
    // A mistake that can be seen while compiling has a place.
    {R"("abc".matches(dyn("[")))", "? 1:18: invalid matches argument", -1},
    {"timestamp(dyn(1.5))", "? 1:14: invalid timestamp argument", -1},
};

// The places and texts of a compiler's answer; syntax mistakes are only counted as such.
std::string Shorten(const std::string& text) {
  if (text.rfind("? ", 0) != 0) return text;
  if (text.find("Syntax error") != std::string::npos) return "? syntax";
  constexpr std::string_view kStart = "ERROR: <input>:";
  std::string out = "? ";
  for (size_t at = text.find(kStart); at != std::string::npos; at = text.find(kStart, at + 1)) {
    if (out.size() > 2) out += " | ";
    const size_t begin = at + kStart.size();
    out += text.substr(begin, text.find('\n', begin) - begin);
  }
  return out;
}

void Check(const Row& row, const Bench& plain, const Bench& extra) {
  const Bench::Outcome outcome = (row.extras ? extra : plain).Run(row.expression);
  EXPECT_EQ(Shorten(outcome.text), row.outcome) << row.expression;
  if (row.cost >= 0) {
    EXPECT_EQ(outcome.cost, row.cost) << row.expression;
  }
}

TEST(Measured, AnswersAndCostsAreThoseOfKubernetes) {
  const Bench plain;
  const Bench extra({.math = true, .encoders = true, .bindings = true});
  for (const Row& row : kMeasured) Check(row, plain, extra);
}

TEST(Measured, KnownDifferences) {
  const Bench plain;
  for (const Row& row : kOurs) Check(row, plain, plain);
}

}  // namespace
}  // namespace kueue::cel
