#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace kueue::api {

// A JSON value. Objects keep the order of their members; numbers that are not plain 64-bit
// integers keep their text, so nothing is lost between reading and writing. A value type.
class Json {
 public:
  enum class Type : uint8_t { kNull, kBool, kInt, kNumber, kString, kArray, kObject };
  struct Member;
  using Array = std::vector<Json>;
  using Object = std::vector<Member>;
  // A number that does not fit int64 or was written with a fraction or an exponent, as text.
  struct Number {
    std::string text;
    friend bool operator==(const Number&, const Number&) = default;
  };

  Json();
  Json(std::nullptr_t);          // NOLINT: implicit
  Json(bool value);              // NOLINT: implicit
  Json(int value);               // NOLINT: implicit
  Json(int64_t value);           // NOLINT: implicit
  Json(Number value);            // NOLINT: implicit
  Json(const char* value);       // NOLINT: implicit
  Json(std::string value);       // NOLINT: implicit
  Json(std::string_view value);  // NOLINT: implicit
  Json(Array value);             // NOLINT: implicit
  Json(Object value);            // NOLINT: implicit
  Json(const Json&);
  Json(Json&&) noexcept;
  Json& operator=(const Json&);
  Json& operator=(Json&&) noexcept;
  ~Json();
  static Json MakeArray() { return Json(Array()); }
  static Json MakeObject();

  Type type() const { return static_cast<Type>(value_.index()); }
  bool IsNull() const { return type() == Type::kNull; }
  bool IsBool() const { return type() == Type::kBool; }
  bool IsInt() const { return type() == Type::kInt; }
  bool IsNumber() const { return type() == Type::kInt || type() == Type::kNumber; }
  bool IsString() const { return type() == Type::kString; }
  bool IsArray() const { return type() == Type::kArray; }
  bool IsObject() const { return type() == Type::kObject; }

  // REQUIRES: the value is of that type.
  bool AsBool() const;
  int64_t AsInt() const;
  const std::string& AsString() const;
  const Array& AsArray() const;
  Array& AsArray();
  const Object& AsObject() const;
  Object& AsObject();
  // The digits of a number of either type. REQUIRES: IsNumber().
  std::string NumberText() const;

  // Object access; on other types Find gives nullptr.
  const Json* Find(std::string_view key) const;
  Json* Find(std::string_view key);
  // Follows object keys: FindPath({"metadata", "name"}).
  const Json* FindPath(std::initializer_list<std::string_view> path) const;
  // The string at the path, or `otherwise` if it is absent or no string.
  std::string StringAt(std::initializer_list<std::string_view> path,
                       std::string_view otherwise = "") const;
  // Replaces or appends. A null becomes an object first. REQUIRES: object or null.
  Json& Set(std::string_view key, Json value);
  // The member, appended as null if absent. A null becomes an object first.
  Json& operator[](std::string_view key);
  // True if the member was there.
  bool Erase(std::string_view key);
  void Append(Json value);  // A null becomes an array first. REQUIRES: array or null.
  size_t size() const;      // of an array or object, else 0

  // Equal by meaning: member order does not count, list order does; numbers by value.
  friend bool operator==(const Json& a, const Json& b);

 private:
  std::variant<std::monostate, bool, int64_t, Number, std::string, Array, Object> value_;
};

struct Json::Member {
  std::string key;
  Json value;
};

// Here and not in the class, because they need Member in full.
inline Json::Json() = default;
inline Json::Json(std::nullptr_t) {}
inline Json::Json(bool value) : value_(value) {}
inline Json::Json(int value) : value_(static_cast<int64_t>(value)) {}
inline Json::Json(int64_t value) : value_(value) {}
inline Json::Json(Number value) : value_(std::move(value)) {}
inline Json::Json(const char* value) : value_(std::string(value)) {}
inline Json::Json(std::string value) : value_(std::move(value)) {}
inline Json::Json(std::string_view value) : value_(std::string(value)) {}
inline Json::Json(Array value) : value_(std::move(value)) {}
inline Json::Json(Object value) : value_(std::move(value)) {}
inline Json::Json(const Json&) = default;
inline Json::Json(Json&&) noexcept = default;
inline Json& Json::operator=(const Json&) = default;
inline Json& Json::operator=(Json&&) noexcept = default;
inline Json::~Json() = default;

// Members of an object that its table does not describe. They survive reading and writing, so a
// client never loses what a newer server or another tool put there. Null when there are none.
class Extra {
 public:
  Extra() = default;
  Extra(const Extra& other)
      : members_(other.members_ ? std::make_unique<Json>(*other.members_) : nullptr) {}
  Extra(Extra&&) = default;
  Extra& operator=(const Extra& other) {
    members_ = other.members_ ? std::make_unique<Json>(*other.members_) : nullptr;
    return *this;
  }
  Extra& operator=(Extra&&) = default;
  const Json* get() const { return members_.get(); }
  void Add(std::string key, Json value);
  friend bool operator==(const Extra& a, const Extra& b);

 private:
  std::unique_ptr<Json> members_;  // an object
};

}  // namespace kueue::api
