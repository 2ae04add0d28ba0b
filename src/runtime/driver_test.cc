#include "runtime/driver.h"

#include <gtest/gtest.h>

#include "api/types/core.h"
#include "kube/testing/fake_cluster.h"

namespace kueue::runtime {
namespace {

using api::ConfigMap;
using api::Json;
using base::milliseconds;
using base::seconds;
using kube::FakeServer;
using kube::ObjectKey;

// Does what a test says.
class Scripted final : public Reconciler {
 public:
  using Script = std::function<Intents(const ObjectKey&, base::Time)>;
  Scripted(Script script, std::vector<std::string>& outcomes)
      : script_(std::move(script)), outcomes_(outcomes) {}
  std::string name() const override { return "scripted"; }
  std::string event_source() const override { return "scripted-controller"; }
  Intents Reconcile(const ObjectKey& key, base::Time now) override { return script_(key, now); }
  void OnWritten(const ObjectKey& key, const Write& write,
                 const base::Result<Json>& outcome) override {
    outcomes_.push_back(key.name + " writes " + write.key.name + ": " +
                        (outcome.ok() ? "ok" : base::CodeName(outcome.error().code)));
  }

 private:
  const Script script_;
  std::vector<std::string>& outcomes_;
};

class DriverTest : public testing::Test {
 protected:
  // A driver with one reconciler; every change of a ConfigMap brings its key up.
  void Make(Scripted::Script script, DriverOptions options = {}) {
    driver = std::make_unique<Driver>(cluster.client, cache, cluster.executor, base::Random(1),
                                      options);
    queue = &driver->Add(std::make_unique<Scripted>(
        [this, script = std::move(script)](const ObjectKey& key, base::Time now) {
          calls.push_back(key.name);
          return script(key, now);
        },
        outcomes));
    cache.InformerOf<ConfigMap>().AddHandler(
        [this](const kube::Change& change) { queue->Add(change.key); });
    cache.Start([this] { driver->Start(); });
  }
  void Run() { cluster.executor.RunReady(); }

  std::string Held(const std::string& name) const {
    const auto object = cache.Get<ConfigMap>({"a", name});
    return object == nullptr ? "(none)" : object->data.at("value");
  }
  // The object of that name with another value.
  std::optional<Write> Change(const ObjectKey& key, const std::string& value) {
    const auto object = cache.Get<ConfigMap>(key);
    if (object == nullptr) return std::nullopt;
    ConfigMap after = *object;
    after.data["value"] = value;
    return PatchObject(*object, after);
  }
  static Write New(const std::string& name) {
    ConfigMap object;
    object.metadata.namespace_name = "a";
    object.metadata.name = name;
    object.data["value"] = "new";
    return CreateObject(object);
  }

