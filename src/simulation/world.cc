#include "simulation/world.h"

#include "api/codec/json_text.h"

namespace kueue::simulation {

World::World(WorldOptions options) : executor_(options.start) {
  plane_ = std::make_unique<embedded::ControlPlane>(executor_, base::Random(options.seed),
                                                    std::move(options.plane));
  plane_->server().store().AddWatcher(nullptr, [this](const apiserver::StoreChange& change) {
    ++writes_;
    // FNV-1a: order counts, and so does every byte.
    for (const std::string* text : {&change.key, &change.object->Text()}) {
      for (const char c : *text)
        digest_ = (digest_ ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
    }
  });
  client_ = std::make_unique<kube::Client>(plane_->transport(), "", "kueue-cpp/simulation");
  plane_->Start();
  executor_.RunUntilTrue([this] { return plane_->ready(); }, options.start + base::minutes(1));
}

World::~World() {
  client_.reset();
  plane_.reset();
}

base::Result<api::Json> World::Await(const std::function<void(kube::Client::ObjectCallback)>& ask) {
  std::optional<base::Result<api::Json>> answer;
  ask([&](base::Result<api::Json> result) { answer = std::move(result); });
  executor_.RunUntilTrue([&] { return answer.has_value(); }, executor_.clock().Now());
  if (!answer) return base::Unavailable("the simulated server gave no answer");
  return std::move(*answer);
}

base::Result<api::Json> World::Create(const api::Json& object) {
  const api::KindInfo* kind = api::FindKindOf(object);
  if (kind == nullptr) {
    return base::BadRequest("no kind '" + object.StringAt({"kind"}) + "' in '" +
                            object.StringAt({"apiVersion"}) + "' is known");
  }
  return Await([&](auto done) { client_->Create(*kind, object, done); });
}

base::Result<api::Json> World::Get(const api::KindInfo& kind, const kube::ObjectKey& key) {
  return Await([&](auto done) { client_->Get(kind, key, done); });
}

base::Result<api::Json> World::Patch(const api::KindInfo& kind, const kube::ObjectKey& key,
                                     const api::Json& patch, const std::string& subresource) {
  return Await([&](auto done) {
    client_->Patch(kind, key, subresource, kube::PatchType::kMerge, patch, done);
  });
}

base::Result<api::Json> World::Delete(const api::KindInfo& kind, const kube::ObjectKey& key) {
  kube::DeleteOptions options;
  options.propagation_policy = "Background";
  return Await([&](auto done) { client_->Delete(kind, key, options, done); });
}

base::Status World::CreateAll(const std::string& yaml) {
  const auto documents = api::ParseYaml(yaml);
  if (!documents.ok()) return documents.error();
  for (const api::Json& document : *documents) {
    if (auto created = Create(document); !created.ok()) return created.error();
  }
  return {};
}

}  // namespace kueue::simulation
