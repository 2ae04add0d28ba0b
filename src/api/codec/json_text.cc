#include "api/codec/json_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <functional>
#include <iterator>

#include <boost/json/basic_parser_impl.hpp>

namespace kueue::api {
namespace {

// Containers deeper than this are refused whatever the caller allows: the parser, the writer and
// the destructor of a Json use the stack in proportion to the depth.
constexpr int kDeepestNesting = 10000;

// Builds the tree from the parser's events. Values of all open containers lie on one stack and
// their keys on another, where they are views of the text; so a container is allocated once, in its
// final size, and a key once, in its place.
class TreeBuilder {
 public:
  static constexpr size_t max_array_size = static_cast<size_t>(-1);
  static constexpr size_t max_object_size = static_cast<size_t>(-1);
  static constexpr size_t max_string_size = static_cast<size_t>(-1);
  static constexpr size_t max_key_size = static_cast<size_t>(-1);
  using error_code = boost::json::error_code;
  using text_view = boost::json::string_view;

  // `text` is what is parsed, and stays while this lives.
  TreeBuilder(std::string_view text, std::vector<DuplicateKey>* duplicates)
      : text_(text), duplicates_(duplicates) {
    const size_t guess = std::min<size_t>(text.size() / 24 + 4, 512);
    values_.reserve(guess);
    keys_.reserve(guess);
  }

  Json TakeRoot() { return std::move(values_.front()); }

  bool on_document_begin(error_code&) { return true; }
  bool on_document_end(error_code&) { return true; }
  bool on_object_begin(error_code&) { return Open(true); }
  bool on_array_begin(error_code&) { return Open(false); }

  bool on_object_end(size_t, error_code&) {
    const Frame& frame = frames_.back();
    Json::Object members(values_.size() - frame.first);
    for (size_t i = 0; i < members.size(); ++i) {
      members[i].key = keys_[frame.first_key + i];
      members[i].value = std::move(values_[frame.first + i]);
    }
    if (HasDuplicates(frame.first_key)) DropDuplicates(members);
    Close(Json(std::move(members)));
    return true;
  }

  bool on_array_end(size_t, error_code&) {
    const auto first = values_.begin() + static_cast<ptrdiff_t>(frames_.back().first);
    Json::Array items(std::make_move_iterator(first), std::make_move_iterator(values_.end()));
    Close(Json(std::move(items)));
    return true;
  }

  bool on_key_part(text_view s, size_t, error_code&) { return Part(s); }
  bool on_key(text_view s, size_t, error_code&) {
    if (part_.empty() && IsOfText(s)) {
      keys_.emplace_back(s.data(), s.size());
    } else {
      keys_.push_back(spelt_keys_.emplace_back(Whole(s)));
    }
    return true;
  }
  bool on_string_part(text_view s, size_t, error_code&) { return Part(s); }
  bool on_string(text_view s, size_t, error_code&) {
    if (part_.empty()) return Put(std::string_view(s.data(), s.size()));
    return Put(Whole(s));
  }
  bool on_number_part(text_view s, error_code&) { return Part(s); }
  bool on_int64(int64_t value, text_view s, error_code&) {
    if (value != 0) return PutPlain(value);
    std::string text = Whole(s);
    // A negative zero is no plain integer: its sign would be lost.
    if (text == "0") return Put(int64_t{0});
    return Put(Json::Number{std::move(text)});
  }
  bool on_uint64(uint64_t value, text_view s, error_code&) {
    if (value <= static_cast<uint64_t>(INT64_MAX)) return PutPlain(static_cast<int64_t>(value));
    return Put(Json::Number{Whole(s)});
  }
  bool on_double(double, text_view s, error_code&) { return Put(Json::Number{Whole(s)}); }
  bool on_bool(bool value, error_code&) { return Put(value); }
  bool on_null(error_code&) { return Put(nullptr); }
  bool on_comment_part(text_view, error_code&) { return true; }
  bool on_comment(text_view, error_code&) { return true; }

 private:
  struct Frame {
    size_t first;      // where its values start on the stack
    size_t first_key;  // where its keys start
    bool is_object;    // otherwise an array
  };

  // The parser hands out pieces of the text, or of a buffer of its own where it took escapes out.
  bool IsOfText(text_view s) const {
    const std::less_equal<const char*> before;
    return before(text_.data(), s.data()) &&
           before(s.data() + s.size(), text_.data() + text_.size());
  }
  bool Part(text_view s) {
    part_.append(s.data(), s.size());
    return true;
  }
  std::string Whole(text_view s) {
    if (part_.empty()) return std::string(s.data(), s.size());
    part_.append(s.data(), s.size());
    return std::exchange(part_, std::string());
  }
  bool PutPlain(int64_t value) {
    part_.clear();
    return Put(value);
  }
  template <class T>
  bool Put(T&& value) {
    values_.emplace_back(std::forward<T>(value));
    return true;
  }
  bool Open(bool is_object) {
    frames_.push_back(Frame{values_.size(), keys_.size(), is_object});
    return true;
  }
  void Close(Json value) {
    values_.resize(frames_.back().first);
    keys_.resize(frames_.back().first_key);
    frames_.pop_back();
    Put(std::move(value));
  }

