#pragma once

#include <map>
#include <memory>
#include <string>

#include "apiserver/call.h"
#include "apiserver/options.h"
#include "apiserver/render.h"
#include "apiserver/selector.h"
#include "apiserver/store.h"
#include "base/executor.h"

// The watches that are open.
namespace kueue::apiserver {

class WatchHub {
 public:
  WatchHub(base::Executor& executor, Store& store);
  // Ends all watches.
  ~WatchHub();

  // Answers `call` with a stream of events: first what `list` asks for of the present or the past,
  // then every change under `prefix` that `selector` lets through, until the client goes, the
  // time-out passes or the hub goes.
  void Open(const std::shared_ptr<Call>& call, const ListRequest& list, const Selector& selector,
            const std::string& prefix, const View& view);

  // Ends all watches; those asked for from now on end at once.
  void EndAll();
  // Ends the watches of a kind that is served no more. `stored` as in KindInfo::stored.
  void CloseKind(const api::KindInfo& stored);

  size_t size() const { return sessions_.size(); }

 private:
  class Session;
  using SessionId = uint64_t;

  void OnChange();
  void OnBookmarkTime();
  void Close(SessionId id);

  base::Executor& executor_;
  Store& store_;
  Store::WatcherId store_watcher_;
  std::map<SessionId, std::unique_ptr<Session>> sessions_;
  SessionId next_session_ = 1;
  bool ended_ = false;
  bool bookmark_due_ = false;  // a timer runs
  base::TimerId bookmark_timer_ = 0;
  base::Scope scope_;
};

}  // namespace kueue::apiserver
