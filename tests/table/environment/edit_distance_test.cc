#include "table/environment/edit_distance.h"

#include <gtest/gtest.h>

namespace oneline {
namespace {

TEST(EditDistanceTest, LongNamesMayHaveMoreMistakes) {
  EXPECT_FALSE(IsMisspelled("jobs", "jobs"));
  EXPECT_TRUE(IsMisspelled("job", "jobs"));
  EXPECT_FALSE(IsMisspelled("json", "jobs"));
  EXPECT_TRUE(
      IsMisspelled("ONELINE_REPLACE_BULTINS", "ONELINE_REPLACE_BUILTIN"));
  EXPECT_FALSE(IsMisspelled("ONELINE_PEER", "ONELINE_KERNEL"));
}

}  // namespace
}  // namespace oneline
