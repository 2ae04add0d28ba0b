// Plays conformance/admission through the product's own write path: an API server in virtual time
// with the admission rules of the embedded product. One case is one write with the verdict and the
// stored object that were measured.
//
//   admission_player [--data DIR] [--quiet] [--must FILE] [NAME...]
//
// NAME plays only cases that start with it. Prints each difference, counts by topic, and last
// "N passed, N failed": verdict, code, reason and stored object. Causes are counted apart.
// --must FILE: the exit code tells whether a case listed there fails, or, in any case, whether the
// data could be read.

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "admission_compare.h"
#include "api/codec/json_text.h"
#include "api/schema/kind.h"
#include "apiserver/server.h"
#include "base/executor.h"
#include "embedded/admission_bridge.h"
#include "recorded.h"

namespace kueue::conformance {
namespace {

using api::Json;

struct Answer {
  int code = 0;
  net::Headers headers;
  std::string body;
  Json json;
};

class Recorder final : public net::Responder {
 public:
  explicit Recorder(Answer& answer) : answer_(answer) {}
  void Start(int status, net::Headers headers) override {
    answer_.code = status;
    answer_.headers = std::move(headers);
  }
  void Write(std::string chunk) override { answer_.body += chunk; }
  void End() override {}
  bool Closed() const override { return false; }
  size_t Backlog() const override { return 0; }

 private:
  Answer& answer_;
};

// The product's admission with a switch: some old objects are put in place unchecked.
class Switchable final : public apiserver::Admission {
 public:
  explicit Switchable(apiserver::Admission& inner) : inner_(inner) {}
  bool validating = true;
  bool Concerns(const apiserver::AdmissionRequest& request, bool mutating) const override {
    return inner_.Concerns(request, mutating);
  }
  apiserver::Verdict Mutate(apiserver::AdmissionRequest& request) override {
    return inner_.Mutate(request);
  }
  apiserver::Verdict Validate(const apiserver::AdmissionRequest& request) override {
    return validating ? inner_.Validate(request) : apiserver::Verdict::Allow();
  }

 private:
  apiserver::Admission& inner_;
};

// {"$repeat": [s, n]} and {"$list": [x, n]} written out.
Json Expand(const Json& json) {
  if (json.IsArray()) {
    Json out = Json::MakeArray();
    for (const Json& item : json.AsArray()) out.Append(Expand(item));
    return out;
  }
  if (!json.IsObject()) return json;
  if (const Json* repeat = json.Find("$repeat"); repeat && json.size() == 1) {
    std::string text;
    for (int64_t i = repeat->AsArray()[1].AsInt(); i > 0; --i) {
      text += repeat->AsArray()[0].AsString();
    }
    return text;
  }
  if (const Json* list = json.Find("$list"); list && json.size() == 1) {
    const Json item = Expand(list->AsArray()[0]);
    Json out = Json::MakeArray();
    for (int64_t i = list->AsArray()[1].AsInt(); i > 0; --i) out.Append(item);
    return out;
  }
  Json out = Json::MakeObject();
  for (const Json::Member& member : json.AsObject()) out.Set(member.key, Expand(member.value));
  return out;
}

class World {
 public:
  explicit World(const Json& gates)
      : executor_(*base::ParseTime("2026-11-30T12:00:00Z")),
        server_(executor_, base::Random(1), Options()),
        bridge_(server_.store(), PolicyOf(gates)),
        admission_(bridge_) {
    server_.AddAdmission(&admission_);
  }
  Switchable& admission() { return admission_; }

  Answer Ask(const std::string& method, const std::string& target, const Json* body = nullptr,
             const std::string& content_type = "application/json") {
    net::Request request;
    request.method = method;
    request.target = target;
    request.peer.trusted = true;
    request.headers.emplace_back("Accept", "application/json");
    if (body != nullptr) {
      request.body = api::WriteJson(*body);
      request.headers.emplace_back("Content-Type", content_type);
    }
    Answer answer;
    server_.Handle(std::move(request), std::make_shared<Recorder>(answer));
    executor_.RunReady();
    auto json = api::ParseJson(answer.body);
    if (json.ok()) answer.json = std::move(*json);
    return answer;
  }

