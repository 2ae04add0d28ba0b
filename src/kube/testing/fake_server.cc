#include "kube/testing/fake_server.h"

#include <algorithm>
#include <utility>

#include "api/codec/json_text.h"
#include "api/codec/patch.h"

namespace kueue::kube {
namespace {

using api::Json;

FakeServer::Answer Ok(int status, const Json& body) {
  return {status, api::WriteJson(body), {{"Content-Type", "application/json"}}};
}

std::string Joined(const std::vector<std::string>& parts, size_t begin, size_t end) {
  std::string out;
  for (size_t i = begin; i < end; ++i) out += "/" + parts[i];
  return out;
}

bool IsGoing(const Json& object) {
  return !object.StringAt({"metadata", "deletionTimestamp"}).empty();
}
bool HasFinalizers(const Json& object) {
  const Json* finalizers = object.FindPath({"metadata", "finalizers"});
  return finalizers != nullptr && finalizers->size() > 0;
}

}  // namespace

FakeServer::Answer FakeServer::Refuse(int status, const std::string& reason,
                                      const std::string& message) {
  Json body;
  body.Set("kind", "Status");
  body.Set("apiVersion", "v1");
  body.Set("status", "Failure");
  body.Set("reason", reason);
  body.Set("message", message);
  body.Set("code", status);
  return Ok(status, body);
}

FakeServer::Place FakeServer::PlaceOf(const net::Target& target) {
  const auto& parts = target.path;
  Place place;
  size_t i = !parts.empty() && parts[0] == "api" ? 2 : 3;
  i = std::min(i, parts.size());
  place.group_prefix = Joined(parts, 0, i);
  if (i + 2 < parts.size() && parts[i] == "namespaces") {
    place.namespace_name = parts[i + 1];
    i += 2;
  }
  if (i < parts.size()) place.resource = parts[i];
  place.collection = Joined(parts, 0, std::min(i + 1, parts.size()));
  if (i + 1 < parts.size()) {
    place.name = parts[i + 1];
    place.object_path = Joined(parts, 0, i + 2);
  }
  if (i + 2 < parts.size()) place.subresource = parts[i + 2];
  return place;
}

bool FakeServer::IsIn(const std::string& object_path, const Place& place) {
  const Place of = PlaceOf(net::ParseTarget(object_path));
  return of.group_prefix == place.group_prefix && of.resource == place.resource &&
         (place.namespace_name.empty() || of.namespace_name == place.namespace_name);
}

void FakeServer::Handle(net::Request request, std::shared_ptr<net::Responder> responder) {
  const net::Target target = net::ParseTarget(request.target);
  requests_.push_back(request.method + " " + request.target.substr(0, request.target.find('?')));
  last_request_ = request;
  std::optional<Answer> answer;
  if (interceptor_) answer = interceptor_(request);
  const Place place = PlaceOf(target);
  if (!answer && request.method == "GET" && target.Query("watch")) {
    return Watch(target, place, std::move(responder));
  }
  if (!answer) answer = Respond(request, target, place);
  if (answer->status == 0) return;  // no answer at all: the responder is dropped
  responder->Start(answer->status, std::move(answer->headers));
  responder->Write(std::move(answer->body));
  responder->End();
  Feed();
}

FakeServer::Answer FakeServer::Respond(const net::Request& request, const net::Target& target,
                                       const Place& place) {
  if (request.method == "GET" && place.name.empty()) return List(target, place);
  if (request.method == "GET") {
    const Json* object = Find(place.object_path);
    return object == nullptr ? Refuse(404, "NotFound") : Ok(200, *object);
  }
  if (request.method == "DELETE") return Delete(place, request.body);
  if (request.method == "POST" && place.subresource.empty()) {
    return Create(place, api::ParseJson(request.body).value());
  }
  if (request.method == "POST") {
    Json status;
    status.Set("kind", "Status");
    status.Set("status", "Success");
    return Ok(201, status);
  }
  return Update(place, request);
}

FakeServer::Answer FakeServer::List(const net::Target& target, const Place& place) {
  const std::string token = target.Query("continue").value_or("");
  const std::string after = token.substr(std::min(token.size(), token.find(' ') + 1));
  uint64_t list_version = version_;
  if (!token.empty()) {
    list_version = std::stoull(token);
    if (list_version < compacted_) return Refuse(410, "Expired");
  }
  const size_t limit = std::stoul(target.Query("limit").value_or("0"));
  Json items = Json::MakeArray();
  Json metadata;
  std::string last;
  for (const auto& [path, object] : objects_) {
    if (!IsIn(path, place) || (!token.empty() && path <= after)) continue;
    if (limit > 0 && items.size() == limit) {
      metadata.Set("continue", std::to_string(list_version) + " " + last);
      break;
    }
    items.Append(object);
    last = path;
  }
  metadata.Set("resourceVersion", std::to_string(list_version));
  Json list;
  list.Set("kind", "List");
  list.Set("metadata", std::move(metadata));
  list.Set("items", std::move(items));
  return Ok(200, list);
}

FakeServer::Answer FakeServer::Create(const Place& place, Json object) {
  const std::string path = place.collection + "/" + object.StringAt({"metadata", "name"});
  if (objects_.count(path) != 0) return Refuse(409, "AlreadyExists");
  object["metadata"].Set("uid", "uid-" + std::to_string(++last_uid_));
  return Ok(201, Store("ADDED", path, std::move(object)));
}

FakeServer::Answer FakeServer::Update(const Place& place, const net::Request& request) {
  const auto it = objects_.find(place.object_path);
  if (it == objects_.end()) return Refuse(404, "NotFound");
  const Json body = api::ParseJson(request.body).value();
  const std::string expected = body.StringAt({"metadata", "resourceVersion"});
  const std::string stored = it->second.StringAt({"metadata", "resourceVersion"});
  if (!expected.empty() && expected != stored) return Refuse(409, "Conflict");
  Json object = request.method == "PUT" ? body : api::ApplyMergePatch(it->second, body);
  object["metadata"].Set("uid", it->second.StringAt({"metadata", "uid"}));
  if (IsGoing(object) && !HasFinalizers(object)) {
    Json gone = Store("DELETED", place.object_path, std::move(object));
    return Ok(200, gone);
  }
  return Ok(200, Store("MODIFIED", place.object_path, std::move(object)));
}

FakeServer::Answer FakeServer::Delete(const Place& place, const std::string& body) {
  const auto it = objects_.find(place.object_path);
  if (it == objects_.end()) return Refuse(404, "NotFound");
  const std::string uid = it->second.StringAt({"metadata", "uid"});
  if (!body.empty()) {
    const Json options = api::ParseJson(body).value();
    const std::string expected = options.StringAt({"preconditions", "uid"}, uid);
    if (expected != uid) return Refuse(409, "Conflict");
  }
  Json object = it->second;
  if (HasFinalizers(object)) {
    object["metadata"].Set("deletionTimestamp", "2026-01-01T00:00:00Z");
    object["metadata"].Set("deletionGracePeriodSeconds", 0);
    return Ok(200, Store("MODIFIED", place.object_path, std::move(object)));
  }
  Store("DELETED", place.object_path, std::move(object));
  Json status;
  status.Set("kind", "Status");
  status.Set("status", "Success");
  status["details"].Set("uid", uid);
  return Ok(200, status);
}

Json FakeServer::Store(const std::string& type, const std::string& path, Json object) {
  object["metadata"].Set("resourceVersion", std::to_string(++version_));
  if (type == "DELETED") {
    objects_.erase(path);
  } else {
    objects_[path] = object;
  }
  history_.push_back({version_, type, path, object});
  return object;
}

void FakeServer::Put(const std::string& path, Json object) {
  const Place place = PlaceOf(net::ParseTarget(path));
  const auto it = objects_.find(path);
  object["metadata"].Set("name", place.name);
  if (!place.namespace_name.empty()) object["metadata"].Set("namespace", place.namespace_name);
  const bool is_new = it == objects_.end();
  object["metadata"].Set("uid", is_new ? "uid-" + std::to_string(++last_uid_)
                                       : it->second.StringAt({"metadata", "uid"}));
  Store(is_new ? "ADDED" : "MODIFIED", path, std::move(object));
  Feed();
}

void FakeServer::Remove(const std::string& path) {
  const auto it = objects_.find(path);
  if (it == objects_.end()) return;
  Store("DELETED", path, Json(it->second));
  Feed();
}

const Json* FakeServer::Find(const std::string& path) const {
  const auto it = objects_.find(path);
  return it == objects_.end() ? nullptr : &it->second;
}

std::vector<Json> FakeServer::Under(const std::string& collection) const {
  std::vector<Json> out;
  const std::string prefix = collection + "/";
  for (auto it = objects_.lower_bound(prefix); it != objects_.end(); ++it) {
    if (it->first.compare(0, prefix.size(), prefix) != 0) break;
    out.push_back(it->second);
  }
  return out;
}

void FakeServer::Watch(const net::Target& target, const Place& place,
                       std::shared_ptr<net::Responder> to) {
  const uint64_t from = std::stoull(target.Query("resourceVersion").value_or("0"));
  to->Start(200, {{"Content-Type", "application/json"}});
  Watcher watcher{place, from + 1, std::move(to)};
  if (from < compacted_) {
    Say(watcher, "ERROR", api::ParseJson(Refuse(410, "Expired").body).value());
    watcher.responder->End();
    return;
  }
  watchers_.push_back(std::move(watcher));
  Feed();
}

void FakeServer::Feed() {
  if (held_) return;
  for (Watcher& watcher : watchers_) {
    for (const Event& event : history_) {
      if (event.version < watcher.next || !IsIn(event.path, watcher.place)) continue;
      Say(watcher, event.type, event.object);
    }
    watcher.next = version_ + 1;
  }
}

void FakeServer::Say(Watcher& watcher, const std::string& type, const Json& object) {
  Json event;
  event.Set("type", type);
  event.Set("object", object);
  const std::string line = api::WriteJson(event) + "\n";
  const size_t step = chunk_size_ == 0 ? line.size() : chunk_size_;
  for (size_t i = 0; i < line.size(); i += step) watcher.responder->Write(line.substr(i, step));
}

void FakeServer::EndWatches() {
  for (Watcher& watcher : std::exchange(watchers_, {})) watcher.responder->End();
}

void FakeServer::HoldWatches(bool hold) {
  held_ = hold;
  Feed();
}

void FakeServer::Bookmark() {
  Json object;
  object["metadata"].Set("resourceVersion", std::to_string(version_));
  for (Watcher& watcher : watchers_) Say(watcher, "BOOKMARK", object);
}

void FakeServer::StartOver(uint64_t version) {
  EndWatches();
  objects_.clear();
  history_.clear();
  version_ = version;
  compacted_ = 0;
}

size_t FakeServer::CountRequests(const std::string& request) const {
  return static_cast<size_t>(std::count(requests_.begin(), requests_.end(), request));
}

size_t FakeServer::open_watches() const {
  const auto is_open = [](const Watcher& w) { return !w.responder->Closed(); };
  return static_cast<size_t>(std::count_if(watchers_.begin(), watchers_.end(), is_open));
}

}  // namespace kueue::kube
