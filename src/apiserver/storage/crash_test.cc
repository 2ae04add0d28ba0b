#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <optional>

#include "apiserver/server_under_test.h"
#include "apiserver/storage/crash_disk.h"
#include "apiserver/storage/database.h"
#include "apiserver/storage/sqlite_storage.h"

// Power failures in the middle of writing: what clients were told must be there afterwards, and
// nothing that nobody wrote.
namespace kueue::apiserver {
namespace {

constexpr char kPath[] = "objects.db";
constexpr char kMaps[] = "/api/v1/namespaces/default/configmaps";
constexpr int kClients = 8;

std::string NameOf(int client) { return "m" + std::to_string(client); }

// One life of a process: from start to power failure.
class Life {
 public:
  explicit Life(const CrashDisk& disk) : executor(base::Time(base::hours(500000))) {
    SqliteOptions options;
    options.path = kPath;
    options.vfs = disk.name();
    auto opened = SqliteStorage::Open(options, executor, executor);
    EXPECT_TRUE(opened.ok()) << (opened.ok() ? "" : opened.error().message);
    if (!opened.ok()) return;
    storage = std::move(*opened);
    ServerOptions server_options;
    server_options.store.storage = storage.get();
    server.emplace(executor, base::Random(1), server_options);
  }

  // "" if there is no such map.
  std::string ValueOf(int client) {
    const StoredPtr found =
        server->store().Get(api::KindOf<api::ConfigMap>(), "default/" + NameOf(client));
    return found == nullptr ? "" : found->object().StringAt({"data", "v"});
  }

  base::VirtualExecutor executor;
  std::unique_ptr<SqliteStorage> storage;
  std::optional<Server> server;
};

// What the outside knows of one map. It outlives the process.
struct Known {
  std::string acknowledged;           // "": absent
  std::optional<std::string> unsure;  // asked for, without an answer
  std::string seen;                   // the newest value a reader was shown
};

// Clients that write again as soon as they have an answer, and a reader for each.
class Clients {
 public:
  Clients(Life& life, const CrashDisk& disk, base::Random& random, std::vector<Known>& known,
          uint64_t& next_value, uint64_t& highest_revision)
      : life_(life),
        disk_(disk),
        random_(random),
        known_(known),
        next_value_(next_value),
        highest_revision_(highest_revision) {}

  void Write(int client) {
    Known& known = known_[static_cast<size_t>(client)];
    net::Request request;
    const bool remove = !known.acknowledged.empty() && random_.OneIn(4);
    // Values have one length, so that they compare as the numbers they are.
    const std::string value = remove ? "" : std::to_string(1000000 + ++next_value_);
    const bool create = known.acknowledged.empty();
    request.method = remove ? "DELETE" : create ? "POST" : "PUT";
    request.target = create ? kMaps : std::string(kMaps) + "/" + NameOf(client);
    if (!remove) {
      request.body = R"({"metadata":{"name":")" + NameOf(client) + R"("},"data":{"v":")" + value +
                     R"(","fill":")" + std::string(random_.Below(3000), 'x') + "\"}}";
    }
    known.unsure = value;
    Send(std::move(request), [this, client, value](int code, const std::string& body) {
      if (code >= 300) return;
      Known& mine = known_[static_cast<size_t>(client)];
      mine.acknowledged = value;
      mine.unsure.reset();
      const auto json = api::ParseJson(body);
      const std::string revision = json->StringAt({"metadata", "resourceVersion"});
      if (!revision.empty()) {
        highest_revision_ = std::max<uint64_t>(highest_revision_, std::stoull(revision));
      }
      Write(client);
    });
  }

  void Read(int client) {
    net::Request request;
    request.method = "GET";
    request.target = std::string(kMaps) + "/" + NameOf(client);
    Send(std::move(request), [this, client](int code, const std::string& body) {
      if (code == 200) {
        known_[static_cast<size_t>(client)].seen = api::ParseJson(body)->StringAt({"data", "v"});
      }
      life_.executor.PostAfter(base::Duration(1), [this, client] { Read(client); });
    });
  }

