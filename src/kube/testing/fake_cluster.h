#pragma once

#include <memory>
#include <string>

#include "api/codec/json_text.h"
#include "base/executor.h"
#include "kube/client.h"
#include "kube/testing/fake_server.h"
#include "net/client.h"

namespace kueue::kube {

// A fake server and a client of it, in virtual time. ConfigMaps serve as the kind to play with.
struct FakeCluster {
  base::VirtualExecutor executor{base::Time(base::hours(24 * 365 * 56))};
  FakeServer server;
  std::unique_ptr<net::Transport> transport =
      net::MakeInProcessTransport(server, executor, executor);
  Client client{*transport, "secret", "kueue-test/1.0", executor};

  static std::string PathOf(const std::string& name, const std::string& namespace_name = "a") {
    return "/api/v1/namespaces/" + namespace_name + "/configmaps/" + name;
  }
  static api::Json Text(const std::string& json) { return api::ParseJson(json).value(); }
  // A ConfigMap with data.value.
  static api::Json MapOf(const std::string& value) {
    api::Json object = Text(R"({"apiVersion":"v1","kind":"ConfigMap"})");
    object["data"].Set("value", value);
    return object;
  }
  void Put(const std::string& name, const std::string& value,
           const std::string& namespace_name = "a") {
    server.Put(PathOf(name, namespace_name), MapOf(value));
  }
  std::string ValueOf(const std::string& name) const {
    const api::Json* object = server.Find(PathOf(name));
    return object == nullptr ? "(none)" : object->StringAt({"data", "value"});
  }
};

}  // namespace kueue::kube
