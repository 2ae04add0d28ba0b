// Serves a fresh API server over plain HTTP on a free loopback port, for kubectl_player.py: prints
// the port, and serves until its input ends. As where the conversations were recorded: no
// controllers run, new nodes are not ready, and Kueue's kinds are there in their newest version.

#include <cstdio>
#include <utility>
#include <vector>

#include "apiserver/server.h"
#include "base/clock.h"
#include "base/executor.h"
#include "net/server.h"

namespace kueue {
namespace {

// Everybody is an owner.
class Trusting final : public net::Handler {
 public:
  explicit Trusting(net::Handler& inner) : inner_(inner) {}
  void Handle(net::Request request, std::shared_ptr<net::Responder> responder) override {
    request.peer.trusted = true;
    inner_.Handle(std::move(request), std::move(responder));
  }

 private:
  net::Handler& inner_;
};

int Main() {
  const base::RealClock clock;
  base::ThreadExecutor executor("apiserver", clock);
  apiserver::ServerOptions options;
  options.controllers = false;
  options.taint_new_nodes = true;
  auto server = std::make_unique<apiserver::Server>(executor, base::Random(1), options);
  const std::vector<const api::KindInfo*> kinds = server->kinds().kinds();
  for (const api::KindInfo* kind : kinds) {
    if (kind->custom_resource && kind->version != "v1beta2") server->kinds().Remove(*kind);
  }
  Trusting trusting(*server);
  auto listening = net::Server::Listen(net::ServerOptions(), trusting);
  if (!listening.ok()) {
    std::fprintf(stderr, "%s\n", listening.error().message.c_str());
    return 1;
  }
  std::printf("%d\n", int{(*listening)->port()});
  std::fflush(stdout);
  while (std::getchar() != EOF) {
  }
  (*listening)->Stop(base::Duration(0));
  executor.Stop();
  server.reset();
  return 0;
}

}  // namespace
}  // namespace kueue

int main() { return kueue::Main(); }