 private:
  static apiserver::ServerOptions Options() {
    apiserver::ServerOptions options;
    options.controllers = false;
    return options;
  }
  static admission::Policy PolicyOf(const Json& gates) {
    admission::Policy policy;
    if (!gates.IsObject()) return policy;
    std::map<std::string, bool> values;
    for (const Json::Member& gate : gates.AsObject()) values[gate.key] = gate.value.AsBool();
    auto parsed = api::FeatureGates::Of(values);
    if (!parsed.ok()) std::cerr << parsed.error().message << "\n";
    if (parsed.ok()) policy.gates = std::move(*parsed);
    return policy;
  }

  base::VirtualExecutor executor_;
  apiserver::Server server_;
  embedded::AdmissionBridge bridge_;
  Switchable admission_;
};

// Cases that measured what is a defect of the reference: fields that v1beta1 cannot express, lost
// in a write through it although the client did not mean them, or cannot change them; and domain
// values that were cut off. Here such fields stay or the write is refused.
constexpr const char* kOtherwiseHere[] = {"clusterqueue-concurrent-update-008",
                                          "workload-assignment-older-012",
                                          "workload-lost-fields-004"};

struct Difference {
  std::string verdict;  // empty: as measured
  std::string causes;
  std::string warnings;
};

class Case {
 public:
  explicit Case(const Json& file)
      : file_(file), world_(file.Find("featureGates") ? *file.Find("featureGates") : Json()) {}

  Difference Play() {
    const std::string failed = PutOld();
    if (!failed.empty()) return {failed, "", ""};
    const Answer answer = Write();
    const Json& expect = *file_.Find("expect");
    Difference difference;
    difference.verdict = CompareVerdict(expect, answer);
    if (difference.verdict.empty()) difference.causes = CompareCauses(expect, answer.json);
    if (difference.verdict.empty()) difference.verdict = CompareStored(expect);
    const auto warnings = std::count_if(answer.headers.begin(), answer.headers.end(),
                                        [](const auto& h) { return h.first == "Warning"; });
    const Json* wanted = expect.Find("warnings");
    if (warnings != (wanted ? wanted->AsInt() : 0)) {
      difference.warnings =
          fmt::format("{} warnings, want {}", warnings, wanted ? wanted->AsInt() : 0);
    }
    return difference;
  }

 private:
  std::string Path(const std::string& version, const std::string& name) const {
    const api::KindInfo* kind = api::FindKind("kueue.x-k8s.io", version, file_.StringAt({"kind"}));
    if (kind == nullptr) return "/apis/kueue.x-k8s.io/" + version + "/nothing";
    std::string path = "/apis/kueue.x-k8s.io/" + version + "/";
    if (kind->namespaced) path += "namespaces/default/";
    path += kind->plural;
    return name.empty() ? path : path + "/" + name;
  }
  static std::string VersionOf(const Json& object) {
    const std::string text = object.StringAt({"apiVersion"});
    return text.substr(text.find('/') + 1);
  }
  // The name that names it in paths: of what is tested, or the case's.
  std::string Name() const {
    for (const char* part : {"object", "old"}) {
      const std::string name = file_.StringAt({part, "metadata", "name"});
      if (!name.empty()) return name;
    }
    return file_.StringAt({"name"});
  }
  void TakeVersion(Json& object) {
    const Answer now = world_.Ask("GET", Path(VersionOf(object), Name()));
    object["metadata"].Set("resourceVersion", now.json.StringAt({"metadata", "resourceVersion"}));
  }

  std::string PutOld() {
    const Json* found = file_.Find("old");
    if (found == nullptr) return "";
    Json old = Expand(*found);
    const Json* unchecked = file_.Find("oldUnchecked");
    world_.admission().validating = unchecked == nullptr || !unchecked->AsBool();
    const std::string version = VersionOf(old);
    const Answer created = world_.Ask("POST", Path(version, "") + "?fieldValidation=Ignore", &old);
    if (created.code != 201) return fmt::format("old: {} {}", created.code, created.body);
    if (old.Find("status") != nullptr) {
      TakeVersion(old);
      const Answer put =
          world_.Ask("PUT", Path(version, Name()) + "/status?fieldValidation=Ignore", &old);
      if (put.code != 200) return fmt::format("old status: {} {}", put.code, put.body);
    }
    world_.admission().validating = true;
    return "";
  }