  // Keeps the last of equal keys, at the place of the first.
  void DropDuplicates(Json::Object& members) {
    std::vector<size_t> order(members.size());
    for (size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(),
                     [&](size_t a, size_t b) { return members[a].key < members[b].key; });
    std::vector<bool> dropped(members.size(), false);
    size_t first = 0;
    for (size_t i = 1; i < order.size(); ++i) {
      if (members[order[i]].key != members[order[first]].key) {
        first = i;
        continue;
      }
      members[order[first]].value = std::move(members[order[i]].value);
      dropped[order[i]] = true;
      Report(members[order[i]].key);
    }
    size_t kept = 0;
    for (size_t i = 0; i < members.size(); ++i) {
      if (dropped[i]) continue;
      if (kept != i) members[kept] = std::move(members[i]);
      ++kept;
    }
    members.resize(kept);
  }

  // Among the keys from `first` on.
  bool HasDuplicates(size_t first) const {
    constexpr size_t kFewMembers = 24;
    if (keys_.size() - first <= kFewMembers) {
      for (size_t i = first + 1; i < keys_.size(); ++i) {
        for (size_t k = first; k < i; ++k) {
          if (keys_[i] == keys_[k]) return true;
        }
      }
      return false;
    }
    std::vector<std::string_view> keys(keys_.begin() + static_cast<ptrdiff_t>(first), keys_.end());
    std::sort(keys.begin(), keys.end());
    return std::adjacent_find(keys.begin(), keys.end()) != keys.end();
  }

  // One report is enough to refuse a document; the bound keeps a hostile one from costing
  // its length times its depth.
  void Report(const std::string& key) {
    constexpr size_t kMostReports = 100;
    if (duplicates_ == nullptr || duplicates_->size() >= kMostReports) return;
    std::string path;
    for (size_t i = 0; i + 1 < frames_.size(); ++i) {
      if (frames_[i].is_object) {
        if (!path.empty()) path += '.';
        path += keys_[frames_[i + 1].first_key - 1];
      } else {
        path += fmt::format("[{}]", frames_[i + 1].first - frames_[i].first);
      }
    }
    if (!path.empty()) path += '.';
    duplicates_->push_back(DuplicateKey{path + key});
  }

  const std::string_view text_;
  std::vector<Json> values_;
  std::vector<std::string_view> keys_;
  std::deque<std::string> spelt_keys_;  // those with escapes, as they are meant
  std::vector<Frame> frames_;
  std::string part_;
  std::vector<DuplicateKey>* duplicates_;
};

std::string WhatIsWrong(const boost::json::error_code& ec, const JsonLimits& limits) {
  using boost::json::error;
  if (ec == error::incomplete) return "the text ends in the middle of a value";
  if (ec == error::exponent_overflow) return "the number's exponent is too large";
  if (ec == error::too_deep) {
    return fmt::format("values are nested more than {} deep", limits.max_depth);
  }
  if (ec == error::illegal_leading_surrogate || ec == error::illegal_trailing_surrogate ||
      ec == error::expected_utf16_escape) {
    return "a \\u escape is half of a surrogate pair";
  }
  if (ec == error::expected_hex_digit) return "a \\u escape needs four hexadecimal digits";
  return "this is not JSON";
}

// The place as people see it: byte offset and the text there.
base::Error At(std::string_view text, size_t offset, const std::string& what) {
  offset = std::min(offset, text.size());
  std::string near;
  for (const char c : text.substr(offset, 20)) {
    near += static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) > 0x7e ? '?' : c;
  }
  std::string message = fmt::format("invalid JSON at byte {}: {}", offset, what);
  if (!near.empty()) message += fmt::format(" (at \"{}\")", near);
  return base::BadRequest(std::move(message));
}

}  // namespace

base::Result<Json> ParseJson(std::string_view text, const JsonLimits& limits,
                             std::vector<DuplicateKey>* duplicates) {
  if (text.size() > limits.max_bytes) {
    return base::MakeError(base::Code::kTooLarge,
                           fmt::format("the JSON text has {} bytes, at most {} are read",
                                       text.size(), limits.max_bytes));
  }
  boost::json::parse_options options;
  options.max_depth = static_cast<size_t>(std::clamp(limits.max_depth, 1, kDeepestNesting));
  boost::json::basic_parser<TreeBuilder> parser(options, text, duplicates);
  boost::json::error_code ec;
  size_t end = parser.write_some(false, text.data(), text.size(), ec);
  if (ec) {
    if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) {
      return base::BadRequest("invalid JSON: the text is empty");
    }
    return At(text, end, WhatIsWrong(ec, limits));
  }
  end = std::min(text.find_first_not_of(" \t\r\n", end), text.size());
  if (end != text.size()) return At(text, end, "more text follows the value");
  return parser.handler().TakeRoot();
}

}  // namespace kueue::api
