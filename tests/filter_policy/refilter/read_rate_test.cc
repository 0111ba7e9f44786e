// Tests of filter_policy/refilter/read_rate.h, with a clock of their own.

#include "filter_policy/refilter/read_rate.h"

#include <gtest/gtest.h>

namespace oneline {
namespace {

using std::chrono::seconds;

constexpr ReadRate::Time kStart(seconds(1000));

TEST(ReadRateTest, EachReadTakesAsLongAsItsBytes) {
  ReadRate rate(100);
  EXPECT_EQ(rate.Add(500, kStart), kStart + seconds(5));
  // Another thread, which did not wait.
  EXPECT_EQ(rate.Add(200, kStart + seconds(1)), kStart + seconds(7));
  EXPECT_EQ(rate.Add(0, kStart + seconds(2)), kStart + seconds(7));
}

TEST(ReadRateTest, IdleTimeIsNotSaved) {
  ReadRate rate(100);
  rate.Add(100, kStart);
  EXPECT_EQ(rate.Add(100, kStart + seconds(60)), kStart + seconds(61));
}

TEST(ReadRateTest, NoLimit) {
  ReadRate rate(0);
  EXPECT_EQ(rate.Add(uint64_t{1} << 60, kStart), kStart);
}

}  // namespace
}  // namespace oneline