  Answer Write() {
    const std::string operation = file_.StringAt({"operation"});
    const std::string query = "?fieldValidation=" + file_.StringAt({"fieldValidation"}, "Ignore");
    if (operation == "patch") {
      const std::string type = file_.StringAt({"patchType"});
      const Json patch = Expand(*file_.Find("patch"));
      const std::string version =
          file_.StringAt({"patchVersion"}, file_.StringAt({"old", "apiVersion"}));
      std::string path = Path(version.substr(version.find('/') + 1), Name());
      const std::string sub = file_.StringAt({"subresource"});
      if (!sub.empty()) path += "/" + sub;
      if (type != "apply") {
        return world_.Ask("PATCH", path + query, &patch, "application/" + type + "-patch+json");
      }
      return world_.Ask("PATCH", path + query + "&force=true&fieldManager=tester", &patch,
                        "application/apply-patch+yaml");
    }
    Json object = Expand(*file_.Find("object"));
    const std::string version = VersionOf(object);
    if (operation == "create") return world_.Ask("POST", Path(version, "") + query, &object);
    TakeVersion(object);
    const std::string sub = operation == "updateStatus" ? "/status" : "";
    return world_.Ask("PUT", Path(version, Name()) + sub + query, &object);
  }

  // Where the reference has a defect, what is measured there is not what is right here.
  bool IsCorrected(const Json& expect, const Answer& answer) const {
    const bool apply = file_.StringAt({"patchType"}) == "apply";
    return expect.Find("code")->AsInt() == 500 && (apply || expect.Find("reason")) &&
           answer.code >= 400 && answer.code < 500;
  }

  std::string CompareVerdict(const Json& expect, const Answer& answer) const {
    if (IsCorrected(expect, answer)) return "";
    const bool allowed = answer.code >= 200 && answer.code < 300;
    if (allowed == expect.Find("allowed")->AsBool() &&
        answer.code == expect.Find("code")->AsInt() &&
        (allowed || answer.json.StringAt({"reason"}) == expect.StringAt({"reason"}))) {
      return "";
    }
    return fmt::format("want {} {} {}, got {} {}: {}", expect.Find("code")->AsInt(),
                       expect.StringAt({"reason"}),
                       expect.Find("causes") ? api::WriteJson(*expect.Find("causes")) : "",
                       answer.code, answer.json.StringAt({"reason"}), answer.body.substr(0, 600));
  }

  std::string CompareCauses(const Json& expect, const Json& answer) const {
    if (expect.Find("allowed")->AsBool() || expect.Find("code")->AsInt() == 500) return "";
    std::set<std::pair<std::string, std::string>> wanted, found;
    if (const Json* causes = expect.Find("causes")) {
      for (const Json& cause : causes->AsArray()) {
        wanted.emplace(cause.AsArray()[0].AsString(), cause.AsArray()[1].AsString());
      }
    }
    if (const Json* causes = answer.FindPath({"details", "causes"})) {
      for (const Json& cause : causes->AsArray()) {
        if (cause.StringAt({"message"}).find("rules were not looked at") != std::string::npos) {
          continue;
        }
        found.emplace(cause.StringAt({"field"}), cause.StringAt({"reason"}));
      }
    }
    if (wanted == found) return "";
    std::string text;
    for (const auto& [field, type] : wanted) {
      if (!found.count({field, type})) text += fmt::format(" missing [{} {}]", field, type);
    }
    for (const auto& [field, type] : found) {
      if (!wanted.count({field, type})) text += fmt::format(" extra [{} {}]", field, type);
    }
    return "causes:" + text;
  }

