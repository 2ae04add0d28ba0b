#include "apiserver/protobuf.h"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "apiserver/protobuf_messages.h"
#include "base/base64.h"

namespace kueue::apiserver {

using api::Json;
using protobuf::Field;
using protobuf::Message;
using protobuf::Wire;

namespace {

// ---- reading

struct Value {
  uint32_t number = 0;
  bool text = false;  // length-delimited
  uint64_t integer = 0;
  std::string_view bytes;
  bool IsZero() const { return text ? bytes.empty() : integer == 0; }
};

class Cursor {
 public:
  explicit Cursor(std::string_view bytes) : left_(bytes) {}
  bool done() const { return left_.empty(); }

  // Nothing: the bytes are no message.
  std::optional<Value> Next() {
    const auto tag = Varint();
    if (!tag || *tag >> 3 == 0 || *tag >> 3 > 0x1fffffff) return std::nullopt;
    Value value;
    value.number = static_cast<uint32_t>(*tag >> 3);
    switch (*tag & 7) {
      case 0: {
        const auto integer = Varint();
        if (!integer) return std::nullopt;
        value.integer = *integer;
        return value;
      }
      case 2: {
        const auto size = Varint();
        if (!size || *size > left_.size()) return std::nullopt;
        value.text = true;
        value.bytes = left_.substr(0, *size);
        left_.remove_prefix(*size);
        return value;
      }
      default:
        return std::nullopt;  // Kubernetes uses no other form
    }
  }

