#include "apiserver/request_limiter.h"

#include <gtest/gtest.h>

#include "apiserver/server_under_test.h"

namespace kueue::apiserver {
namespace {

base::Time At(int64_t milliseconds) {
  return base::Time(base::hours(500000)) + base::milliseconds(milliseconds);
}

TEST(RequestLimiter, LetsABurstThroughAndThenSoManyASecond) {
  RequestLimiter limiter(10, 3);
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(limiter.Take("a", At(0)));
  EXPECT_FALSE(limiter.Take("a", At(0)));
  EXPECT_FALSE(limiter.Take("a", At(99)));
  EXPECT_TRUE(limiter.Take("a", At(100)));
  EXPECT_FALSE(limiter.Take("a", At(100)));
}

TEST(RequestLimiter, CountsEachUserApart) {
  RequestLimiter limiter(1, 1);
  EXPECT_TRUE(limiter.Take("a", At(0)));
  EXPECT_TRUE(limiter.Take("b", At(0)));
  EXPECT_FALSE(limiter.Take("a", At(0)));
}

TEST(RequestLimiter, ForgetsNobodyWhoStillOwes) {
  RequestLimiter limiter(1, 1);
  EXPECT_TRUE(limiter.Take("a", At(0)));
  for (int i = 0; i < 1000; ++i) limiter.Take("u" + std::to_string(i), At(1));
  EXPECT_FALSE(limiter.Take("a", At(2)));
}

class LimitedServer : public testing::Test {
 protected:
  static ServerOptions Options() {
    ServerOptions options;
    options.requests_per_second = 1;
    options.request_burst = 2;
    return options;
  }
  int Ask(const std::string& token, const std::string& path = "/api/v1/namespaces") {
    last_ = server_.Ask("GET", path, "", {{"Authorization", "Bearer " + token}}, false);
    return last_->code;
  }

  ServerUnderTest server_{Options()};
  std::shared_ptr<Reply> last_;
};

TEST_F(LimitedServer, AsksWhoAsksTooOftenToWait) {
  server_.server.AddToken("t", User{"somebody", "", {}});
  EXPECT_EQ(Ask("t"), 403);
  EXPECT_EQ(Ask("t"), 403);
  EXPECT_EQ(Ask("t"), 429);
  EXPECT_EQ(net::HeaderOf(last_->headers, "retry-after"), "1");
  EXPECT_NE(Ask("t", "/readyz"), 429);
  server_.executor.RunFor(base::seconds(1));
  EXPECT_EQ(Ask("t"), 403);
}

TEST_F(LimitedServer, OwnersAskAsOftenAsTheyLike) {
  server_.server.AddToken("o", User{"owner", "", {kOwnersGroup}});
  for (int i = 0; i < 5; ++i) EXPECT_EQ(Ask("o"), 200);
}

}  // namespace
}  // namespace kueue::apiserver
