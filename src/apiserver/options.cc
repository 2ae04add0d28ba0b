#include "apiserver/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "api/codec/json_text.h"
#include "base/base64.h"

namespace kueue::apiserver {

using api::FieldError;
using api::FieldErrorType;
using api::Json;

namespace {

std::optional<int64_t> ParseInt(const std::string& text) {
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// As Kubernetes reads a flag: everything but "false" and "0" is true.
bool Flag(const std::string& text) {
  std::string lower = text;
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower != "false" && lower != "0";
}

std::vector<FieldError> CheckDryRun(const std::vector<std::string>& values) {
  for (const std::string& value : values) {
    if (value != "All") {
      return {{FieldErrorType::kNotSupported, "dryRun", "only \"All\" is known"}};
    }
  }
  return {};
}

std::vector<std::string> QueryAll(const net::Target& target, std::string_view name) {
  std::vector<std::string> values;
  for (const auto& [key, value] : target.query) {
    if (key == name) values.push_back(value);
  }
  return values;
}

std::vector<FieldError> CheckVersionMatch(const ListRequest& list) {
  std::vector<FieldError> errors;
  const auto forbid = [&](const char* field, std::string why) {
    errors.push_back({FieldErrorType::kForbidden, field, std::move(why)});
  };
  const bool known = list.version_match == "Exact" || list.version_match == "NotOlderThan";
  if (list.send_initial_events) {
    if (!list.watch) {
      forbid("resourceVersionMatch", "goes with sendInitialEvents, which needs a watch");
      forbid("sendInitialEvents", "only for a watch");
      return errors;
    }
    if (list.version_match != "NotOlderThan") {
      forbid("resourceVersionMatch", "sendInitialEvents needs NotOlderThan");
      if (!list.version_match.empty()) {
        errors.push_back({FieldErrorType::kNotSupported, "resourceVersionMatch",
                          "sendInitialEvents needs NotOlderThan"});
      }
    }
    return errors;
  }
  if (list.version_match.empty()) return errors;
  if (list.watch) {
    forbid("resourceVersionMatch", "a watch takes it only with sendInitialEvents");
    return errors;
  }
  if (list.resource_version.empty()) {
    forbid("resourceVersionMatch", "needs a resourceVersion");
  } else if (!list.continue_token.empty()) {
    forbid("resourceVersionMatch", "not together with continue");
  } else if (!known) {
    errors.push_back({FieldErrorType::kNotSupported, "resourceVersionMatch",
                      "known are Exact and NotOlderThan"});
  } else if (list.version_match == "Exact" && list.resource_version == "0") {
    forbid("resourceVersionMatch", "Exact needs a version other than 0");
  }
  return errors;
}

Propagation PropagationOf(std::string_view text, bool& known) {
  known = true;
  if (text.empty()) return Propagation::kDefault;
  if (text == "Background") return Propagation::kBackground;
  if (text == "Foreground") return Propagation::kForeground;
  if (text == "Orphan") return Propagation::kOrphan;
  known = false;
  return Propagation::kDefault;
}

// DeleteOptions, wherever they come from, before they are judged.
struct RawDelete {
  std::vector<std::string> dry_run;
  std::string propagation;
  std::optional<bool> orphan_dependents;
  std::optional<int64_t> grace;
  std::string uid, resource_version;
};

Refusal ReadDeleteBody(const Json& body, RawDelete& raw) {
  if (!body.IsObject()) return BadRequestError("DeleteOptions must be an object");
  const std::string kind = body.StringAt({"kind"});
  if (!kind.empty() && kind != "DeleteOptions") {
    return BadRequestError(fmt::format("the body must be DeleteOptions, it is {}", kind));
  }
  if (const Json* dry_run = body.Find("dryRun"); dry_run && dry_run->IsArray()) {
    for (const Json& value : dry_run->AsArray()) {
      raw.dry_run.push_back(value.IsString() ? value.AsString() : std::string());
    }
  }
  raw.propagation = body.StringAt({"propagationPolicy"});
  if (const Json* orphan = body.Find("orphanDependents"); orphan && orphan->IsBool()) {
    raw.orphan_dependents = orphan->AsBool();
  }
  if (const Json* grace = body.Find("gracePeriodSeconds"); grace && !grace->IsNull()) {
    if (!grace->IsInt()) return BadRequestError("gracePeriodSeconds must be a whole number");
    raw.grace = grace->AsInt();
  }
  raw.uid = body.StringAt({"preconditions", "uid"});
  raw.resource_version = body.StringAt({"preconditions", "resourceVersion"});
  return std::nullopt;
}

Refusal ReadDeleteQuery(const net::Target& target, RawDelete& raw) {
  raw.dry_run = QueryAll(target, "dryRun");
  raw.propagation = target.Query("propagationPolicy").value_or("");
  if (const auto orphan = target.Query("orphanDependents")) raw.orphan_dependents = Flag(*orphan);
  if (const auto grace = target.Query("gracePeriodSeconds")) {
    raw.grace = ParseInt(*grace);
    if (!raw.grace) return BadRequestError("gracePeriodSeconds must be a whole number");
  }
  return std::nullopt;
}

}  // namespace

bool ListRequest::VersionIsNumber() const {
  if (resource_version.empty()) return true;
  const auto value = ParseInt(resource_version);
  return value && *value >= 0;
}

std::optional<uint64_t> ListRequest::Version() const {
  const auto value = ParseInt(resource_version);
  if (!value || *value <= 0) return std::nullopt;
  return static_cast<uint64_t>(*value);
}

Outcome<ListRequest> ParseListRequest(const net::Target& target) {
  ListRequest list;
  list.label_selector = target.Query("labelSelector").value_or("");
  list.field_selector = target.Query("fieldSelector").value_or("");
  if (const auto watch = target.Query("watch")) list.watch = Flag(*watch);
  if (const auto allow = target.Query("allowWatchBookmarks")) list.allow_bookmarks = Flag(*allow);
  list.resource_version = target.Query("resourceVersion").value_or("");
  list.version_match = target.Query("resourceVersionMatch").value_or("");
  list.continue_token = target.Query("continue").value_or("");
  if (const auto send = target.Query("sendInitialEvents")) list.send_initial_events = Flag(*send);
  if (const auto limit = target.Query("limit"); limit && !limit->empty()) {
    const auto value = ParseInt(*limit);
    if (!value) return BadRequestError("limit must be a whole number");
    list.limit = std::max<int64_t>(0, *value);
  }
  if (const auto timeout = target.Query("timeoutSeconds"); timeout && !timeout->empty()) {
    const auto value = ParseInt(*timeout);
    if (!value) return BadRequestError("timeoutSeconds must be a whole number");
    // A year is long enough, and cannot overflow.
    if (*value > 0) list.timeout = base::seconds(std::min<int64_t>(*value, 366 * 24 * 3600));
  }
  const auto errors = CheckVersionMatch(list);
  if (!errors.empty()) return InvalidOptionsError("ListOptions", errors);
  return list;
}

Outcome<WriteRequest> ParseWriteRequest(const net::Target& target, const char* options_kind,
                                        bool apply) {
  WriteRequest write;
  const auto dry_run = QueryAll(target, "dryRun");
  std::vector<FieldError> errors = CheckDryRun(dry_run);
  write.dry_run = !dry_run.empty();
  const std::string validation = target.Query("fieldValidation").value_or("");
  if (validation == "Strict") {
    write.field_validation = FieldValidation::kStrict;
  } else if (validation == "Ignore") {
    write.field_validation = FieldValidation::kIgnore;
  } else if (!validation.empty() && validation != "Warn") {
    errors.push_back({FieldErrorType::kNotSupported, "fieldValidation",
                      "known are Ignore, Warn and Strict"});
  }
  const std::string manager = target.Query("fieldManager").value_or("");
  const auto printable = [](unsigned char c) { return c >= 0x20 && c != 0x7f; };
  if (!std::all_of(manager.begin(), manager.end(), printable)) {
    errors.push_back({FieldErrorType::kInvalid, "fieldManager", "must be printable"});
  } else if (manager.size() > 128) {
    errors.push_back({FieldErrorType::kTooLong, "fieldManager", "at most 128 bytes"});
  } else if (apply && manager.empty()) {
    errors.push_back({FieldErrorType::kRequired, "fieldManager", "who applies must say its name"});
  }
  if (const auto force = target.Query("force")) {
    write.force = Flag(*force);
    if (!apply && std::string_view(options_kind) == "PatchOptions") {
      errors.push_back({FieldErrorType::kForbidden, "force", "only for server-side apply"});
    }
  }
  write.field_manager = manager;
  if (!errors.empty()) return InvalidOptionsError(options_kind, errors);
  return write;
}

Outcome<DeleteRequest> ParseDeleteRequest(const net::Target& target, const Json& body) {
  RawDelete raw;
  const Refusal refusal =
      body.IsNull() ? ReadDeleteQuery(target, raw) : ReadDeleteBody(body, raw);
  if (refusal) return *refusal;
  std::vector<FieldError> errors = CheckDryRun(raw.dry_run);
  DeleteRequest request;
  request.dry_run = !raw.dry_run.empty();
  bool known = true;
  request.propagation = PropagationOf(raw.propagation, known);
  if (!known) {
    errors.push_back({FieldErrorType::kNotSupported, "propagationPolicy",
                      "known are Background, Foreground and Orphan"});
  } else if (raw.orphan_dependents && !raw.propagation.empty()) {
    errors.push_back({FieldErrorType::kInvalid, "propagationPolicy",
                      "not together with orphanDependents"});
  } else if (raw.orphan_dependents) {
    request.propagation =
        *raw.orphan_dependents ? Propagation::kOrphan : Propagation::kBackground;
  }
  if (!errors.empty()) return InvalidOptionsError("DeleteOptions", errors);
  request.grace_period_seconds = raw.grace;
  if (request.grace_period_seconds && *request.grace_period_seconds < 0) {
    request.grace_period_seconds = 1;
  }
  request.precondition_uid = raw.uid;
  request.precondition_resource_version = raw.resource_version;
  return request;
}

std::string EncodeContinue(const ContinueToken& token) {
  Json json = Json::MakeObject();
  json.Set("v", "meta.k8s.io/v1");
  json.Set("rv", token.revision);
  json.Set("start", token.start);
  return base::EncodeBase64(api::WriteJson(json), base::Base64::kUrl);
}

std::optional<ContinueToken> DecodeContinue(const std::string& text) {
  const base::DecodedBase64 plain = base::DecodeBase64(text, base::Base64::kUrl);
  if (plain.illegal_at) return std::nullopt;
  const auto json = api::ParseJson(plain.bytes);
  if (!json.ok() || json->StringAt({"v"}) != "meta.k8s.io/v1") return std::nullopt;
  const Json* revision = json->Find("rv");
  ContinueToken token;
  token.start = json->StringAt({"start"});
  if (!revision || !revision->IsInt() || revision->AsInt() == 0 || token.start.empty()) {
    return std::nullopt;
  }
  token.revision = revision->AsInt();
  return token;
}

}  // namespace kueue::apiserver
