#include "apiserver/protobuf_writer.h"

#include <cstdlib>
#include <cstring>
#include <utility>

#include "api/codec/json_text.h"

namespace kueue::apiserver::protobuf_out {

using api::Json;

namespace {

class Writer {
 public:
  std::string Take() { return std::move(out_); }

  void Write(const Message& message, const Json& value) {
    if (message.literal) return WriteLiteral(value);
    if (value.IsBool() && message.boolean != 0) return Bool(message.boolean, value.AsBool());
    for (const Choice& choice : message.choices) {
      if (!Chosen(choice, value)) continue;
      return Inside(choice.number, choice.message(), value);
    }
    for (const Field& field : message.fields) {
      if (const Json* member = value.Find(field.key)) WriteField(field, *member);
    }
    if (message.extensions == 0 || !value.IsObject()) return;
    for (const Json::Member& member : value.AsObject()) {
      if (member.key.compare(0, 2, "x-") != 0) continue;
      Writer entry;
      entry.Text(1, member.key);
      entry.Any(2, member.value);
      Text(message.extensions, entry.out_);
    }
  }

 private:
  static bool Chosen(const Choice& choice, const Json& value) {
    if (choice.key.empty()) return true;
    const Json* member = value.Find(choice.key);
    if (member == nullptr) return false;
    return choice.value.empty() || (member->IsString() && member->AsString() == choice.value);
  }

  void Varint(uint64_t value) {
    while (value >= 0x80) {
      out_ += static_cast<char>((value & 0x7f) | 0x80);
      value >>= 7;
    }
    out_ += static_cast<char>(value);
  }
  void Tag(uint32_t number, uint32_t wire) { Varint(uint64_t{number} << 3 | wire); }
  void Text(uint32_t number, std::string_view text) {
    Tag(number, 2);
    Varint(text.size());
    out_ += text;
  }
  void Bool(uint32_t number, bool value) {
    Tag(number, 0);
    Varint(value ? 1 : 0);
  }
  void Double(uint32_t number, const Json& value) {
    if (!value.IsNumber()) return;
    const double real = std::strtod(value.NumberText().c_str(), nullptr);
    uint64_t bits = 0;
    std::memcpy(&bits, &real, sizeof bits);
    Tag(number, 1);
    for (int i = 0; i < 8; ++i) out_ += static_cast<char>(bits >> (8 * i));
  }
  // Readers take the text as YAML, of which JSON is a part.
  void Any(uint32_t number, const Json& value) {
    Writer any;
    any.Text(2, api::WriteJson(value) + "\n");
    Text(number, any.out_);
  }
  void Inside(uint32_t number, const Message& message, const Json& value) {
    Writer inner;
    inner.Write(message, value);
    Text(number, inner.out_);
  }
  void Entry(uint32_t number, const Message& message, const Json::Member& member) {
    Writer entry;
    entry.Text(1, member.key);
    entry.Inside(2, message, member.value);
    Text(number, entry.out_);
  }
  void WriteLiteral(const Json& value) {
    if (value.IsBool()) return Bool(2, value.AsBool());
    if (value.IsString()) return Text(3, value.AsString());
    Double(1, value);
  }

  void WriteField(const Field& field, const Json& value) {
    switch (field.form) {
      case Form::kText:
        if (value.IsString()) Text(field.number, value.AsString());
        return;
      case Form::kBool:
        if (value.IsBool()) Bool(field.number, value.AsBool());
        return;
      case Form::kInt:
        if (!value.IsInt()) return;
        Tag(field.number, 0);
        return Varint(static_cast<uint64_t>(value.AsInt()));
      case Form::kDouble:
        return Double(field.number, value);
      case Form::kAny:
        return Any(field.number, value);
      case Form::kTextList: {
        Writer list;
        if (value.IsString()) list.Text(1, value.AsString());
        return Text(field.number, list.out_);
      }
      case Form::kMessage:
        return Inside(field.number, field.message(), value);
      case Form::kNamed: {
        Writer container;
        if (value.IsObject()) {
          for (const Json::Member& member : value.AsObject()) {
            container.Entry(field.entries, field.message(), member);
          }
        }
        return Text(field.number, container.out_);
      }
      case Form::kTextsInside: {
        Writer list;
        list.WriteList({field.key, 1, Form::kTexts}, value);
        return Text(field.number, list.out_);
      }
      case Form::kTexts:
      case Form::kMessages:
      case Form::kEntries:
      case Form::kAnys:
        return WriteList(field, value);
    }
  }

  void WriteList(const Field& field, const Json& value) {
    if (!value.IsArray()) return;
    for (const Json& item : value.AsArray()) {
      if (field.form == Form::kTexts) {
        if (item.IsString()) Text(field.number, item.AsString());
      } else if (field.form == Form::kAnys) {
        Any(field.number, item);
      } else if (field.form == Form::kMessages) {
        Inside(field.number, field.message(), item);
      } else if (item.IsObject()) {
        Writer container;
        for (const Json::Member& member : item.AsObject()) {
          container.Entry(1, field.message(), member);
        }
        Text(field.number, container.out_);
      }
    }
  }

  std::string out_;
};

}  // namespace

std::string Encode(const Message& message, const Json& value) {
  Writer writer;
  writer.Write(message, value);
  return writer.Take();
}

}  // namespace kueue::apiserver::protobuf_out
