#include <fmt/format.h>
#include <yaml.h>

#include <algorithm>
#include <map>
#include <optional>

#include "api/codec/json_text.h"
#include "api/codec/yaml_scalar.h"

namespace kueue::api {
namespace {

constexpr size_t kMostDepth = 500;
constexpr size_t kNodeCost = 48;  // bytes a node takes beside its text
constexpr std::string_view kCoreTag = "tag:yaml.org,2002:";

base::Error At(const yaml_mark_t& mark, std::string_view what) {
  return base::BadRequest(
      fmt::format("invalid YAML at line {}, column {}: {}", mark.line + 1, mark.column + 1, what));
}

std::string_view TextOf(const yaml_char_t* text, size_t length) {
  return std::string_view(reinterpret_cast<const char*>(text), length);
}
std::string_view TextOf(const yaml_char_t* text) {
  return text == nullptr ? std::string_view() : reinterpret_cast<const char*>(text);
}

// A finished node. `cost` is what a copy of it takes, roughly in bytes.
struct Node {
  Json value;
  size_t cost = 0;
  bool is_merge_key = false;
};

// Builds the tree of one document from its events.
class DocumentBuilder {
 public:
  // `budget`: what copies made by aliases may cost in all documents together; it is used up.
  DocumentBuilder(size_t& budget, std::vector<DuplicateKey>* duplicates)
      : budget_(budget), duplicates_(duplicates) {}

  base::Status Handle(const yaml_event_t& event) {
    switch (event.type) {
      case YAML_SCALAR_EVENT: return Scalar(event);
      case YAML_ALIAS_EVENT: return Alias(event);
      case YAML_SEQUENCE_START_EVENT: return Open(event, event.data.sequence_start.anchor, false);
      case YAML_MAPPING_START_EVENT: return Open(event, event.data.mapping_start.anchor, true);
      case YAML_SEQUENCE_END_EVENT:
      case YAML_MAPPING_END_EVENT: return Close(event);
      default: return {};
    }
  }
  Json TakeRoot() { return std::move(root_); }

 private:
  struct Frame {
    bool is_map = false;
    std::string anchor;
    Json value;               // what is built: array or object
    size_t cost = 0;
    bool has_key = false;     // a map's key waits for its value
    bool key_is_merge = false;
    std::string key;
    std::vector<Json> merged;  // values of the map's << keys
    std::map<std::string, size_t> seen;  // a map's keys, once there are many
  };

  base::Status Scalar(const yaml_event_t& event) {
    const auto& scalar = event.data.scalar;
    const std::string_view text = TextOf(scalar.value, scalar.length);
    Node node;
    const bool plain = scalar.style == YAML_PLAIN_SCALAR_STYLE;
    auto value = Resolve(text, TextOf(scalar.tag), plain);
    if (!value.ok()) return At(event.start_mark, value.error().message);
    node.value = *std::move(value);
    node.cost = kNodeCost + text.size();
    node.is_merge_key = plain && scalar.tag == nullptr && text == "<<";
    const base::Status kept = Remember(std::string(TextOf(scalar.anchor)), node, event.start_mark);
    if (!kept.ok()) return kept;
    return Put(std::move(node), event.start_mark);
  }

  // Explicit tags of the core types are honoured, others say nothing about the JSON.
  static base::Result<Json> Resolve(std::string_view text, std::string_view tag, bool plain) {
    if (tag.empty()) {
      if (plain) return ResolvePlainScalar(text);
      return Json(text);
    }
    if (tag.substr(0, kCoreTag.size()) != kCoreTag) return Json(text);
    const std::string_view type = tag.substr(kCoreTag.size());
    const bool wants_number = type == "int" || type == "float";
    if (!wants_number && type != "bool" && type != "null") return Json(text);
    auto value = ResolvePlainScalar(text);
    if (!value.ok()) return value;
    const bool fits = (wants_number && value->IsNumber()) || (type == "bool" && value->IsBool()) ||
                      (type == "null" && value->IsNull());
    if (!fits) return base::BadRequest(fmt::format("\"{}\" is no !!{}", text, type));
    return value;
  }

  // Copies are what makes a small document large: each is paid for.
  base::Status Pay(size_t cost, const yaml_mark_t& mark) {
    if (cost > budget_) return At(mark, "anchors and aliases make the document too large");
    budget_ -= cost;
    return {};
  }

