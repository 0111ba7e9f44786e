// Tests of membership/urls/approximate_frontier.cc. What both frontiers have in
// common is tested in tests/membership/urls/url_frontier_test.cc.

#include "absl/status/status.h"
#include "membership/filters/bloom_filter.h"
#include "membership/urls/url_frontier.h"
#include "tests/testing.h"

namespace oneline {
namespace {

// URLs that were seen are never new again. New ones are lost at the rate asked
// for when the filter is full, and rarely before.
TEST(ApproximateFrontierTest, LosesNewUrlsAtTheRateAskedFor) {
  ApproximateFrontierOptions options;
  options.capacity = kSlow ? 20000 : 200000;
  options.fp_rate = 0.01;
  options.keep_queue = false;
  const auto frontier = *OpenApproximateFrontier(options);
  EXPECT_EQ(frontier->FpRate(), 0);
  for (uint64_t i = 0; i < options.capacity; ++i) {
    EXPECT_TRUE(frontier->Push(std::to_string(i)).ok());
  }
  EXPECT_NEAR(frontier->FpRate(), 0.01, 0.001);
  // On average over the filling the rate is about a tenth of that at the end.
  EXPECT_GT(frontier->NumSeen(), options.capacity * 0.997);
  for (uint64_t i = 0; i < options.capacity; ++i) {
    ASSERT_FALSE(*frontier->Push(std::to_string(i)));
  }
}

class SavedUrlsTest : public testing::Test {
 protected:
  SavedUrlsTest() {
    options_.capacity = 1000;
    options_.fp_rate = 0.01;
    options_.save_path = directory_.File("seen");
  }

  const TemporaryDirectory directory_;
  ApproximateFrontierOptions options_;
};

// Every filter has another seed, so that nobody can construct URLs that are
// lost.
TEST_F(SavedUrlsTest, HaveDifferentSeeds) {
  const auto seed_of = [&](const char* name) {
    options_.save_path = directory_.File(name);
    EXPECT_TRUE((*OpenApproximateFrontier(options_))->Sync().ok());
    return BloomFilter::Load(options_.save_path)->shape().seed;
  };
  EXPECT_NE(seed_of("first"), seed_of("second"));
}

TEST_F(SavedUrlsTest, OfAnotherShapeOrDamagedAreRefusedAndLeftAlone) {
  ASSERT_TRUE((*OpenApproximateFrontier(options_))->Sync().ok());
  for (int i = 0; i < 4; ++i) {
    ApproximateFrontierOptions options = options_;
    if (i == 0) options.capacity = 2000;
    if (i == 1) options.fp_rate = 0.02;
    if (i == 2) options.normalize = true;
    if (i == 3) std::filesystem::resize_file(options.save_path, 1000);
    const absl::Status status = OpenApproximateFrontier(options).status();
    EXPECT_EQ(status.code(), i == 3 ? absl::StatusCode::kDataLoss
                                    : absl::StatusCode::kInvalidArgument)
        << i << status;
    EXPECT_EQ(status.message().find(options_.save_path), 0u) << status;
  }
  EXPECT_EQ(std::filesystem::file_size(options_.save_path), 1000u);
}

TEST_F(SavedUrlsTest, OneProgramAtATime) {
  const auto frontier = OpenApproximateFrontier(options_);
  ASSERT_TRUE(frontier.ok());
  EXPECT_TRUE(absl::IsUnavailable(OpenApproximateFrontier(options_).status()));
}

}  // namespace
}  // namespace oneline
