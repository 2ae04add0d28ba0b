#include "api/structural/validation.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "api/structural/formats.h"
#include "api/structural/value_text.h"

namespace kueue::api::structural {
namespace {

// Where something is wrong (a path below the validated value), as refused, and the sentence by
// which two mistakes are one.
struct Mistake {
  FieldError error;
  std::string sentence;
  bool placeless = false;
};

// Mistakes, and how many checks were made: the alternative that got furthest is the one to tell of.
struct Findings {
  std::vector<Mistake> mistakes;
  int checks = 0;

  bool ok() const { return mistakes.empty(); }
  void Add(Mistake mistake) {
    for (const Mistake& known : mistakes) {
      if (known.sentence == mistake.sentence) return;
    }
    mistakes.push_back(std::move(mistake));
  }
  void Merge(Findings other) {
    for (Mistake& mistake : other.mistakes) Add(std::move(mistake));
    checks += other.checks;
  }
};

Mistake At(FieldError error, std::string sentence) {
  return {std::move(error), std::move(sentence)};
}

Mistake Placeless(std::string sentence) {
  return {Invalid("", Json(""), sentence), sentence, true};
}

Mistake InvalidAt(const std::string& path, const Json& value, std::string sentence) {
  return At(Invalid(path, value, sentence), sentence);
}

Mistake WrongType(const std::string& path, std::string_view wanted, const std::string& found) {
  const std::string sentence =
      fmt::format("{} in body must be of type {}: {}", path, wanted, Quoted(found));
  return At(TypeInvalid(path, Json(found), sentence), sentence);
}

bool IsIntegral(double number) {
  return std::abs(number) <= 9007199254740991.0 && number == std::trunc(number);
}

std::string_view TypeName(const Json& value) {
  switch (value.type()) {
    case Json::Type::kBool:
      return "boolean";
    case Json::Type::kInt:
      return "integer";
    case Json::Type::kNumber:
      return "number";
    case Json::Type::kString:
      return "string";
    case Json::Type::kArray:
      return "array";
    case Json::Type::kObject:
      return "object";
    case Json::Type::kNull:
      break;
  }
  return "null";
}

bool SameAsEnum(const Json& value, const Json& allowed) {
  if (value.IsNumber() && allowed.IsNumber()) {
    if (allowed.IsInt() && !value.IsInt()) {
      return std::trunc(DoubleOf(value)) == DoubleOf(allowed);
    }
    return DoubleOf(value) == DoubleOf(allowed);
  }
  return value.type() == allowed.type() && value == allowed;
}

size_t CharactersOf(std::string_view text) {
  return static_cast<size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0) != 0x80;
  }));
}

class Checker {
 public:
  Findings Value(const Schema& schema, const Json& value, const std::string& path,
                 const Correlation* before) const {
    Findings found = Plain(schema, value, path, before);
    if (!found.ok() && before != nullptr && before->Equal()) found.mistakes.clear();
    return found;
  }

 private:
  // Without forgiving anything at this very place.
  Findings Plain(const Schema& schema, const Json& value, const std::string& path,
                 const Correlation* before) const {
    Findings found;
    if (value.IsNull()) {
      found.Merge(Type(schema, value, path));
      found.Merge(Enum(schema, value, path));
      return found;
    }
    const auto apply = [&](Findings part) {
      found.Merge(std::move(part));
      ++found.checks;
    };
    if (HasType(schema) || !schema.format.empty()) apply(Type(schema, value, path));
    apply(Logic(schema, value, path, before));
    if (value.IsString()) {
      apply(Text(schema, value, path));
      if (!schema.format.empty()) apply(Format(schema, value, path));
    }
    if (value.IsNumber()) apply(Number(schema, value, path));
    if (value.IsArray()) apply(List(schema, value, path, before));
    apply(Enum(schema, value, path));
    if (value.IsObject()) apply(Object(schema, value, path, before));
    ++found.checks;
    return found;
  }

