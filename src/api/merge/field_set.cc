#include "api/merge/field_set.h"

#include <algorithm>
#include <utility>

#include "api/codec/json_text.h"
#include "base/error.h"

namespace kueue::api {

using Node = FieldSet::Node;

namespace {

std::vector<Node>::const_iterator Place(const std::vector<Node>& nodes,
                                        const PathElement& element) {
  return std::lower_bound(
      nodes.begin(), nodes.end(), element,
      [](const Node& node, const PathElement& wanted) { return node.element < wanted; });
}

// Calls `visit` for every element of either list with its nodes, null where there is none.
template <class Visit>
void Zip(const std::vector<Node>& a, const std::vector<Node>& b, const Visit& visit) {
  auto x = a.begin();
  auto y = b.begin();
  while (x != a.end() || y != b.end()) {
    const int order = x == a.end() ? 1 : y == b.end() ? -1 : Compare(x->element, y->element);
    const Node* left = order <= 0 ? &*x++ : nullptr;
    const Node* right = order >= 0 ? &*y++ : nullptr;
    visit(left, right);
  }
}

}  // namespace

size_t FieldSet::size() const {
  size_t count = 0;
  for (const Node& node : nodes_) count += (node.member ? 1 : 0) + node.children.size();
  return count;
}

void FieldSet::Append(Node node) {
  if (node.member || !node.children.empty()) nodes_.push_back(std::move(node));
}

Node& FieldSet::Descend(const PathElement& element) {
  const auto found = Place(nodes_, element);
  auto at = nodes_.begin() + (found - nodes_.cbegin());
  if (at == nodes_.end() || !(at->element == element)) {
    at = nodes_.insert(at, Node{element, false, {}});
  }
  return *at;
}

void FieldSet::Insert(const FieldPath& path) {
  FieldSet* set = this;
  for (size_t i = 0; i < path.size(); ++i) {
    Node& node = set->Descend(path[i]);
    if (i + 1 == path.size()) node.member = true;
    set = &node.children;
  }
}

void FieldSet::Graft(const FieldPath& path, bool member, FieldSet below) {
  if (path.empty()) {
    *this = Union(std::move(*this), std::move(below));
    return;
  }
  if (!member && below.empty()) return;
  FieldSet* set = this;
  for (size_t i = 0; i < path.size(); ++i) {
    Node& node = set->Descend(path[i]);
    set = &node.children;
    if (i + 1 < path.size()) continue;
    node.member = node.member || member;
    node.children = Union(std::move(node.children), std::move(below));
  }
}

const Node* FieldSet::Find(const PathElement& element) const {
  const auto at = Place(nodes_, element);
  return at != nodes_.end() && at->element == element ? &*at : nullptr;
}

bool FieldSet::Has(const FieldPath& path) const {
  const FieldSet* set = this;
  for (size_t i = 0; i < path.size(); ++i) {
    const Node* node = set->Find(path[i]);
    if (node == nullptr) return false;
    if (i + 1 == path.size()) return node->member;
    set = &node->children;
  }
  return false;
}

FieldSet FieldSet::Union(FieldSet a, FieldSet b) {
  if (a.empty()) return b;
  if (b.empty()) return a;
  std::vector<Node> nodes;
  nodes.reserve(a.nodes_.size() + b.nodes_.size());
  auto x = a.nodes_.begin(), y = b.nodes_.begin();
  while (x != a.nodes_.end() || y != b.nodes_.end()) {
    const int order = x == a.nodes_.end()   ? 1
                      : y == b.nodes_.end() ? -1
                                            : Compare(x->element, y->element);
    if (order == 0) {
      nodes.push_back({std::move(x->element), x->member || y->member,
                       Union(std::move(x->children), std::move(y->children))});
      ++x, ++y;
    } else {
      nodes.push_back(std::move(order < 0 ? *x++ : *y++));
    }
  }
  a.nodes_ = std::move(nodes);
  return a;
}

FieldSet FieldSet::Intersection(const FieldSet& a, const FieldSet& b) {
  FieldSet out;
  Zip(a.nodes_, b.nodes_, [&](const Node* x, const Node* y) {
    if (x == nullptr || y == nullptr) return;
    out.Append({x->element, x->member && y->member, Intersection(x->children, y->children)});
  });
  return out;
}

bool FieldSet::Intersects(const FieldSet& a, const FieldSet& b) {
  bool found = false;
  Zip(a.nodes_, b.nodes_, [&](const Node* x, const Node* y) {
    if (found || x == nullptr || y == nullptr) return;
    found = (x->member && y->member) || Intersects(x->children, y->children);
  });
  return found;
}

void FieldSet::Subtract(const FieldSet& other, bool recursive) {
  for (const Node& gone : other.nodes_) {
    const auto at = nodes_.begin() + (Place(nodes_, gone.element) - nodes_.cbegin());
    if (at == nodes_.end() || !(at->element == gone.element)) continue;
    if (gone.member) {
      at->member = false;
      if (recursive) at->children = FieldSet();
    }
    at->children.Subtract(gone.children, recursive);
    if (!at->member && at->children.empty()) nodes_.erase(at);
  }
}

FieldSet FieldSet::Difference(FieldSet a, const FieldSet& b) {
  a.Subtract(b, false);
  return a;
}

FieldSet FieldSet::RecursiveDifference(FieldSet a, const FieldSet& b) {
  a.Subtract(b, true);
  return a;
}

void FieldSet::ForEach(const std::function<void(const FieldPath&)>& visit) const {
  FieldPath path;
  Visit(path, visit);
}

void FieldSet::Visit(FieldPath& path, const std::function<void(const FieldPath&)>& visit) const {
  for (const Node& node : nodes_) {
    path.push_back(node.element);
    if (node.member) visit(path);
    node.children.Visit(path, visit);
    path.pop_back();
  }
}

bool operator==(const FieldSet& a, const FieldSet& b) {
  if (a.nodes_.size() != b.nodes_.size()) return false;
  for (size_t i = 0; i < a.nodes_.size(); ++i) {
    const Node &x = a.nodes_[i], &y = b.nodes_[i];
    if (x.member != y.member || !(x.element == y.element) || !(x.children == y.children)) {
      return false;
    }
  }
  return true;
}

Json EncodeFields(const FieldSet& set) {
  Json::Object out;
  for (const Node& node : set.nodes()) {
    Json below = EncodeFields(node.children);
    if (node.member && !node.children.empty()) {
      auto& members = below.AsObject();
      members.insert(members.begin(), Json::Member{".", Json::MakeObject()});
    }
    out.push_back({node.element.Wire(), std::move(below)});
  }
  return Json(std::move(out));
}

namespace {

void AppendNodes(const FieldSet& set, bool with_self, std::string& out) {
  out += '{';
  if (with_self) out += "\".\":{}";
  bool first = !with_self;
  for (const Node& node : set.nodes()) {
    if (!first) out += ',';
    first = false;
    out += WriteJson(Json(node.element.Wire()));
    out += ':';
    AppendNodes(node.children, node.member && !node.children.empty(), out);
  }
  out += '}';
}

}  // namespace

void AppendFieldsText(const FieldSet& set, std::string& out) { AppendNodes(set, false, out); }

base::Result<FieldSet> DecodeFields(const Json& fields) {
  if (!fields.IsObject()) return base::Invalid("a set of fields must be an object");
  std::vector<Node> nodes;
  for (const Json::Member& member : fields.AsObject()) {
    if (member.key == ".") continue;
    auto element = PathElement::Parse(member.key);
    if (!element.ok()) {
      if (element.error().code == base::Code::kNotFound) continue;
      return element.error();
    }
    auto children = DecodeFields(member.value);
    if (!children.ok()) return children.error();
    // Nothing below it, or said so by ".".
    const bool is_member = children->empty() || member.value.Find(".") != nullptr;
    nodes.push_back({std::move(*element), is_member, std::move(*children)});
  }
  std::stable_sort(nodes.begin(), nodes.end(),
                   [](const Node& a, const Node& b) { return a.element < b.element; });
  FieldSet set;
  for (Node& node : nodes) {
    FieldSet one;
    const bool again = !set.empty() && set.nodes().back().element == node.element;
    if (!again) {
      set.Append(std::move(node));
      continue;
    }
    one.Append(std::move(node));
    set = FieldSet::Union(set, one);
  }
  return set;
}

}  // namespace kueue::api