 private:
  class Answer final : public net::Responder {
   public:
    Answer(Clients& clients, std::function<void(int, const std::string&)> done)
        : clients_(clients), done_(std::move(done)) {}
    void Start(int status, net::Headers) override { code_ = status; }
    void Write(std::string chunk) override { body_ += chunk; }
    void End() override {
      // A machine without power sends nothing.
      if (clients_.disk_.crashed()) return;
      clients_.life_.executor.Post(
          [done = done_, code = code_, body = body_] { done(code, body); });
    }
    bool Closed() const override { return false; }
    size_t Backlog() const override { return 0; }

   private:
    Clients& clients_;
    std::function<void(int, const std::string&)> done_;
    int code_ = 0;
    std::string body_;
  };

  void Send(net::Request request, std::function<void(int, const std::string&)> done) {
    if (disk_.crashed()) return;
    request.peer.trusted = true;
    life_.server->Handle(std::move(request), std::make_shared<Answer>(*this, std::move(done)));
  }

  Life& life_;
  const CrashDisk& disk_;
  base::Random& random_;
  std::vector<Known>& known_;
  uint64_t& next_value_;
  uint64_t& highest_revision_;
};

int CrashesWanted() {
  const char* wanted = std::getenv("KUEUE_CRASHES");
  return wanted != nullptr ? std::atoi(wanted) : 200;
}

TEST(Crash, LosesNothingAcknowledgedAndInventsNothing) {
  CrashDisk disk(11);
  base::Random random(12);
  std::vector<Known> known(kClients);
  uint64_t next_value = 0, highest_revision = 0, writes = 0;
  for (int crash = 0; crash < CrashesWanted(); ++crash) {
    {
      Life life(disk);
      ASSERT_TRUE(life.server.has_value()) << "crash " << crash;
      ASSERT_GE(life.server->store().revision(), highest_revision) << "revisions went back";
      for (int client = 0; client < kClients; ++client) {
        Known& mine = known[static_cast<size_t>(client)];
        const std::string found = life.ValueOf(client);
        EXPECT_TRUE(found == mine.acknowledged || (mine.unsure && found == *mine.unsure))
            << "crash " << crash << ": found '" << found << "', acknowledged '" << mine.acknowledged
            << "', unsure '" << mine.unsure.value_or("-") << "'";
        EXPECT_TRUE(found.empty() || found >= mine.seen)
            << "crash " << crash << ": a reader was shown " << mine.seen << ", found " << found;
        mine = {found, std::nullopt, ""};
      }
      Clients clients(life, disk, random, known, next_value, highest_revision);
      disk.CrashAfter(1 + random.Below(400));
      for (int client = 0; client < kClients; ++client) {
        clients.Write(client);
        clients.Read(client);
      }
      while (!disk.crashed()) life.executor.RunFor(base::milliseconds(1));
      writes = next_value;
    }
    disk.Restart();
  }
  EXPECT_GT(writes, 5u * static_cast<uint64_t>(CrashesWanted()));
}

TEST(Crash, TheDiskForgetsWhatWasNotSynced) {
  // The test above is worth nothing if its disk keeps everything.
  CrashDisk disk(3);
  int lost = 0;
  for (int i = 0; i < 20; ++i) {
    auto database = Database::Open("plain.db", Database::Mode::kCreate, disk.name());
    ASSERT_TRUE(database.ok());
    ASSERT_TRUE((*database)
                    ->Run("PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF;"
                          "CREATE TABLE IF NOT EXISTS t(x); INSERT INTO t VALUES(1)")
                    .ok());
    const auto before = (*database)->AskInt("SELECT count(*) FROM t");
    disk.CrashAfter(1);
    const auto last = (*database)->Run("INSERT INTO t VALUES(2)");
    EXPECT_FALSE(last.ok());
    database->reset();
    disk.Restart();
    auto again = Database::Open("plain.db", Database::Mode::kCreate, disk.name());
    ASSERT_TRUE(again.ok());
    const auto after = (*again)->AskInt("SELECT count(*) FROM t");
    if (!after.ok() || *after < *before) ++lost;
  }
  EXPECT_GT(lost, 0);
}

}  // namespace
}  // namespace kueue::apiserver
