#pragma once

#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "api/codec/json_text.h"
#include "apiserver/server.h"
#include "base/executor.h"

// For tests: a server in virtual time and a way to ask it.
namespace kueue::apiserver {

struct Reply {
  int code = 0;
  net::Headers headers;
  std::string body;
  bool ended = false;

  // The body; null if it is no JSON.
  api::Json Json() const {
    auto json = api::ParseJson(body);
    return json.ok() ? *json : api::Json();
  }
  std::string Text(std::initializer_list<std::string_view> path) const {
    return Json().StringAt(path);
  }
  // The events of a watch so far, as "ADDED name", "BOOKMARK", "ERROR reason".
  std::vector<std::string> Events() const {
    std::vector<std::string> out;
    std::istringstream lines(body);
    for (std::string line; std::getline(lines, line);) {
      const auto event = api::ParseJson(line);
      if (!event.ok()) {
        out.push_back("garbage");
        continue;
      }
      std::string text = event->StringAt({"type"});
      const std::string name = event->StringAt({"object", "metadata", "name"});
      const std::string reason = event->StringAt({"object", "reason"});
      if (!name.empty()) text += " " + name;
      if (text == "ERROR") text += " " + reason;
      out.push_back(text);
    }
    return out;
  }
};

class ServerUnderTest {
 public:
  explicit ServerUnderTest(const ServerOptions& options = ServerOptions())
      : own_executor_(*base::ParseTime("2026-01-01T00:00:00Z")),
        executor(own_executor_),
        server(executor, base::Random(1), options) {}
  // On an executor that others use too.
  ServerUnderTest(base::VirtualExecutor& shared, const ServerOptions& options)
      : own_executor_(shared.clock().Now()),
        executor(shared),
        server(executor, base::Random(1), options) {}

  // As the owner. The reply of a watch grows while the executor runs.
  std::shared_ptr<Reply> Ask(const std::string& method, const std::string& target,
                             const std::string& body = "", net::Headers headers = {},
                             bool trusted = true) {
    auto reply = Send(method, target, body, std::move(headers), trusted);
    executor.RunReady();
    return reply;
  }
  // The same, but the caller runs the executor.
  std::shared_ptr<Reply> Send(const std::string& method, const std::string& target,
                              const std::string& body, net::Headers headers = {},
                              bool trusted = true) {
    net::Request request;
    request.method = method;
    request.target = target;
    request.body = body;
    request.headers = std::move(headers);
    request.peer.trusted = trusted;
    auto reply = std::make_shared<Reply>();
    server.Handle(std::move(request), std::make_shared<Recorder>(reply));
    return reply;
  }
  std::shared_ptr<Reply> Get(const std::string& target) { return Ask("GET", target); }
  std::shared_ptr<Reply> Post(const std::string& target, const std::string& body) {
    return Ask("POST", target, body);
  }
  std::shared_ptr<Reply> Merge(const std::string& target, const std::string& patch) {
    return Ask("PATCH", target, patch, {{"Content-Type", "application/merge-patch+json"}});
  }
  std::shared_ptr<Reply> MakeConfigMap(const std::string& name,
                                       const std::string& more_metadata = "") {
    return Post("/api/v1/namespaces/default/configmaps",
                R"({"metadata":{"name":")" + name + "\"" + more_metadata + "}}");
  }
  std::shared_ptr<Reply> MakePod(const std::string& name, const std::string& node = "") {
    return Post("/api/v1/namespaces/default/pods",
                R"({"metadata":{"name":")" + name + R"("},"spec":{)" +
                    (node.empty() ? "" : "\"nodeName\":\"" + node + "\",") +
                    R"("containers":[{"name":"c","image":"i"}]}})");
  }

  // Runs one task that is ready; false if there is none.
  bool RunOne() {
    const uint64_t before = executor.tasks_run();
    executor.RunUntilTrue([&] { return executor.tasks_run() > before; }, executor.clock().Now());
    return executor.tasks_run() > before;
  }

 private:
  base::VirtualExecutor own_executor_;

 public:
  base::VirtualExecutor& executor;
  Server server;

 private:
  class Recorder final : public net::Responder {
   public:
    explicit Recorder(std::shared_ptr<Reply> reply) : reply_(std::move(reply)) {}
    void Start(int status, net::Headers headers) override {
      reply_->code = status;
      reply_->headers = std::move(headers);
    }
    void Write(std::string chunk) override { reply_->body += chunk; }
    void End() override { reply_->ended = true; }
    bool Closed() const override { return false; }
    size_t Backlog() const override { return 0; }

   private:
    std::shared_ptr<Reply> reply_;
  };
};

}  // namespace kueue::apiserver
