// Asks a fresh server of ours one thing and prints the answer's body, for compare.py:
//
//   ask_server PATH [ACCEPT]
//
// The exit code is 1 if the answer is not 200.

#include <cstdio>
#include <memory>
#include <string>

#include "apiserver/server.h"
#include "base/executor.h"
#include "base/time.h"

namespace kueue {
namespace {

class Printing final : public net::Responder {
 public:
  void Start(int status, net::Headers headers) override {
    status_ = status;
    if (status == 200) return;
    std::fprintf(stderr, "%d\n", status);
    for (const auto& [name, value] : headers) {
      std::fprintf(stderr, "%s: %s\n", name.c_str(), value.c_str());
    }
  }
  void Write(std::string chunk) override { std::fwrite(chunk.data(), 1, chunk.size(), stdout); }
  void End() override {}
  bool Closed() const override { return false; }
  size_t Backlog() const override { return 0; }
  int status() const { return status_; }

 private:
  int status_ = 0;
};

int Main(int argc, char** argv) {
  if (argc < 2 || argc > 3) {
    std::fputs("usage: ask_server PATH [ACCEPT]\n", stderr);
    return 2;
  }
  base::VirtualExecutor executor(*base::ParseTime("2026-11-30T12:00:00Z"));
  apiserver::Server server(executor, base::Random(1), apiserver::ServerOptions());
  net::Request request;
  request.method = "GET";
  request.target = argv[1];
  request.peer.trusted = true;
  request.headers.emplace_back("Accept", argc > 2 ? argv[2] : "application/json");
  const auto answer = std::make_shared<Printing>();
  server.Handle(std::move(request), answer);
  executor.RunReady();
  return answer->status() == 200 ? 0 : 1;
}

}  // namespace
}  // namespace kueue

int main(int argc, char** argv) { return kueue::Main(argc, argv); }
