// Plays the recorded conversations of conformance/apiserver against our server, in virtual time,
// and reports "topic: N passed, N failed".
//
//   apiserver_player FOLDER [--must FILE] [--show] [NAME...]
//
// FOLDER holds the scenarios. NAME plays only scenarios that start with it. --show prints the first
// difference of each failing one. --must FILE: fails if a scenario listed there fails; without it
// the exit code tells only whether the folder could be read.

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "api/codec/json_text.h"
#include "apiserver/server.h"
#include "apiserver/store.h"
#include "base/executor.h"
#include "recorded.h"

namespace kueue {
namespace {

using api::Json;

// Ages of objects with literal times were recorded on this day.
constexpr char kStart[] = "2026-11-30T12:00:00Z";

// An answer as it grows.
struct Answer {
  int code = 0;
  net::Headers headers;
  std::string body;
  bool ended = false;
  size_t read = 0;  // bytes of a watch taken so far
};

class RecordingResponder final : public net::Responder {
 public:
  explicit RecordingResponder(std::shared_ptr<Answer> answer) : answer_(std::move(answer)) {}
  void Start(int status, net::Headers headers) override {
    answer_->code = status;
    answer_->headers = std::move(headers);
  }
  void Write(std::string chunk) override { answer_->body += chunk; }
  void End() override { answer_->ended = true; }
  bool Closed() const override { return closed; }
  size_t Backlog() const override { return 0; }
  bool closed = false;

 private:
  std::shared_ptr<Answer> answer_;
};

// ---- placeholders

// Names for what differs from run to run, bound at their first appearance.
class Bindings {
 public:
  // Puts the bound values, and filled texts, into a request.
  std::string Fill(const std::string& text) const {
    std::string out;
    for (size_t at = 0; at < text.size();) {
      const size_t open = text.find('<', at);
      const size_t close = open == std::string::npos ? open : text.find('>', open);
      if (close == std::string::npos) return out + text.substr(at);
      out += text.substr(at, open - at);
      out += ValueOf(text.substr(open, close - open + 1));
      at = close + 1;
    }
    return out;
  }
  Json Fill(const Json& json) const {
    if (json.IsString()) return Fill(json.AsString());
    if (json.IsArray()) {
      Json out = Json::MakeArray();
      for (const Json& item : json.AsArray()) out.Append(Fill(item));
      return out;
    }
    if (json.IsObject()) {
      Json out = Json::MakeObject();
      for (const auto& member : json.AsObject()) out.Set(Fill(member.key), Fill(member.value));
      return out;
    }
    return json;
  }

  // Whether `actual` can stand where `expected` does; binds what it learns.
  bool Match(const std::string& expected, const std::string& actual) {
    const size_t open = expected.find('<');
    const size_t close = open == std::string::npos ? open : expected.find('>', open);
    if (close == std::string::npos || expected == "<none>" || expected == "<unset>" ||
        expected == "<unknown>") {
      return expected == actual;
    }
    const std::string name = expected.substr(open, close - open + 1);
    if (actual.compare(0, open, expected, 0, open) != 0) return false;
    const std::string rest = expected.substr(close + 1);
    const bool free = name == "<time>" || name == "<age>" || name == "<hash>" || name == "<etag>" ||
                      name == "<n>";
    if (auto bound = bound_.find(name); !free && bound != bound_.end()) {
      if (actual.compare(open, bound->second.size(), bound->second) != 0) return false;
      return Match(rest, actual.substr(open + bound->second.size()));
    }
    const size_t next = rest.find('<');
    const std::string literal = rest.substr(0, next);
    size_t end =
        literal.empty() && next == std::string::npos ? actual.size() : actual.find(literal, open);
    if (end == std::string::npos || end < open) return false;
    if (!free) bound_[name] = actual.substr(open, end - open);
    return Match(rest, actual.substr(end));
  }

  // The tag of the last answer that had one.
  void SetEtag(const std::string& etag) {
    if (!etag.empty()) bound_["<etag>"] = etag;
  }

  // Versions must be ordered as their numbers are.
  bool VersionsInOrder() const {
    std::map<int, long long> versions;
    for (const auto& [name, value] : bound_) {
      if (name.compare(0, 3, "<rv") == 0) {
        versions[std::atoi(name.c_str() + 3)] = std::atoll(value.c_str());
      }
    }
    long long last = -1;
    for (const auto& [number, value] : versions) {
      if (value <= last) return false;
      last = value;
    }
    return true;
  }

