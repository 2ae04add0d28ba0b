#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cel/type.h"

namespace kueue::cel {

class Tree;

// Whatever a Value keeps outside itself, counted by the Values that refer to it. Not atomic: the
// Values of one evaluation stay on one thread.
struct Box {
  virtual ~Box() = default;
  uint32_t references = 0;
};

// The box of the kinds that libraries add (quantity, URL and so on).
struct OpaqueBox : Box {
  // `other` has the same kind.
  virtual bool Equals(const OpaqueBox& other) const = 0;
  virtual std::string ToString() const = 0;
};

// A value of an expression: 32 bytes, cheap to copy.
//
// Text, lists and maps may be borrowed: from the host's objects (no copy is ever made of those) or
// from the Program. A Value is thus good only while the objects it was computed from and the
// Program live. A default constructed Value is absent: what a lookup that finds nothing returns.
class Value {
 public:
  enum class Kind : uint8_t {
    kAbsent,
    kError,
    kNull,
    kBool,
    kInt,
    kUint,
    kDouble,
    kString,
    kBytes,
    kDuration,
    kTimestamp,
    kList,
    kMap,
    kType,
    kOptional,
    kQuantity,
    kUrl,
    kIp,
    kCidr,
    kSemver,
    kNamedFormat,
    kAuthorizer,
    kPathCheck,
    kGroupCheck,
    kResourceCheck,
    kDecision,
  };
  using Entries = std::vector<std::pair<Value, Value>>;

  Value() = default;
  Value(const Value& other) noexcept { Share(other); }
  Value(Value&& other) noexcept { Take(other); }
  Value& operator=(const Value& other) noexcept {
    if (this != &other) {
      Release();
      Share(other);
    }
    return *this;
  }
  Value& operator=(Value&& other) noexcept {
    if (this != &other) {
      Release();
      Take(other);
    }
    return *this;
  }
  ~Value() { Release(); }

  static Value Null() { return Value(Kind::kNull); }
  static Value Bool(bool b);
  static Value Int(int64_t i);
  static Value Uint(uint64_t u);
  static Value Double(double d);
  static Value String(std::string text);
  // The text stays where it is and must outlive the Value.
  static Value BorrowedString(std::string_view text);
  static Value Bytes(std::string bytes);
  static Value BorrowedBytes(std::string_view bytes);
  static Value Duration(int64_t nanoseconds);
  // Seconds since 1970 UTC, 0..999999999 nanoseconds, and the offset the text was written with.
  static Value Timestamp(int64_t seconds, uint32_t nanoseconds, int32_t offset_seconds = 0);
  static Value List(std::vector<Value> elements);
  // A list that compares as `type` says; keeps a pointer to it.
  static Value ListOf(std::vector<Value> elements, const Type* type);
  // Later entries win over earlier ones with an equal key; order is kept.
  static Value Map(Entries entries);
  // `name` must outlive the Value.
  static Value TypeName(std::string_view name);
  static Value None();
  static Value Some(Value inner);
  static Value Error(std::string message);
  static Value Opaque(Kind kind, OpaqueBox* box);
  // A list or a map of the host: `node` means something to `tree` only. `type` may be nullptr
  // (dyn); all three must outlive the Value.
  static Value TreeList(const Tree* tree, const void* node, const Type* type = nullptr);
  static Value TreeMap(const Tree* tree, const void* node, const Type* type = nullptr);

  Kind kind() const { return kind_; }
  bool is(Kind kind) const { return kind_ == kind; }
  bool absent() const { return kind_ == Kind::kAbsent; }
  bool error() const { return kind_ == Kind::kError; }
  bool IsTrue() const { return kind_ == Kind::kBool && word_.b; }
  bool IsNumber() const { return kind_ >= Kind::kInt && kind_ <= Kind::kDouble; }

  // Each REQUIRES its kind.
  bool AsBool() const { return word_.b; }
  int64_t AsInt() const { return word_.i; }
  uint64_t AsUint() const { return word_.u; }
  double AsDouble() const { return word_.d; }
  std::string_view AsText() const { return {word_.text, size_}; }  // string, bytes, type
  int64_t AsNanoseconds() const { return word_.i; }                // duration
  int64_t AsSeconds() const { return word_.i; }                    // timestamp
  uint32_t subsecond() const { return size_; }
  int32_t offset() const { return static_cast<int32_t>(reinterpret_cast<intptr_t>(more_)); }
  bool has_inner() const { return box_ != nullptr; }  // optional
  const Value& inner() const;
  const std::string& message() const;  // error
  // How a list compares: the declared type of a host's list, or of one computed from such.
  const Type* list_type() const;
  template <class T>
  const T& As() const {
    return *static_cast<const T*>(box_);
  }

