#include "net/client.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <deque>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "net/delivery.h"
#include "net/event_loop.h"
#include "net/message_parser.h"
#include "net/message_writer.h"
#include "net/sockets.h"

namespace kueue::net {
namespace {

// Shorter than servers keep idle connections, so that we close first and never race with them.
constexpr base::Duration kIdleTime = base::seconds(60);
// An answer whose reader falls behind by so many bytes is not read on until it has caught up.
constexpr size_t kPauseAt = 4u << 20;
constexpr size_t kResumeAt = 1u << 20;

class Link;

// One request under way. The loop's, but for what is said to be shared.
struct Call {
  Call(Request r, std::shared_ptr<Delivery> d) : request(std::move(r)), delivery(std::move(d)) {}

  bool Repeatable() const { return request.method != "POST" && request.method != "PATCH"; }
  void End(base::Status status) {
    finished = true;
    link.reset();
    delivery->End(std::move(status));
  }
  void Fail(base::Code code, const std::string& reason) {
    End(base::MakeError(code, request.method + " " + request.target + ": " + reason));
  }

  Request request;
  const std::shared_ptr<Delivery> delivery;  // shared
  std::weak_ptr<Link> link;                  // while it is being served
  bool retried = false;
  std::atomic<bool> finished{false};  // shared
  std::atomic<bool> paused{false};    // shared
};

// Connections of one client and the calls that wait for one. Everything on the loop's thread.
class Pool : public std::enable_shared_from_this<Pool> {
 public:
  Pool(const ClientOptions& options, std::shared_ptr<TlsContext> tls)
      : options_(options), tls_(std::move(tls)), loop_(std::make_shared<EventLoop>("net-client")) {}

  void Dispatch(const std::shared_ptr<Call>& call);
  // Sends `call` once more, on a new connection.
  void Retry(const std::shared_ptr<Call>& call);
  void Cancel(const std::shared_ptr<Call>& call);
  void Close();

  // ---- for links
  void Released(const std::shared_ptr<Link>& link);  // may serve another call
  void Closed(const std::shared_ptr<Link>& link);

  const ClientOptions& options() const { return options_; }
  const std::shared_ptr<EventLoop>& loop() const { return loop_; }
  std::string HostHeader() const;

 private:
  bool full() const { return links_.size() + connecting_.size() >= options_.max_connections; }
  void Open(const std::shared_ptr<Call>& call);
  void ServeWaiting();

  const ClientOptions options_;
  const std::shared_ptr<TlsContext> tls_;
  const std::shared_ptr<EventLoop> loop_;
  bool closed_ = false;
  std::deque<std::shared_ptr<Call>> waiting_;
  std::set<std::shared_ptr<Link>> links_;    // all connected ones; order never matters
  std::vector<std::shared_ptr<Link>> idle_;  // the last one used is used again first
  std::map<uint64_t, std::function<void()>> connecting_;  // how to give each of them up
  uint64_t last_attempt_ = 0;
};

// One connection to the server: a call at a time.
class Link : public std::enable_shared_from_this<Link> {
 public:
  Link(std::shared_ptr<Pool> pool, std::shared_ptr<Stream> stream)
      : pool_(std::move(pool)), stream_(std::move(stream)), timer_(*pool_->loop()),
        parser_({[this](int status, Headers headers) { OnHeader(status, std::move(headers)); },
                 [this](std::string_view data) { received_.append(data); }}) {}

  void Run(const std::shared_ptr<Call>& call);
  // Waits for the next call, and for the server to close.
  void Rest();
  // Goes on reading after a pause.
  void Read();
  // Ends the call, if there is one, with `code`; kUnavailable may be tried again elsewhere.
  void Break(base::Code code, const std::string& reason);
  void Close();

 private:
  void OnHeader(int status, Headers headers);
  void OnRead(size_t bytes, const base::Status& status);
  void Complete(bool reusable);
  bool Pause();

