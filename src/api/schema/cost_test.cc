#include <gtest/gtest.h>
#include <time.h>

#include <algorithm>
#include <functional>

#include "api/codec/json_text.h"
#include "api/schema/kind.h"
#include "api/types/kueue.h"
#include "cel/environment.h"
#include "cel/program.h"
#include "resources/quantity.h"

// No input costs more than linear time. Each input is made in two sizes, one eight times the
// other: linear work takes eight times as long, quadratic work 64 times. What counts is the time
// of this thread alone, the best of a few runs; the limit leaves room for caches and for
// n log n.
namespace kueue::api {
namespace {

constexpr int kGrowth = 8;
constexpr double kMost = 24;

int64_t ThreadNanoseconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return now.tv_sec * 1'000'000'000 + now.tv_nsec;
}

using Work = std::function<void(const std::string& text)>;

int64_t Best(const std::string& text, const Work& work) {
  int64_t best = INT64_MAX;
  for (int i = 0; i < 3; ++i) {
    const int64_t start = ThreadNanoseconds();
    work(text);
    best = std::min(best, ThreadNanoseconds() - start);
  }
  return std::max<int64_t>(best, 1000);
}

// `make` gives an input of n parts.
void ExpectLinear(const char* what, int n, const std::function<std::string(int n)>& make,
                  const Work& work) {
  const double small = static_cast<double>(Best(make(n), work));
  const double large = static_cast<double>(Best(make(n * kGrowth), work));
  EXPECT_LT(large / small, kMost) << what << ": " << small << " ns, then " << large << " ns";
}

std::string Repeated(int n, const std::function<std::string(int i)>& part) {
  std::string out;
  for (int i = 0; i < n; ++i) out += part(i);
  return out;
}
std::string Same(int n, const char* part) {
  return Repeated(n, [part](int) { return part; });
}
std::string Number(int i) { return std::to_string(i); }

void ReadJson(const std::string& text) {
  std::vector<DuplicateKey> duplicates;
  (void)ParseJson(text, {}, &duplicates);
}
void ReadYaml(const std::string& text) {
  std::vector<DuplicateKey> duplicates;
  (void)ParseYaml(text, &duplicates);
}

TEST(Cost, JsonIsReadInLinearTime) {
  const auto members = [](int n) {
    return "{" + Repeated(n, [](int i) { return "\"k" + Number(i) + "\":1,"; }) + "\"z\":1}";
  };
  ExpectLinear("members", 5000, members, ReadJson);
  ExpectLinear(
      "one member again and again", 5000,
      [](int n) { return "{" + Same(n, "\"k\":1,") + "\"k\":1}"; }, ReadJson);
  ExpectLinear(
      "entries", 10000, [](int n) { return "[" + Same(n, "1,") + "1]"; }, ReadJson);
  ExpectLinear(
      "escapes", 10000, [](int n) { return "\"" + Same(n, "\\u00e9") + "\""; }, ReadJson);
  ExpectLinear(
      "digits", 10000, [](int n) { return std::string(static_cast<size_t>(n), '7'); }, ReadJson);
  ExpectLinear(
      "depth", 10000, [](int n) { return std::string(static_cast<size_t>(n), '['); }, ReadJson);
}

TEST(Cost, YamlIsReadInLinearTime) {
  ExpectLinear(
      "members", 2000,
      [](int n) { return Repeated(n, [](int i) { return "k" + Number(i) + ": 1\n"; }); }, ReadYaml);
  ExpectLinear(
      "one member again and again", 2000, [](int n) { return Same(n, "k: 1\n"); }, ReadYaml);
  ExpectLinear(
      "entries", 2000, [](int n) { return Same(n, "- a\n"); }, ReadYaml);
  ExpectLinear(
      "comments", 5000, [](int n) { return Same(n, "# a\n") + "a: 1\n"; }, ReadYaml);
  ExpectLinear(
      "documents", 2000, [](int n) { return Same(n, "---\na: 1\n"); }, ReadYaml);
  ExpectLinear(
      "a folded text", 2000, [](int n) { return "a: >\n" + Same(n, "  b\n"); }, ReadYaml);
  ExpectLinear(
      "anchors", 2000,
      [](int n) { return Repeated(n, [](int i) { return "- &a" + Number(i) + " 1\n"; }); },
      ReadYaml);
  ExpectLinear(
      "aliases", 2000, [](int n) { return "- &a 1\n" + Same(n, "- *a\n"); }, ReadYaml);
}

// Nine lists, each of nine aliases of the one before, would be 9^9 texts.
TEST(Cost, AliasesThatMultiplyAreRefused) {
  std::string text = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 9; ++i) {
    const std::string before = "*a" + Number(i - 1);
    text += "a" + Number(i) + ": &a" + Number(i) + " [";
    for (int j = 0; j < 9; ++j) text += (j == 0 ? "" : ", ") + before;
    text += "]\n";
  }
  const int64_t start = ThreadNanoseconds();
  EXPECT_FALSE(ParseYaml(text).ok());
  EXPECT_LT(ThreadNanoseconds() - start, 2'000'000'000);
}

TEST(Cost, QuantitiesAreReadInLinearTime) {
  const auto read = [](const std::string& text) { (void)resources::Quantity::Parse(text); };
  const auto digits = [](int n) { return std::string(static_cast<size_t>(n), '9'); };
  ExpectLinear("digits", 20000, digits, read);
  ExpectLinear(
      "zeros", 20000, [](int n) { return std::string(static_cast<size_t>(n), '0') + "1"; }, read);
  ExpectLinear(
      "a fraction", 20000, [&](int n) { return "0." + digits(n); }, read);
  ExpectLinear(
      "an exponent", 20000, [&](int n) { return "1e" + digits(n); }, read);
}

TEST(Cost, PodsAreCheckedInLinearTime) {
  const auto containers = [](int n) {
    return R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"p","namespace":"d"},
      "spec":{"containers":[)" +
           Repeated(n,
                    [](int i) {
                      return std::string(i == 0 ? "" : ",") + R"({"name":"c)" + Number(i) +
                             R"(","image":"i","env":[{"name":"A","value":"b"}]})";
                    }) +
           "]}}";
  };
  const auto check = [](const std::string& text) {
    auto object = ParseJson(text);
    ASSERT_TRUE(object.ok());
    ApplyDefaults(KindOf<Pod>(), *object);
    (void)ValidateCreate(KindOf<Pod>(), *object);
  };
  ExpectLinear("containers", 200, containers, check);
  ExpectLinear(
      "labels", 1000,
      [](int n) {
        return R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"p","namespace":"d",
                   "labels":{)" +
               Repeated(n, [](int i) { return "\"k" + Number(i) + "\":\"v\","; }) +
               R"("z":"v"}},"spec":{"containers":[{"name":"c","image":"i"}]}})";
      },
      check);
}

