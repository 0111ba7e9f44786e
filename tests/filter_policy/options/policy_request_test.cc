// Tests of filter_policy/options/policy_request.h.

#include "filter_policy/options/policy_request.h"

#include "tests/testing.h"

namespace oneline {
namespace {

constexpr char kVariable[] = "ONELINE_POLICY_REQUEST_TEST";

PolicyRequest Read(const char* value,
                   std::string (*check)(const FilterOptions&) = nullptr) {
  setenv(kVariable, value, 1);
  return ReadRequest(kVariable, "one filter", "nothing is done", check);
}

TEST(PolicyRequestTest, NothingOrSomePolicyOrOneByName) {
  unsetenv(kVariable);
  EXPECT_FALSE(ReadRequest(kVariable, "", "").wanted());
  for (const char* value : {"", "0"}) EXPECT_FALSE(Read(value).wanted());
  EXPECT_TRUE(Read("1").wanted());
  EXPECT_FALSE(Read("1").named());
  const PolicyRequest named = Read("{id=oneline;fp_rate=0.01}");
  EXPECT_TRUE(named.wanted() && named.named());
  EXPECT_EQ(named.text, "{id=oneline;fp_rate=0.01}");
  EXPECT_EQ(named.options.fp_rate, 0.01);
}

TEST(PolicyRequestTest, WrongValuesAreReportedAndAskForNothing) {
  testing::internal::CaptureStderr();
  EXPECT_FALSE(Read("oneline:101").wanted());
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            std::string(kVariable) +
                ": oneline: bits_per_key=101: must be a number from 1 to 100, "
                "or 0 for no filter (or 1, for one filter); nothing is done\n");
  testing::internal::CaptureStderr();
  const auto refuse = [](const FilterOptions&) {
    return std::string("not here");
  };
  EXPECT_FALSE(Read("oneline:10", refuse).wanted());
  EXPECT_FALSE(Read("1", refuse).wanted());
  EXPECT_FALSE(Read("0", refuse).wanted());
  const std::string line =
      std::string(kVariable) +
      ": not here (or 1, for one filter); nothing is done\n";
  EXPECT_EQ(testing::internal::GetCapturedStderr(), line + line);
}

}  // namespace
}  // namespace oneline
