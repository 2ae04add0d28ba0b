#include "api/match/selector.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "api/match/name_rules.h"

namespace kueue::api {
namespace {

// --- One requirement: label selectors, list queries and node selectors share its meaning ---

using Values = std::vector<std::string>;

std::optional<int64_t> Integer(std::string_view text) {
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

bool Contains(const Values& values, const std::string& value) {
  return std::find(values.begin(), values.end(), value) != values.end();
}

// Does a label with this value (null: no such label) satisfy the operator?
// REQUIRES: RequirementProblem() has nothing to say.
bool Satisfies(const std::string* value, std::string_view op, const Values& values) {
  if (op == "Exists") return value != nullptr;
  if (op == "DoesNotExist") return value == nullptr;
  if (op == "NotIn") return value == nullptr || !Contains(values, *value);
  if (value == nullptr) return false;
  if (op == "In") return Contains(values, *value);
  const auto have = Integer(*value), bound = Integer(values[0]);
  if (!have || !bound) return false;
  return op == "Gt" ? *have > *bound : *have < *bound;
}

enum class Operators { kSet, kSetAndOrder };

// What is wrong with a requirement, in words; empty: nothing.
std::string RequirementProblem(const std::string& key, const std::string& op, const Values& values,
                               Operators operators) {
  const bool set = op == "In" || op == "NotIn";
  const bool presence = op == "Exists" || op == "DoesNotExist";
  const bool order = operators == Operators::kSetAndOrder && (op == "Gt" || op == "Lt");
  if (!set && !presence && !order) return "operator '" + op + "' on key '" + key + "' is unknown";
  const auto problem = [&](const std::string& what) {
    return "key '" + key + "' with operator " + op + what;
  };
  if (!IsQualifiedName(key)) return problem(": the key is not a label key");
  if (set && values.empty()) return problem(" needs at least one value");
  if (presence && !values.empty()) return problem(" takes no values");
  if (order && (values.size() != 1 || !Integer(values[0]))) return problem(" needs one integer");
  for (const std::string& value : values) {
    if (!IsLabelValue(value)) return problem(": '" + value + "' is not a label value");
  }
  return "";
}

const std::string* FindLabel(const StringMap& labels, const std::string& key) {
  const auto it = labels.find(key);
  return it == labels.end() ? nullptr : &it->second;
}

// --- The text form ---

constexpr std::string_view kSpace = " \t\r\n";
constexpr std::string_view kSymbols = "=!(),<>";

// Words and symbols of a label query, one ahead.
class Words {
 public:
  explicit Words(std::string_view text) : text_(text) { Skip(); }

  bool AtEnd() const { return text_.empty(); }
  // Takes the symbol if it comes next.
  bool Take(std::string_view symbol) {
    if (text_.substr(0, symbol.size()) != symbol) return false;
    Advance(symbol.size());
    return true;
  }
  // The next word, or an empty one if a symbol or the end comes next.
  std::string TakeWord() {
    size_t size = 0;
    while (size < text_.size() && !OneOf(text_[size], kSymbols) && !OneOf(text_[size], kSpace)) {
      ++size;
    }
    const std::string word(text_.substr(0, size));
    Advance(size);
    return word;
  }

 private:
  static bool OneOf(char c, std::string_view set) { return set.find(c) != set.npos; }
  void Advance(size_t count) {
    text_.remove_prefix(count);
    Skip();
  }
  void Skip() { text_.remove_prefix(std::min(text_.find_first_not_of(kSpace), text_.size())); }

  std::string_view text_;
};

// "(a, b)": words between commas, each of which may be missing and then is the empty value.
bool TakeValueList(Words& words, Values& values) {
  if (!words.Take("(")) return false;
  do {
    values.push_back(words.TakeWord());
  } while (words.Take(","));
  return words.Take(")");
}

// One requirement up to its comma or the end; false: not understood.
bool TakeRequirement(Words& words, LabelSelectorRequirement& out) {
  const bool absent = words.Take("!");
  out.key = words.TakeWord();
  if (out.key.empty()) return false;
  out.op = absent ? "DoesNotExist" : "Exists";
  if (absent) return true;
  struct Symbol {
    std::string_view text;
    const char* op;
  };
  // Longer symbols first: "==" before "=".
  static constexpr Symbol kOperators[] = {
      {"==", "In"}, {"=", "In"}, {"!=", "NotIn"}, {">", "Gt"}, {"<", "Lt"}};
  for (const Symbol& symbol : kOperators) {
    if (!words.Take(symbol.text)) continue;
    out.op = symbol.op;
    out.values.push_back(words.TakeWord());
    return true;
  }
  const std::string word = words.TakeWord();
  if (word.empty()) return true;
  if (word != "in" && word != "notin") return false;
  out.op = word == "in" ? "In" : "NotIn";
  return TakeValueList(words, out.values);
}

std::string Quoted(std::string_view text) { return "'" + std::string(text.substr(0, 200)) + "'"; }

// --- Field selectors ---

// Removes the backslashes before , = and \ in a value; nothing if a separator stands unescaped.
std::optional<std::string> Unescape(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '=' || text[i] == ',') return std::nullopt;
    if (text[i] == '\\') {
      if (++i == text.size() || std::string_view("\\,=").find(text[i]) == std::string_view::npos) {
        return std::nullopt;
      }
    }
    out += text[i];
  }
  return out;
}

// The length of the term at the start of `text`: up to a comma without a backslash before it.
size_t TermLength(std::string_view text) {
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == ',') return i;
    if (text[i] == '\\') ++i;
  }
  return text.size();
}

