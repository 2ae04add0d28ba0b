#pragma once

#include <functional>
#include <memory>
#include <string>

#include "base/executor.h"
#include "base/result.h"

namespace kueue::apiserver {

// Where a webhook is, and how to know it.
struct WebhookTarget {
  std::string url;   // as answers name it: "https://webhook.default.svc:443/path"
  std::string host;  // where to connect: name or address
  std::string port;
  std::string path;           // of the request, with "?timeout=10s"
  std::string tls_name;       // whom the certificate has to be for
  std::string authority_pem;  // who signs it; empty: the authorities of the system
};

struct WebhookReply {
  int status = 0;
  std::string content_type;
  std::string body;
};

// Sends reviews to webhooks. Whoever makes the server gives it one; without it webhooks cannot be
// reached, which is how a server in virtual time stays deterministic.
class WebhookCaller {
 public:
  virtual ~WebhookCaller() = default;
  // Sends `body`, a JSON document. `done` is called once, on the server's executor and never from
  // within Post, unless this is destroyed before. Errors are kTimeout after `timeout`, and
  // kUnavailable with the reason.
  virtual void Post(const WebhookTarget& target, std::string body, base::Duration timeout,
                    std::function<void(base::Result<WebhookReply>)> done) = 0;
};

// Over HTTPS. `executor` must outlive it.
std::unique_ptr<WebhookCaller> MakeHttpWebhookCaller(base::Executor& executor);

}  // namespace kueue::apiserver
