// Tests of membership/urls/approximate_url_store.h. What both stores have in
// common is tested in tests/membership/urls/url_frontier_test.cc.

#include "membership/urls/approximate_url_store.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "tests/sanitizers.h"
#include "tests/temporary_directory.h"

namespace oneline {
namespace {

using StorePtr = std::unique_ptr<ApproximateUrlStore>;

bool Push(ApproximateUrlStore& store, std::string_view url) {
  bool is_new = false;
  EXPECT_TRUE(store.Push(&url, 1, &is_new).ok());
  return is_new;
}

// URLs that were seen are never new again. New ones are lost at the rate asked
// for when the store is full, and rarely before.
TEST(ApproximateUrlStoreTest, LosesNewUrlsAtTheRateAskedFor) {
  ApproximateUrlStoreOptions options;
  options.capacity = kSlow ? 20000 : 200000;
  options.fp_rate = 0.01;
  options.keep_queue = false;
  const StorePtr store = *ApproximateUrlStore::Open(options);
  EXPECT_EQ(store->FpRate(), 0);
  for (uint64_t i = 0; i < options.capacity; ++i) {
    Push(*store, std::to_string(i));
  }
  EXPECT_NEAR(store->FpRate(), 0.01, 0.001);
  // On average over the filling the rate is about a tenth of that at the end.
  EXPECT_GT(store->NumSeen(), options.capacity * 0.997);
  EXPECT_EQ(store->NumQueued(), 0u);
  for (uint64_t i = 0; i < options.capacity; ++i) {
    ASSERT_FALSE(Push(*store, std::to_string(i)));
  }
}

class SavedUrlsTest : public testing::Test {
 protected:
  SavedUrlsTest() {
    options_.capacity = 1000;
    options_.save_path = directory_.File("seen");
  }

  const TemporaryDirectory directory_;
  ApproximateUrlStoreOptions options_;
};

TEST_F(SavedUrlsTest, AreThoseBeforeTheLastSync) {
  {
    const StorePtr store = *ApproximateUrlStore::Open(options_);
    EXPECT_TRUE(Push(*store, "saved"));
    EXPECT_FALSE(std::filesystem::exists(options_.save_path));
    ASSERT_TRUE(store->Sync().ok());
    EXPECT_TRUE(Push(*store, "not saved"));
  }
  const StorePtr store = *ApproximateUrlStore::Open(options_);
  EXPECT_EQ(store->NumSeen(), 1u);
  EXPECT_FALSE(Push(*store, "saved"));
  EXPECT_TRUE(Push(*store, "not saved"));
}

// Every filter has another seed, so that nobody can construct URLs that are
// lost.
TEST_F(SavedUrlsTest, HaveDifferentSeeds) {
  const auto seed_of = [&](const char* name) {
    options_.save_path = directory_.File(name);
    EXPECT_TRUE((*ApproximateUrlStore::Open(options_))->Sync().ok());
    return BloomFilter::Load(options_.save_path)->shape().seed;
  };
  EXPECT_NE(seed_of("first"), seed_of("second"));
}

TEST_F(SavedUrlsTest, OfAnotherShapeOrDamagedAreRefused) {
  options_.fp_rate = 0.01;
  ASSERT_TRUE((*ApproximateUrlStore::Open(options_))->Sync().ok());
  options_.capacity = 2000;
  const absl::Status status = ApproximateUrlStore::Open(options_).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(status.message(),
            options_.save_path +
                ": the saved filter has 9586 bits and 7 hashes; a capacity of "
                "2000 at a rate of 0.01 needs 19171 and 7: use the capacity "
                "and rate it was made with");
  options_.capacity = 1000;
  std::filesystem::resize_file(options_.save_path, 1000);
  EXPECT_EQ(ApproximateUrlStore::Open(options_).status().code(),
            absl::StatusCode::kDataLoss);
  // The file was not replaced by an empty filter.
  EXPECT_EQ(std::filesystem::file_size(options_.save_path), 1000u);
}

// A later version's.
TEST_F(SavedUrlsTest, OfAnUnknownFormAreRefused) {
  FilterShape shape = *ShapeForKeys(1000, 0.01, 7);
  shape.key_form = kNormalUrls + 1;
  ASSERT_TRUE(BloomFilter::ForShape(shape)->Save(options_.save_path).ok());
  options_.capacity = 1000;
  options_.fp_rate = 0.01;
  const absl::Status status = ApproximateUrlStore::Open(options_).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(status.message(),
            options_.save_path +
                ": the saved filter's lines were changed in way 2 before they "
                "were added, which this version does not know");
}

}  // namespace
}  // namespace oneline