  kube::FakeCluster cluster;
  kube::Cache cache{cluster.client, cluster.executor};
  std::vector<std::string> calls, outcomes;
  Queue* queue = nullptr;
  std::unique_ptr<Driver> driver;
};

TEST_F(DriverTest, ReconcilesUntilThereIsNothingToSay) {
  cluster.Put("x", "1");
  Make([this](const ObjectKey& key, base::Time) {
    Intents intents;
    intents.Add(Change(key, "2"));
    return intents;
  });
  Run();
  EXPECT_EQ(cluster.ValueOf("x"), "2");
  EXPECT_EQ(calls.size(), 2u);  // its own write brought it up once more
  EXPECT_EQ(driver->writes_sent(), 1u);
  EXPECT_TRUE(driver->idle());
}

TEST_F(DriverTest, NothingRunsBeforeStart) {
  Make([](const ObjectKey&, base::Time) { return Intents(); });
  queue->Add({"a", "x"});
  EXPECT_FALSE(driver->idle());
  EXPECT_TRUE(calls.empty());
  Run();
  EXPECT_EQ(calls.size(), 1u);
}

TEST_F(DriverTest, ReadsItsOwnWritesWhateverTheWatchDoes) {
  cluster.Put("x", "1");
  std::vector<std::string> seen;
  Make([&](const ObjectKey& key, base::Time) {
    seen.push_back(Held(key.name));
    Intents intents;
    if (seen.back().size() < 5) intents.Add(Change(key, seen.back() + "+"));
    return intents;
  });
  cluster.executor.RunUntilTrue([&] { return cache.Find(api::KindOf<ConfigMap>())->synced(); },
                                cluster.executor.clock().Now() + seconds(1));
  cluster.server.HoldWatches(true);
  Run();
  EXPECT_EQ(seen, (std::vector<std::string>{"1", "1+", "1++", "1+++", "1++++"}));
  EXPECT_EQ(driver->counters().conflicts, 0u);
}

TEST_F(DriverTest, WritesOfAKeyGoOneAfterTheOther) {
  cluster.Put("x", "1");
  Make([this](const ObjectKey& key, base::Time) {
    Intents intents;
    if (key.name == "x" && Held("third") == "(none)") {
      intents.Add(New("first"));
      intents.Add(New("second"));
      intents.Add(New("third"));
    }
    return intents;
  });
  Run();
  EXPECT_EQ(outcomes, (std::vector<std::string>{"x writes first: ok", "x writes second: ok",
                                                "x writes third: ok"}));
}

TEST_F(DriverTest, AFailureDropsTheRestAndIsTriedAgainWithBackOff) {
  int failures = 4;
  cluster.server.Intercept([&](const net::Request& request) -> std::optional<FakeServer::Answer> {
    if (request.method != "POST" || failures-- <= 0) return std::nullopt;
    return FakeServer::Refuse(500, "InternalError");
  });
  std::vector<base::Duration> at;
  Make([&](const ObjectKey& key, base::Time) {
    Intents intents;
    if (key.name == "x" && Held("first") == "(none)") {
      at.push_back(cluster.executor.clock().Elapsed());
      intents.Add(New("first"));
      intents.Add(New("second"));
    }
    return intents;
  });
  cluster.Put("x", "1");
  cluster.executor.RunFor(seconds(1));
  ASSERT_EQ(at.size(), 5u);
  EXPECT_EQ(at[1] - at[0], milliseconds(5));
  EXPECT_EQ(at[2] - at[1], milliseconds(10));
  EXPECT_EQ(at[4] - at[3], milliseconds(40));
  EXPECT_EQ(cluster.ValueOf("second"), "new");
  EXPECT_EQ(outcomes[0], "x writes first: Internal");
  EXPECT_EQ(outcomes.size(), 6u);
}

TEST_F(DriverTest, ARefusedWriteIsTriedAtABoundedRate) {
  cluster.server.Intercept([&](const net::Request& request) -> std::optional<FakeServer::Answer> {
    if (request.method != "POST") return std::nullopt;
    return FakeServer::Refuse(422, "Invalid", "spec.x: wrong");
  });
  Make([&](const ObjectKey&, base::Time) {
    Intents intents;
    intents.Add(New("first"));
    return intents;
  });
  queue->Add({"a", "x"});
  cluster.executor.RunFor(base::minutes(10));
  EXPECT_GT(calls.size(), 20u);
  EXPECT_LT(calls.size(), 60u);
}

TEST_F(DriverTest, AConflictIsTriedAgainAtOnce) {
  cluster.Put("x", "1");
  bool meddle = true;
  Make([&](const ObjectKey& key, base::Time) {
    Intents intents;
    if (Held(key.name) != "done") intents.Add(Change(key, "done"));
    // Another writer comes in between.
    if (std::exchange(meddle, false)) cluster.Put("x", "2");
    return intents;
  });
  Run();
  EXPECT_EQ(outcomes, (std::vector<std::string>{"x writes x: Conflict", "x writes x: ok"}));
  EXPECT_EQ(cluster.ValueOf("x"), "done");
  EXPECT_EQ(driver->counters().conflicts, 1u);
}

TEST_F(DriverTest, APatchOfAVanishedObjectIsDropped) {
  cluster.Put("x", "1");
  Make([&](const ObjectKey& key, base::Time) {
    Intents intents;
    intents.Add(Change(key, "2"));
    cluster.server.Remove(kube::FakeCluster::PathOf("x"));
    return intents;
  });
  cluster.executor.RunFor(seconds(1));
  EXPECT_EQ(outcomes, (std::vector<std::string>{"x writes x: NotFound"}));
  EXPECT_EQ(Held("x"), "(none)");
  EXPECT_TRUE(driver->idle());
}

TEST_F(DriverTest, DeletionsAreTakenInAtOnce) {
  cluster.Put("x", "1");
  int with_object = 0;
  Make([&](const ObjectKey& key, base::Time) {
    Intents intents;
    if (const auto object = cache.Get<ConfigMap>(key)) {
      ++with_object;
      cluster.server.HoldWatches(true);
      intents.Add(DeleteObject(*object));
    }
    return intents;
  });
  Run();
  EXPECT_EQ(with_object, 1);
  EXPECT_EQ(calls.size(), 2u);
  EXPECT_EQ(Held("x"), "(none)");
}

TEST_F(DriverTest, ADeletionOfWhatIsGoneCountsAsDone) {
  cluster.Put("x", "1");
  Make([&](const ObjectKey& key, base::Time) {
    Intents intents;
    if (const auto object = cache.Get<ConfigMap>(key)) {
      cluster.server.HoldWatches(true);
      cluster.server.Remove(kube::FakeCluster::PathOf("x"));
      intents.Add(DeleteObject(*object));
    }
    return intents;
  });
  Run();
  EXPECT_EQ(outcomes, (std::vector<std::string>{"x writes x: ok"}));
  EXPECT_EQ(Held("x"), "(none)");
}

TEST_F(DriverTest, AnObjectOnItsWayOutIsStillThereUntilItsFinalizerGoes) {
  Json object = kube::FakeCluster::MapOf("1");
  object["metadata"]["finalizers"].Append("test/hold");
  cluster.server.Put(kube::FakeCluster::PathOf("x"), object);
  std::string seen;
  Make([&](const ObjectKey& key, base::Time) {
    Intents intents;
    const auto held = cache.Get<ConfigMap>(key);
    if (held == nullptr) {
      seen += "gone ";
    } else if (held->metadata.deletion_timestamp) {
      seen += "going ";
      ConfigMap after = *held;
      after.metadata.finalizers.clear();
      intents.Add(PatchObject(*held, after));
    } else {
      seen += "there ";
      cluster.server.HoldWatches(true);
      intents.Add(DeleteObject(*held));
    }
    return intents;
  });
  Run();
  EXPECT_EQ(seen, "there going gone ");
}

TEST_F(DriverTest, LooksAgainWhenAsked) {
  std::vector<base::Duration> at;
  Make([&](const ObjectKey&, base::Time) {
    at.push_back(cluster.executor.clock().Elapsed());
    Intents intents;
    if (at.size() < 3) intents.look_again = seconds(7);
    return intents;
  });
  queue->Add({"a", "x"});
  cluster.executor.RunFor(base::minutes(1));
  EXPECT_EQ(at, (std::vector<base::Duration>{seconds(0), seconds(7), seconds(14)}));
}

TEST_F(DriverTest, NoMoreKeysThanAllowedHaveWritesUnderWay) {
  // The server answers nothing until told, so writes pile up as far as they may.
  std::vector<std::shared_ptr<net::Responder>> kept;
  struct Keeper final : net::Handler {
    explicit Keeper(std::vector<std::shared_ptr<net::Responder>>& k) : kept(k) {}
    void Handle(net::Request, std::shared_ptr<net::Responder> r) override { kept.push_back(r); }
    std::vector<std::shared_ptr<net::Responder>>& kept;
  } keeper(kept);
  const auto transport =
      net::MakeInProcessTransport(keeper, cluster.executor, cluster.executor);
  kube::Client client(*transport, "", "test", cluster.executor);
  kube::Cache empty(client, cluster.executor);
  DriverOptions options;
  options.max_in_flight = 3;
  Driver small(client, empty, cluster.executor, base::Random(1), options);
  Queue& keys = small.Add(std::make_unique<Scripted>(
      [](const ObjectKey& key, base::Time) {
        Intents intents;
        intents.Add(New("of-" + key.name));
        return intents;
      },
      outcomes));
  small.Start();
  for (int i = 0; i < 10; ++i) keys.Add({"a", std::to_string(i)});
  Run();
  EXPECT_EQ(kept.size(), 3u);
  kept[0]->Start(201, {});
  kept[0]->Write("{}");
  kept[0]->End();
  Run();
  EXPECT_EQ(kept.size(), 4u);
  EXPECT_EQ(small.reconciler_counters().at(0).working, 3u);
  EXPECT_EQ(small.reconciler_counters().at(0).waiting, 6u);
}

TEST_F(DriverTest, EventsFollowTheWrites) {
  cluster.Put("x", "1");
  Make([&](const ObjectKey& key, base::Time) {
    Intents intents;
    const auto object = cache.Get<ConfigMap>(key);
    if (object && Held(key.name) == "1") {
      intents.Add(Change(key, "2"));
      EventRecord event;
      event.regarding = ReferenceTo(*object);
      event.reason = "Changed";
      event.message = "to 2";
      intents.events.push_back(event);
    }
    return intents;
  });
  Run();
  const auto events = cluster.server.Under("/api/v1/namespaces/a/events");
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].StringAt({"reason"}), "Changed");
  EXPECT_EQ(events[0].StringAt({"source", "component"}), "scripted-controller");
  EXPECT_EQ(events[0].StringAt({"involvedObject", "kind"}), "ConfigMap");
}

