#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "api/types/json.h"

// Protocol buffers out of Json, by tables: which member of an object goes into which field. What a
// table does not name is left out.
namespace kueue::apiserver::protobuf_out {

enum class Form {
  kText,
  kBool,
  kInt,
  kDouble,
  kTexts,
  kTextList,  // a text as a message that holds a list of them
  kMessage,
  kMessages,     // repeated, of an array
  kNamed,        // of an object: a message with one repeated entry {name, value} per member
  kEntries,      // of an array of objects: a message each, with entries as above
  kTextsInside,  // of an array of texts: a message that holds them
  kAny,
  kAnys,  // as text
};

struct Message;
using MessageOf = const Message& (*)();

struct Field {
  std::string_view key;
  uint32_t number;
  Form form;
  MessageOf message = nullptr;
  uint32_t entries = 1;  // of kNamed: the number of the entries
};

// One of several messages is written, by what a member says.
struct Choice {
  std::string_view key, value;  // an empty value: the member is there; an empty key: always
  uint32_t number;
  MessageOf message;
};

struct Message {
  std::vector<Field> fields;
  uint32_t extensions = 0;  // the number of the entries for "x-..."
  std::vector<Choice> choices = {};
  uint32_t boolean = 0;  // the number of a plain true or false
  bool literal = false;  // DefaultType: number 1, boolean 2, string 3
};

// The message's bytes. Members of another type than their field's form are left out.
std::string Encode(const Message& message, const api::Json& value);

}  // namespace kueue::apiserver::protobuf_out