  std::string CompareStored(const Json& expect) {
    const Json* stored = expect.Find("stored");
    if (stored == nullptr) return "";
    for (const char* version : {"v1beta2", "v1beta1"}) {
      const Json* wanted = stored->Find(version);
      const Answer got = world_.Ask("GET", Path(version, Name()));
      if (got.code != 200) {
        return fmt::format("reading {}: {} {}", version, got.code, got.body.substr(0, 300));
      }
      Json same;
      if (wanted == nullptr) {
        if (expect.FindPath({"unreadable", version})) continue;  // readable here
        same = *stored->Find("v1beta2");
        same.Set("apiVersion", std::string("kueue.x-k8s.io/") + version);
        wanted = &same;
      }
      const std::string difference = CompareObjects(Expand(*wanted), got.json);
      if (!difference.empty()) return fmt::format("stored {}: {}", version, difference);
    }
    return "";
  }

  const Json& file_;
  World world_;
};

// ---- the program

struct Arguments {
  std::string folder = "../shared/conformance/admission", must;
  bool quiet = false;
  std::vector<std::string> names;
};

Arguments ParseArguments(int argc, char** argv) {
  Arguments arguments;
  for (int i = 1; i < argc; ++i) {
    const std::string text = argv[i];
    if (text == "--quiet") {
      arguments.quiet = true;
    } else if (text == "--must" && i + 1 < argc) {
      arguments.must = argv[++i];
    } else if (text == "--data" && i + 1 < argc) {
      arguments.folder = argv[++i];
    } else {
      arguments.names.push_back(text);
    }
  }
  return arguments;
}

struct Counts {
  int passed = 0, failed = 0, causes_failed = 0, refused = 0, warnings_failed = 0;
};

class Session {
 public:
  explicit Session(const Arguments& arguments)
      : arguments_(arguments), must_(ReadLines(arguments.must)) {}

  void Play(const std::filesystem::path& file) {
    const std::string name = file.stem().string();
    if (std::find(std::begin(kOtherwiseHere), std::end(kOtherwiseHere), name) !=
        std::end(kOtherwiseHere)) {
      if (!arguments_.quiet) std::cout << name << ": not played, a defect of the reference\n";
      return;
    }
    const auto json = ReadScenario(file);
    const Difference difference = json ? Case(*json).Play() : Difference{"no JSON", "", ""};
    const bool passed = difference.verdict.empty();
    const bool refused = json && json->FindPath({"expect", "causes"}) != nullptr;
    for (Counts* counts : {&topics_[name.substr(0, name.rfind('-'))], &total_}) {
      ++(passed ? counts->passed : counts->failed);
      counts->causes_failed += !passed || !difference.causes.empty();
      counts->warnings_failed += !difference.warnings.empty();
      counts->refused += refused;
    }
    broken_ += !passed && must_.count(name) > 0;
    for (const std::string& text : {difference.verdict, difference.causes, difference.warnings}) {
      if (!text.empty() && !arguments_.quiet) std::cout << name << ": " << text << "\n";
    }
  }

  int Report() const {
    for (const auto& [topic, counts] : topics_) {
      std::cout << fmt::format("{}: {} passed, {} failed, {} with other causes\n", topic,
                               counts.passed, counts.failed, counts.causes_failed);
    }
    std::cout << fmt::format("causes: {} as measured, {} not; warnings: {} not\n",
                             total_.passed + total_.failed - total_.causes_failed,
                             total_.causes_failed, total_.warnings_failed);
    std::cout << fmt::format("{} passed, {} failed\n", total_.passed, total_.failed);
    return broken_ == 0 ? 0 : 1;
  }

 private:
  const Arguments& arguments_;
  const std::set<std::string> must_;
  std::map<std::string, Counts> topics_;
  Counts total_;
  int broken_ = 0;
};

int Main(int argc, char** argv) {
  const Arguments arguments = ParseArguments(argc, argv);
  const auto files = ScenariosNamed(arguments.folder, arguments.names);
  if (files.empty()) {
    std::cerr << "no cases in \"" << arguments.folder << "\"\n";
    return 2;
  }
  Session session(arguments);
  for (const auto& file : files) session.Play(file);
  return session.Report();
}

}  // namespace
}  // namespace kueue::conformance

int main(int argc, char** argv) { return kueue::conformance::Main(argc, argv); }
