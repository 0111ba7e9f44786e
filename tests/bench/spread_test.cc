#include "bench/measure/spread.h"

#include <gtest/gtest.h>

namespace oneline {
namespace {

TEST(SpreadTest, WhatIsNoFartherThanEqualsMayBeChance) {
  const Spread equals = {0.95, 1.01, 1.02};
  EXPECT_TRUE(IsChance({0.8, 0.96, 0.97}, equals));
  EXPECT_TRUE(IsChance({0.8, 1.04, 1.3}, equals));
  EXPECT_FALSE(IsChance({0.9, 0.94, 1.1}, equals));
  EXPECT_FALSE(IsChance({1, 1.06, 1.1}, equals));
}

}  // namespace
}  // namespace oneline