 private:
  std::string ValueOf(const std::string& name) const {
    if (name.compare(0, 6, "<fill:") == 0 && name.size() > 9) {
      return std::string(static_cast<size_t>(std::atoll(name.c_str() + 8)), name[6]);
    }
    if (name == "<time>") return kStart;
    auto it = bound_.find(name);
    return it == bound_.end() ? name : it->second;
  }
  std::map<std::string, std::string> bound_;
};

// ---- comparing

class Comparer {
 public:
  explicit Comparer(Bindings& bindings) : bindings_(bindings) {}
  bool subset = false;  // only what is expected must be there
  bool cause_messages = false;  // the sentences of causes are compared, too
  bool managed_fields = false;
  std::string difference;

  bool Same(const Json& want, const Json& got, const std::string& path) {
    const auto ends_with = [&](const std::string& end) {
      return path.size() >= end.size() &&
             path.compare(path.size() - end.size(), end.size(), end) == 0;
    };
    if (want.IsBool() && want.AsBool() &&
        (ends_with(".message") || ends_with("kubernetes.io/limit-ranger"))) {
      return got.IsString() && !got.AsString().empty() ? true : Differ(path, want, got);
    }
    // Numbers that differ from run to run have placeholders, too.
    if (want.IsString() && got.IsInt() && want.AsString().compare(0, 5, "<port") == 0) {
      return bindings_.Match(want.AsString(), got.NumberText()) || Differ(path, want, got);
    }
    if (want.IsString()) {
      const std::string text = got.IsString() ? got.AsString() : std::string();
      if (got.IsString() && bindings_.Match(want.AsString(), text)) return true;
      return Differ(path, want, got);
    }
    // Some long lists are recorded by their length only.
    if (want.IsInt() && got.IsArray()) {
      return want.AsInt() == static_cast<int64_t>(got.size()) ? true : Differ(path, want, got);
    }
    if (want.IsArray()) return SameArray(want, got, path);
    if (want.IsObject()) return SameObject(want, got, path);
    return want == got ? true : Differ(path, want, got);
  }

 private:
  bool Differ(const std::string& path, const Json& want, const Json& got) {
    if (difference.empty()) {
      difference = fmt::format("{}: want {} got {}", path, api::WriteJson(want).substr(0, 300),
                               api::WriteJson(got).substr(0, 300));
    }
    return false;
  }

  static bool OnlyNames(const Json& item) {
    if (!item.IsObject() || item.size() != 1 || item.Find("metadata") == nullptr) return false;
    for (const auto& member : item.Find("metadata")->AsObject()) {
      if (member.key != "name" && member.key != "namespace") return false;
    }
    return true;
  }

  static std::vector<Json> SortedCauses(const Json& causes) {
    std::vector<Json> items = causes.AsArray();
    std::stable_sort(items.begin(), items.end(), [](const Json& a, const Json& b) {
      const auto key = [](const Json& cause) {
        return std::make_tuple(cause.StringAt({"field"}), cause.StringAt({"reason"}),
                               cause.StringAt({"message"}));
      };
      return key(a) < key(b);
    });
    return items;
  }

  bool SameArray(const Json& want, const Json& got, const std::string& path) {
    if (!got.IsArray() || want.size() != got.size()) return Differ(path, want, got);
    const bool causes = path.size() > 7 && path.compare(path.size() - 7, 7, ".causes") == 0;
    const auto wanted = causes ? SortedCauses(want) : want.AsArray();
    const auto gotten = causes ? SortedCauses(got) : got.AsArray();
    for (size_t i = 0; i < wanted.size(); ++i) {
      const bool outer = subset;
      subset = subset || OnlyNames(wanted[i]);
      const bool same = Same(wanted[i], gotten[i], fmt::format("{}[{}]", path, i));
      subset = outer;
      if (!same) return false;
    }
    return true;
  }

  bool Ignored(const std::string& path, const std::string& key) const {
    if (key == "managedFields") return !managed_fields;
    if (key == "message" && path.find(".causes[") != std::string::npos) return !cause_messages;
    return key == "description" && path.find("columnDefinitions") != std::string::npos;
  }

