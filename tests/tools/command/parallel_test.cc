#include "tools/command/parallel.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <fstream>
#include <new>
#include <vector>

#include "tests/sanitizers.h"

namespace oneline {
namespace {

TEST(ParallelForTest, CallsEachOnce) {
  for (const int jobs : {1, 2, 256}) {
    for (const size_t n : {0, 1, 1000}) {
      std::vector<std::atomic<int>> done(n);
      ParallelFor(n, jobs, [&](size_t i) { ++done[i]; });
      for (const std::atomic<int>& times : done) EXPECT_EQ(times, 1);
    }
  }
}

TEST(ParallelForTest, PassesAnExceptionOn) {
  std::atomic<int> calls{0};
  const auto fail = [&](size_t) {
    ++calls;
    throw std::bad_alloc();
  };
  EXPECT_THROW(ParallelFor(100000, 4, fail), std::bad_alloc);
  EXPECT_LE(calls, 4);
}

TEST(ParallelForTest, DoesWithFewerThreads) {
  if (kSanitized) GTEST_SKIP() << "sanitizers need all addresses";
  // Address space for a few stacks more.
  std::ifstream status("/proc/self/statm");
  rlim_t pages = 0;
  status >> pages;
  struct rlimit before = {};
  ASSERT_EQ(getrlimit(RLIMIT_AS, &before), 0);
  struct rlimit few = before;
  few.rlim_cur =
      pages * static_cast<rlim_t>(getpagesize()) + (rlim_t{256} << 20);
  ASSERT_EQ(setrlimit(RLIMIT_AS, &few), 0);
  std::atomic<int> calls{0};
  ParallelFor(1000, 256, [&](size_t) { ++calls; });
  ASSERT_EQ(setrlimit(RLIMIT_AS, &before), 0);
  EXPECT_EQ(calls, 1000);
}

}  // namespace
}  // namespace oneline
