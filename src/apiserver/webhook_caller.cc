#include "apiserver/webhook_caller.h"

#include <algorithm>
#include <map>
#include <utility>

#include "net/client.h"

namespace kueue::apiserver {
namespace {

// Connections to so many webhooks are kept; each has a thread that waits for them.
constexpr size_t kKeptClients = 8;
constexpr size_t kLargestAnswer = 3u << 20;

class HttpWebhookCaller final : public WebhookCaller {
 public:
  explicit HttpWebhookCaller(base::Executor& executor) : executor_(executor) {}
  ~HttpWebhookCaller() override {
    for (auto& [id, call] : calls_) executor_.Cancel(call->timer);
  }

  void Post(const WebhookTarget& target, std::string body, base::Duration timeout,
            std::function<void(base::Result<WebhookReply>)> done) override {
    const uint64_t id = ++last_id_;
    auto call = std::make_unique<Call>();
    call->target = target;
    call->body = std::move(body);
    call->done = std::move(done);
    call->timer = executor_.PostAfter(timeout, scope_.Wrap([this, id] {
      End(id, base::MakeError(base::Code::kTimeout, "context deadline exceeded"));
    }));
    calls_[id] = std::move(call);
    Send(id);
  }

 private:
  struct Client {
    std::unique_ptr<net::Transport> transport;
    uint64_t last_used = 0;
    size_t calls = 0;
  };
  struct Call {
    WebhookTarget target;
    std::string body;
    std::function<void(base::Result<WebhookReply>)> done;
    base::TimerId timer = 0;
    Client* client = nullptr;
    std::unique_ptr<net::Exchange> exchange;
    WebhookReply reply;
    bool repeated = false;
  };

  void Send(uint64_t id) {
    Call& call = *calls_[id];
    if (call.client == nullptr) {
      call.client = &ClientFor(call.target);
      ++call.client->calls;
    }
    call.client->last_used = ++clock_;
    call.reply = {};
    net::Request request;
    request.method = "POST";
    request.target = call.target.path;
    request.headers = {{"Content-Type", "application/json"},
                       {"Accept", "application/json, */*"},
                       {"User-Agent", "kube-apiserver-admission"}};
    request.body = call.body;
    net::ResponseEvents events;
    events.on_start = [&call](int status, const net::Headers& headers) {
      call.reply.status = status;
      call.reply.content_type = net::HeaderOf(headers, "content-type");
    };
    events.on_data = [this, id, &call](std::string_view chunk) {
      call.reply.body += chunk;
      if (call.reply.body.size() <= kLargestAnswer) return;
      // Not from within the exchange that this would end.
      executor_.Post(scope_.Wrap([this, id] { End(id, base::Unavailable("too long an answer")); }));
    };
    events.on_end = [this, id](const base::Status& status) {
      executor_.Post(scope_.Wrap([this, id, status] { OnEnd(id, status); }));
    };
    call.exchange = call.client->transport->Send(std::move(request), std::move(events));
  }

  void OnEnd(uint64_t id, const base::Status& status) {
    const auto it = calls_.find(id);
    if (it == calls_.end()) return;
    Call& call = *it->second;
    // A kept connection may have been closed by the other side meanwhile: webhooks can be asked
    // twice.
    const bool again = !status.ok() && status.error().code == base::Code::kUnavailable &&
                       call.reply.status == 0 && !call.repeated;
    if (again) {
      call.repeated = true;
      return Send(id);
    }
    if (!status.ok()) return End(id, status.error());
    End(id, std::move(call.reply));
  }

  void End(uint64_t id, base::Result<WebhookReply> result) {
    const auto it = calls_.find(id);
    if (it == calls_.end()) return;
    const std::unique_ptr<Call> call = std::move(it->second);
    calls_.erase(it);
    executor_.Cancel(call->timer);
    call->exchange.reset();
    --call->client->calls;
    DropIdle();
    call->done(std::move(result));
  }

  Client& ClientFor(const WebhookTarget& target) {
    const std::string key =
        target.host + "\n" + target.port + "\n" + target.tls_name + "\n" + target.authority_pem;
    Client& client = clients_[key];
    if (client.transport == nullptr) {
      net::ClientOptions options;
      options.host = target.host;
      options.port = target.port;
      options.tls_name = target.tls_name;
      options.authority_pem = target.authority_pem;
      options.response_timeout = base::Duration(0);  // the call's own timer ends it
      options.connect_timeout = base::seconds(30);
      client.transport = net::MakeHttpClient(options, executor_);
    }
    return client;
  }

  void DropIdle() {
    while (clients_.size() > kKeptClients) {
      auto oldest = clients_.end();
      for (auto it = clients_.begin(); it != clients_.end(); ++it) {
        if (it->second.calls > 0) continue;
        if (oldest == clients_.end() || it->second.last_used < oldest->second.last_used) {
          oldest = it;
        }
      }
      if (oldest == clients_.end()) return;
      clients_.erase(oldest);
    }
  }

  base::Executor& executor_;
  std::map<std::string, Client> clients_;  // nodes stay where they are
  std::map<uint64_t, std::unique_ptr<Call>> calls_;
  uint64_t last_id_ = 0, clock_ = 0;
  base::Scope scope_;
};

}  // namespace

std::unique_ptr<WebhookCaller> MakeHttpWebhookCaller(base::Executor& executor) {
  return std::make_unique<HttpWebhookCaller>(executor);
}

}  // namespace kueue::apiserver
