#include "table/environment/environment_variable.h"

#include "table/environment/edit_distance.h"
#include "tests/testing.h"

namespace oneline {
namespace {

constexpr char kName[] = "ONELINE_VARIABLE_TEST";

TEST(EnvironmentVariableTest, SaysWhatIsMisspelled) {
  setenv("ONELINE_VARIABEL_TEST", "1", 1);
  setenv("ONELINE_OTHER", "1", 1);
  setenv("ONELINE_VARIABLE_TEST_OF_SOMETHING", "1", 1);
  testing::internal::CaptureStderr();
  EXPECT_EQ(EnvironmentVariable(kName), nullptr);
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "oneline: ONELINE_VARIABEL_TEST is no variable of ours: do you "
            "mean ONELINE_VARIABLE_TEST?\n");
  // Nor is there anything to say if the right one is set.
  setenv(kName, "", 1);
  testing::internal::CaptureStderr();
  EXPECT_STREQ(EnvironmentVariable(kName), "");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

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
