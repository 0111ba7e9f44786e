// Tests of table/ribbon/ribbon_table.h: each row and each mask against the
// definitions of docs/format.md, and tables that several threads ask for at
// once.

#include "table/ribbon/ribbon_table.h"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <set>
#include <thread>
#include <vector>

#include "table/ribbon/ribbon_line.h"
#include "tests/sanitizers.h"

namespace oneline {
namespace blocked_ribbon {
namespace {

std::set<uint32_t> BitsOf(const RibbonTable::Mask& mask) {
  std::set<uint32_t> bits;
  for (uint32_t bit = 0; bit < 512; ++bit) {
    if ((mask.words[bit / 64] >> (bit % 64) & 1) != 0) bits.insert(bit);
  }
  return bits;
}

// A row of lines with these rows and this reach, and the masks of its windows.
void ExpectRow(const RibbonTable& table, uint32_t line_bits, uint32_t rows,
               uint32_t reach, const RibbonTable::Row& row) {
  EXPECT_EQ(row.coefficient_mask,
            rows >= 64 ? ~uint64_t{0} : (uint64_t{1} << rows) - 1);
  EXPECT_EQ(uint32_t{row.num_windows}, NumWindows(rows));
  const uint32_t full = FullColumns(rows, line_bits);
  const uint32_t partial_rows = PartialRows(rows, line_bits);
  EXPECT_EQ(uint32_t{row.group_bound}, GroupBound(rows, partial_rows, reach));
  for (uint32_t window = 0; window < row.num_windows; ++window) {
    const uint32_t start = WindowStart(rows, window);
    std::set<uint32_t> bits;
    for (uint32_t column = 0; column < full; ++column) {
      bits.insert(511 - column * rows - start);
    }
    const RibbonTable::Mask* const masks =
        table.masks + 2 * size_t{row.first_window + window};
    EXPECT_EQ(BitsOf(masks[0]), bits) << rows << " rows, window " << window;
    if (ReachesPartial(start, partial_rows)) {
      bits.insert(511 - full * rows - start);
    }
    EXPECT_EQ(BitsOf(masks[1]), bits) << rows << " rows, window " << window;
  }
}

void ExpectTable(uint32_t base, uint32_t line_bytes) {
  SCOPED_TRACE(testing::Message()
               << "base " << base << ", " << line_bytes << " bytes");
  const RibbonTable& table = RibbonTableFor(base, line_bytes);
  for (uint32_t header = 0; header < 256; ++header) {
    const RibbonTable::Row& row = table.rows[header];
    const uint32_t rows_over_base = header / 4;
    if (rows_over_base == kUnsolved || base + rows_over_base == 0) {
      // Nothing to compare, so "maybe".
      EXPECT_EQ(row.num_windows, 1);
      for (uint32_t asked : {0u, 1u}) {
        EXPECT_TRUE(
            BitsOf(table.masks[2 * size_t{row.first_window} + asked]).empty());
      }
    } else {
      ExpectRow(table, 8 * line_bytes, base + rows_over_base, header % 4, row);
    }
    if (testing::Test::HasFailure()) return;
  }
}

TEST(RibbonTableTest, EveryBaseOfWholeLines) {
  for (uint32_t base = 0; base <= kMaxBase; base += kSlow ? 24 : 4) {
    ExpectTable(base, kLineBytes);
  }
}

TEST(RibbonTableTest, EveryLengthOfLines) {
  for (uint32_t line_bytes = 8; line_bytes <= kLineBytes;
       line_bytes += kSlow ? 7 : 1) {
    for (uint32_t base : {0u, 16u, 100u, 192u}) ExpectTable(base, line_bytes);
  }
}

// The mask is that of the key's window, and of whether it is asked in the
// partial column.
TEST(RibbonTableTest, MaskForTakesWindowAndGroup) {
  const RibbonTable& table = RibbonTableFor(100);
  for (uint32_t header = 0; header < 252; ++header) {
    const RibbonTable::Row& row = table.rows[header];
    for (uint32_t window = 0; window < row.num_windows; ++window) {
      const uint64_t seeded =
          ((uint64_t{window} << 32) + row.num_windows - 1) / row.num_windows;
      ASSERT_EQ(WindowOf(seeded, row.num_windows), window);
      for (uint64_t hash = 0; hash < 512; ++hash) {
        const uint32_t asked = hash % 256 < row.group_bound ? 1 : 0;
        ASSERT_EQ(&table.MaskFor(row, seeded, hash),
                  table.masks + 2 * size_t{row.first_window + window} + asked);
      }
    }
  }
}

// Vectors are loaded from the masks.
TEST(RibbonTableTest, IsAlignedAndStaysWhereItIs) {
  for (uint32_t base : {0u, 60u, 192u}) {
    const RibbonTable* const table = &RibbonTableFor(base);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(table->rows) % 64, 0u);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(table->masks) % 64, 0u);
    EXPECT_EQ(table, &RibbonTableFor(base));
    EXPECT_NE(table, &RibbonTableFor(base, 63));
  }
}

// Several threads ask for the same table at once, before any other test has
// asked for it: all get the same one, complete.
TEST(RibbonTableTest, SeveralThreadsMayAskFirst) {
  constexpr size_t kThreads = 4;
  constexpr uint32_t kBases[] = {4, 8, 44, 48, 96, 104, 152, 188};
  constexpr uint32_t kLengths[] = {9, 23, 40, 61};
  std::atomic<size_t> waiting{kThreads};
  std::array<std::vector<const RibbonTable*>, kThreads> tables;
  std::array<uint64_t, kThreads> sums{};
  std::vector<std::thread> threads;
  for (size_t i = 0; i < kThreads; ++i) {
    threads.emplace_back([&, i] {
      --waiting;
      while (waiting > 0) std::this_thread::yield();
      for (uint32_t length : kLengths) {
        for (uint32_t base : kBases) {
          const RibbonTable& table = RibbonTableFor(base, length);
          tables[i].push_back(&table);
          // The last window's, which is filled last.
          const RibbonTable::Row& row = table.rows[251];
          const uint32_t last = row.first_window + row.num_windows - 1u;
          for (uint64_t word : table.masks[2 * size_t{last} + 1].words) {
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
  for (uint32_t length : kLengths) {
    for (uint32_t base : kBases) ExpectTable(base, length);
  }
}

}  // namespace
}  // namespace blocked_ribbon
}  // namespace oneline