std::optional<FieldRequirement> ParseFieldTerm(std::string_view term) {
  const size_t equals = term.find('=');
  if (equals == term.npos) return std::nullopt;
  FieldRequirement requirement;
  requirement.equal = equals == 0 || term[equals - 1] != '!';
  requirement.field = term.substr(0, requirement.equal ? equals : equals - 1);
  if (requirement.field.find('\\') != std::string::npos) return std::nullopt;
  std::string_view value = term.substr(equals + 1);
  if (requirement.equal && !value.empty() && value[0] == '=') value.remove_prefix(1);
  const auto plain = Unescape(value);
  if (!plain) return std::nullopt;
  requirement.value = *plain;
  return requirement;
}

// --- Taints and nodes ---

// As Kubernetes reads them here: no sign but '-', no leading zeros.
std::optional<int64_t> CanonicalInteger(std::string_view text) {
  const auto value = Integer(text);
  if (!value || std::to_string(*value) != text) return std::nullopt;
  return value;
}

bool MatchesField(const NodeSelectorRequirement& requirement, const std::string& node_name) {
  const bool in = requirement.op == "In";
  if ((!in && requirement.op != "NotIn") || requirement.values.size() != 1) return false;
  const bool equal = requirement.key == "metadata.name" && requirement.values[0] == node_name;
  return equal == in;
}

bool MatchesTerm(const NodeSelectorTerm& term, const StringMap& labels,
                 const std::string& node_name) {
  // A term that asks for nothing selects nothing.
  if (term.match_expressions.empty() && term.match_fields.empty()) return false;
  for (const NodeSelectorRequirement& r : term.match_expressions) {
    // A malformed term selects nothing; other terms still count.
    if (!RequirementProblem(r.key, r.op, r.values, Operators::kSetAndOrder).empty()) return false;
    if (!Satisfies(FindLabel(labels, r.key), r.op, r.values)) return false;
  }
  return std::all_of(term.match_fields.begin(), term.match_fields.end(),
                     [&](const auto& r) { return MatchesField(r, node_name); });
}

}  // namespace

base::Result<bool> MatchesLabels(const LabelSelector* selector, const StringMap& labels) {
  if (selector == nullptr) return false;
  bool matches = true;
  for (const auto& [key, value] : selector->match_labels) {
    const std::string problem = RequirementProblem(key, "In", {value}, Operators::kSet);
    if (!problem.empty()) return base::Invalid("label selector: " + problem);
    const std::string* have = FindLabel(labels, key);
    matches = matches && have != nullptr && *have == value;
  }
  for (const LabelSelectorRequirement& r : selector->match_expressions) {
    const std::string problem = RequirementProblem(r.key, r.op, r.values, Operators::kSet);
    if (!problem.empty()) return base::Invalid("label selector: " + problem);
    matches = matches && Satisfies(FindLabel(labels, r.key), r.op, r.values);
  }
  return matches;
}

