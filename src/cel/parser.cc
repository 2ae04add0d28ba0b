#include "cel/parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "cel/lexer.h"
#include "cel/text.h"

namespace kueue::cel {
namespace {

using Kind = Token::Kind;
using Op = Expr::Op;

struct Operator {
  std::string_view symbol;
  int level;  // binds tighter when larger
  std::string_view function;
};

constexpr std::array<Operator, 12> kOperators = {{{"==", 1, "_==_"},
                                                  {"!=", 1, "_!=_"},
                                                  {"<", 1, "_<_"},
                                                  {"<=", 1, "_<=_"},
                                                  {">", 1, "_>_"},
                                                  {">=", 1, "_>=_"},
                                                  {"in", 1, "@in"},
                                                  {"+", 2, "_+_"},
                                                  {"-", 2, "_-_"},
                                                  {"*", 3, "_*_"},
                                                  {"/", 3, "_/_"},
                                                  {"%", 3, "_%_"}}};
constexpr int kTightest = 3;

constexpr std::array<std::string_view, 17> kReserved = {
    "as",  "break", "const",   "continue",  "else",   "for", "function", "if",   "import",
    "let", "loop",  "package", "namespace", "return", "var", "void",     "while"};

class Parser {
 public:
  Parser(std::string_view text, bool bindings, Ast* ast, std::vector<Issue>* issues)
      : bindings_(bindings), ast_(ast), issues_(issues) {
    Issue issue;
    tokens_ = Tokenize(text, &issue);
    if (issue.message.empty()) return;
    issues_->push_back(std::move(issue));
    failed_ = true;
  }

  bool Run() {
    if (failed_) return false;
    Expr* root = ParseExpr();
    if (root != nullptr && Look().kind != Kind::kEnd) Unexpected("the end of the expression");
    ast_->root = root;
    return !failed_ && issues_->empty() && root != nullptr;
  }

 private:
  const Token& Look(size_t ahead = 0) const {
    return tokens_[std::min(at_ + ahead, tokens_.size() - 1)];
  }
  bool IsSymbol(std::string_view symbol, size_t ahead = 0) const {
    return Look(ahead).kind == Kind::kSymbol && Look(ahead).text == symbol;
  }
  bool Eat(std::string_view symbol) {
    if (!IsSymbol(symbol)) return false;
    ++at_;
    return true;
  }
  bool Expect(std::string_view symbol) {
    if (Eat(symbol)) return true;
    Unexpected(fmt::format("'{}'", symbol));
    return false;
  }

  Expr* Fail(uint32_t offset, std::string message, bool without_place = false) {
    if (!failed_) issues_->push_back({offset, std::move(message), without_place});
    failed_ = true;
    return nullptr;
  }
  Expr* Unexpected(std::string_view wanted) {
    const Token& token = Look();
    const std::string_view shown = token.kind == Kind::kEnd ? "<EOF>" : token.text.substr(0, 60);
    return Fail(token.offset,
                fmt::format("Syntax error: mismatched input '{}' expecting {}", shown, wanted));
  }

  // Sets the depth from the children; nullptr when it is too deep.
  Expr* Done(Expr* expr) {
    for (const Expr* arg : expr->args) expr->depth = std::max(expr->depth, arg->depth + 1);
    if (expr->depth > kDeepest) return Fail(0, "max recursion depth exceeded", true);
    return expr;
  }
  Expr* Call(std::string_view function, uint32_t offset, std::vector<Expr*> args) {
    Expr* call = ast_->New(Op::kCall, offset);
    call->name = function;
    call->args = std::move(args);
    return Done(call);
  }

  // expr: or ('?' or ':' expr)?
  Expr* ParseExpr() {
    if (++nesting_ > kDeepest)
      return Fail(0, fmt::format("expression recursion limit exceeded: {}", kDeepest), true);
    Expr* result = ParseOr();
    if (result != nullptr && IsSymbol("?")) {
      Expr* choice = ast_->New(Op::kConditional, Look().offset);
      ++at_;
      Expr* yes = ParseOr();
      if (yes == nullptr || !Expect(":")) return nullptr;
      Expr* no = ParseExpr();
      if (no == nullptr) return nullptr;
      choice->args = {result, yes, no};
      result = Done(choice);
    }
    --nesting_;
    return result;
  }

  template <class Next>
  Expr* ParseChain(std::string_view symbol, Op op, Next next) {
    Expr* first = next();
    if (first == nullptr || !IsSymbol(symbol)) return first;
    Expr* chain = ast_->New(op, Look().offset);
    chain->args.push_back(first);
    while (Eat(symbol)) {
      Expr* term = next();
      if (term == nullptr) return nullptr;
      chain->args.push_back(term);
    }
    return Done(chain);
  }
  Expr* ParseOr() {
    return ParseChain("||", Op::kOr, [this] {
      return ParseChain("&&", Op::kAnd, [this] { return ParseBinary(1); });
    });
  }

