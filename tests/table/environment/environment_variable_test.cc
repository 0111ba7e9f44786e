#include "table/environment/environment_variable.h"

#include <gtest/gtest.h>

#include <cstdlib>

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

}  // namespace
}  // namespace oneline
