#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>

namespace kueue::scheduling {

class ShapeTable;

// A scheduling shape (spec/scheduling.md §4.7): equal shapes, equal workloads as far as a decision
// can tell. Empty: unknown, which no known shape equals. Counted by use; must not outlive its
// table.
class Shape {
 public:
  Shape() = default;
  Shape(const Shape& other) : row_(other.row_) { Use(); }
  Shape(Shape&& other) noexcept : row_(std::exchange(other.row_, nullptr)) {}
  Shape& operator=(Shape other) noexcept {
    std::swap(row_, other.row_);
    return *this;
  }
  ~Shape();

  bool known() const { return row_ != nullptr; }
  // The same for equal shapes as long as one of them is held; null if unknown.
  const void* id() const { return row_; }
  friend bool operator==(const Shape& a, const Shape& b) { return a.row_ == b.row_; }

 private:
  friend class ShapeTable;
  struct Row {
    ShapeTable* table = nullptr;
    const std::string* encoding = nullptr;
    uint64_t uses = 0;
  };
  explicit Shape(Row* row) : row_(row) { Use(); }
  void Use() {
    if (row_ != nullptr) ++row_->uses;
  }
  Row* row_ = nullptr;
};

// The shapes in use, by canonical encoding. Shapes that nobody holds take no room. Stays where it
// is: its rows point back to it.
class ShapeTable {
 public:
  ShapeTable() = default;
  ShapeTable(const ShapeTable&) = delete;
  ShapeTable& operator=(const ShapeTable&) = delete;

  Shape Intern(std::string encoding);
  size_t size() const { return rows_.size(); }

 private:
  friend class Shape;
  std::unordered_map<std::string, Shape::Row> rows_;
};

}  // namespace kueue::scheduling