  static bool HasType(const Schema& schema) { return schema.int_or_string || !schema.type.empty(); }
  static bool Takes(const Schema& schema, std::string_view type) {
    if (schema.int_or_string) return type == "integer" || type == "string";
    return schema.type == type;
  }

  static Findings Type(const Schema& schema, const Json& value, const std::string& path) {
    Findings found;
    const std::string wanted = schema.int_or_string ? "integer,string" : schema.type;
    if (value.IsNull()) {
      if (HasType(schema) && !schema.nullable) {
        found.Add(WrongType(path, wanted, "null"));
      } else {
        found.checks = 1;
      }
      return found;
    }
    const std::string_view type = TypeName(value);
    const std::string format = type == "integer" ? "int64" : type == "number" ? "float64" : "";
    const bool whole = type == "number" && IsIntegral(DoubleOf(value)) && Takes(schema, "integer");
    const bool number = type == "integer" && Takes(schema, "number");
    const bool fits = Takes(schema, type) || whole || number;
    const bool spelled = value.IsString() || value.IsArray();
    if (!spelled && !schema.format.empty() && !fits && format != schema.format) {
      found.Add(WrongType(path, schema.format, format));
      return found;
    }
    const bool numeric = Takes(schema, "number") || Takes(schema, "integer");
    if (!(!numeric && !schema.format.empty() && spelled) && !fits) {
      found.Add(WrongType(path, wanted, std::string(type)));
      return found;
    }
    found.checks = 1;
    return found;
  }

  static Findings Enum(const Schema& schema, const Json& value, const std::string& path) {
    Findings found;
    if (schema.enum_values.empty()) return found;
    std::vector<std::string> allowed;
    for (const Json& candidate : schema.enum_values) {
      if (SameAsEnum(value, candidate)) return found;
      allowed.push_back(candidate.IsString() ? candidate.AsString() : SortedJson(candidate));
    }
    found.Add(At(NotSupported(path, value, allowed), path + " in body should be one of"));
    return found;
  }

  static Findings Text(const Schema& schema, const Json& value, const std::string& path) {
    Findings found;
    const std::string& text = value.AsString();
    const auto length = static_cast<int64_t>(CharactersOf(text));
    if (schema.max_length && length > *schema.max_length) {
      found.Add(
          At(TooLong(path, *schema.max_length),
             fmt::format("{} in body should be at most {} chars long", path, *schema.max_length)));
    } else if (schema.min_length && length < *schema.min_length) {
      found.Add(InvalidAt(
          path, value,
          fmt::format("{} in body should be at least {} chars long", path, *schema.min_length)));
    } else if (schema.compiled_pattern && !schema.compiled_pattern->Matches(text)) {
      found.Add(InvalidAt(path, value,
                          fmt::format("{} in body should match '{}'", path, schema.pattern)));
    }
    return found;
  }

  static Findings Format(const Schema& schema, const Json& value, const std::string& path) {
    Findings found;
    if (!HasFormat(schema.format, value.AsString())) {
      found.Add(WrongType(path, schema.format, value.AsString()));
    }
    return found;
  }

  // Whether a bound or value is a number of the schema's type at all.
  static void Range(const Schema& schema, const Json& value, std::string_view what,
                    const std::string& path, Findings& found) {
    if (schema.type != "integer") {
      if (schema.type == "number" && schema.format == "float" &&
          std::abs(DoubleOf(value)) > std::numeric_limits<float>::max()) {
        found.Add(Placeless(
            fmt::format("{} value must be of type number with format float in {}", what, path)));
      }
      return;
    }
    const double number = DoubleOf(value);
    const bool small = schema.format == "int32";
    const bool whole = value.IsInt() || (IsIntegral(number));
    const bool fits = whole && (!small || (number >= std::numeric_limits<int32_t>::min() &&
                                           number <= std::numeric_limits<int32_t>::max()));
    if (fits) return;
    found.Add(Placeless(
        schema.format.empty()
            ? fmt::format("{} value must be of type integer (default format) in {}", what, path)
            : fmt::format("{} value must be of type integer with format {} in {}", what,
                          schema.format, path)));
  }