  const std::shared_ptr<Pool> pool_;
  const std::shared_ptr<Stream> stream_;
  Timer timer_;  // answer not begun in time; idle for too long
  ResponseParser parser_;
  std::shared_ptr<Call> call_;
  bool served_ = false;  // an earlier call
  bool writing_ = false;
  bool reading_ = false;
  bool closed_ = false;
  std::string received_;
  std::array<char, 32768> buffer_;
};

// ---- Link

void Link::Run(const std::shared_ptr<Call>& call) {
  call_ = call;
  call->link = weak_from_this();
  parser_.Next(call->request.method == "HEAD");
  writing_ = true;
  std::vector<std::string> pieces;
  pieces.push_back(FormatRequestHead(call->request, pool_->HostHeader()));
  if (call->request.body.size() < sizeof buffer_) {
    pieces[0] += call->request.body;
  } else {
    pieces.push_back(call->request.body);
  }
  stream_->Write(std::move(pieces), [self = shared_from_this()](const base::Status&) {
    // Where writing fails reading will, and it may bring the answer that explains why.
    self->writing_ = false;
  });
  const base::Duration limit = pool_->options().response_timeout;
  if (limit > base::Duration(0)) {
    timer_.Set(limit, [weak = weak_from_this()] {
      if (const auto self = weak.lock()) self->Break(base::Code::kTimeout, "no answer in time");
    });
  } else {
    timer_.Cancel();
  }
  Read();
}

void Link::Rest() {
  timer_.Set(kIdleTime, [weak = weak_from_this()] {
    if (const auto self = weak.lock()) self->Close();
  });
  Read();
}

void Link::Read() {
  if (reading_ || closed_) return;
  reading_ = true;
  stream_->Read(buffer_.data(), buffer_.size(),
                [self = shared_from_this()](size_t bytes, base::Status status) {
                  self->reading_ = false;
                  self->OnRead(bytes, status);
                });
}

void Link::OnHeader(int status, Headers headers) {
  timer_.Cancel();
  call_->delivery->Start(status, std::move(headers));
}

void Link::OnRead(size_t bytes, const base::Status& status) {
  if (closed_) return;
  if (!call_) return Close();
  if (!status) return Break(base::Code::kUnavailable, status.error().message);
  const ResponseParser::State state =
      bytes == 0 ? parser_.FeedEnd() : parser_.Feed(std::string_view(buffer_.data(), bytes));
  if (!received_.empty()) call_->delivery->Data(std::exchange(received_, {}));
  switch (state) {
    case ResponseParser::State::kNeedMore:
      if (!Pause()) Read();
      return;
    case ResponseParser::State::kDone:
      return Complete(bytes != 0 && parser_.keep_alive() && !writing_);
    case ResponseParser::State::kError:
      return Break(base::Code::kUnavailable, parser_.error_message());
  }
}

// Whether reading has to wait for the answer's reader; the call then has it resumed.
bool Link::Pause() {
  if (call_->delivery->backlog() < kPauseAt) return false;
  call_->paused = true;
  // The reader may have caught up before it could see that we wait.
  return call_->delivery->backlog() >= kResumeAt || !call_->paused.exchange(false);
}

void Link::Complete(bool reusable) {
  served_ = true;
  timer_.Cancel();
  std::exchange(call_, nullptr)->End({});
  if (reusable) {
    pool_->Released(shared_from_this());
  } else {
    Close();
  }
}

void Link::Break(base::Code code, const std::string& reason) {
  if (const auto call = std::exchange(call_, nullptr)) {
    const bool stale = served_ && !parser_.started() && code == base::Code::kUnavailable;
    if (stale && call->Repeatable() && !call->retried && !call->delivery->cancelled()) {
      pool_->Retry(call);
    } else {
      call->Fail(code, reason);
    }
  }
  Close();
}

void Link::Close() {
  if (std::exchange(closed_, true)) return;
  timer_.Cancel();
  stream_->Close();
  pool_->Closed(shared_from_this());
}

// ---- Pool

std::string Pool::HostHeader() const {
  const std::string& host = options_.tls_name.empty() ? options_.host : options_.tls_name;
  const bool v6 = host.find(':') != std::string::npos;
  return (v6 ? "[" + host + "]" : host) + ":" + options_.port;
}

void Pool::Dispatch(const std::shared_ptr<Call>& call) {
  if (call->delivery->cancelled()) return;
  if (closed_) return call->Fail(base::Code::kUnavailable, "the client was closed");
  if (!idle_.empty()) {
    const std::shared_ptr<Link> link = std::move(idle_.back());
    idle_.pop_back();
    link->Run(call);
  } else if (full()) {
    waiting_.push_back(call);
  } else {
    Open(call);
  }
}

void Pool::Retry(const std::shared_ptr<Call>& call) {
  call->retried = true;
  call->link.reset();
  if (closed_) return call->Fail(base::Code::kUnavailable, "the client was closed");
  // Idle connections are likely to be as dead as the one that failed.
  Open(call);
}

void Pool::Open(const std::shared_ptr<Call>& call) {
  const uint64_t attempt = ++last_attempt_;
  connecting_[attempt] = nullptr;
  connecting_[attempt] = Connect(
      *loop_, {options_.host, options_.port, options_.tls_name}, tls_, options_.connect_timeout,
      [this, self = shared_from_this(), attempt,
       call](base::Result<std::shared_ptr<Stream>> stream) {
        connecting_.erase(attempt);
        if (!stream) {
          if (!call->delivery->cancelled()) call->Fail(stream.error().code, stream.error().message);
          return ServeWaiting();
        }
        const auto link = std::make_shared<Link>(self, std::move(*stream));
        links_.insert(link);
        if (call->delivery->cancelled()) {
          Released(link);
        } else {
          link->Run(call);
        }
      });
}

void Pool::ServeWaiting() {
  while (!waiting_.empty() && (!idle_.empty() || !full())) {
    const std::shared_ptr<Call> call = std::move(waiting_.front());
    waiting_.pop_front();
    Dispatch(call);
  }
}

void Pool::Released(const std::shared_ptr<Link>& link) {
  idle_.push_back(link);
  ServeWaiting();
  if (!idle_.empty() && idle_.back() == link) link->Rest();
}

void Pool::Closed(const std::shared_ptr<Link>& link) {
  links_.erase(link);
  idle_.erase(std::remove(idle_.begin(), idle_.end(), link), idle_.end());
  ServeWaiting();
}

void Pool::Cancel(const std::shared_ptr<Call>& call) {
  call->finished = true;
  // HTTP/1.1 has no other way to say that an answer is not wanted any more.
  if (const auto link = std::exchange(call->link, {}).lock()) {
    link->Break(base::Code::kUnavailable, "cancelled");
  } else {
    waiting_.erase(std::remove(waiting_.begin(), waiting_.end(), call), waiting_.end());
  }
}

void Pool::Close() {
  closed_ = true;
  for (const auto& call : std::exchange(waiting_, {})) {
    call->Fail(base::Code::kUnavailable, "the client was closed");
  }
  const auto links = links_;
  for (const auto& link : links) link->Break(base::Code::kUnavailable, "the client was closed");
  const auto connecting = connecting_;
  for (const auto& [attempt, give_up] : connecting) give_up();
}

// ---- the client

class HttpExchange final : public Exchange {
 public:
  HttpExchange(std::weak_ptr<Pool> pool, std::shared_ptr<EventLoop> loop,
               std::shared_ptr<Call> call)
      : pool_(std::move(pool)), loop_(std::move(loop)), call_(std::move(call)) {}
  ~HttpExchange() override { Cancel(); }

