#include "api/schema/validation_parts.h"

namespace kueue::api {

void AddError(FieldErrors& errors, FieldErrorType type, std::string field, std::string message) {
  errors.push_back({type, std::move(field), std::move(message)});
}

void AddInvalid(FieldErrors& errors, std::string field, std::string message) {
  AddError(errors, FieldErrorType::kInvalid, std::move(field), std::move(message));
}

void AddRequired(FieldErrors& errors, std::string field, std::string message) {
  AddError(errors, FieldErrorType::kRequired, std::move(field), std::move(message));
}

void AddInvalid(FieldErrors& errors, const std::string& field,
                const std::vector<std::string>& messages) {
  for (const std::string& message : messages) AddInvalid(errors, field, message);
}

void AddNotSupported(FieldErrors& errors, std::string field, std::string_view value,
                     const std::vector<std::string_view>& supported) {
  std::string message = "\"" + std::string(value) + "\" is not one of ";
  for (size_t i = 0; i < supported.size(); ++i) {
    if (i > 0) message += ", ";
    message += supported[i];
  }
  AddError(errors, FieldErrorType::kNotSupported, std::move(field), std::move(message));
}

std::string Field(const std::string& path, std::string_view member) {
  if (path.empty()) return std::string(member);
  std::string result;
  result.reserve(path.size() + 1 + member.size());
  result.append(path).append(1, '.').append(member);
  return result;
}

std::string Field(const std::string& path, size_t index) {
  return path + "[" + std::to_string(index) + "]";
}

std::string Key(const std::string& path, std::string_view key) {
  return path + "[" + std::string(key) + "]";
}

const Json::Array& Items(const Json* value) {
  static const Json::Array* const empty = new Json::Array;
  return value && value->IsArray() ? value->AsArray() : *empty;
}

const Json::Array& Items(const Json& object, std::string_view member) {
  return Items(object.Find(member));
}

const Json::Object& Members(const Json* value) {
  static const Json::Object* const empty = new Json::Object;
  return value && value->IsObject() ? value->AsObject() : *empty;
}

std::string_view Text(const Json& object, std::string_view member) {
  const Json* value = object.Find(member);
  return value && value->IsString() ? std::string_view(value->AsString()) : std::string_view();
}

std::optional<int64_t> Int(const Json& object, std::string_view member) {
  const Json* value = object.Find(member);
  if (!value || !value->IsInt()) return std::nullopt;
  return value->AsInt();
}

bool True(const Json& object, std::string_view member) {
  const Json* value = object.Find(member);
  return value && value->IsBool() && value->AsBool();
}

namespace {

bool IsEmpty(const Json* value) {
  if (!value || value->IsNull()) return true;
  if (value->IsString()) return value->AsString().empty();
  return (value->IsArray() || value->IsObject()) && value->size() == 0;
}

}  // namespace

bool SameOrBothEmpty(const Json* a, const Json* b) {
  if (IsEmpty(a) || IsEmpty(b)) return IsEmpty(a) && IsEmpty(b);
  return *a == *b;
}

std::optional<Quantity> QuantityIn(const Json* value) {
  if (!value || (!value->IsString() && !value->IsNumber())) return std::nullopt;
  // Blanks around it do not count where a quantity is read.
  std::string text = value->IsString() ? value->AsString() : value->NumberText();
  text.erase(text.find_last_not_of(' ') + 1);
  text.erase(0, text.find_first_not_of(' '));
  const auto quantity = Quantity::Parse(text);
  if (!quantity.ok()) return std::nullopt;
  return *quantity;
}

void CheckNonNegative(const Json& object, const std::string& path, std::string_view member,
                      FieldErrors& errors) {
  if (const auto value = Int(object, member); value && *value < 0) {
    AddInvalid(errors, Field(path, member), "must not be negative");
  }
}

void CheckAllowed(const Json& object, const std::string& path, std::string_view member,
                  const std::vector<std::string_view>& allowed, FieldErrors& errors) {
  const Json* value = object.Find(member);
  if (!value || !value->IsString()) return;
  for (const std::string_view text : allowed) {
    if (text == value->AsString()) return;
  }
  AddNotSupported(errors, Field(path, member), value->AsString(), allowed);
}

void CheckIntOrPercent(const Json& object, const std::string& path, std::string_view member,
                       bool at_most_all, FieldErrors& errors) {
  const Json* value = object.Find(member);
  if (!value) return;
  if (!value->IsString()) return CheckNonNegative(object, path, member, errors);
  const std::string& text = value->AsString();
  bool digits = text.size() > 1 && text.size() < 11 && text.back() == '%';
  for (size_t i = 0; i + 1 < text.size(); ++i) digits = digits && text[i] >= '0' && text[i] <= '9';
  if (!digits) {
    AddInvalid(errors, Field(path, member), "must be a whole number or a percentage");
  } else if (at_most_all && std::stoll(text) > 100) {
    AddInvalid(errors, Field(path, member), "must not exceed 100%");
  }
}

void CheckUnchanged(const Json& object, const Json& before, const std::string& path,
                    std::string_view member, FieldErrors& errors) {
  if (SameOrBothEmpty(object.Find(member), before.Find(member))) return;
  AddInvalid(errors, Field(path, member), "may not be changed");
}

}  // namespace kueue::api