  static Json AsJson(double number) {
    if (IsIntegral(number)) return static_cast<int64_t>(number);
    return Json(Json::Number{DoubleText(number)});
  }

  static Findings Number(const Schema& schema, const Json& value, const std::string& path) {
    Findings found, multiple, low, high;
    Range(schema, value, "Checked", path, found);
    const double number = DoubleOf(value);
    if (schema.multiple_of) {
      const double factor = *schema.multiple_of;
      Range(schema, AsJson(factor), "MultipleOf", path, multiple);
      const bool whole = multiple.ok() && value.IsInt();
      const double used = whole ? std::trunc(factor) : factor;
      if (used <= 0) {
        multiple.Add(InvalidAt(path, AsJson(used),
                               fmt::format("factor MultipleOf declared for {} must be positive: {}",
                                           path, DoubleText(used))));
      } else {
        const bool divides = whole ? value.AsInt() % static_cast<int64_t>(used) == 0
                                   : IsIntegral(used < 1 ? 1 / used * number : number / used);
        if (!divides) {
          multiple.Add(InvalidAt(
              path, value,
              fmt::format("{} in body should be a multiple of {}", path, DoubleText(used))));
        }
      }
    }
    const auto bound = [&](double limit, bool exclusive, bool upper, Findings& part) {
      Range(schema, AsJson(limit), upper ? "Maximum boundary" : "Minimum boundary", path, part);
      const double used = part.ok() && value.IsInt() ? std::trunc(limit) : limit;
      const double beyond = upper ? number - used : used - number;
      if (beyond < 0 || (beyond == 0 && !exclusive)) return;
      part.Add(InvalidAt(
          path, value,
          fmt::format("{} in body should be {} than {}{}", path, upper ? "less" : "greater",
                      exclusive ? "" : "or equal to ", DoubleText(used))));
    };
    if (schema.maximum) bound(*schema.maximum, schema.exclusive_maximum, true, high);
    if (schema.minimum) bound(*schema.minimum, schema.exclusive_minimum, false, low);
    found.Merge(std::move(multiple));
    found.Merge(std::move(low));
    found.Merge(std::move(high));
    ++found.checks;
    return found;
  }

  Findings List(const Schema& schema, const Json& value, const std::string& path,
                const Correlation* before) const {
    Findings found;
    if (schema.items != nullptr) {
      for (size_t i = 0; i < value.size(); ++i) {
        const auto old = before != nullptr ? before->Entry(i) : std::nullopt;
        found.Merge(
            Value(*schema.items, value.AsArray()[i], IndexPath(path, i), old ? &*old : nullptr));
      }
    }
    const auto size = static_cast<int64_t>(value.size());
    if (schema.min_items && size < *schema.min_items) {
      found.Add(InvalidAt(
          path, size,
          fmt::format("{} in body should have at least {} items", path, *schema.min_items)));
    }
    if (schema.max_items && size > *schema.max_items) {
      found.Add(
          At(TooMany(path, size, *schema.max_items),
             fmt::format("{} in body should have at most {} items", path, *schema.max_items)));
    }
    ++found.checks;
    return found;
  }

  Findings Object(const Schema& schema, const Json& value, const std::string& path,
                  const Correlation* before) const {
    Findings found;
    const auto size = static_cast<int64_t>(value.size());
    if (schema.min_properties && size < *schema.min_properties) {
      found.Add(InvalidAt(path, size,
                          fmt::format("{} in body should have at least {} properties", path,
                                      *schema.min_properties)));
    }
    if (schema.max_properties && size > *schema.max_properties) {
      found.Add(At(TooMany(path, size, *schema.max_properties),
                   fmt::format("{} in body should have at most {} properties", path,
                               *schema.max_properties)));
    }
    const auto member = [&](const std::string& name, const Schema& inner, const Json& now,
                            const std::string& at) {
      const bool type_meta = path.empty() && (name == "apiVersion" || name == "kind");
      const auto old = before != nullptr && !type_meta ? before->Member(name) : std::nullopt;
      found.Merge(Value(inner, now, at, old ? &*old : nullptr));
    };
    for (const Json::Member& entry : value.AsObject()) {
      if (schema.FindProperty(entry.key) != nullptr) continue;
      if (schema.forbids_additional_properties) {
        found.Add(InvalidAt(path, Json(entry.key),
                            fmt::format("{}.{} in body is a forbidden property", path, entry.key)));
      } else if (schema.additional_properties != nullptr) {
        member(entry.key, *schema.additional_properties, entry.value, path + "." + entry.key);
      }
    }
    for (const Property& property : schema.properties) {
      if (const Json* now = value.Find(property.name)) {
        member(property.name, property.schema, *now, ChildPath(path, property.name));
      }
    }
    for (const std::string& name : schema.required) {
      if (value.Find(name) != nullptr) continue;
      const std::string at = path + "." + name;
      found.Add(At(structural::Required(at, ""), at + " in body is required"));
    }
    return found;
  }

