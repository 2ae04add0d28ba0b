#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

// The protobuf messages clients of Kubernetes send, as tables: kubectl sends some kinds in this
// form only.
namespace kueue::apiserver::protobuf {

enum class Wire {
  kString,
  kBytes,
  kInt,
  kBool,
  kTime,
  kMicroTime,
  kMessage,
  kStringMap,
  kBytesMap,
  kQuantityMap,
  kIntOrString,
  kInline,  // a message whose members stand in the object itself
};

struct Message;

struct Field {
  uint32_t number;
  const char* name;  // JSON name; "" is read and dropped
  Wire wire;
  const Message* message = nullptr;
  bool repeated = false;
  bool keep_zero = false;  // absent and zero differ
};

struct Message {
  std::vector<Field> fields;
};

// Of a kind's body; null: it is not read in this form.
const Message* MessageOfKind(std::string_view kind);
// apiVersion and kind of what is in an envelope.
const Message& TypeMetaMessage();

}  // namespace kueue::apiserver::protobuf
