#include "apiserver/protobuf.h"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace kueue::apiserver {

using api::Json;

namespace {

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
  kQuantityMap
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

// ---- the messages, by the field numbers Kubernetes publishes

const Message kNothing{{}};

const Message kOwnerReference{{{5, "apiVersion", Wire::kString},
                               {1, "kind", Wire::kString},
                               {3, "name", Wire::kString},
                               {4, "uid", Wire::kString},
                               {6, "controller", Wire::kBool},
                               {7, "blockOwnerDeletion", Wire::kBool}}};

const Message kObjectMeta{{{1, "name", Wire::kString},
                           {2, "generateName", Wire::kString},
                           {3, "namespace", Wire::kString},
                           {5, "uid", Wire::kString},
                           {6, "resourceVersion", Wire::kString},
                           {7, "generation", Wire::kInt},
                           {8, "creationTimestamp", Wire::kTime},
                           {9, "deletionTimestamp", Wire::kTime},
                           {10, "deletionGracePeriodSeconds", Wire::kInt, nullptr, false, true},
                           // Absent means the owners that are known, so nothing is lost.
                           {17, "", Wire::kMessage, &kNothing, true},
                           {11, "labels", Wire::kStringMap},
                           {12, "annotations", Wire::kStringMap},
                           {13, "ownerReferences", Wire::kMessage, &kOwnerReference, true},
                           {14, "finalizers", Wire::kString, nullptr, true}}};

const Message kPreconditions{{{1, "uid", Wire::kString}, {2, "resourceVersion", Wire::kString}}};

const Message kDeleteOptions{{{1, "gracePeriodSeconds", Wire::kInt, nullptr, false, true},
                              {2, "preconditions", Wire::kMessage, &kPreconditions},
                              {3, "orphanDependents", Wire::kBool, nullptr, false, true},
                              {4, "propagationPolicy", Wire::kString},
                              {5, "dryRun", Wire::kString, nullptr, true}}};

const Message kNamespaceSpec{{{1, "finalizers", Wire::kString, nullptr, true}}};
const Message kNamespace{
    {{1, "metadata", Wire::kMessage, &kObjectMeta}, {2, "spec", Wire::kMessage, &kNamespaceSpec}}};

const Message kConfigMap{{{1, "metadata", Wire::kMessage, &kObjectMeta},
                          {4, "immutable", Wire::kBool},
                          {2, "data", Wire::kStringMap},
                          {3, "binaryData", Wire::kBytesMap}}};

const Message kSecret{{{1, "metadata", Wire::kMessage, &kObjectMeta},
                       {5, "immutable", Wire::kBool},
                       {2, "data", Wire::kBytesMap},
                       {4, "stringData", Wire::kStringMap},
                       {3, "type", Wire::kString}}};

const Message kRequirement{{{1, "key", Wire::kString},
                            {2, "operator", Wire::kString},
                            {3, "values", Wire::kString, nullptr, true}}};
const Message kLabelSelector{{{1, "matchLabels", Wire::kStringMap},
                              {2, "matchExpressions", Wire::kMessage, &kRequirement, true}}};

const Message kEnvVar{{{1, "name", Wire::kString}, {2, "value", Wire::kString}}};
const Message kContainerPort{{{1, "name", Wire::kString},
                              {2, "hostPort", Wire::kInt},
                              {3, "containerPort", Wire::kInt},
                              {4, "protocol", Wire::kString},
                              {5, "hostIP", Wire::kString}}};
const Message kResources{{{1, "limits", Wire::kQuantityMap}, {2, "requests", Wire::kQuantityMap}}};
const Message kContainer{{{1, "name", Wire::kString},
                          {2, "image", Wire::kString},
                          {3, "command", Wire::kString, nullptr, true},
                          {4, "args", Wire::kString, nullptr, true},
                          {5, "workingDir", Wire::kString},
                          {6, "ports", Wire::kMessage, &kContainerPort, true},
                          {7, "env", Wire::kMessage, &kEnvVar, true},
                          {8, "resources", Wire::kMessage, &kResources},
                          {13, "terminationMessagePath", Wire::kString},
                          {20, "terminationMessagePolicy", Wire::kString},
                          {14, "imagePullPolicy", Wire::kString},
                          {24, "restartPolicy", Wire::kString},
                          {16, "stdin", Wire::kBool},
                          {17, "stdinOnce", Wire::kBool},
                          {18, "tty", Wire::kBool}}};

const Message kToleration{{{1, "key", Wire::kString},
                           {2, "operator", Wire::kString},
                           {3, "value", Wire::kString},
                           {4, "effect", Wire::kString},
                           {5, "tolerationSeconds", Wire::kInt, nullptr, false, true}}};
const Message kLocalObjectReference{{{1, "name", Wire::kString}}};
const Message kPodSpec{{{20, "initContainers", Wire::kMessage, &kContainer, true},
                        {2, "containers", Wire::kMessage, &kContainer, true},
                        {3, "restartPolicy", Wire::kString},
                        {4, "terminationGracePeriodSeconds", Wire::kInt, nullptr, false, true},
                        {5, "activeDeadlineSeconds", Wire::kInt, nullptr, false, true},
                        {6, "dnsPolicy", Wire::kString},
                        {7, "nodeSelector", Wire::kStringMap},
                        {8, "serviceAccountName", Wire::kString},
                        {9, "serviceAccount", Wire::kString},
                        {10, "nodeName", Wire::kString},
                        {11, "hostNetwork", Wire::kBool},
                        {15, "imagePullSecrets", Wire::kMessage, &kLocalObjectReference, true},
                        {19, "schedulerName", Wire::kString},
                        {22, "tolerations", Wire::kMessage, &kToleration, true},
                        {24, "priorityClassName", Wire::kString},
                        {25, "priority", Wire::kInt, nullptr, false, true},
                        {29, "runtimeClassName", Wire::kString},
                        {31, "preemptionPolicy", Wire::kString},
                        {32, "overhead", Wire::kQuantityMap}}};
const Message kPodTemplate{
    {{1, "metadata", Wire::kMessage, &kObjectMeta}, {2, "spec", Wire::kMessage, &kPodSpec}}};

const Message kJobSpec{{{1, "parallelism", Wire::kInt, nullptr, false, true},
                        {2, "completions", Wire::kInt, nullptr, false, true},
                        {3, "activeDeadlineSeconds", Wire::kInt, nullptr, false, true},
                        {7, "backoffLimit", Wire::kInt, nullptr, false, true},
                        {12, "backoffLimitPerIndex", Wire::kInt, nullptr, false, true},
                        {13, "maxFailedIndexes", Wire::kInt, nullptr, false, true},
                        {4, "selector", Wire::kMessage, &kLabelSelector},
                        {5, "manualSelector", Wire::kBool, nullptr, false, true},
                        {6, "template", Wire::kMessage, &kPodTemplate},
                        {8, "ttlSecondsAfterFinished", Wire::kInt, nullptr, false, true},
                        {9, "completionMode", Wire::kString},
                        {10, "suspend", Wire::kBool, nullptr, false, true},
                        {14, "podReplacementPolicy", Wire::kString},
                        {15, "managedBy", Wire::kString}}};
const Message kJobCondition{{{1, "type", Wire::kString},
                             {2, "status", Wire::kString},
                             {3, "lastProbeTime", Wire::kTime},
                             {4, "lastTransitionTime", Wire::kTime},
                             {5, "reason", Wire::kString},
                             {6, "message", Wire::kString}}};
const Message kUncounted{
    {{1, "succeeded", Wire::kString, nullptr, true}, {2, "failed", Wire::kString, nullptr, true}}};
const Message kJobStatus{{{1, "conditions", Wire::kMessage, &kJobCondition, true},
                          {2, "startTime", Wire::kTime},
                          {3, "completionTime", Wire::kTime},
                          {4, "active", Wire::kInt},
                          {5, "succeeded", Wire::kInt},
                          {6, "failed", Wire::kInt},
                          {11, "terminating", Wire::kInt, nullptr, false, true},
                          {7, "completedIndexes", Wire::kString},
                          {10, "failedIndexes", Wire::kString, nullptr, false, true},
                          {8, "uncountedTerminatedPods", Wire::kMessage, &kUncounted},
                          {9, "ready", Wire::kInt, nullptr, false, true}}};
const Message kJob{{{1, "metadata", Wire::kMessage, &kObjectMeta},
                    {2, "spec", Wire::kMessage, &kJobSpec},
                    {3, "status", Wire::kMessage, &kJobStatus}}};
const Message kPod{
    {{1, "metadata", Wire::kMessage, &kObjectMeta}, {2, "spec", Wire::kMessage, &kPodSpec}}};

const Message kLeaseSpec{{{1, "holderIdentity", Wire::kString, nullptr, false, true},
                          {2, "leaseDurationSeconds", Wire::kInt, nullptr, false, true},
                          {3, "acquireTime", Wire::kMicroTime},
                          {4, "renewTime", Wire::kMicroTime},
                          {5, "leaseTransitions", Wire::kInt, nullptr, false, true},
                          {6, "strategy", Wire::kString},
                          {7, "preferredHolder", Wire::kString}}};
const Message kLease{
    {{1, "metadata", Wire::kMessage, &kObjectMeta}, {2, "spec", Wire::kMessage, &kLeaseSpec}}};

const Message kObjectReference{{{1, "kind", Wire::kString},
                                {2, "namespace", Wire::kString},
                                {3, "name", Wire::kString},
                                {4, "uid", Wire::kString},
                                {5, "apiVersion", Wire::kString},
                                {6, "resourceVersion", Wire::kString},
                                {7, "fieldPath", Wire::kString}}};
const Message kEventSource{{{1, "component", Wire::kString}, {2, "host", Wire::kString}}};
const Message kEventSeries{{{1, "count", Wire::kInt}, {2, "lastObservedTime", Wire::kMicroTime}}};
const Message kEvent{{{1, "metadata", Wire::kMessage, &kObjectMeta},
                      {2, "involvedObject", Wire::kMessage, &kObjectReference},
                      {3, "reason", Wire::kString},
                      {4, "message", Wire::kString},
                      {5, "source", Wire::kMessage, &kEventSource},
                      {6, "firstTimestamp", Wire::kTime},
                      {7, "lastTimestamp", Wire::kTime},
                      {8, "count", Wire::kInt},
                      {9, "type", Wire::kString},
                      {10, "eventTime", Wire::kMicroTime},
                      {11, "series", Wire::kMessage, &kEventSeries},
                      {12, "action", Wire::kString},
                      {13, "related", Wire::kMessage, &kObjectReference},
                      {14, "reportingComponent", Wire::kString},
                      {15, "reportingInstance", Wire::kString}}};

const Message kEviction{{{1, "metadata", Wire::kMessage, &kObjectMeta},
                         {2, "deleteOptions", Wire::kMessage, &kDeleteOptions}}};

const Message kResourceAttributes{{{1, "namespace", Wire::kString},
                                   {2, "verb", Wire::kString},
                                   {3, "group", Wire::kString},
                                   {4, "version", Wire::kString},
                                   {5, "resource", Wire::kString},
                                   {6, "subresource", Wire::kString},
                                   {7, "name", Wire::kString}}};
const Message kNonResourceAttributes{{{1, "path", Wire::kString}, {2, "verb", Wire::kString}}};
const Message kAccessReviewSpec{
    {{1, "resourceAttributes", Wire::kMessage, &kResourceAttributes},
     {2, "nonResourceAttributes", Wire::kMessage, &kNonResourceAttributes}}};
const Message kAccessReview{{{1, "metadata", Wire::kMessage, &kObjectMeta},
                             {2, "spec", Wire::kMessage, &kAccessReviewSpec},
                             {3, "", Wire::kMessage, &kNothing}}};
const Message kSubjectReview{
    {{1, "metadata", Wire::kMessage, &kObjectMeta}, {2, "", Wire::kMessage, &kNothing}}};

struct Kind {
  const char* name;
  const Message* message;
};
const Kind kKinds[] = {
    {"Namespace", &kNamespace},
    {"ConfigMap", &kConfigMap},
    {"Secret", &kSecret},
    {"Job", &kJob},
    {"Pod", &kPod},
    {"Lease", &kLease},
    {"Event", &kEvent},
    {"Eviction", &kEviction},
    {"DeleteOptions", &kDeleteOptions},
    {"SelfSubjectAccessReview", &kAccessReview},
    {"SelfSubjectReview", &kSubjectReview},
};

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

std::string Base64(std::string_view bytes) {
  constexpr char kAlphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (size_t i = 0; i < bytes.size(); i += 3) {
    uint32_t group = 0;
    for (size_t k = 0; k < 3; ++k) {
      group = group << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    }
    const size_t digits = std::min<size_t>(bytes.size() - i, 3) + 1;
    for (size_t k = 0; k < 4; ++k) {
      text += k < digits ? kAlphabet[group >> (18 - 6 * k) & 63] : '=';
    }
  }
  return text;
}

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
      if (*field->name != '\0') Put(*field, *value, depth, object);
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
      default:
        break;
    }
    Json plain;
    if (field.wire == Wire::kString) plain = Json(value.bytes);
    if (field.wire == Wire::kBytes) plain = Json(Base64(value.bytes));
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
    object[field.name].Set(key,
                           field.wire == Wire::kBytesMap ? Json(Base64(content)) : Json(content));
  }
};

const Message kTypeMeta{{{1, "apiVersion", Wire::kString}, {2, "kind", Wire::kString}}};

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
      type = decoder.Read(kTypeMeta, value->bytes);
    } else if (value->number == 2 && value->text) {
      content = value->bytes;
    }
  }
  if (decoder.error) return *decoder.error;
  const std::string kind = type.StringAt({"kind"});
  for (const Kind& known : kKinds) {
    if (known.name != kind) continue;
    Json object = std::move(type);
    Json body = decoder.Read(*known.message, content);
    if (decoder.error) return *decoder.error;
    for (Json::Member& member : body.AsObject()) object.Set(member.key, std::move(member.value));
    return object;
  }
  return UnsupportedMediaTypeError(
      fmt::format("protobuf bodies of kind \"{}\" are not read here; send JSON", kind));
}

}  // namespace kueue::apiserver
