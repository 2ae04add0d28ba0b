#include "simulation/faults.h"

#include <memory>
#include <string>
#include <utility>

namespace kueue::simulation {
namespace {

// Tells of a failure a moment later, if nobody has lost interest by then.
class Failure final : public net::Exchange {
 public:
  Failure(base::Executor& executor, int status, net::ResponseEvents events)
      : scope_(std::make_unique<base::Scope>()) {
    executor.Post(scope_->Wrap([status, events = std::move(events)] {
      Tell(status, events);
    }));
  }
  void Cancel() override { scope_.reset(); }

  static void Tell(int status, const net::ResponseEvents& events) {
    const char* reason = status == 409   ? "Conflict"
                         : status == 503 ? "ServiceUnavailable"
                                         : "InternalError";
    const std::string body =
        std::string(R"({"kind":"Status","apiVersion":"v1","status":"Failure","message":)") +
        R"("a simulated fault","reason":")" + reason + R"(","code":)" + std::to_string(status) +
        "}";
    if (events.on_start) events.on_start(status, {{"Content-Type", "application/json"}});
    if (events.on_data) events.on_data(body);
    if (events.on_end) events.on_end({});
  }

 private:
  std::unique_ptr<base::Scope> scope_;
};

// The write is carried out, and its answer is lost on the way.
net::ResponseEvents Unheard(net::ResponseEvents events) {
  net::ResponseEvents out;
  out.on_end = [events = std::move(events)](base::Status) { Failure::Tell(500, events); };
  return out;
}

bool IsWrite(const net::Request& request) { return request.method != "GET"; }

}  // namespace

std::unique_ptr<net::Exchange> FaultyTransport::Send(net::Request request,
                                                     net::ResponseEvents events) {
  if (IsWrite(request) && rates_.refused != 0 && random_.OneIn(rates_.refused)) {
    static constexpr int kStatuses[] = {500, 503, 409};
    return std::make_unique<Failure>(executor_, kStatuses[random_.Below(3)], std::move(events));
  }
  if (IsWrite(request) && rates_.unheard != 0 && random_.OneIn(rates_.unheard)) {
    events = Unheard(std::move(events));
  }
  return inner_.Send(std::move(request), std::move(events));
}

}  // namespace kueue::simulation
