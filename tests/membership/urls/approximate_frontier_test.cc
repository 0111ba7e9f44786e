// Tests of membership/urls/approximate_frontier.h. What both frontiers have in
// common is tested in tests/membership/urls/url_frontier_test.cc.

#include "membership/urls/approximate_frontier.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "tests/sanitizers.h"
#include "tests/temporary_directory.h"

namespace oneline {
namespace {

// URLs that were seen are never new again. New ones are lost at the rate asked
// for when the filter is full, and rarely before.
TEST(ApproximateFrontierTest, LosesNewUrlsAtTheRateAskedFor) {
  ApproximateFrontierOptions options;
  options.capacity = kSlow ? 20000 : 200000;
  options.fp_rate = 0.01;
  options.keep_queue = false;
  const auto frontier = *ApproximateFrontier::Open(options);
  EXPECT_EQ(frontier->FpRate(), 0);
  for (uint64_t i = 0; i < options.capacity; ++i) {
    EXPECT_TRUE(frontier->Push(std::to_string(i)).ok());
  }
  EXPECT_NEAR(frontier->FpRate(), 0.01, 0.001);
  // On average over the filling the rate is about a tenth of that at the end.
  EXPECT_GT(frontier->NumSeen(), options.capacity * 0.997);
  EXPECT_EQ(frontier->Size(), 0u);
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

  void ExpectRefused(const std::string& why) const {
    const absl::Status status = ApproximateFrontier::Open(options_).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_EQ(status.message(),
              options_.save_path + ": the saved filter's " + why);
  }

  const TemporaryDirectory directory_;
  ApproximateFrontierOptions options_;
};

TEST_F(SavedUrlsTest, AreThoseBeforeTheLastSync) {
  {
    const auto frontier = *ApproximateFrontier::Open(options_);
    EXPECT_TRUE(*frontier->Push("saved"));
    EXPECT_FALSE(std::filesystem::exists(options_.save_path));
    ASSERT_TRUE(frontier->Sync().ok());
    EXPECT_TRUE(*frontier->Push("not saved"));
  }
  const auto frontier = *ApproximateFrontier::Open(options_);
  EXPECT_EQ(frontier->NumSeen(), 1u);
  EXPECT_FALSE(*frontier->Push("saved"));
  EXPECT_TRUE(*frontier->Push("not saved"));
}

// Every filter has another seed, so that nobody can construct URLs that are
// lost.
TEST_F(SavedUrlsTest, HaveDifferentSeeds) {
  const auto seed_of = [&](const char* name) {
    options_.save_path = directory_.File(name);
    EXPECT_TRUE((*ApproximateFrontier::Open(options_))->Sync().ok());
    return BloomFilter::Load(options_.save_path)->shape().seed;
  };
  EXPECT_NE(seed_of("first"), seed_of("second"));
}

TEST_F(SavedUrlsTest, OfAnotherShapeAreRefused) {
  ASSERT_TRUE((*ApproximateFrontier::Open(options_))->Sync().ok());
  options_.capacity = 2000;
  ExpectRefused(
      "9586 bits and 7 hashes are not those of a capacity of 2000 at a rate of "
      "0.01: use the capacity and rate it was made with");
  options_.capacity = 1000;
  options_.normalize = true;
  ExpectRefused("lines were added without normalize: go on without it");
  // A later version's.
  FilterShape shape = *ShapeForKeys(1000, 0.01, 7);
  shape.key_form = kNormalUrls + 1;
  ASSERT_TRUE(BloomFilter::ForShape(shape)->Save(options_.save_path).ok());
  ExpectRefused(
      "lines were changed in way 2 before they were added, which this version "
      "does not know");
}

TEST_F(SavedUrlsTest, ThatAreDamagedAreRefusedAndLeftAlone) {
  ASSERT_TRUE((*ApproximateFrontier::Open(options_))->Sync().ok());
  std::filesystem::resize_file(options_.save_path, 1000);
  EXPECT_EQ(ApproximateFrontier::Open(options_).status().code(),
            absl::StatusCode::kDataLoss);
  EXPECT_EQ(std::filesystem::file_size(options_.save_path), 1000u);
}

}  // namespace
}  // namespace oneline
