#include "cel/catalogue.h"

#include <algorithm>
#include <array>
#include <map>

#include "base/check.h"

namespace kueue::cel {
namespace {

// Reads one signature. The tables are ours: a mistake in one ends the process.
class SignatureReader {
 public:
  explicit SignatureReader(std::string_view text) : rest_(text) {}

  Overload Read() {
    Overload overload;
    Expect('(');
    while (!Eat(')')) {
      overload.params.push_back(ReadType());
      Eat(',');
    }
    overload.result = ReadType();
    overload.placeholders = static_cast<int>(placeholders_.size());
    return overload;
  }

 private:
  bool Eat(char c) {
    while (!rest_.empty() && rest_[0] == ' ') rest_.remove_prefix(1);
    if (rest_.empty() || rest_[0] != c) return false;
    rest_.remove_prefix(1);
    return true;
  }
  void Expect(char c) { KUEUE_CHECK_MSG(Eat(c), std::string(rest_)); }

  TypeRef ReadType() {
    while (!rest_.empty() && rest_[0] == ' ') rest_.remove_prefix(1);
    const size_t length = std::min(rest_.find_first_of(",)<> "), rest_.size());
    const std::string name(rest_.substr(0, length));
    rest_.remove_prefix(length);
    if (name.size() == 1) return Placeholder(name);
    if (!Eat('<')) return Named(name);
    TypeRef first = ReadType();
    TypeRef second = Eat(',') ? ReadType() : nullptr;
    Expect('>');
    if (name == "list") return Type::List(first);
    if (name == "optional") return Type::Optional(first);
    if (name == "type") return Type::TypeOf(first);
    KUEUE_CHECK_MSG(name == "map" && second != nullptr, name);
    return Type::Map(first, second);
  }

  TypeRef Placeholder(const std::string& name) {
    const auto found = std::find(placeholders_.begin(), placeholders_.end(), name);
    const auto id = static_cast<int>(found - placeholders_.begin());
    if (found == placeholders_.end()) placeholders_.push_back(name);
    return Type::Param(name, id);
  }

  static TypeRef Named(const std::string& name) {
    static const std::map<std::string, Type::Kind> kKinds = {
        {"dyn", Type::Kind::kDyn},           {"null", Type::Kind::kNull},
        {"bool", Type::Kind::kBool},         {"int", Type::Kind::kInt},
        {"uint", Type::Kind::kUint},         {"double", Type::Kind::kDouble},
        {"string", Type::Kind::kString},     {"bytes", Type::Kind::kBytes},
        {"duration", Type::Kind::kDuration}, {"timestamp", Type::Kind::kTimestamp}};
    const auto found = kKinds.find(name);
    return found == kKinds.end() ? Type::Opaque(name) : Type::Simple(found->second);
  }

  std::string_view rest_;
  std::vector<std::string> placeholders_;
};

struct Shelf {
  std::map<std::string, Function, std::less<>> globals;
  std::map<std::string, Function, std::less<>> members;

  void Add(std::vector<FunctionRow> rows) {
    for (FunctionRow& row : rows) {
      Function& function = (row.member ? members : globals)[row.name];
      function.name = row.name;
      function.member = row.member;
      if (row.implementation != nullptr)
        function.variants.push_back({row.implementation, row.cost});
      for (const char* signature : row.signatures)
        function.overloads.push_back(SignatureReader(signature).Read());
    }
  }
  const Function* Find(std::string_view name, bool member) const {
    const auto& shelf = member ? members : globals;
    const auto found = shelf.find(name);
    return found == shelf.end() ? nullptr : &found->second;
  }
};

const Shelf& StandardShelf() {
  static const Shelf kShelf = [] {
    Shelf shelf;
    shelf.Add(OperatorFunctions());
    shelf.Add(ConversionFunctions());
    shelf.Add(TextFunctions());
    shelf.Add(PatternFunctions());
    shelf.Add(ListFunctions());
    shelf.Add(OptionalFunctions());
    shelf.Add(TimeFunctions());
    shelf.Add(UrlFunctions());
    shelf.Add(NetworkFunctions());
    shelf.Add(QuantityFunctions());
    shelf.Add(SemverFunctions());
    shelf.Add(NamedFormatFunctions());
    shelf.Add(AuthorizerFunctions());
    return shelf;
  }();
  return kShelf;
}

const Shelf& MathShelf() {
  static const Shelf kShelf = [] {
    Shelf shelf;
    shelf.Add(MathFunctions());
    return shelf;
  }();
  return kShelf;
}

const Shelf& EncoderShelf() {
  static const Shelf kShelf = [] {
    Shelf shelf;
    shelf.Add(EncoderFunctions());
    return shelf;
  }();
  return kShelf;
}

}  // namespace

const Function* FindFunction(std::string_view name, bool member, const Extras& extras) {
  const Function* found = StandardShelf().Find(name, member);
  if (found == nullptr && extras.math) found = MathShelf().Find(name, member);
  if (found == nullptr && extras.encoders) found = EncoderShelf().Find(name, member);
  return found;
}

bool IsConversion(std::string_view name) {
  constexpr std::array<std::string_view, 10> kNames = {
      "bool", "bytes", "double", "duration", "dyn", "int", "string", "timestamp", "type", "uint"};
  return std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

}  // namespace kueue::cel