 private:
  std::optional<uint64_t> Varint() {
    uint64_t value = 0;
    for (int shift = 0; shift < 64 && !left_.empty(); shift += 7) {
      const auto byte = static_cast<unsigned char>(left_.front());
      left_.remove_prefix(1);
      value |= static_cast<uint64_t>(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    return std::nullopt;
  }
  std::string_view left_;
};

class Decoder {
 public:
  // Nothing went wrong while this is empty.
  std::optional<ApiError> error;

  Json Read(const Message& message, std::string_view bytes, int depth = 0) {
    Json object = Json::MakeObject();
    if (depth > 32) Malformed();
    for (Cursor cursor(bytes); !cursor.done() && !error;) {
      const auto value = cursor.Next();
      if (!value) {
        Malformed();
        break;
      }
      const Field* field = FieldOf(message, value->number);
      if (field == nullptr) {
        // Fields that say nothing are sent all the same.
        if (!value->IsZero() && !SaysNothing(*value)) Unknown(value->number);
        continue;
      }
      if (*field->name != '\0' || field->wire == Wire::kInline) Put(*field, *value, depth, object);
    }
    return object;
  }

  void Malformed() {
    if (!error) error = BadRequestError("the body is no protobuf message of Kubernetes");
  }

 private:
  void Unknown(uint32_t number) {
    if (error) return;
    error = UnsupportedMediaTypeError(fmt::format(
        "the protobuf body has a field (number {}) that is not read here; send JSON", number));
  }

  static const Field* FieldOf(const Message& message, uint32_t number) {
    for (const Field& field : message.fields) {
      if (field.number == number) return &field;
    }
    return nullptr;
  }

  // A message all of whose fields are zero.
  static bool SaysNothing(const Value& value, int depth = 0) {
    if (!value.text || depth > 4) return false;
    for (Cursor cursor(value.bytes); !cursor.done();) {
      const auto inner = cursor.Next();
      if (!inner || (!inner->IsZero() && !SaysNothing(*inner, depth + 1))) return false;
    }
    return true;
  }

  void Put(const Field& field, const Value& value, int depth, Json& object) {
    const bool wants_text = field.wire != Wire::kInt && field.wire != Wire::kBool;
    if (wants_text != value.text) return Malformed();
    switch (field.wire) {
      case Wire::kStringMap:
      case Wire::kBytesMap:
      case Wire::kQuantityMap:
        return PutEntry(field, value.bytes, object);
      case Wire::kTime:
      case Wire::kMicroTime:
        return PutTime(field, value.bytes, object);
      case Wire::kMessage: {
        Json inner = Read(*field.message, value.bytes, depth + 1);
        if (field.repeated) {
          object[field.name].Append(std::move(inner));
        } else if (inner.size() > 0 || !value.bytes.empty()) {
          object.Set(field.name, std::move(inner));
        }
        return;
      }
      case Wire::kInline: {
        Json inner = Read(*field.message, value.bytes, depth + 1);
        for (Json::Member& member : inner.AsObject()) {
          object.Set(member.key, std::move(member.value));
        }
        return;
      }
      case Wire::kIntOrString:
        return PutIntOrString(field, value.bytes, object);
      default:
        break;
    }
    Json plain;
    if (field.wire == Wire::kString) plain = Json(value.bytes);
    if (field.wire == Wire::kBytes) plain = Json(base::EncodeBase64(value.bytes));
    if (field.wire == Wire::kInt) plain = Json(static_cast<int64_t>(value.integer));
    if (field.wire == Wire::kBool) plain = Json(value.integer != 0);
    if (field.repeated) {
      object[field.name].Append(std::move(plain));
    } else if (!value.IsZero() || field.keep_zero) {
      object.Set(field.name, std::move(plain));
    }
  }

  // Seconds (1) and nanoseconds (2); an empty message is no time.
  void PutTime(const Field& field, std::string_view bytes, Json& object) {
    int64_t seconds = 0, nanoseconds = 0;
    for (Cursor cursor(bytes); !cursor.done();) {
      const auto value = cursor.Next();
      if (!value || value->text) return Malformed();
      if (value->number == 1) seconds = static_cast<int64_t>(value->integer);
      if (value->number == 2) nanoseconds = static_cast<int64_t>(value->integer);
    }
    // Nothing after the year 9999 can be written.
    constexpr int64_t kEarliest = -62135596800, kLatest = 253402300799;
    if (seconds < kEarliest || seconds > kLatest) return Malformed();
    if (nanoseconds < 0 || nanoseconds > 999999999) return Malformed();
    if (bytes.empty() || (seconds == kEarliest && nanoseconds == 0)) return;
    const base::Time time = base::Time(base::seconds(seconds)) + base::Duration(nanoseconds / 1000);
    object.Set(field.name, field.wire == Wire::kTime ? base::FormatTime(base::CutToSeconds(time))
                                                     : base::FormatMicroTime(time));
  }

  // A message of which form it has (1), the number (2) and the text (3).
  void PutIntOrString(const Field& field, std::string_view bytes, Json& object) {
    bool is_text = false;
    int64_t number = 0;
    std::string_view text;
    for (Cursor cursor(bytes); !cursor.done();) {
      const auto value = cursor.Next();
      if (!value) return Malformed();
      if (value->number == 1) is_text = value->integer == 1;
      if (value->number == 2) number = static_cast<int64_t>(value->integer);
      if (value->number == 3) text = value->bytes;
    }
    object.Set(field.name, is_text ? Json(text) : Json(number));
  }

  // An entry of a map is a message of key (1) and value (2); a quantity is one of its text (1).
  void PutEntry(const Field& field, std::string_view bytes, Json& object) {
    std::string_view key, content;
    for (Cursor cursor(bytes); !cursor.done();) {
      const auto value = cursor.Next();
      if (!value || !value->text) return Malformed();
      if (value->number == 1) key = value->bytes;
      if (value->number == 2) content = value->bytes;
    }
    if (field.wire == Wire::kQuantityMap) {
      Cursor cursor(content);
      const auto value = cursor.Next();
      if (!value || !value->text) return Malformed();
      content = value->bytes;
    }
    const bool coded = field.wire == Wire::kBytesMap;
    object[field.name].Set(key, Json(coded ? base::EncodeBase64(content) : std::string(content)));
  }
};

}  // namespace

Outcome<Json> DecodeProtobuf(std::string_view bytes) {
  constexpr std::string_view kMagic("k8s\0", 4);
  Decoder decoder;
  if (bytes.substr(0, kMagic.size()) != kMagic) decoder.Malformed();
  Json type = Json::MakeObject();
  std::string_view content;
  for (Cursor cursor(bytes.substr(std::min(bytes.size(), kMagic.size())));
       !cursor.done() && !decoder.error;) {
    const auto value = cursor.Next();
    if (!value) {
      decoder.Malformed();
    } else if (value->number == 1 && value->text) {
      type = decoder.Read(protobuf::TypeMetaMessage(), value->bytes);
    } else if (value->number == 2 && value->text) {
      content = value->bytes;
    }
  }
  if (decoder.error) return *decoder.error;
  const std::string kind = type.StringAt({"kind"});
  const Message* message = protobuf::MessageOfKind(kind);
  if (message == nullptr) {
    return UnsupportedMediaTypeError(
        fmt::format("protobuf bodies of kind \"{}\" are not read here; send JSON", kind));
  }
  Json object = std::move(type);
  Json body = decoder.Read(*message, content);
  if (decoder.error) return *decoder.error;
  for (Json::Member& member : body.AsObject()) object.Set(member.key, std::move(member.value));
  return object;
}

}  // namespace kueue::apiserver