  bool SameObject(const Json& want, const Json& got, const std::string& path) {
    if (!got.IsObject()) return Differ(path, want, got);
    for (const auto& member : want.AsObject()) {
      if (Ignored(path, member.key)) continue;
      // Keys may hold placeholders too; such members are not looked into.
      if (member.key.find('<') != std::string::npos) continue;
      const Json* other = got.Find(member.key);
      if (other == nullptr) return Differ(path + "." + member.key, member.value, Json("absent"));
      if (!Same(member.value, *other, path + "." + member.key)) return false;
    }
    if (subset) return true;
    for (const auto& member : got.AsObject()) {
      if (Ignored(path, member.key) || want.Find(member.key) != nullptr) continue;
      return Differ(path + "." + member.key, Json("absent"), member.value);
    }
    return true;
  }

  Bindings& bindings_;
};

// ---- a scenario

class Scenario {
 public:
  explicit Scenario(const Json& file)
      : file_(file),
        executor_(*base::ParseTime(kStart)),
        server_(executor_, base::Random(1), Options()) {
    server_.AddToken("bob", {"bob", "bob-uid", {"dev"}});
    server_.AddToken("admin", {"admin", "admin-uid", {apiserver::kOwnersGroup}});
    RemoveOtherKinds();
    if (const std::string ns = file.StringAt({"ns"}); !ns.empty()) {
      net::Request request = Basic("POST", "/api/v1/namespaces");
      request.body = fmt::format("{{\"metadata\":{{\"name\":\"{}\"}}}}", ns);
      Send(std::move(request));
    }
  }

  // Empty: everything was as recorded. Otherwise the first difference.
  std::string Play() {
    int number = 0;
    for (const Json& step : file_.Find("steps")->AsArray()) {
      const std::string difference = PlayStep(step);
      if (!difference.empty()) return fmt::format("step {}: {}", number, difference);
      ++number;
    }
    return bindings_.VersionsInOrder() ? "" : "versions are not in the recorded order";
  }

 private:
  struct Watch {
    std::shared_ptr<Answer> answer;
    std::shared_ptr<RecordingResponder> responder;
  };

  static apiserver::ServerOptions Options() {
    apiserver::ServerOptions options;
    options.controllers = false;
    options.taint_new_nodes = true;
    return options;
  }

  // Where the recording was made, Kueue's kinds were installed in their newest version only.
  void RemoveOtherKinds() {
    const std::vector<const api::KindInfo*> kinds = server_.kinds().kinds();
    for (const api::KindInfo* kind : kinds) {
      if (kind->custom_resource && kind->version != "v1beta2") server_.kinds().Remove(*kind);
    }
  }

  static net::Request Basic(const std::string& method, const std::string& target) {
    net::Request request;
    request.method = method;
    request.target = target;
    request.peer.trusted = true;
    return request;
  }

  std::shared_ptr<Answer> Send(net::Request request,
                               std::shared_ptr<RecordingResponder>* responder = nullptr) {
    auto answer = std::make_shared<Answer>();
    auto recording = std::make_shared<RecordingResponder>(answer);
    if (responder != nullptr) *responder = recording;
    server_.Handle(std::move(request), recording);
    executor_.RunReady();
    return answer;
  }

  net::Request RequestOf(const Json& req) const {
    net::Request request = Basic(req.StringAt({"method"}), bindings_.Fill(req.StringAt({"path"})));
    const Json* accept = req.Find("accept");
    std::string accepted = "application/json";
    if (accept != nullptr) accepted = accept->IsString() ? accept->AsString() : "";
    if (!accepted.empty()) request.headers.emplace_back("Accept", accepted);
    if (const Json* body = req.Find("body")) request.body = api::WriteJson(bindings_.Fill(*body));
    if (const Json* raw = req.Find("raw")) request.body = bindings_.Fill(raw->AsString());
    if (!request.body.empty() || req.Find("raw") != nullptr) {
      request.headers.emplace_back("Content-Type", req.StringAt({"type"}, "application/json"));
    }
    if (const Json* headers = req.Find("headers"); headers && headers->IsObject()) {
      for (const auto& member : headers->AsObject()) {
        request.headers.emplace_back(member.key, bindings_.Fill(member.value.AsString()));
      }
    }
    const std::string user = req.StringAt({"user"}, "admin");
    request.peer.trusted = false;
    if (user != "anonymous") request.headers.emplace_back("Authorization", "Bearer " + user);
    return request;
  }

