#include "embedded/instance.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <future>
#include <thread>

#include "api/codec/json_text.h"
#include "embedded/data_folder.h"
#include "kube/client.h"
#include "kube/kubeconfig.h"
#include "net/client.h"

namespace kueue::embedded {
namespace {

std::string FreshFolder(const std::string& name) {
  const auto path = std::filesystem::path(testing::TempDir()) / ("kueue-" + name);
  std::filesystem::remove_all(path);
  return path.string();
}

InstanceOptions Options(const std::string& name) {
  InstanceOptions options;
  options.data_dir = FreshFolder(name);
  options.seed = 1;
  options.control_plane.cluster.nodes = *localcluster::ParseNodeSpec("2x(cpu=4)");
  return options;
}

// Asks over HTTPS with the instance's own certificate authority.
base::Result<std::string> Ask(const Instance& instance, const std::string& token,
                              const std::string& target) {
  const std::string& url = instance.info().url;
  net::ClientOptions options;
  options.host = "127.0.0.1";
  options.port = url.substr(url.rfind(':') + 1);
  options.authority_pem = instance.authority_pem();
  base::RealClock clock;
  base::ThreadExecutor executor("client", clock);
  const auto transport = net::MakeHttpClient(options, executor);
  kube::Client client(*transport, token, "test");
  std::promise<base::Result<std::string>> answer;
  auto future = answer.get_future();
  executor.RunAndWait([&] {
    client.Raw("GET", target, "", [&](base::Result<std::string> r) { answer.set_value(r); });
  });
  auto result = future.get();
  executor.Stop();
  return result;
}

TEST(Instance, AnswersOverHttpsWithItsToken) {
  auto instance = Instance::Start(Options("answers"));
  ASSERT_TRUE(instance.ok()) << instance.error().message;
  ASSERT_TRUE((*instance)->WaitUntilReady(base::seconds(20)));
  const auto version = Ask(**instance, (*instance)->token(), "/version");
  ASSERT_TRUE(version.ok()) << version.error().message;
  EXPECT_NE(version->find("\"1\""), std::string::npos);
}

// Asks over HTTPS with the certificate of a user's kubeconfig.
base::Result<std::string> AskAs(const std::string& kubeconfig, const std::string& target) {
  const auto access = kube::ReadKubeconfig(kubeconfig, "");
  if (!access.ok()) return access.error();
  base::RealClock clock;
  base::ThreadExecutor executor("client", clock);
  const auto transport = net::MakeHttpClient(access->connection, executor);
  kube::Client client(*transport, "", "test");
  std::promise<base::Result<std::string>> answer;
  auto future = answer.get_future();
  executor.RunAndWait([&] {
    client.Raw("GET", target, "", [&](base::Result<std::string> r) { answer.set_value(r); });
  });
  auto result = future.get();
  executor.Stop();
  return result;
}

TEST(Instance, FurtherUsersAreWhoTheirCertificatesName) {
  InstanceOptions options = Options("users");
  options.users = {*ParseUser("alice:research,vision"), *ParseUser("root:system:masters")};
  options.audit_log = options.data_dir + ".audit";
  std::filesystem::remove(options.audit_log);
  auto instance = Instance::Start(options);
  ASSERT_TRUE(instance.ok()) << instance.error().message;
  const auto& paths = (*instance)->info().user_kubeconfigs;
  ASSERT_EQ(paths.size(), 2u);
  const auto refused = AskAs(paths[0], "/api/v1/pods");
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.error().message.find("alice"), std::string::npos) << refused.error().message;
  EXPECT_TRUE(AskAs(paths[1], "/api/v1/pods").ok());
  const auto log = ReadFile(options.audit_log);
  ASSERT_TRUE(log.ok());
  EXPECT_NE(log->find(R"("username":"alice")"), std::string::npos) << *log;
}

TEST(Users, NamesAreChecked) {
  EXPECT_EQ(ParseUser("bob:a,b")->groups, (std::vector<std::string>{"a", "b"}));
  EXPECT_TRUE(ParseUser("bob")->groups.empty());
  for (const char* text : {"", ":a", "bob:", "bob:a,,b", "b ob"}) {
    EXPECT_FALSE(ParseUser(text).ok()) << text;
  }
  EXPECT_FALSE(ParseUser(std::string(65, 'x')).ok());
}

TEST(Instance, RefusesAnUnknownToken) {
  auto instance = Instance::Start(Options("unknown"));
  ASSERT_TRUE(instance.ok()) << instance.error().message;
  const auto pods = Ask(**instance, "wrong", "/api/v1/pods");
  ASSERT_FALSE(pods.ok());
  EXPECT_EQ(pods.error().code, base::Code::kUnauthorized);
}

TEST(Instance, ASecondOneOnTheFolderIsToldWhoHoldsIt) {
  const InstanceOptions options = Options("second");
  auto first = Instance::Start(options);
  ASSERT_TRUE(first.ok()) << first.error().message;
  auto second = Instance::Start(options);
  ASSERT_FALSE(second.ok());
  EXPECT_NE(second.error().message.find("process " + std::to_string((*first)->info().pid)),
            std::string::npos)
      << second.error().message;
}

TEST(Instance, IsFoundWhileItRunsAndNotAfterwards) {
  const InstanceOptions options = Options("found");
  auto instance = Instance::Start(options);
  ASSERT_TRUE(instance.ok()) << instance.error().message;
  EXPECT_TRUE(FindInstance(options.data_dir).has_value());
  instance->reset();
  EXPECT_FALSE(FindInstance(options.data_dir).has_value());
}

TEST(Instance, ListensForOtherMachinesOnlyWhenAsked) {
  InstanceOptions options = Options("remote");
  options.address = "0.0.0.0";
  const auto refused = Instance::Start(options);
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.error().message.find("--remote"), std::string::npos);
}

