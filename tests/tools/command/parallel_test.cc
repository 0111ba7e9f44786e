// Tests of tools/command/parallel.h.

#include "tools/command/parallel.h"

#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <vector>

namespace oneline {
namespace {

TEST(ParallelForTest, CallsEachOnce) {
  for (const int jobs : {1, 2, 7, 256}) {
    for (const size_t n : {0, 1, 2, 1000}) {
      std::vector<std::atomic<int>> done(n);
      ParallelFor(n, {jobs}, [&](size_t i) { ++done[i]; });
      for (const std::atomic<int>& times : done) EXPECT_EQ(times, 1);
    }
  }
}

TEST(JobCountTest, IsANumber) {
  JobCount count;
  std::string error;
  EXPECT_TRUE(AbslParseFlag("256", &count, &error));
  EXPECT_EQ(count.jobs, 256);
  EXPECT_EQ(AbslUnparseFlag(count), "256");
  for (const char* wrong : {"0", "257", "-1", "", "many", "1.5"}) {
    EXPECT_FALSE(AbslParseFlag(wrong, &count, &error)) << wrong;
    EXPECT_EQ(error, "must be a number from 1 to 256");
  }
}

}  // namespace
}  // namespace oneline
