#pragma once

#include <functional>
#include <memory>
#include <string>

#include "kube/client.h"

namespace kueue::kube {

// Reads one watch answer: Status errors before the stream, then one event a line.
// Sends `request` at once. `on_answer(http_status)` tells how the request was answered.
// Callbacks and destruction as Client::Watch says.
std::unique_ptr<net::Exchange> OpenWatchStream(net::Transport& transport, net::Request request,
                                               std::function<void(int http_status)> on_answer,
                                               std::function<void(WatchEvent)> on_event,
                                               std::function<void(base::Status)> on_end);

}  // namespace kueue::kube