  base::Status Remember(const std::string& anchor, const Node& node, const yaml_mark_t& mark) {
    if (anchor.empty()) return {};
    const base::Status paid = Pay(node.cost, mark);
    if (paid.ok()) anchors_[anchor] = node;
    return paid;
  }

  base::Status Alias(const yaml_event_t& event) {
    const std::string name(TextOf(event.data.alias.anchor));
    const auto found = anchors_.find(name);
    if (found == anchors_.end()) {
      return At(event.start_mark, fmt::format("no anchor \"{}\" stands before this", name));
    }
    const base::Status paid = Pay(found->second.cost, event.start_mark);
    if (!paid.ok()) return paid;
    Node copy = found->second;
    copy.is_merge_key = false;
    return Put(std::move(copy), event.start_mark);
  }

  base::Status Open(const yaml_event_t& event, const yaml_char_t* anchor, bool is_map) {
    if (frames_.size() >= kMostDepth) {
      return At(event.start_mark, fmt::format("values are nested more than {} deep", kMostDepth));
    }
    if (!frames_.empty() && frames_.back().is_map && !frames_.back().has_key) {
      return At(event.start_mark, "a key must be a scalar");
    }
    Frame& frame = frames_.emplace_back();
    frame.is_map = is_map;
    frame.anchor = TextOf(anchor);
    frame.value = is_map ? Json::MakeObject() : Json::MakeArray();
    // Within itself the anchor has no value yet.
    if (anchor != nullptr) anchors_.erase(frame.anchor);
    return {};
  }

  base::Status Close(const yaml_event_t& event) {
    Frame frame = std::move(frames_.back());
    frames_.pop_back();
    if (frame.is_map) {
      const base::Status merged = Merge(frame, event.start_mark);
      if (!merged.ok()) return merged;
    }
    Node node{std::move(frame.value), frame.cost + kNodeCost, false};
    const base::Status kept = Remember(frame.anchor, node, event.start_mark);
    if (!kept.ok()) return kept;
    return Put(std::move(node), event.start_mark);
  }

  base::Status Put(Node node, const yaml_mark_t& mark) {
    if (frames_.empty()) {
      root_ = std::move(node.value);
      return {};
    }
    Frame& frame = frames_.back();
    frame.cost += node.cost;
    if (!frame.is_map) {
      frame.value.AsArray().push_back(std::move(node.value));
      return {};
    }
    if (!frame.has_key) return TakeKey(frame, node, mark);
    frame.has_key = false;
    if (frame.key_is_merge) {
      frame.merged.push_back(std::move(node.value));
    } else {
      SetMember(frame, std::move(node.value));
    }
    return {};
  }

  static base::Status TakeKey(Frame& frame, Node& node, const yaml_mark_t& mark) {
    const Json& key = node.value;
    frame.key_is_merge = node.is_merge_key;
    if (key.IsString()) {
      frame.key = key.AsString();
    } else if (key.IsBool()) {
      frame.key = key.AsBool() ? "true" : "false";
    } else if (key.IsNumber()) {
      frame.key = key.NumberText();
    } else {
      return At(mark, "a key must be a string, a number or a boolean");
    }
    frame.has_key = true;
    return {};
  }

  void SetMember(Frame& frame, Json value) {
    Json::Object& object = frame.value.AsObject();
    const size_t at = IndexOf(frame, frame.key);
    if (at < object.size()) {
      Report(frame.key);
      object[at].value = std::move(value);
      return;
    }
    object.push_back(Json::Member{frame.key, std::move(value)});
  }

  // Index of the key in the frame's object, its size if absent. Large maps get an index.
  static size_t IndexOf(Frame& frame, const std::string& key) {
    constexpr size_t kFewMembers = 24;
    const Json::Object& object = frame.value.AsObject();
    if (object.size() < kFewMembers) {
      const auto found = std::find_if(object.begin(), object.end(),
                                      [&](const Json::Member& m) { return m.key == key; });
      return static_cast<size_t>(found - object.begin());
    }
    for (size_t i = frame.seen.size(); i < object.size(); ++i) frame.seen.emplace(object[i].key, i);
    const auto found = frame.seen.find(key);
    return found == frame.seen.end() ? object.size() : found->second;
  }

