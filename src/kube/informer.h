#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "api/codec/codec.h"
#include "base/executor.h"
#include "kube/client.h"

// Local copies of what the server holds, kept fresh by list and watch.
//
// Everything runs on one executor: the one the client's transport delivers on.
namespace kueue::kube {

using ObjectPtr = std::shared_ptr<const void>;  // a decoded struct of the informer's kind

// A change that the cache has already taken in. `before` is null for a new object, `after` for a
// deleted one.
struct Change {
  ObjectPtr before, after;
  ObjectKey key;
};

// Numbers since the start, for metrics.
struct InformerCounters {
  uint64_t lists = 0;        // lists begun
  uint64_t watches = 0;      // watches begun
  uint64_t events = 0;       // watch events taken in, bookmarks not counted
  uint64_t undecodable = 0;  // objects left out because they could not be read
};

// The untyped half: list, watch, resync after a break, and the map. One per kind.
class Informer {
 public:
  using MakeObject = std::function<base::Result<ObjectPtr>(const api::Json&)>;
  using Handler = std::function<void(const Change&)>;
  // Gives the values under which an object is found in an index.
  using IndexValues = std::function<std::vector<std::string>(const void* object)>;

  Informer(Client& client, base::Executor& executor, const api::KindInfo& kind, MakeObject make);
  ~Informer();

  // Before Start. Handlers run in the order added, after the cache holds the change, one change
  // after the other: what a handler causes is told after it has returned. An object that was
  // replaced by another of the same name (uid) is told as a deletion and a creation.
  void AddHandler(Handler handler);
  // REQUIRES: no index of that name. `values` is a pure function of the object.
  void AddIndex(const std::string& name, IndexValues values);

  // Lists, then watches for ever: breaks are retried with back-off, kGone lists again. `synced`
  // runs once, when the first list has been taken in and told to the handlers. Once only.
  void Start(std::function<void()> synced = nullptr);
  // The first list has been taken in.
  bool synced() const;

  ObjectPtr Get(const ObjectKey& key) const;
  std::vector<ObjectPtr> List(const std::string& namespace_name) const;  // "": all; in key order
  std::vector<ObjectPtr> ByIndex(const std::string& index, const std::string& value) const;
  size_t size() const;

  // Takes in an object that a write returned, if it is newer than what is held, so that whoever
  // wrote reads its own write. Handlers run as for a watch event. A deletion is taken in likewise;
  // the object of that uid does not come back, whatever arrives late.
  void ObserveWritten(const api::Json& object);
  void ObserveDeleted(const ObjectKey& key, const std::string& uid);
  // The uid of the object held under the key, "" if there is none.
  std::string UidOf(const ObjectKey& key) const;

  const api::KindInfo& kind() const;
  const InformerCounters& counters() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

// All informers of a process by kind: made at first use, started together.
class Cache {
 public:
  Cache(Client& client, base::Executor& executor);
  ~Cache();

  // The informer of T, made if need be.
  template <class T>
  Informer& InformerOf() {
    return InformerOf(api::KindOf<T>(), [](const api::Json& json) -> base::Result<ObjectPtr> {
      auto object = api::Decode<T>(json);
      if (!object.ok()) return object.error();
      return ObjectPtr(std::make_shared<const T>(std::move(*object)));
    });
  }
  Informer& InformerOf(const api::KindInfo& kind, Informer::MakeObject make);
  // Null if nobody asked for that kind.
  Informer* Find(const api::KindInfo& kind) const;

  template <class T>
  std::shared_ptr<const T> Get(const ObjectKey& key) const {
    const Informer* informer = Find(api::KindOf<T>());
    return informer ? std::static_pointer_cast<const T>(informer->Get(key)) : nullptr;
  }
  template <class T>
  std::vector<std::shared_ptr<const T>> List(const std::string& namespace_name = "") const {
    const Informer* informer = Find(api::KindOf<T>());
    return informer ? Typed<T>(informer->List(namespace_name))
                    : std::vector<std::shared_ptr<const T>>();
  }
  template <class T>
  std::vector<std::shared_ptr<const T>> ByIndex(const std::string& index,
                                                const std::string& value) const {
    const Informer* informer = Find(api::KindOf<T>());
    return informer ? Typed<T>(informer->ByIndex(index, value))
                    : std::vector<std::shared_ptr<const T>>();
  }
  // Handler with typed objects.
  template <class T>
  void OnChange(std::function<void(const std::shared_ptr<const T>& before,
                                   const std::shared_ptr<const T>& after)> handler) {
    InformerOf<T>().AddHandler([handler = std::move(handler)](const Change& change) {
      handler(std::static_pointer_cast<const T>(change.before),
              std::static_pointer_cast<const T>(change.after));
    });
  }

  // All informers in the order made.
  std::vector<const Informer*> informers() const;

  // Starts all informers that are not running yet; `ready` runs once when these have synced, later
  // than this call. May be called again for informers made since.
  void Start(std::function<void()> ready);

 private:
  template <class T>
  static std::vector<std::shared_ptr<const T>> Typed(const std::vector<ObjectPtr>& objects) {
    std::vector<std::shared_ptr<const T>> out;
    out.reserve(objects.size());
    for (const ObjectPtr& o : objects) out.push_back(std::static_pointer_cast<const T>(o));
    return out;
  }
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace kueue::kube