base::Result<LabelQuery> LabelQuery::Parse(std::string_view text) {
  LabelQuery query;
  Words words(text);
  if (words.AtEnd()) return query;
  do {
    LabelSelectorRequirement requirement;
    if (!TakeRequirement(words, requirement)) {
      return base::BadRequest("label selector " + Quoted(text) +
                              " is not understood: write it as a=b,c!=d,e in (x,y),!f,g");
    }
    const std::string problem = RequirementProblem(requirement.key, requirement.op,
                                                   requirement.values, Operators::kSetAndOrder);
    if (!problem.empty()) {
      return base::BadRequest("label selector " + Quoted(text) + ": " + problem);
    }
    query.requirements_.push_back(std::move(requirement));
  } while (words.Take(","));
  if (!words.AtEnd()) {
    return base::BadRequest("label selector " + Quoted(text) +
                            " is not understood: requirements are separated by commas");
  }
  return query;
}

bool LabelQuery::Matches(const StringMap& labels) const {
  return std::all_of(requirements_.begin(), requirements_.end(), [&](const auto& r) {
    return Satisfies(FindLabel(labels, r.key), r.op, r.values);
  });
}

base::Result<std::vector<FieldRequirement>> ParseFieldSelector(std::string_view text) {
  std::vector<FieldRequirement> requirements;
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::string_view term = rest.substr(0, TermLength(rest));
    rest.remove_prefix(std::min(term.size() + 1, rest.size()));
    if (term.empty()) continue;
    auto requirement = ParseFieldTerm(term);
    if (!requirement) {
      return base::BadRequest("field selector " + Quoted(text) + " is not understood at " +
                              Quoted(term) + ": write it as metadata.name=x,status.phase!=y");
    }
    requirements.push_back(std::move(*requirement));
  }
  return requirements;
}

bool Tolerates(const Toleration& toleration, const Taint& taint) {
  if (!toleration.effect.empty() && toleration.effect != taint.effect) return false;
  if (!toleration.key.empty() && toleration.key != taint.key) return false;
  if (toleration.op == "Exists") return true;
  if (toleration.op.empty() || toleration.op == "Equal") return toleration.value == taint.value;
  if (toleration.op != "Gt" && toleration.op != "Lt") return false;
  const auto have = CanonicalInteger(taint.value), bound = CanonicalInteger(toleration.value);
  if (!have || !bound) return false;
  return toleration.op == "Gt" ? *have > *bound : *have < *bound;
}

bool ToleratesAll(const std::vector<Toleration>& tolerations, const std::vector<Taint>& taints,
                  const Taint** untolerated) {
  if (untolerated != nullptr) *untolerated = nullptr;
  for (const Taint& taint : taints) {
    if (taint.effect != "NoSchedule" && taint.effect != "NoExecute") continue;
    const bool tolerated = std::any_of(tolerations.begin(), tolerations.end(),
                                       [&](const auto& t) { return Tolerates(t, taint); });
    if (tolerated) continue;
    if (untolerated != nullptr) *untolerated = &taint;
    return false;
  }
  return true;
}

bool MatchesNodeSelector(const NodeSelector& selector, const StringMap& labels,
                         std::string_view node_name) {
  const std::string name(node_name);
  return std::any_of(selector.node_selector_terms.begin(), selector.node_selector_terms.end(),
                     [&](const auto& term) { return MatchesTerm(term, labels, name); });
}

bool MatchesNode(const PodSpec& pod, const Node& node) {
  for (const auto& [key, value] : pod.node_selector) {
    const std::string* have = FindLabel(node.metadata.labels, key);
    if (have == nullptr || *have != value) return false;
  }
  if (!pod.affinity || !pod.affinity->node_affinity) return true;
  const auto& required = pod.affinity->node_affinity
                             ->required_during_scheduling_ignored_during_execution;
  return !required || MatchesNodeSelector(*required, node.metadata.labels, node.metadata.name);
}

}  // namespace kueue::api
