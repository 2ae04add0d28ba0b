// matches(), find() and findAll(): RE2's syntax, time linear in the text.
#include "cel/patterns.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include "cel/catalogue.h"
#include "cel/text.h"

namespace kueue::cel {

std::shared_ptr<const re2::RE2> CompilePattern(std::string_view pattern) {
  RE2::Options options;
  options.set_log_errors(false);
  return std::make_shared<const RE2>(re2::StringPiece(pattern.data(), pattern.size()), options);
}

std::string PatternError(const re2::RE2& pattern) {
  if (pattern.error_arg().empty()) return fmt::format("error parsing regexp: {}", pattern.error());
  // RE2 says "missing ]: [", Go "missing closing ]: `[`".
  std::string text = pattern.error().substr(0, pattern.error().find(": "));
  if (text.rfind("missing ", 0) == 0) text.insert(8, "closing ");
  return fmt::format("error parsing regexp: {}: `{}`", text, pattern.error_arg());
}

namespace {

using Kind = Value::Kind;

re2::StringPiece Piece(std::string_view text) { return {text.data(), text.size()}; }

// The compiled pattern of a call: compiled before, or kept in `own`.
const RE2& PatternOf(const Call& call, std::shared_ptr<const RE2>* own) {
  if (call.pattern != nullptr) return *call.pattern;
  *own = CompilePattern(call[1].AsText());
  call.work->Spend(1000 + 20 * call[1].AsText().size());
  return **own;
}

bool TakesText(const Call& call) { return call[0].is(Kind::kString) && call[1].is(Kind::kString); }

Value Matches(const Call& call) {
  if (!TakesText(call)) return {};
  std::shared_ptr<const RE2> own;
  const RE2& pattern = PatternOf(call, &own);
  if (!pattern.ok()) return Value::Error(PatternError(pattern));
  return Value::Bool(RE2::PartialMatch(Piece(call[0].AsText()), pattern));
}

Value Find(const Call& call) {
  if (!TakesText(call)) return {};
  std::shared_ptr<const RE2> own;
  const RE2& pattern = PatternOf(call, &own);
  if (!pattern.ok()) return Value::Error(PatternError(pattern));
  const std::string_view text = call[0].AsText();
  re2::StringPiece found;
  if (!pattern.Match(Piece(text), 0, text.size(), RE2::UNANCHORED, &found, 1))
    return Value::BorrowedString("");
  return Value::String(std::string(found.data(), found.size()));
}

Value FindAll(const Call& call) {
  if (!TakesText(call)) return {};
  int64_t limit = -1;
  if (call.count == 3) {
    if (!call[2].is(Kind::kInt)) return {};
    limit = call[2].AsInt();
  }
  std::shared_ptr<const RE2> own;
  const RE2& pattern = PatternOf(call, &own);
  if (!pattern.ok()) return Value::Error(PatternError(pattern));
  const std::string_view text = call[0].AsText();
  std::vector<Value> all;
  size_t at = 0;
  size_t last_end = std::string_view::npos;
  re2::StringPiece found;
  while (at <= text.size() && (limit < 0 || static_cast<int64_t>(all.size()) < limit) &&
         call.work->Spend(1) &&
         pattern.Match(Piece(text), at, text.size(), RE2::UNANCHORED, &found, 1)) {
    const auto begin = static_cast<size_t>(found.data() - text.data());
    const size_t end = begin + found.size();
    // An empty match right behind the one before does not count.
    if (!found.empty() || begin != last_end)
      all.push_back(Value::String(std::string(found.data(), found.size())));
    last_end = end;
    if (!found.empty())
      at = end;
    else
      at = begin < text.size() ? begin + PointLength(text, begin) : text.size() + 1;
  }
  return Value::List(std::move(all));
}

}  // namespace

std::vector<FunctionRow> PatternFunctions() {
  return {
      {"matches", true, CostRule::kPattern, Matches, {"(string, string) bool"}},
      {"matches", false, CostRule::kPattern, Matches, {"(string, string) bool"}},
      {"find", true, CostRule::kPattern, Find, {"(string, string) string"}},
      {"findAll",
       true,
       CostRule::kPattern,
       FindAll,
       {"(string, string) list<string>", "(string, string, int) list<string>"}},
  };
}

}  // namespace kueue::cel