  static const Operator* OperatorOf(const Token& token) {
    if (token.kind != Kind::kSymbol) return nullptr;
    for (const Operator& op : kOperators)
      if (op.symbol == token.text) return &op;
    return nullptr;
  }

  // Operators of `level` and tighter ones, to the left.
  Expr* ParseBinary(int level) {
    Expr* left = level == kTightest ? ParseUnary() : ParseBinary(level + 1);
    while (left != nullptr) {
      const Operator* op = OperatorOf(Look());
      if (op == nullptr || op->level != level) return left;
      const uint32_t offset = Look().offset;
      ++at_;
      Expr* right = level == kTightest ? ParseUnary() : ParseBinary(level + 1);
      if (right == nullptr) return nullptr;
      left = Call(op->function, offset, {left, right});
    }
    return left;
  }

  Expr* ParseUnary() {
    const uint32_t offset = Look().offset;
    if (IsSymbol("!")) {
      size_t count = 0;
      while (Eat("!")) ++count;
      Expr* operand = ParseMember();
      if (operand == nullptr || count % 2 == 0) return operand;
      return Call("!_", offset, {operand});
    }
    size_t count = 0;
    while (Eat("-")) ++count;
    const bool negative = count % 2 == 1;
    const bool literal = Look().kind == Kind::kInt || Look().kind == Kind::kFloat;
    if (negative && literal) return ParseMember(true, offset);
    Expr* operand = ParseMember();
    if (operand == nullptr || !negative) return operand;
    return Call("-_", offset, {operand});
  }

  Expr* ParseMember(bool negative = false, uint32_t sign_offset = 0) {
    Expr* target = negative ? ParseNumber(true, sign_offset) : ParsePrimary();
    while (target != nullptr) {
      if (IsSymbol(".")) {
        target = ParseSelect(target);
      } else if (IsSymbol("[")) {
        target = ParseIndex(target);
      } else if (IsSymbol("{") && (target->op == Op::kName || target->op == Op::kSelect)) {
        return Fail(Look().offset,
                    fmt::format("undeclared reference to '{}' (in container '')", target->name));
      } else {
        return target;
      }
    }
    return nullptr;
  }

  Expr* ParseSelect(Expr* target) {
    const uint32_t offset = Look().offset;
    ++at_;
    const bool optional = Eat("?");
    const Token& name = Look();
    // Known to the grammar, and not switched on in Kubernetes 1.36.
    if (name.kind == Kind::kQuoted) return Fail(name.offset, "unsupported syntax: '`'");
    if (!IsWord(name)) return Unexpected("IDENTIFIER");
    ++at_;
    if (!optional && IsSymbol("(")) {
      Expr* call = ast_->New(Op::kCall, Look().offset);
      call->name = ast_->Keep(std::string(name.text));
      call->member = true;
      call->args.push_back(target);
      return ParseArguments(call);
    }
    Expr* select = ast_->New(Op::kSelect, offset);
    select->name = ast_->Keep(std::string(name.text));
    select->optional = optional;
    select->args.push_back(target);
    return Done(select);
  }

  Expr* ParseIndex(Expr* target) {
    Expr* index = ast_->New(Op::kIndex, Look().offset);
    ++at_;
    index->optional = Eat("?");
    Expr* key = ParseExpr();
    if (key == nullptr || !Expect("]")) return nullptr;
    index->args = {target, key};
    return Done(index);
  }

  // The arguments of `call`, whose '(' comes next.
  Expr* ParseArguments(Expr* call) {
    ++at_;
    if (!Eat(")")) {
      do {
        Expr* arg = ParseExpr();
        if (arg == nullptr) return nullptr;
        call->args.push_back(arg);
      } while (Eat(","));
      if (!Expect(")")) return nullptr;
    }
    if (Done(call) == nullptr) return nullptr;
    Expr* expanded = ExpandMacro(call, bindings_, ast_, issues_);
    if (expanded == nullptr) return call;
    return Done(expanded);
  }

  static bool IsWord(const Token& token) {
    return token.kind == Kind::kIdentifier && token.text != "true" && token.text != "false" &&
           token.text != "null";
  }

