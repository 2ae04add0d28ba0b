// Our API server on a pipe, without kueue's admission, to be compared with a real one: one request
// per line as {"method","path","type","body","agent"} (body: text), one answer per line as
// {"code","body"}. Time stands still. With FILE as an argument it prints that YAML file as JSON.

#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>
#include <string>

#include "api/codec/json_text.h"
#include "apiserver/server.h"
#include "base/executor.h"

namespace kueue {
namespace {

struct Answer {
  int code = 0;
  std::string body;
};

class Collector final : public net::Responder {
 public:
  explicit Collector(std::shared_ptr<Answer> answer) : answer_(std::move(answer)) {}
  void Start(int status, net::Headers) override { answer_->code = status; }
  void Write(std::string chunk) override { answer_->body += chunk; }
  void End() override {}
  bool Closed() const override { return false; }
  size_t Backlog() const override { return 0; }

 private:
  std::shared_ptr<Answer> answer_;
};

int ToJson(const char* path) {
  std::ifstream file(path);
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  const auto documents = api::ParseYaml(text);
  if (!documents.ok() || documents->empty()) return 1;
  std::cout << api::WriteJson(documents->front()) << "\n";
  return 0;
}

int Main() {
  base::VirtualExecutor executor(*base::ParseTime("2026-01-01T00:00:00Z"));
  apiserver::ServerOptions options;
  options.controllers = false;
  apiserver::Server server(executor, base::Random(1), options);
  for (std::string line; std::getline(std::cin, line);) {
    const auto asked = api::ParseJson(line);
    if (!asked.ok()) {
      std::cerr << "not a request: " << line << "\n";
      return 2;
    }
    net::Request request;
    request.method = asked->StringAt({"method"});
    request.target = asked->StringAt({"path"});
    request.body = asked->StringAt({"body"});
    request.headers = {{"Accept", "application/json"},
                       {"Content-Type", asked->StringAt({"type"}, "application/json")},
                       {"User-Agent", asked->StringAt({"agent"}, "pipe")}};
    request.peer.trusted = true;
    auto answer = std::make_shared<Answer>();
    server.Handle(std::move(request), std::make_shared<Collector>(answer));
    executor.RunReady();
    api::Json out;
    out.Set("code", answer->code);
    out.Set("body", answer->body);
    std::cout << api::WriteJson(out) << std::endl;
  }
  return 0;
}

}  // namespace
}  // namespace kueue

int main(int argc, char** argv) { return argc > 1 ? kueue::ToJson(argv[1]) : kueue::Main(); }
