#include "bench/load/paced_requests.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <thread>
#include <vector>

namespace oneline {
namespace {

// A hundred requests a second; the first takes 300 ms, and every third is not
// counted.
TEST(PacedRequestsTest, RequestsWaitForASlowOneAndNoneIsLeftOut) {
  int made = 0;
  std::vector<float> micros;
  const uint64_t requests = MakePacedRequests(
      {100, 1},
      [&] {
        if (made == 0) {
          std::this_thread::sleep_for(std::chrono::milliseconds(300));
        }
        return made++ % 3 != 2;
      },
      &micros);
  EXPECT_NEAR(static_cast<double>(requests), 100, 1);
  EXPECT_EQ(requests, made);
  ASSERT_EQ(micros.size(), requests - requests / 3);
  // The second is due after 10 ms, and the last long after the slow one.
  EXPECT_GE(micros[0], 300000);
  EXPECT_GE(micros[1], 290000 - 1000);
  EXPECT_LT(micros.back(), 290000);
}

}  // namespace
}  // namespace oneline
