#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/check.h"
#include "cel/text.h"
#include "cel/value.h"

namespace kueue::cel {

// A host for tests: JSON text as a tree.
class TestTree : public Tree {
 public:
  struct Node {
    Value scalar;
    bool is_list = false;
    bool is_map = false;
    std::string text;
    std::vector<std::unique_ptr<Node>> elements;
    std::vector<std::pair<std::string, std::unique_ptr<Node>>> entries;
  };

  explicit TestTree(std::string_view json) : rest_(json) { root_ = ReadNode(); }

  Value Root() const { return Of(*root_); }

  size_t Size(const void* node) const override {
    const Node& n = *static_cast<const Node*>(node);
    return n.is_list ? n.elements.size() : n.entries.size();
  }
  Value Element(const void* list, size_t i) const override {
    return Of(*static_cast<const Node*>(list)->elements[i]);
  }
  Value Find(const void* map, std::string_view key) const override {
    for (const auto& [name, node] : static_cast<const Node*>(map)->entries)
      if (name == key) return Of(*node);
    return {};
  }
  std::pair<std::string_view, Value> Entry(const void* map, size_t i) const override {
    const auto& entry = static_cast<const Node*>(map)->entries[i];
    return {entry.first, Of(*entry.second)};
  }

 private:
  Value Of(const Node& node) const {
    if (node.is_list) return Value::TreeList(this, &node);
    if (node.is_map) return Value::TreeMap(this, &node);
    return node.scalar;
  }

  void SkipBlanks() {
    while (!rest_.empty() && (rest_[0] == ' ' || rest_[0] == '\n')) rest_.remove_prefix(1);
  }
  bool Eat(std::string_view token) {
    SkipBlanks();
    if (rest_.substr(0, token.size()) != token) return false;
    rest_.remove_prefix(token.size());
    return true;
  }
  std::string ReadText() {
    KUEUE_CHECK(Eat("\""));
    const std::string text(rest_.substr(0, rest_.find('"')));
    rest_.remove_prefix(text.size() + 1);
    return text;
  }

  std::unique_ptr<Node> ReadNode() {
    auto node = std::make_unique<Node>();
    SkipBlanks();
    if (Eat("{")) {
      node->is_map = true;
      while (!Eat("}")) {
        std::string key = ReadText();
        KUEUE_CHECK(Eat(":"));
        node->entries.emplace_back(std::move(key), ReadNode());
        Eat(",");
      }
    } else if (Eat("[")) {
      node->is_list = true;
      while (!Eat("]")) {
        node->elements.push_back(ReadNode());
        Eat(",");
      }
    } else if (rest_[0] == '"') {
      node->text = ReadText();
      node->scalar = Value::BorrowedString(node->text);
    } else {
      ReadScalar(node.get());
    }
    return node;
  }

  void ReadScalar(Node* node) {
    const std::string word(rest_.substr(0, rest_.find_first_of(",]} \n")));
    rest_.remove_prefix(word.size());
    int64_t whole = 0;
    double number = 0;
    if (word == "true" || word == "false") {
      node->scalar = Value::Bool(word == "true");
    } else if (word == "null") {
      node->scalar = Value::Null();
    } else if (ReadInt(word, &whole)) {
      node->scalar = Value::Int(whole);
    } else {
      KUEUE_CHECK_MSG(ReadDouble(word, &number), word);
      node->scalar = Value::Double(number);
    }
  }

  std::string_view rest_;
  std::unique_ptr<Node> root_;
};

}  // namespace kueue::cel