  std::string PlayStep(const Json& step) {
    if (step.Find("compact") != nullptr) {
      server_.store().Compact();
      return "";
    }
    if (const Json* close = step.Find("close")) {
      auto it = watches_.find(close->AsString());
      if (it != watches_.end()) it->second.responder->closed = true;
      return "";
    }
    if (const Json* read = step.Find("read")) return ReadWatch(step, read->AsString());
    if (step.Find("req") == nullptr) return "this sort of step is not played";
    return PlayRequest(step);
  }

  std::string PlayRequest(const Json& step) {
    const Json& req = *step.Find("req");
    const Json& res = *step.Find("res");
    Watch watch;
    watch.answer = Send(RequestOf(req), &watch.responder);
    const Answer& answer = *watch.answer;
    const std::string what = fmt::format("{} {}", req.StringAt({"method"}), req.StringAt({"path"}));
    const Json* code = res.Find("code");
    if (code != nullptr && code->AsInt() != answer.code) {
      return fmt::format("{}: want code {} got {} {}", what, code->AsInt(), answer.code,
                         answer.body.substr(0, 400));
    }
    const auto warnings =
        std::count_if(answer.headers.begin(), answer.headers.end(),
                      [](const auto& header) { return header.first == "Warning"; });
    bindings_.SetEtag(std::string(net::HeaderOf(answer.headers, "etag")));
    const Json* wanted = res.Find("warnings");
    if (warnings != (wanted != nullptr ? wanted->AsInt() : 0)) {
      return fmt::format("{}: got {} warnings", what, warnings);
    }
    if (const std::string open = step.StringAt({"open"}); !open.empty()) {
      watches_[open] = watch;
      return "";
    }
    if (const Json* events = res.Find("events")) {
      executor_.RunFor(base::seconds(3));
      const std::string difference = CompareEvents(*events, watch, false);
      return difference.empty() ? "" : what + ": " + difference;
    }
    const std::string difference = CompareBody(req, res, answer);
    return difference.empty() ? "" : what + ": " + difference;
  }

  std::string CompareBody(const Json& req, const Json& res, const Answer& answer) {
    if (answer.code == 304) return "";
    const Json* type = res.Find("type");
    const std::string got_type(net::HeaderOf(answer.headers, "content-type"));
    const std::string want_type = type == nullptr    ? "application/json"
                                  : type->IsString() ? type->AsString()
                                                     : "";
    const Json* body = res.Find("body");
    if (body == nullptr && res.Find("text") == nullptr) return "";
    if (!want_type.empty() && got_type != want_type) {
      return fmt::format("want type {} got {}", want_type, got_type);
    }
    if (body == nullptr) return answer.body.empty() ? "want a text" : "";
    const auto got = api::ParseJson(answer.body);
    if (!got.ok()) return "the body is no JSON: " + answer.body.substr(0, 200);
    if (got->StringAt({"kind"}) == "CustomResourceDefinition" &&
        body->StringAt({"kind"}) != "CustomResourceDefinition") {
      return CompareJson(*body, DefinitionDigest(*got, *body), true);
    }
    const auto path = net::ParseTarget(req.StringAt({"path"})).path;
    const bool reduced = Reduced(req, *body);
    return CompareJson(*body, reduced ? Reduce(PathOf(path), *body, *got) : *got, reduced);
  }

  // The answer in the form that the recording reduced its own to.
  static Json Reduce(const std::vector<std::string>& path, const Json& want, const Json& got) {
    if (!want.IsObject() || !got.IsObject()) return got;
    Json out = got;
    if (path.empty()) return KeepWanted(want, std::move(out), "paths");
    if (const Json* groups = want.Find("groups"); groups && got.Find("items")) {
      Json names = Json::MakeArray(), items = Json::MakeArray();
      for (const Json& item : got.Find("items")->AsArray()) {
        const std::string name = item.StringAt({"metadata", "name"});
        names.Append(name);
        for (const Json& wanted : want.Find("items")->AsArray()) {
          if (wanted.StringAt({"metadata", "name"}) == name) items.Append(item);
        }
      }
      out.Set("groups", std::move(names));
      out.Set("items", std::move(items));
    }
    return path[0] == "openapi" ? ReduceDocument(want, got) : out;
  }

  static std::vector<std::string> PathOf(std::vector<std::string> path) {
    while (!path.empty() && path.back().empty()) path.pop_back();
    return path;
  }