TEST(Instance, GoesOnWithWhatTheLastOneKept) {
  const InstanceOptions options = Options("goes-on");
  {
    auto first = Instance::Start(options);
    ASSERT_TRUE(first.ok()) << first.error().message;
    ASSERT_TRUE((*first)->WaitUntilReady(base::seconds(20)));
  }
  InstanceOptions bare = options;
  bare.control_plane.cluster.nodes = {};
  auto second = Instance::Start(bare);
  ASSERT_TRUE(second.ok()) << second.error().message;
  // The same uid: it was not made anew.
  const auto before = Ask(**second, (*second)->token(), "/api/v1/namespaces/default");
  second->reset();
  auto third = Instance::Start(bare);
  ASSERT_TRUE(third.ok()) << third.error().message;
  const auto after = Ask(**third, (*third)->token(), "/api/v1/namespaces/default");
  ASSERT_TRUE(before.ok() && after.ok());
  EXPECT_EQ(*before, *after);
}

TEST(Instance, InMemoryKeepsNothing) {
  InstanceOptions options = Options("in-memory");
  options.in_memory = true;
  auto instance = Instance::Start(options);
  ASSERT_TRUE(instance.ok()) << instance.error().message;
  EXPECT_FALSE(std::filesystem::exists(options.data_dir + "/objects.db"));
}

TEST(Instance, ABackupIsTakenWhileItRunsAndRestoredWhenItHasEnded) {
  const InstanceOptions options = Options("backup");
  const std::string file = options.data_dir + "/copy";
  auto instance = Instance::Start(options);
  ASSERT_TRUE(instance.ok()) << instance.error().message;
  auto saved = BackUpInstance(options.data_dir, file);
  // The first objects reach the disk on a thread of their own.
  for (int i = 0; i < 1000 && saved.ok() && saved->objects < 5; ++i) {
    std::remove(file.c_str());
    std::this_thread::yield();
    saved = BackUpInstance(options.data_dir, file);
  }
  ASSERT_TRUE(saved.ok()) << saved.error().message;
  EXPECT_GE(saved->objects, 5u) << "the namespaces";
  EXPECT_FALSE(RestoreInstance(options.data_dir, file).ok()) << "it runs";
  instance->reset();
  const auto restored = RestoreInstance(options.data_dir, file);
  EXPECT_TRUE(restored.ok()) << restored.error().message;
}

TEST(Instance, ResetTakesItsOwnFilesAndNoOthers) {
  const std::string folder = FreshFolder("reset");
  const base::Time now = base::RealClock().Now();
  ASSERT_TRUE(LoadCredentials(folder, "127.0.0.1", now).ok());
  const auto foreign = RemoveInstanceFiles(folder);
  ASSERT_TRUE(foreign.ok());
  EXPECT_FALSE(*foreign) << "no instance ran there";
  EXPECT_TRUE(std::filesystem::exists(folder + "/pki/ca.key"));

  auto lock = FolderLock::Take(folder);
  ASSERT_TRUE(lock.ok());
  EXPECT_FALSE(RemoveInstanceFiles(folder).ok()) << "one runs there";
  lock->reset();
  ASSERT_TRUE(WriteFile(folder + "/pki/other.pem", "x", false).ok());
  ASSERT_TRUE(RememberNodes(folder, "2x(cpu=4)").ok());
  EXPECT_EQ(RememberedNodes(folder), "2x(cpu=4)");
  const auto removed = RemoveInstanceFiles(folder);
  ASSERT_TRUE(removed.ok()) << removed.error().message;
  EXPECT_TRUE(*removed);
  EXPECT_FALSE(std::filesystem::exists(folder + "/pki/ca.key"));
  EXPECT_EQ(RememberedNodes(folder), "");
  EXPECT_TRUE(std::filesystem::exists(folder + "/pki/other.pem"));
}

TEST(DataFolder, SaysWhichFilesAreNotUsable) {
  const std::string folder = FreshFolder("broken");
  const base::Time now = base::RealClock().Now();
  ASSERT_TRUE(LoadCredentials(folder, "127.0.0.1", now).ok());
  ASSERT_TRUE(WriteFile(folder + "/pki/ca.key", "garbage", true).ok());
  const auto broken = LoadCredentials(folder, "127.0.0.1", now);
  ASSERT_FALSE(broken.ok());
  EXPECT_NE(broken.error().message.find(folder + "/pki/ca"), std::string::npos);
}

TEST(DataFolder, KeepsTheTokenAcrossStarts) {
  const std::string folder = FreshFolder("token");
  const base::Time now = base::RealClock().Now();
  const auto first = LoadCredentials(folder, "127.0.0.1", now);
  const auto second = LoadCredentials(folder, "127.0.0.1", now);
  ASSERT_TRUE(first.ok() && second.ok());
  EXPECT_EQ(first->token, second->token);
  EXPECT_EQ(first->authority.certificate_pem, second->authority.certificate_pem);
}

}  // namespace
}  // namespace kueue::embedded
