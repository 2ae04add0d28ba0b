#include "net/server.h"

#include <atomic>
#include <condition_variable>
#include <map>
#include <utility>

#include "base/log.h"
#include "base/mutex.h"
#include "net/connection.h"
#include "net/event_loop.h"
#include "net/sockets.h"

namespace kueue::net {
namespace {

// After an error of the system's (no file descriptors left) accepting is tried again so much later.
constexpr base::Duration kAcceptAgain = base::milliseconds(100);

// Often enough to be near the timeout, seldom enough to cost nothing.
base::Duration TickInterval(base::Duration idle_timeout) {
  return std::clamp<base::Duration>(idle_timeout / 4, base::milliseconds(5), base::seconds(5));
}

// "127.0.0.1" of "127.0.0.1:4711".
std::string HostOf(const std::string& address) { return address.substr(0, address.rfind(':')); }

}  // namespace

class Server::Impl {
 public:
  Impl(const ServerOptions& options, Handler& handler)
      : options_(options), handler_(handler), loop_(std::make_shared<EventLoop>("net-server")),
        tick_timer_(*loop_), accept_timer_(*loop_) {}
  ~Impl() { Stop(base::Duration(0)); }

  base::Status Listen() {
    std::shared_ptr<TlsContext> tls;
    if (!options_.tls.certificate_pem.empty()) {
      auto made = TlsContext::ForServer(options_.tls, options_.client_authority_pem);
      if (!made) return made.error();
      tls = std::move(*made);
    }
    auto listener = Listener::Open(*loop_, options_.address, options_.port, std::move(tls));
    if (!listener) return listener.error();
    listener_ = std::move(*listener);
    loop_->Post([this] { Accept(); });
    return {};
  }

  uint16_t port() const { return listener_->port(); }

  void Stop(base::Duration grace) {
    base::MutexLock once(stop_mutex_);
    if (std::exchange(stopped_, true)) return;
    loop_->Post([this] { StopAccepting(); });
    if (grace > base::Duration(0)) WaitForConnections(grace);
    loop_->Post([this] { CloseAll(); });
    loop_->Finish();
  }

 private:
  // ---- on the loop's thread

  void Accept() {
    if (accepting_ || stopping_ || connections_.size() >= options_.max_connections) return;
    accepting_ = true;
    listener_->Accept([this](base::Result<std::shared_ptr<Stream>> stream) {
      accepting_ = false;
      if (stopping_) return;
      if (!stream) {
        base::LogWarn("net", "accepting a connection: " + stream.error().message);
        accept_timer_.Set(kAcceptAgain, [this] { Accept(); });
        return;
      }
      Add(std::move(*stream));
      Accept();
    });
  }

  void Add(std::shared_ptr<Stream> stream) {
    const std::string client = HostOf(stream->DescribePeer().address);
    size_t& count = clients_[client];
    if (options_.max_connections_per_client > 0 && count >= options_.max_connections_per_client) {
      base::LogDebug("net", client + " has as many connections as one client may have");
      return stream->Close();
    }
    ++count;
    const uint64_t id = ++last_id_;
    const auto connection = std::make_shared<Connection>(
        loop_, std::move(stream), options_, handler_, total_backlog_, [this] { DropWorst(); },
        [this, id, client] { Remove(id, client); });
    connections_.emplace(id, connection);
    if (connections_.size() == 1) Tick();
    connection->Start();
  }

  void Remove(uint64_t id, const std::string& client) {
    connections_.erase(id);
    if (const auto it = clients_.find(client); it != clients_.end() && --it->second == 0) {
      clients_.erase(it);
    }
    if (connections_.empty()) tick_timer_.Cancel();
    TellIfEmpty();
    Accept();
  }

  // Too much waits for clients that do not read: whoever has most to take has to come again.
  void DropWorst() {
    std::shared_ptr<Connection> worst;
    size_t most = 0;
    ForEach([&](Connection& connection) {
      const size_t backlog = connection.OpenBacklog();
      if (backlog <= most) return;
      most = backlog;
      worst = connection.shared_from_this();
    });
    if (!worst) return;
    base::LogWarn("net", "clients have " +
                             std::to_string(total_backlog_->load(std::memory_order_relaxed)) +
                             " bytes of answers still to take, more than is kept: the slowest is "
                             "closed");
    worst->Close();
  }

  // Without connections there is no tick either: an idle server sleeps.
  void Tick() {
    const base::Duration interval = TickInterval(options_.idle_timeout);
    tick_timer_.Set(interval, [this, interval] {
      ForEach([interval](Connection& connection) { connection.Tick(interval); });
      if (!connections_.empty()) Tick();
    });
  }

  // Connections may remove themselves meanwhile.
  template <class F>
  void ForEach(F f) {
    std::vector<std::shared_ptr<Connection>> all;
    all.reserve(connections_.size());
    for (const auto& [id, connection] : connections_) all.push_back(connection);
    for (const auto& connection : all) f(*connection);
  }

  void StopAccepting() {
    stopping_ = true;
    if (listener_) listener_->Close();
    accept_timer_.Cancel();
    ForEach([](Connection& connection) { connection.Drain(); });
    TellIfEmpty();
  }

  void CloseAll() {
    ForEach([](Connection& connection) { connection.Close(); });
    tick_timer_.Cancel();
  }

  void TellIfEmpty() {
    if (!stopping_ || !connections_.empty()) return;
    base::MutexLock lock(mutex_);
    empty_ = true;
    emptied_.notify_all();
  }

  // ---- on the thread that stops the server

  void WaitForConnections(base::Duration grace) {
    const auto deadline = std::chrono::steady_clock::now() + grace;
    base::MutexLock lock(mutex_);
    while (!empty_) {
      if (emptied_.wait_until(mutex_, deadline) == std::cv_status::timeout) return;
    }
  }

  const ServerOptions options_;
  Handler& handler_;
  const std::shared_ptr<EventLoop> loop_;
  const std::shared_ptr<std::atomic<size_t>> total_backlog_ =
      std::make_shared<std::atomic<size_t>>(0);

  // The loop's:
  std::unique_ptr<Listener> listener_;
  std::map<uint64_t, std::shared_ptr<Connection>> connections_;
  std::map<std::string, size_t> clients_;  // connections by address
  uint64_t last_id_ = 0;
  Timer tick_timer_;
  Timer accept_timer_;
  bool accepting_ = false;
  bool stopping_ = false;

  base::Mutex mutex_;
  std::condition_variable_any emptied_;
  bool empty_ GUARDED_BY(mutex_) = false;

  base::Mutex stop_mutex_;
  bool stopped_ GUARDED_BY(stop_mutex_) = false;
};

base::Result<std::unique_ptr<Server>> Server::Listen(const ServerOptions& options,
                                                     Handler& handler) {
  auto impl = std::make_unique<Impl>(options, handler);
  if (auto status = impl->Listen(); !status) return status.error();
  return std::unique_ptr<Server>(new Server(std::move(impl)));
}

Server::Server(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Server::~Server() = default;
uint16_t Server::port() const { return impl_->port(); }
void Server::Stop(base::Duration grace) { impl_->Stop(grace); }

}  // namespace kueue::net