  Findings Logic(const Schema& schema, const Json& value, const std::string& path,
                 const Correlation* before) const {
    Findings found;
    if (!schema.any_of.empty()) AnyOf(schema, value, path, before, found);
    if (!schema.one_of.empty()) OneOf(schema, value, path, before, found);
    if (!schema.all_of.empty()) {
      size_t valid = 0;
      for (const Schema& part : schema.all_of) {
        Findings one = Plain(part, value, path, before);
        valid += one.ok() ? 1 : 0;
        found.Merge(std::move(one));
      }
      if (valid != schema.all_of.size()) {
        found.Add(Placeless(fmt::format("{} must validate all the schemas (allOf){}", Quoted(path),
                                        valid == 0 ? ". None validated" : "")));
      }
    }
    if (schema.negated != nullptr && Plain(*schema.negated, value, path, before).ok()) {
      found.Add(Placeless(fmt::format("{} must not validate the schema (not)", Quoted(path))));
    }
    ++found.checks;
    return found;
  }

  void AnyOf(const Schema& schema, const Json& value, const std::string& path,
             const Correlation* before, Findings& found) const {
    std::optional<Findings> best;
    for (const Schema& part : schema.any_of) {
      Findings one = Plain(part, value, path, before);
      if (one.ok()) return found.Merge(std::move(one));
      if (!best || one.checks > best->checks) best = std::move(one);
    }
    found.Add(Placeless(fmt::format("{} must validate at least one schema (anyOf)", Quoted(path))));
    found.Merge(std::move(*best));
  }

  void OneOf(const Schema& schema, const Json& value, const std::string& path,
             const Correlation* before, Findings& found) const {
    std::optional<Findings> best, first;
    int valid = 0;
    for (const Schema& part : schema.one_of) {
      Findings one = Plain(part, value, path, before);
      if (one.ok()) {
        ++valid;
        best.reset();
        if (!first) first = std::move(one);
      } else if (valid == 0 && (!best || one.checks > best->checks)) {
        best = std::move(one);
      }
    }
    if (valid == 1) return found.Merge(std::move(*first));
    found.Add(Placeless(fmt::format(
        "{} must validate one and only one schema (oneOf). {}", Quoted(path),
        valid == 0 ? "Found none valid" : fmt::format("Found {} valid alternatives", valid))));
    if (best) found.Merge(std::move(*best));
  }
};

}  // namespace

std::vector<FieldError> CheckValue(const Schema& schema, const Json& value, const std::string& path,
                                   const Correlation* before) {
  Findings found = Checker().Value(schema, value, "", before);
  std::vector<FieldError> errors;
  for (Mistake& mistake : found.mistakes) {
    FieldError& error = mistake.error;
    if (mistake.placeless) {
      error.field = path.empty() ? "<nil>" : path;
    } else {
      if (!error.field.empty() && error.field[0] == '.') error.field.erase(0, 1);
      if (error.field.empty()) {
        error.field = path.empty() ? "<nil>" : path;
      } else {
        error.field = ChildPath(path, error.field);
      }
    }
    errors.push_back(std::move(error));
  }
  return errors;
}

}  // namespace kueue::api::structural