// Each macro costs what its list is long; one inside of another costs the product and runs out of
// what an expression may cost.
TEST(Cost, MacrosOverListsAreCounted) {
  cel::Environment environment;
  const auto cost = [&](const std::string& text) {
    const auto program = cel::Compile(text, environment);
    EXPECT_TRUE(program.ok()) << text;
    cel::CostBudget budget;
    const auto before = budget.remaining;
    cel::Activation activation(environment);
    (void)program->Evaluate(activation, &budget);
    return static_cast<double>(before - budget.remaining);
  };
  const auto list = [](int n) { return "[" + Same(n, "1,") + "1]"; };
  const double small = cost(list(100) + ".all(x, x > 0)");
  const double large = cost(list(100 * kGrowth) + ".all(x, x > 0)");
  EXPECT_GT(large / small, kGrowth / 2);
  EXPECT_LT(large / small, kGrowth * 2);
  const std::string many = list(300);
  const auto nested = cel::Compile(
      many + ".all(x, " + many + ".all(y, " + many + ".all(z, x + y + z > 0)))", environment);
  ASSERT_TRUE(nested.ok());
  cel::CostBudget budget;
  cel::Activation activation(environment);
  EXPECT_FALSE(nested->Evaluate(activation, &budget).ok());
}

}  // namespace
}  // namespace kueue::api
