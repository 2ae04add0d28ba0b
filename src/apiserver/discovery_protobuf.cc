#include "apiserver/discovery_protobuf.h"

#include "apiserver/protobuf_writer.h"

namespace kueue::apiserver {

using api::Json;
using protobuf_out::Form;
using protobuf_out::Message;

namespace {

const Message& Version() {
  static const Message message{{{"groupVersion", 1, Form::kText}, {"version", 2, Form::kText}}};
  return message;
}
const Message& Group() {
  static const Message message{{{"name", 1, Form::kText},
                                {"versions", 2, Form::kMessages, Version},
                                {"preferredVersion", 3, Form::kMessage, Version}}};
  return message;
}
const Message& GroupList() {
  static const Message message{{{"groups", 1, Form::kMessages, Group}}};
  return message;
}
const Message& Address() {
  static const Message message{{{"clientCIDR", 1, Form::kText}, {"serverAddress", 2, Form::kText}}};
  return message;
}
const Message& Versions() {
  static const Message message{
      {{"versions", 1, Form::kTexts}, {"serverAddressByClientCIDRs", 2, Form::kMessages, Address}}};
  return message;
}
const Message& Resource() {
  static const Message message{{{"name", 1, Form::kText},
                                {"namespaced", 2, Form::kBool},
                                {"kind", 3, Form::kText},
                                {"verbs", 4, Form::kTextsInside},
                                {"shortNames", 5, Form::kTexts},
                                {"singularName", 6, Form::kText},
                                {"categories", 7, Form::kTexts},
                                {"group", 8, Form::kText},
                                {"version", 9, Form::kText},
                                {"storageVersionHash", 10, Form::kText}}};
  return message;
}
const Message& ResourceList() {
  static const Message message{
      {{"groupVersion", 1, Form::kText}, {"resources", 2, Form::kMessages, Resource}}};
  return message;
}
const Message& TypeMeta() {
  static const Message message{{{"apiVersion", 1, Form::kText}, {"kind", 2, Form::kText}}};
  return message;
}
// What every object travels in (runtime.Unknown).
const Message& Envelope() {
  static const Message message{
      {{"typeMeta", 1, Form::kMessage, TypeMeta}, {"raw", 2, Form::kText}}};
  return message;
}

const Message& MessageOfKind(const std::string& kind) {
  if (kind == "APIVersions") return Versions();
  if (kind == "APIGroupList") return GroupList();
  return kind == "APIGroup" ? Group() : ResourceList();
}

}  // namespace

std::string DiscoveryProtobuf(const Json& list) {
  const std::string kind = list.StringAt({"kind"});
  Json envelope = Json::MakeObject();
  envelope["typeMeta"].Set("apiVersion", list.StringAt({"apiVersion"}, "v1"));
  envelope["typeMeta"].Set("kind", kind);
  envelope.Set("raw", protobuf_out::Encode(MessageOfKind(kind), list));
  return std::string("k8s\0", 4) + protobuf_out::Encode(Envelope(), envelope);
}

}  // namespace kueue::apiserver