  static Json KeepWanted(const Json& want, Json got, const char* member) {
    Json kept = Json::MakeArray();
    for (const Json& wanted : want.Find(member)->AsArray()) {
      for (const Json& item : got.Find(member)->AsArray()) {
        if (item == wanted) kept.Append(item);
      }
    }
    got.Set(member, std::move(kept));
    return got;
  }

  static Json KeysOf(const Json* object) {
    std::vector<std::string> keys;
    if (object != nullptr && object->IsObject()) {
      for (const auto& member : object->AsObject()) keys.push_back(member.key);
    }
    std::sort(keys.begin(), keys.end());
    Json list = Json::MakeArray();
    for (const std::string& key : keys) list.Append(key);
    return list;
  }

  // Of an OpenAPI document: names of its parts, some schemas, some operations.
  static Json ReduceDocument(const Json& want, const Json& got) {
    Json out = got;
    const Json* schemas = got.FindPath({"components", "schemas"});
    const Json* paths = got.Find("paths");
    out.Set("keys", KeysOf(&got));
    out.Set("components", KeysOf(got.Find("components")));
    if (const Json* wanted = want.Find("schemas")) {
      out.Set("schemas", wanted->IsArray() ? KeysOf(schemas) : Schemas(*wanted, schemas));
    }
    if (const Json* wanted = want.Find("paths")) {
      if (wanted->IsBool()) out.Set("paths", paths != nullptr && paths->size() > 0);
      if (wanted->IsArray()) out.Set("paths", KeysOf(paths));
    }
    if (paths != nullptr) out.Set("operations", *paths);
    if (const Json* wanted = want.Find("path")) {
      const std::string id = wanted->StringAt({"operationId"});
      for (const auto& path : paths->AsObject()) {
        for (const auto& operation : path.value.AsObject()) {
          if (operation.value.StringAt({"operationId"}) == id) out.Set("path", operation.value);
        }
      }
    }
    return out;
  }

  // Schemas under the names that are wanted, which may be their last part alone.
  static Json Schemas(const Json& want, const Json* got) {
    Json out = Json::MakeObject();
    if (got == nullptr) return out;
    for (const auto& wanted : want.AsObject()) {
      for (const auto& member : got->AsObject()) {
        const std::string last = member.key.substr(member.key.rfind('.') + 1);
        if (member.key == wanted.key || last == wanted.key) out.Set(wanted.key, member.value);
      }
    }
    return out;
  }

  // Of a definition the recording may keep a few facts under names of their own.
  static Json DefinitionDigest(const Json& definition, const Json& wanted) {
    Json digest = definition;
    const auto take = [&](const char* name, const Json* value) {
      if (wanted.Find(name) != nullptr && value != nullptr) digest.Set(name, *value);
    };
    take("names", definition.FindPath({"status", "acceptedNames"}));
    take("conditions", definition.FindPath({"status", "conditions"}));
    take("finalizers", definition.FindPath({"metadata", "finalizers"}));
    digest.Set("deleting", definition.FindPath({"metadata", "deletionTimestamp"}) != nullptr);
    for (const char* name : {"plural", "singular", "shortNames", "kind", "listKind",
                             "categories"}) {
      take(name, definition.FindPath({"spec", "names", name}));
    }
    if (wanted.Find("versions") != nullptr) {
      Json names = Json::MakeArray();
      for (const Json& version : definition.FindPath({"spec", "versions"})->AsArray()) {
        names.Append(version.StringAt({"name"}));
      }
      digest.Set("versions", std::move(names));
    }
    return digest;
  }

  // Answers that the recording shortened: compare only what is there.
  bool Reduced(const Json& req, const Json& body) const {
    if (!body.IsObject() || body.size() < 3) return true;
    const net::Target target = net::ParseTarget(req.StringAt({"path"}));
    const auto path = PathOf(target.path);
    if (path.empty() || body.StringAt({"kind"}) == "Status") return false;
    return (path[0] == "api" && path.size() < 3) || (path[0] == "apis" && path.size() < 4) ||
           path[0] == "openapi" || path[0] == "version";
  }

