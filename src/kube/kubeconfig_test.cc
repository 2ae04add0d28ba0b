#include "kube/kubeconfig.h"

#include <gtest/gtest.h>

namespace kueue::kube {
namespace {

const char kText[] = R"(
apiVersion: v1
kind: Config
current-context: one
contexts:
- name: one
  context: {cluster: c1, user: u1, namespace: team}
- name: two
  context: {cluster: c2, user: u2}
clusters:
- name: c1
  cluster:
    server: https://10.0.0.1:6443
    certificate-authority-data: Q0E=
- name: c2
  cluster:
    server: https://example.com/k8s/clusters/c-1/
    certificate-authority: ca.pem
users:
- name: u1
  user:
    client-certificate-data: Q0VSVA==
    client-key-data: S0VZ
- name: u2
  user: {tokenFile: /secret/token}
)";

base::Result<std::string> Files(const std::string& path) {
  if (path == "/home/ca.pem") return std::string("CA of c2");
  if (path == "/secret/token") return std::string("token\n");
  return base::NotFound(path);
}

TEST(KubeconfigTest, ReadsTheCurrentContext) {
  const auto access = ParseKubeconfig(kText, "", "/home", Files);
  ASSERT_TRUE(access.ok()) << access.error().message;
  EXPECT_EQ(access->connection.host, "10.0.0.1");
  EXPECT_EQ(access->connection.port, "6443");
  EXPECT_TRUE(access->connection.tls);
  EXPECT_EQ(access->connection.authority_pem, "CA");
  EXPECT_EQ(access->connection.certificate_pem, "CERT");
  EXPECT_EQ(access->connection.key_pem, "KEY");
  EXPECT_EQ(access->namespace_name, "team");
}

TEST(KubeconfigTest, ReadsFilesBesideIt) {
  const auto access = ParseKubeconfig(kText, "two", "/home", Files);
  ASSERT_TRUE(access.ok()) << access.error().message;
  EXPECT_EQ(access->connection.host, "example.com");
  EXPECT_EQ(access->connection.port, "443");
  EXPECT_EQ(access->path_prefix, "/k8s/clusters/c-1");
  EXPECT_EQ(access->connection.authority_pem, "CA of c2");
  EXPECT_EQ(access->bearer_token, "token");
  EXPECT_EQ(access->namespace_name, "default");
}

TEST(KubeconfigTest, WhatIsMissingIsNamed) {
  EXPECT_NE(ParseKubeconfig(kText, "three", "", Files).error().message.find("'three'"),
            std::string::npos);
  EXPECT_FALSE(ParseKubeconfig("", "", "", Files).ok());
  EXPECT_FALSE(ParseKubeconfig("[1, 2]", "", "", Files).ok());
  EXPECT_FALSE(ParseKubeconfig(kText, "two", "/elsewhere", Files).ok());
}

TEST(KubeconfigTest, WhatIsNotSupportedIsRefused) {
  const std::string text = R"(
current-context: x
contexts: [{name: x, context: {cluster: x, user: x}}]
clusters: [{name: x, cluster: {server: "https://[::1]:6443"}}]
users: [{name: x, user: {exec: {command: login}}}]
)";
  const auto access = ParseKubeconfig(text, "", "", Files);
  ASSERT_FALSE(access.ok());
  EXPECT_NE(access.error().message.find("exec"), std::string::npos);
}

TEST(KubeconfigTest, AddressesInBracketsLoseThem) {
  KubeconfigEntry entry;
  entry.name = "x";
  entry.server = "http://[::1]:8080";
  const auto access = ParseKubeconfig(WriteKubeconfig(entry), "", "", Files);
  ASSERT_TRUE(access.ok()) << access.error().message;
  EXPECT_EQ(access->connection.host, "::1");
  EXPECT_EQ(access->connection.port, "8080");
  EXPECT_FALSE(access->connection.tls);
}

TEST(KubeconfigTest, WritesWhatItReads) {
  KubeconfigEntry entry;
  entry.name = "kueue";
  entry.server = "https://127.0.0.1:1234";
  entry.authority_pem = "CA";
  entry.certificate_pem = "CERT";
  entry.key_pem = "KEY";
  entry.namespace_name = "team";
  const auto access = ParseKubeconfig(WriteKubeconfig(entry), "", "", Files);
  ASSERT_TRUE(access.ok()) << access.error().message;
  EXPECT_EQ(access->context, "kueue");
  EXPECT_EQ(access->connection.port, "1234");
  EXPECT_EQ(access->connection.authority_pem, "CA");
  EXPECT_EQ(access->connection.certificate_pem, "CERT");
  EXPECT_EQ(access->namespace_name, "team");
}

TEST(KubeconfigTest, MergingLeavesOthersAlone) {
  KubeconfigEntry entry;
  entry.name = "kueue";
  entry.server = "https://127.0.0.1:1";
  auto merged = MergeKubeconfig(kText, entry, false);
  ASSERT_TRUE(merged.ok());
  entry.server = "https://127.0.0.1:2";
  merged = MergeKubeconfig(*merged, entry, false);
  ASSERT_TRUE(merged.ok());
  EXPECT_EQ(ParseKubeconfig(*merged, "", "", Files)->context, "one");
  EXPECT_EQ(ParseKubeconfig(*merged, "kueue", "", Files)->connection.port, "2");
  EXPECT_EQ(merged->find("127.0.0.1:1\n"), std::string::npos);

  const auto removed = RemoveFromKubeconfig(*merged, "kueue");
  ASSERT_TRUE(removed.ok());
  EXPECT_FALSE(ParseKubeconfig(*removed, "kueue", "", Files).ok());
  EXPECT_TRUE(ParseKubeconfig(*removed, "one", "", Files).ok());
}

TEST(KubeconfigTest, OutsideAClusterThereIsNoClusterAccess) {
  EXPECT_EQ(InClusterAccess("/nonexistent", "", "").error().code, base::Code::kNotFound);
  EXPECT_EQ(InClusterAccess("/nonexistent", "10.0.0.1", "443").error().code,
            base::Code::kNotFound);
}

}  // namespace
}  // namespace kueue::kube