  void Cancel() override {
    if (call_->delivery->cancelled()) return;
    call_->delivery->Cancel();
    if (call_->finished) return;
    loop_->Post([pool = pool_, call = call_] {
      if (const auto alive = pool.lock()) alive->Cancel(call);
    });
  }

 private:
  const std::weak_ptr<Pool> pool_;
  const std::shared_ptr<EventLoop> loop_;
  const std::shared_ptr<Call> call_;
};

class HttpClient final : public Transport {
 public:
  HttpClient(const ClientOptions& options, std::shared_ptr<TlsContext> tls, base::Status usable,
             base::Executor& executor)
      : usable_(std::move(usable)), executor_(executor),
        pool_(std::make_shared<Pool>(options, std::move(tls))) {}

  ~HttpClient() override {
    pool_->loop()->Post([pool = pool_] { pool->Close(); });
    pool_->loop()->Finish();
  }

  std::unique_ptr<Exchange> Send(Request request, ResponseEvents events) override {
    auto delivery = std::make_shared<Delivery>(std::move(events), executor_);
    auto call = std::make_shared<Call>(std::move(request), delivery);
    const std::shared_ptr<EventLoop> loop = pool_->loop();
    delivery->OnTaken([loop, delivery = delivery.get(), weak = std::weak_ptr<Call>(call)] {
      if (delivery->backlog() >= kResumeAt) return;
      const auto waiting = weak.lock();
      if (!waiting || !waiting->paused.exchange(false)) return;
      loop->Post([waiting] {
        if (const auto link = waiting->link.lock()) link->Read();
      });
    });
    if (!usable_) {
      call->End(usable_);
    } else if (!IsWellFormed(call->request)) {
      call->End(base::Invalid("not an HTTP request: " + call->request.method + " " +
                              call->request.target));
    } else {
      loop->Post([pool = pool_, call] { pool->Dispatch(call); });
    }
    return std::make_unique<HttpExchange>(pool_, loop, std::move(call));
  }

 private:
  const base::Status usable_;
  base::Executor& executor_;
  const std::shared_ptr<Pool> pool_;
};

}  // namespace

std::unique_ptr<Transport> MakeHttpClient(const ClientOptions& options, base::Executor& executor) {
  if (!options.tls) return std::make_unique<HttpClient>(options, nullptr, base::Status(), executor);
  auto tls = TlsContext::ForClient(options.authority_pem,
                                   {options.certificate_pem, options.key_pem}, options.insecure);
  if (!tls) return std::make_unique<HttpClient>(options, nullptr, tls.error(), executor);
  return std::make_unique<HttpClient>(options, std::move(*tls), base::Status(), executor);
}

}  // namespace kueue::net