TEST_F(DriverTest, CarriesOutWhatOthersDecided) {
  cluster.Put("x", "1");
  Make([](const ObjectKey&, base::Time) { return Intents(); });
  Run();
  Intents intents;
  intents.Add(Change({"a", "x"}, "2"));
  std::string outcome = "none";
  driver->CarryOut(std::move(intents), [&](base::Result<Json> result) {
    outcome = result.ok() ? Held("x") : result.error().message;
  });
  EXPECT_EQ(outcome, "none");
  Run();
  EXPECT_EQ(outcome, "2");  // in the cache before the outcome is told
  Intents stale;
  stale.writes.push_back(Write{WriteVerb::kMergePatch, &api::KindOf<ConfigMap>(), {"a", "gone"},
                               "", kube::FakeCluster::MapOf("1"), {}});
  stale.Add(New("never"));
  driver->CarryOut(std::move(stale), [&](base::Result<Json> result) {
    outcome = base::CodeName(result.error().code);
  });
  cluster.executor.RunFor(base::minutes(1));
  EXPECT_EQ(outcome, "NotFound");
  EXPECT_EQ(cluster.ValueOf("never"), "(none)");
}

TEST_F(DriverTest, IntentsForOneObjectKeepTheirOrder) {
  cluster.Put("x", "0");
  Make([](const ObjectKey&, base::Time) { return Intents(); });
  Run();
  std::string order;
  for (int i = 1; i <= 5; ++i) {
    Intents intents;
    intents.writes.push_back(Write{WriteVerb::kMergePatch, &api::KindOf<ConfigMap>(), {"a", "x"},
                                   "", kube::FakeCluster::MapOf(std::to_string(i)), {}});
    driver->CarryOut(std::move(intents), [&order, i](base::Result<Json>) {
      order += std::to_string(i);
    });
  }
  Run();
  EXPECT_EQ(order, "12345");
  EXPECT_EQ(cluster.ValueOf("x"), "5");
  EXPECT_TRUE(driver->idle());
}

