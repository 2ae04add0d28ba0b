#include <utility>

#include "kube/informer.h"

namespace kueue::kube {

class Cache::Impl {
 public:
  Impl(Client& client, base::Executor& executor) : client_(client), executor_(executor) {}

  // A process has a few dozen kinds at most, so a look through the list is quick.
  Informer* Find(const api::KindInfo& kind) const {
    for (const auto& informer : informers_) {
      if (&informer->kind() == &kind) return informer.get();
    }
    return nullptr;
  }

  Informer& InformerOf(const api::KindInfo& kind, Informer::MakeObject make) {
    if (Informer* informer = Find(kind)) return *informer;
    informers_.push_back(std::make_unique<Informer>(client_, executor_, kind, std::move(make)));
    return *informers_.back();
  }

  void Start(std::function<void()> ready) {
    // One more than the informers: the count ends when this function has returned, at the earliest.
    auto left = std::make_shared<size_t>(informers_.size() - started_ + 1);
    std::function<void()> one_less = scope_.Wrap([left, ready = std::move(ready)] {
      if (--*left == 0 && ready) ready();
    });
    executor_.Post(one_less);
    while (started_ < informers_.size()) informers_[started_++]->Start(one_less);
  }

  std::vector<std::unique_ptr<Informer>> informers_;

 private:
  Client& client_;
  base::Executor& executor_;
  size_t started_ = 0;
  base::Scope scope_;
};

Cache::Cache(Client& client, base::Executor& executor)
    : impl_(std::make_unique<Impl>(client, executor)) {}
Cache::~Cache() = default;

Informer& Cache::InformerOf(const api::KindInfo& kind, Informer::MakeObject make) {
  return impl_->InformerOf(kind, std::move(make));
}
Informer* Cache::Find(const api::KindInfo& kind) const { return impl_->Find(kind); }
void Cache::Start(std::function<void()> ready) { impl_->Start(std::move(ready)); }
std::vector<const Informer*> Cache::informers() const {
  std::vector<const Informer*> out;
  for (const auto& informer : impl_->informers_) out.push_back(informer.get());
  return out;
}

}  // namespace kueue::kube
