#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <vector>

#include "tools/inspect/inspect_table.h"

namespace oneline {
namespace {

double Sum(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

TEST(KeysPerLineTest, ExpectedLinesArePoisson) {
  KeysPerLine lines;
  lines.AddFilter({2, 4, 3, 3});
  double chance = std::exp(-3.0);
  for (size_t keys = 0; keys < 10; ++keys) {
    EXPECT_NEAR(lines.expected()[keys], 4 * chance, 1e-12) << keys;
    chance *= 3.0 / static_cast<double>(keys + 1);
  }
}

TEST(KeysPerLineTest, AnyMeanAddsUp) {
  for (const uint32_t mean : {0, 1, 5, 51, 499, 501, 5000}) {
    KeysPerLine lines;
    lines.AddFilter(std::vector<uint32_t>(10, mean));
    EXPECT_NEAR(Sum(lines.expected()), 10, 1e-2) << mean;
    EXPECT_EQ(lines.lines()[mean], 10u);
    EXPECT_EQ(lines.lines().size(), lines.expected().size());
  }
}

TEST(KeysPerLineTest, FiltersAddUp) {
  KeysPerLine small, large, all;
  small.AddFilter({1, 2});
  small.AddFilter({});
  EXPECT_EQ(small.lines()[0], 0u);
  large.AddFilter({100, 90, 110});
  all.Add(small);
  all.Add(large);
  all.Add(KeysPerLine());
  EXPECT_EQ(all.num_lines(), 5u);
  EXPECT_EQ(all.lines()[1], 1u);
  EXPECT_EQ(all.lines()[110], 1u);
  EXPECT_NEAR(Sum(all.expected()), 5, 1e-2);
}

}  // namespace
}  // namespace oneline