  // Lists and maps: number of elements or entries.
  size_t size() const;
  // REQUIRES i < size().
  Value At(size_t i) const;
  // Maps. Absent when there is no such key. Keys are equal across number types (1 is 1.0).
  Value Find(const Value& key) const;
  // As Find for a text key, without making a Value of it.
  Value FindText(std::string_view key) const;
  // The i-th entry of a map, in the host's order. An object's entry that a typed reader cannot
  // see (null, unknown to the type) is absent in second.
  std::pair<Value, Value> EntryAt(size_t i) const;
  // Reads a field of an object whose JSON name is known already.
  Value FindField(const Type::Field& field) const;

  // Whether the list or map is the host's and has a type that is an object.
  bool IsObject() const {
    return from_tree_ && type_ != nullptr && type_->kind() == Type::Kind::kObject;
  }
  // The type a host's list or map is read with; nullptr for all others.
  const Type* type() const { return from_tree_ ? type_ : nullptr; }
  bool from_tree() const { return from_tree_; }
  // REQUIRES from_tree(). `type` must outlive the Value.
  void SetType(const Type* type) { type_ = type; }
  // Two Values that are one and the same list, map or box.
  bool SameAs(const Value& other) const {
    return kind_ == other.kind_ && box_ == other.box_ && word_.u == other.word_.u &&
           more_ == other.more_ && size_ == other.size_;
  }

  // The same value without a share in the box: for constants, which their Program keeps.
  Value Borrow() const;

  // The name that type() gives: "int", "google.protobuf.Duration".
  std::string_view TypeText() const;
  // For tests and logs: 1, 2u, double(1.5), "text", [1, 2], optional(1). At most a megabyte.
  std::string ToString() const;

 private:
  explicit Value(Kind kind) : kind_(kind) {}
  static Value Text(Kind kind, std::string_view text, Box* owner);
  void Share(const Value& other) {
    kind_ = other.kind_;
    from_tree_ = other.from_tree_;
    borrowed_ = other.borrowed_;
    size_ = other.size_;
    word_ = other.word_;
    more_ = other.more_;
    box_ = other.box_;
    if (box_ != nullptr && !borrowed_ && !from_tree_) ++box_->references;
  }
  void Take(Value& other) {
    kind_ = other.kind_;
    from_tree_ = other.from_tree_;
    borrowed_ = other.borrowed_;
    size_ = other.size_;
    word_ = other.word_;
    more_ = other.more_;
    box_ = other.box_;
    other.kind_ = Kind::kAbsent;
    other.from_tree_ = false;
    other.box_ = nullptr;
  }
  void Release() {
    if (box_ != nullptr && !borrowed_ && !from_tree_ && --box_->references == 0) delete box_;
    box_ = nullptr;
  }
  const Tree& tree() const { return *static_cast<const Tree*>(more_); }

  Kind kind_ = Kind::kAbsent;
  bool from_tree_ = false;  // the host's list or map: word_.node, more_ = tree, type_
  bool borrowed_ = false;   // box_ is somebody else's to count
  uint32_t size_ = 0;       // bytes of text; nanoseconds of a timestamp
  union {
    bool b;
    int64_t i;
    uint64_t u = 0;
    double d;
    const char* text;
    const void* node;
  } word_;
  const void* more_ = nullptr;  // the tree; the offset of a timestamp
  union {
    Box* box_ = nullptr;
    const Type* type_;  // when from_tree_
  };
};

// How to look into lists and maps that belong to the host. Stateless: what is looked into is the
// opaque `node` that the host put into the Value. Scalars are returned as plain Values (text
// borrowed), children as TreeList or TreeMap without a type: cel reads them as the declared
// type says. Find may compute (a lazy variable) and may return Value::Error.
class Tree {
 public:
  virtual ~Tree() = default;
  // Elements of a list, entries of a map.
  virtual size_t Size(const void* node) const = 0;
  virtual Value Element(const void* list, size_t i) const = 0;
  // Absent when there is no such key.
  virtual Value Find(const void* map, std::string_view key) const = 0;
  // Whether a member of an object that is null is there all the same. Of JSON it is not.
  virtual bool KeepsNull() const { return false; }
  // The key (borrowed) and the value of the i-th entry, in an order that does not change.
  virtual std::pair<std::string_view, Value> Entry(const void* map, size_t i) const = 0;
};

// Reads a host value as the declared type says: text as timestamp, duration or bytes, whole
// numbers as doubles, lists and maps with the type they are looked into with. What does not fit
// stays as it is; text that cannot be read is an error value. `type` may be nullptr (dyn).
Value ReadAs(Value value, const Type* type);

}  // namespace kueue::cel
