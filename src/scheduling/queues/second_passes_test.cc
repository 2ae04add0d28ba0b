#include "scheduling/queues/second_passes.h"

#include <gtest/gtest.h>

namespace kueue::scheduling {
namespace {

base::Time At(int seconds) { return base::Time() + base::seconds(seconds); }

TEST(SecondPasses, WaitsLongerAfterEveryFailure) {
  const int delays[] = {1, 2, 4, 8, 16, 30, 30};
  for (int failed = 0; failed < 7; ++failed) {
    SecondPasses passes;
    passes.Ask("ns/a", failed, At(0));
    EXPECT_EQ(passes.NextDue(), At(delays[failed]));
    passes.Ring(At(delays[failed] - 1));
    EXPECT_FALSE(passes.AnyReady());
    passes.Ring(At(delays[failed]));
    ASSERT_TRUE(passes.AnyReady());
    EXPECT_EQ(passes.Take()[0].attempts, failed);
    EXPECT_FALSE(passes.NextDue());
  }
}

TEST(SecondPasses, AskingTwiceChangesNothing) {
  SecondPasses passes;
  passes.Ask("ns/a", 3, At(0));
  passes.Ask("ns/a", 0, At(0));
  EXPECT_EQ(passes.NextDue(), At(8));
}

TEST(SecondPasses, ReadyOnesComeByKeyAndDroppedOnesNot) {
  SecondPasses passes;
  for (const char* key : {"ns/c", "ns/a", "ns/b"}) passes.Ask(key, 0, At(0));
  passes.Drop("ns/b");
  passes.Ring(At(1));
  const auto ready = passes.Take();
  ASSERT_EQ(ready.size(), 2u);
  EXPECT_EQ(ready[0].key, "ns/a");
  EXPECT_EQ(ready[1].key, "ns/c");
}

}  // namespace
}  // namespace kueue::scheduling
