#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cel/compare.h"
#include "cel/environment.h"
#include "cel/type.h"
#include "cel/value.h"

namespace re2 {
class RE2;
}  // namespace re2

namespace kueue::cel {

// A call of a function while it is evaluated. A receiver is args[0].
struct Call {
  const Value* args;
  size_t count;
  Work* work;
  const re2::RE2* pattern;  // compiled before, when the pattern is a constant
  std::string_view function;

  const Value& operator[](size_t i) const { return args[i]; }
};
// The result, perhaps an error. Absent: the arguments are not of a kind this implementation takes.
using Implementation = Value (*)(const Call& call);

// How a call is charged; the sizes are those of SizeOf in cost.h. Kubernetes' numbers, measured
// with k8s.io/apiserver.
enum class CostRule : uint8_t {
  kFree,
  kOne,
  kFirst,        // a tenth of the first argument, rounded up
  kSecond,       // a tenth of the second
  kFirstTwice,   // a fifth of the first
  kResultTwice,  // a fifth of the result
  kSmaller,      // a tenth of the smaller of two
  kEquality,     // as kSmaller, but one for the values of libraries
  kJoined,       // a tenth of both texts together; one for anything that is not text
  kText,         // a tenth of a text that is converted; one for anything else
  kContains,     // a tenth of the text times a tenth of what is sought
  kPattern,      // a tenth of the text and one, times a quarter of the pattern
  kTraversal,    // one for each element, a tenth for each character
  kMembers,      // the size of a list; one for a map
  kNewList,      // a list, its elements
  kFlattened,    // a list, the outer elements for each level
  kSquare,       // a list, each element compared with each, twice
  kPairs,        // each element of one list compared with each of another
  kPairsTwice,
  kContainsIp,
  kContainsCidr,
  kNamedFormat,
  kAccess,  // a question to the authorizer
};

struct Overload {
  std::vector<TypeRef> params;
  TypeRef result;
  int placeholders = 0;  // type parameters, numbered from 0
};

struct Function {
  std::string name;
  bool member = false;
  // Several libraries may add to one name: string() of an IP. The first that takes the
  // arguments answers. None: the evaluator knows the function itself.
  struct Variant {
    Implementation implementation;
    CostRule cost;
  };
  std::vector<Variant> variants;
  std::vector<Overload> overloads;
};

// One row of a library's table. Signatures look like "(list<T>, int) optional<T>": single capital
// letters are type parameters, unknown names are opaque types.
struct FunctionRow {
  const char* name;
  bool member;
  CostRule cost;
  Implementation implementation;
  std::vector<const char*> signatures;
};

// nullptr when there is no such function. Functions live as long as the process.
const Function* FindFunction(std::string_view name, bool member, const Extras& extras);
// Whether it is one of the type conversions (int, string, timestamp ...), which are computed once
// when their argument is constant.
bool IsConversion(std::string_view name);

// The tables of the libraries, each in the file of its name.
std::vector<FunctionRow> OperatorFunctions();
std::vector<FunctionRow> ConversionFunctions();
std::vector<FunctionRow> TextFunctions();
std::vector<FunctionRow> PatternFunctions();
std::vector<FunctionRow> ListFunctions();
std::vector<FunctionRow> OptionalFunctions();
std::vector<FunctionRow> TimeFunctions();
std::vector<FunctionRow> UrlFunctions();
std::vector<FunctionRow> NetworkFunctions();
std::vector<FunctionRow> QuantityFunctions();
std::vector<FunctionRow> SemverFunctions();
std::vector<FunctionRow> NamedFormatFunctions();
std::vector<FunctionRow> AuthorizerFunctions();
std::vector<FunctionRow> MathFunctions();
std::vector<FunctionRow> EncoderFunctions();

}  // namespace kueue::cel
