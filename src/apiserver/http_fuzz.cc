#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "apiserver/server.h"
#include "base/check.h"
#include "base/executor.h"

// Any request: method, target, headers and body, separated by lines. The server must answer it, and
// stay usable.
namespace {

using namespace kueue;

class Counter final : public net::Responder {
 public:
  void Start(int status, net::Headers) override {
    KUEUE_CHECK(status >= 100 && status < 600 && !started);
    started = true;
  }
  void Write(std::string) override { KUEUE_CHECK(started && !ended); }
  void End() override {
    KUEUE_CHECK(started && !ended);
    ended = true;
  }
  bool Closed() const override { return false; }
  size_t Backlog() const override { return 0; }
  bool started = false, ended = false;
};

std::string TakeLine(std::string_view& text) {
  const size_t end = std::min(text.find('\n'), text.size());
  std::string line(text.substr(0, end));
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

constexpr const char* kMethods[] = {"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"};
constexpr const char* kTypes[] = {"application/json",
                                  "application/yaml",
                                  "application/json-patch+json",
                                  "application/merge-patch+json",
                                  "application/strategic-merge-patch+json",
                                  "application/apply-patch+yaml",
                                  "application/vnd.kubernetes.protobuf"};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 3) return 0;
  base::VirtualExecutor executor(*base::ParseTime("2026-01-01T00:00:00Z"));
  apiserver::Server server(executor, base::Random(1), apiserver::ServerOptions());
  std::string_view text(reinterpret_cast<const char*>(data), size);
  // Several requests: later ones meet what earlier ones made.
  for (int i = 0; i < 4 && text.size() >= 2; ++i) {
    net::Request request;
    request.method = kMethods[static_cast<unsigned char>(text[0]) % std::size(kMethods)];
    request.headers.emplace_back("Content-Type",
                                 kTypes[static_cast<unsigned char>(text[1]) % std::size(kTypes)]);
    text.remove_prefix(2);
    request.target = "/" + TakeLine(text);
    request.headers.emplace_back("Accept", TakeLine(text));
    request.body = TakeLine(text);
    request.peer.trusted = true;
    auto counter = std::make_shared<Counter>();
    server.Handle(std::move(request), counter);
    executor.RunReady();
    KUEUE_CHECK(counter->started);
  }
  executor.RunFor(base::seconds(1));
  return 0;
}
