#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/executor.h"
#include "embedded/control_plane.h"
#include "kube/client.h"

namespace kueue::simulation {

struct WorldOptions {
  uint64_t seed = 1;
  base::Time start = base::Time(base::seconds(1767225600));  // 2026-01-01T00:00:00Z
  embedded::ControlPlaneOptions plane;
};

// The whole product in virtual time on the caller's thread: API server, cluster and manager, wired
// as in production, with a clock that jumps. Same options and same requests: same objects, byte for
// byte (see digest()).
class World {
 public:
  explicit World(WorldOptions options);
  ~World();

  base::VirtualExecutor& executor() { return executor_; }
  embedded::ControlPlane& plane() { return *plane_; }
  kube::Client& client() { return *client_; }

  // Requests answered at once in virtual time; the Error if the server refuses.
  base::Result<api::Json> Create(const api::Json& object);
  base::Result<api::Json> Get(const api::KindInfo& kind, const kube::ObjectKey& key);
  // A merge patch of the object itself, or of a subresource.
  base::Result<api::Json> Patch(const api::KindInfo& kind, const kube::ObjectKey& key,
                                const api::Json& patch, const std::string& subresource = "");
  // With its dependents, as kubectl deletes.
  base::Result<api::Json> Delete(const api::KindInfo& kind, const kube::ObjectKey& key);
  // Applies every document of a YAML text (creates only).
  base::Status CreateAll(const std::string& yaml);
  // What the server holds now, decoded; objects that do not decode are left out.
  template <class T>
  std::vector<T> All() const {
    std::vector<T> out;
    plane_->server().store().Scan(api::KindOf<T>(), "", "", [&](const auto&, const auto& stored) {
      if (auto object = api::Decode<T>(stored->object()); object.ok()) {
        out.push_back(std::move(*object));
      }
      return true;
    });
    return out;
  }

  // A number over every version of every object written so far, in order.
  uint64_t digest() const { return digest_; }
  // Versions written so far.
  uint64_t writes() const { return writes_; }

 private:
  // Runs the executor until `done`; nothing happens in between but what is ready.
  base::Result<api::Json> Await(const std::function<void(kube::Client::ObjectCallback)>& ask);

  base::VirtualExecutor executor_;
  std::unique_ptr<embedded::ControlPlane> plane_;
  std::unique_ptr<kube::Client> client_;
  uint64_t digest_ = 14695981039346656037ULL, writes_ = 0;
};

}  // namespace kueue::simulation