  std::string CompareJson(const Json& want, const Json& got, bool subset) {
    if (want.IsArray() && got.IsObject()) {
      for (const Json& key : want.AsArray()) {
        if (!key.IsString() || got.Find(key.AsString()) == nullptr) return "a key is missing";
      }
      return "";
    }
    Comparer comparer(bindings_);
    comparer.subset = subset;
    const Json* sentences = file_.Find("sentences");
    comparer.cause_messages = sentences != nullptr && sentences->IsBool() && sentences->AsBool();
    comparer.managed_fields = file_.StringAt({"name"}).compare(0, 5, "apply") == 0;
    comparer.Same(want, got, "");
    return comparer.difference;
  }

  std::string ReadWatch(const Json& step, const std::string& name) {
    auto it = watches_.find(name);
    if (it == watches_.end()) return "a watch is read that was not opened";
    executor_.RunReady();
    const Json* end = step.Find("end");
    const bool ends = end != nullptr && end->IsBool() && end->AsBool();
    if (ends && !it->second.answer->ended) executor_.RunFor(base::seconds(5));
    return CompareEvents(*step.Find("events"), it->second, ends);
  }

  std::string CompareEvents(const Json& wanted, Watch& watch, bool ends) {
    std::istringstream lines(watch.answer->body.substr(watch.answer->read));
    watch.answer->read = watch.answer->body.size();
    std::vector<Json> got;
    for (std::string line; std::getline(lines, line);) {
      auto event = api::ParseJson(line);
      if (!event.ok()) return "an event is no JSON: " + line.substr(0, 200);
      const bool bookmark = event->StringAt({"type"}) == "BOOKMARK";
      const Json* annotations = event->FindPath({"object", "metadata", "annotations"});
      if (bookmark && annotations == nullptr && event->FindPath({"object", "rows"}) == nullptr) {
        continue;
      }
      got.push_back(std::move(*event));
    }
    if (got.size() != wanted.size()) {
      return fmt::format("want {} events got {}", wanted.size(), got.size());
    }
    for (size_t i = 0; i < got.size(); ++i) {
      const std::string difference = CompareJson(wanted.AsArray()[i], got[i], false);
      if (!difference.empty()) return fmt::format("event {}{}", i, difference);
    }
    if (ends && !watch.answer->ended) return "the watch goes on";
    return "";
  }

  const Json& file_;
  base::VirtualExecutor executor_;
  apiserver::Server server_;
  Bindings bindings_;
  std::map<std::string, Watch> watches_;
};

// ---- the program

struct Arguments {
  std::string folder, must;
  bool show = false;
  std::vector<std::string> names;
};

Arguments ParseArguments(int argc, char** argv) {
  Arguments arguments;
  for (int i = 1; i < argc; ++i) {
    const std::string text = argv[i];
    if (text == "--show") {
      arguments.show = true;
    } else if (text == "--must" && i + 1 < argc) {
      arguments.must = argv[++i];
    } else if (arguments.folder.empty()) {
      arguments.folder = text;
    } else {
      arguments.names.push_back(text);
    }
  }
  return arguments;
}

int Main(int argc, char** argv) {
  const Arguments arguments = ParseArguments(argc, argv);
  const auto files = conformance::ScenariosNamed(arguments.folder, arguments.names);
  if (files.empty()) {
    std::cerr << "no scenarios in \"" << arguments.folder << "\"\n";
    return 2;
  }
  const std::set<std::string> must = conformance::ReadLines(arguments.must);
  std::map<std::string, std::pair<int, int>> topics;
  int broken = 0;
  for (const auto& file : files) {
    const std::string name = file.stem().string();
    const std::string topic = name.substr(0, name.rfind('-'));
    // kubectl_player.py plays these, with a real kubectl.
    if (topic == "kubectl") continue;
    const auto json = conformance::ReadScenario(file);
    const std::string difference = json ? Scenario(*json).Play() : "the file is no JSON";
    (difference.empty() ? topics[topic].first : topics[topic].second)++;
    const bool regressed = !difference.empty() && must.count(name) > 0;
    broken += regressed;
    if (regressed || (arguments.show && !difference.empty())) {
      std::cout << name << ": " << difference << "\n";
    } else if (arguments.show) {
      std::cout << name << ": passed\n";
    }
  }
  for (const auto& [topic, counts] : topics) {
    std::cout << fmt::format("{}: {} passed, {} failed\n", topic, counts.first, counts.second);
  }
  return broken == 0 ? 0 : 1;
}

}  // namespace
}  // namespace kueue

int main(int argc, char** argv) { return kueue::Main(argc, argv); }
