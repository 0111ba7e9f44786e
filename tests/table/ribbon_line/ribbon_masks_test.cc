// Tests of table/ribbon_line/ribbon_masks.h: tables that several threads ask
// for at once. What is in them, tests/table/block/kernels_test.cc tells.

#include "table/ribbon_line/ribbon_masks.h"

#include "table/ribbon_line/ribbon_line.h"
#include "tests/testing.h"

namespace oneline {
namespace blocked_ribbon {
namespace {

// Several threads need the same table at once, before any other test has: all
// get the same one, complete.
TEST(RibbonMasksTest, SeveralThreadsMayBeFirst) {
  constexpr size_t kThreads = 4;
  std::atomic<size_t> waiting{kThreads};
  std::array<std::vector<const RibbonMasks*>, kThreads> tables;
  std::array<uint64_t, kThreads> sums{};
  std::vector<std::thread> threads;
  for (size_t i = 0; i < kThreads; ++i) {
    threads.emplace_back([&, i] {
      --waiting;
      while (waiting > 0) std::this_thread::yield();
      for (uint32_t length : {9, 23, 40, 61}) {
        for (uint32_t base : {4, 8, 44, 48, 96, 104, 152, 188}) {
          const RibbonMasks& table = RibbonMasksFor(base, length);
          tables[i].push_back(&table);
          // The last window's, which is filled last.
          const RibbonMasks::Row& row = table.rows[251];
          const uint32_t last = row.first_window + row.num_windows - 1u;
          for (uint64_t word : table.masks()[2 * size_t{last} + 1].words) {
            sums[i] += word;
          }
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (size_t i = 1; i < kThreads; ++i) {
    EXPECT_EQ(tables[i], tables[0]);
    EXPECT_EQ(sums[i], sums[0]);
  }
}

}  // namespace
}  // namespace blocked_ribbon
}  // namespace oneline