  Expr* ParsePrimary() {
    const Token& token = Look();
    switch (token.kind) {
      case Kind::kInt:
      case Kind::kUint:
      case Kind::kFloat:
        return ParseNumber(false, token.offset);
      case Kind::kString:
      case Kind::kBytes: {
        ++at_;
        const std::string_view text = ast_->Keep(token.value);
        return Constant(token.offset, token.kind == Kind::kString ? Value::BorrowedString(text)
                                                                  : Value::BorrowedBytes(text));
      }
      case Kind::kIdentifier:
        return ParseName();
      case Kind::kSymbol:
        break;
      case Kind::kQuoted:
      case Kind::kEnd:
        return Unexpected("an expression");
    }
    if (Eat("(")) {
      Expr* inner = ParseExpr();
      return inner != nullptr && Expect(")") ? inner : nullptr;
    }
    if (token.text == "[") return ParseList();
    if (token.text == "{") return ParseMap();
    if (token.text == "." && IsWord(Look(1))) {
      ++at_;
      return ParseName();
    }
    return Unexpected("an expression");
  }

  Expr* Constant(uint32_t offset, Value value) {
    Expr* constant = ast_->New(Op::kConstant, offset);
    constant->value = std::move(value);
    return constant;
  }

  Expr* ParseName() {
    const Token& token = Look();
    ++at_;
    if (token.text == "true" || token.text == "false")
      return Constant(token.offset, Value::Bool(token.text == "true"));
    if (token.text == "null") return Constant(token.offset, Value::Null());
    if (std::find(kReserved.begin(), kReserved.end(), token.text) != kReserved.end())
      return Fail(token.offset, fmt::format("reserved identifier: {}", token.text));
    const std::string_view name = ast_->Keep(std::string(token.text));
    if (IsSymbol("(")) {
      Expr* call = ast_->New(Op::kCall, Look().offset);
      call->name = name;
      return ParseArguments(call);
    }
    Expr* expr = ast_->New(Op::kName, token.offset);
    expr->name = name;
    return expr;
  }

  Expr* ParseNumber(bool negative, uint32_t offset) {
    const Token& token = Look();
    ++at_;
    if (token.kind == Kind::kFloat) {
      double number = 0;
      if (!ReadDouble(token.text, &number)) return Fail(offset, "invalid double literal");
      return Constant(offset, Value::Double(negative ? -number : number));
    }
    const bool hex = token.text.substr(0, 2) == "0x";
    uint64_t number = 0;
    const auto read = std::from_chars(token.text.data() + (hex ? 2 : 0),
                                      token.text.data() + token.text.size(), number, hex ? 16 : 10);
    const bool wide = read.ec != std::errc();
    if (token.kind == Kind::kUint) {
      if (wide) return Fail(offset, "invalid uint literal");
      return Constant(offset, Value::Uint(number));
    }
    const uint64_t most = static_cast<uint64_t>(INT64_MAX) + (negative ? 1 : 0);
    if (wide || number > most) return Fail(offset, "invalid int literal");
    return Constant(offset, Value::Int(static_cast<int64_t>(negative ? 0 - number : number)));
  }

  Expr* ParseList() {
    Expr* list = ast_->New(Op::kList, Look().offset);
    ++at_;
    while (!IsSymbol("]") && !(list->args.empty() && IsSymbol(","))) {
      list->optional_args.push_back(Eat("?"));
      Expr* element = ParseExpr();
      if (element == nullptr) return nullptr;
      list->args.push_back(element);
      if (!IsSymbol(",") || IsSymbol("]", 1)) break;
      ++at_;
    }
    Eat(",");
    return Expect("]") ? Done(list) : nullptr;
  }

  Expr* ParseMap() {
    Expr* map = ast_->New(Op::kMap, Look().offset);
    ++at_;
    while (!IsSymbol("}") && !(map->args.empty() && IsSymbol(","))) {
      map->optional_args.push_back(Eat("?"));
      Expr* key = ParseExpr();
      if (key == nullptr || !Expect(":")) return nullptr;
      Expr* value = ParseExpr();
      if (value == nullptr) return nullptr;
      map->args.push_back(key);
      map->args.push_back(value);
      if (!IsSymbol(",") || IsSymbol("}", 1)) break;
      ++at_;
    }
    Eat(",");
    return Expect("}") ? Done(map) : nullptr;
  }

  bool bindings_;
  Ast* ast_;
  std::vector<Issue>* issues_;
  std::vector<Token> tokens_;
  size_t at_ = 0;
  uint32_t nesting_ = 0;
  bool failed_ = false;
};

}  // namespace

bool Parse(std::string_view text, bool bindings, Ast* ast, std::vector<Issue>* issues) {
  if (text.size() > kMostCodePoints) {
    const size_t points = CountPoints(text);
    if (points > kMostCodePoints) {
      issues->push_back({0,
                         fmt::format("expression code point size exceeds limit: size: {}, limit {}",
                                     points, kMostCodePoints),
                         true});
      return false;
    }
  }
  return Parser(text, bindings, ast, issues).Run();
}

}  // namespace kueue::cel