  // The map's own members win over merged ones, earlier merged maps over later ones.
  static base::Status Merge(Frame& frame, const yaml_mark_t& mark) {
    for (const Json& source : frame.merged) {
      const std::vector<Json> one = source.IsArray() ? std::vector<Json>() : std::vector{source};
      for (const Json& map : source.IsArray() ? source.AsArray() : one) {
        if (!map.IsObject()) return At(mark, "the value of a merge key (<<) must be a map");
        for (const auto& member : map.AsObject()) {
          if (IndexOf(frame, member.key) == frame.value.size()) {
            frame.value.AsObject().push_back(member);
          }
        }
      }
    }
    return {};
  }

  void Report(const std::string& key) {
    constexpr size_t kMostReports = 100;
    if (duplicates_ == nullptr || duplicates_->size() >= kMostReports) return;
    std::string path;
    for (size_t i = 0; i + 1 < frames_.size(); ++i) {
      const Frame& frame = frames_[i];
      if (frame.is_map) {
        if (!path.empty()) path += '.';
        path += frame.key;
      } else {
        path += fmt::format("[{}]", frame.value.size());
      }
    }
    if (!path.empty()) path += '.';
    duplicates_->push_back(DuplicateKey{path + key});
  }

  size_t& budget_;
  std::vector<DuplicateKey>* duplicates_;
  std::vector<Frame> frames_;
  std::map<std::string, Node> anchors_;
  Json root_;
};

// Owns libyaml's parser and its current event.
class EventReader {
 public:
  explicit EventReader(std::string_view text) {
    ready_ = yaml_parser_initialize(&parser_) != 0;
    if (!ready_) return;
    yaml_parser_set_encoding(&parser_, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(
        &parser_, reinterpret_cast<const unsigned char*>(text.data()), text.size());
  }
  EventReader(const EventReader&) = delete;
  EventReader& operator=(const EventReader&) = delete;
  ~EventReader() {
    DropEvent();
    if (ready_) yaml_parser_delete(&parser_);
  }

  base::Result<const yaml_event_t*> Next() {
    DropEvent();
    if (!ready_) return base::Internal("no memory to read YAML");
    if (yaml_parser_parse(&parser_, &event_) == 0) return Problem();
    has_event_ = true;
    return &event_;
  }

 private:
  void DropEvent() {
    if (has_event_) yaml_event_delete(&event_);
    has_event_ = false;
  }
  base::Error Problem() const {
    std::string what = parser_.problem != nullptr ? parser_.problem : "not readable";
    if (parser_.context != nullptr) what = fmt::format("{} ({})", what, parser_.context);
    if (parser_.error == YAML_READER_ERROR) {
      return base::BadRequest(
          fmt::format("invalid YAML at byte {}: {}", parser_.problem_offset, what));
    }
    return At(parser_.problem_mark, what);
  }

  yaml_parser_t parser_;
  yaml_event_t event_;
  bool ready_ = false, has_event_ = false;
};

}  // namespace

base::Result<std::vector<Json>> ParseYaml(std::string_view text,
                                          std::vector<DuplicateKey>* duplicates) {
  const size_t most_bytes = JsonLimits().max_bytes;
  if (text.size() > most_bytes) {
    return base::MakeError(base::Code::kTooLarge,
                           fmt::format("the YAML text has {} bytes, at most {} are read",
                                       text.size(), most_bytes));
  }
  constexpr size_t kFreeExpansion = 4u << 20;
  size_t budget = kFreeExpansion + 10 * text.size();
  std::vector<Json> documents;
  EventReader reader(text);
  std::optional<DocumentBuilder> builder;
  while (true) {
    const auto event = reader.Next();
    if (!event.ok()) return event.error();
    const yaml_event_type_t type = (*event)->type;
    if (type == YAML_STREAM_END_EVENT) return documents;
    if (type == YAML_DOCUMENT_START_EVENT) {
      builder.emplace(budget, duplicates);
    } else if (type == YAML_DOCUMENT_END_EVENT && builder.has_value()) {
      Json root = builder->TakeRoot();
      if (!root.IsNull()) documents.push_back(std::move(root));
      builder.reset();
    } else if (builder.has_value()) {
      const base::Status handled = builder->Handle(**event);
      if (!handled.ok()) return handled.error();
    }
  }
}

}  // namespace kueue::api