TEST_F(DriverTest, NoIntentsAreDoneAtOnceButLater) {
  Make([](const ObjectKey&, base::Time) { return Intents(); });
  int done = 0;
  driver->CarryOut({}, [&](base::Result<Json> result) { done += result.ok(); });
  EXPECT_EQ(done, 0);
  Run();
  EXPECT_EQ(done, 1);
}

TEST_F(DriverTest, AWriteWithoutAddressFailsAndHarmsNobody) {
  Make([](const ObjectKey&, base::Time) { return Intents(); });
  Intents intents;
  intents.writes.push_back(
      Write{WriteVerb::kDelete, &api::KindOf<ConfigMap>(), {"a", ""}, "", {}, {}});
  std::string outcome;
  driver->CarryOut(std::move(intents), [&](base::Result<Json> result) {
    outcome = base::CodeName(result.error().code);
  });
  Run();
  EXPECT_EQ(outcome, "Invalid");
  EXPECT_EQ(driver->writes_sent(), 0u);
}

TEST_F(DriverTest, TheSameRunTakesTheSamePath) {
  // Two drivers with the same seed and world run the same number of tasks.
  const auto run = [] {
    kube::FakeCluster world;
    kube::Cache objects(world.client, world.executor);
    std::vector<std::string> ignored;
    Driver twin(world.client, objects, world.executor, base::Random(7));
    Queue& keys = twin.Add(std::make_unique<Scripted>(
        [&](const ObjectKey& key, base::Time) {
          Intents intents;
          if (key.name.size() < 6) intents.Add(New(key.name + "x"));
          EventRecord event;
          event.regarding.name = key.name;
          event.reason = "Seen";
          intents.events.push_back(event);
          return intents;
        },
        ignored));
    objects.InformerOf<ConfigMap>().AddHandler(
        [&](const kube::Change& change) { keys.Add(change.key); });
    objects.Start([&] { twin.Start(); });
    world.Put("a", "1");
    world.Put("b", "1");
    world.executor.RunFor(base::minutes(20));
    std::string names;
    for (const Json& e : world.server.Under("/api/v1/namespaces/default/events")) {
      names += e.StringAt({"metadata", "name"}) + " ";
    }
    return std::to_string(world.executor.tasks_run()) + " " + names;
  };
  EXPECT_EQ(run(), run());
}

}  // namespace
}  // namespace kueue::runtime
