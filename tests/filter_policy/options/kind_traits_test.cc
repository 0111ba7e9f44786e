// Tests of filter_policy/options/kind_traits.h.

#include "filter_policy/options/kind_traits.h"

#include <gtest/gtest.h>

namespace oneline {
namespace {

TEST(KindTraitsTest, EachKindHasItsRow) {
  EXPECT_EQ(FindKind(Kind::kBloom), FindKind("bloom"));
  EXPECT_EQ(FindKind(Kind::kRibbon), FindKind("ribbon"));
  for (const Kind kind : {Kind::kBloom, Kind::kRibbon}) {
    ASSERT_NE(FindKind(kind), nullptr);
    EXPECT_EQ(KindOf(*FindKind(kind)), kind);
  }
}

TEST(KindTraitsTest, OtherNumbersHaveNone) {
  for (int number : {0, 3, 255}) {
    EXPECT_EQ(FindKind(static_cast<Kind>(number)), nullptr) << number;
  }
}

}  // namespace
}  // namespace oneline
