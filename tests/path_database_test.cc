// Tests of bench/path_database.h: that the same tree comes out whatever the
// filter, and above all that a wrong answer, or a filter that is missing, does
// not go unnoticed.

#include "bench/path_database.h"

#include <gtest/gtest.h>
#include <rocksdb/filter_policy.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_format.h"
#include "filter_policy/rocksdb_filter_policy.h"

namespace oneline {
namespace {

using Policy = std::shared_ptr<const rocksdb::FilterPolicy>;

constexpr int kPaths = 20000;

Policy Bloom(double bits_per_key) {
  return Policy(rocksdb::NewBloomFilterPolicy(bits_per_key));
}

class PathDatabaseTest : public testing::Test {
 protected:
  PathDatabaseTest() : directory_(testing::TempDir() + "/path_database") {
    std::filesystem::remove_all(directory_);
    std::filesystem::create_directories(directory_);
    const std::string file = directory_ + "/paths.tsv";
    std::ofstream text(file);
    for (int i = 0; i < kPaths; ++i) {
      text << absl::StrFormat("usr/bin/%06d\tpackage-%d\n", i, i % 100);
    }
    text.close();
    list_ = std::make_unique<PathList>(PathList::Load(file).value());
    flush_of_path_ = AssignFlushes(list_->size(), 1);
  }
  ~PathDatabaseTest() override { std::filesystem::remove_all(directory_); }

  std::unique_ptr<PathDatabase> Loaded(const std::string& name,
                                       const Policy& filter) {
    auto database = std::make_unique<PathDatabase>(
        PathDatabase::Options{name, directory_ + "/" + name, filter, false});
    Progress progress(stderr, 0);
    const absl::Status status =
        database->Load(*list_, flush_of_path_, &progress);
    EXPECT_TRUE(status.ok()) << status;
    return database;
  }

  std::unique_ptr<PathDatabase> Opened(const std::string& name,
                                       const Policy& filter) {
    auto database = Loaded(name, filter);
    const absl::Status status = database->OpenForLookups();
    EXPECT_TRUE(status.ok()) << status;
    return database;
  }

  const std::string directory_;
  std::unique_ptr<PathList> list_;
  std::vector<uint8_t> flush_of_path_;
};

TEST_F(PathDatabaseTest, TreesAreAlikeWhateverTheFilter) {
  const auto none = Opened("none", nullptr);
  const auto bloom = Opened("bloom", Bloom(20));
  const auto ours = Opened("ours", NewRocksDBFilterPolicy({}));
  EXPECT_GE(none->tables().size(), 7u);
  EXPECT_EQ(none->tables(), bloom->tables());
  EXPECT_EQ(none->tables(), ours->tables());
  EXPECT_EQ(none->filter_bits_per_key(), 0);
  EXPECT_NEAR(bloom->filter_bits_per_key(), 20, 0.5);
  EXPECT_NEAR(ours->filter_bits_per_key(), 10, 0.5);
}

TEST_F(PathDatabaseTest, FindsAllThatIsThereAndCountsWhatIsNot) {
  const auto database = Opened("ours", NewRocksDBFilterPolicy({}));
  std::vector<Lookup> lookups;
  for (size_t i = 0; i < list_->size(); ++i) {
    lookups.push_back({list_->path(i), list_->package(i)});
  }
  auto micros = database->RunLookups(lookups.data(), lookups.size());
  ASSERT_TRUE(micros.ok()) << micros.status();
  EXPECT_EQ(database->TakeCounts().true_positives, list_->size());

  const std::vector<Lookup> absent(10, Lookup{"usr/bin/000500x", {}});
  micros = database->RunLookups(absent.data(), absent.size());
  ASSERT_TRUE(micros.ok()) << micros.status();
  const LookupCounts counts = database->TakeCounts();
  EXPECT_EQ(counts.true_positives, 0u);
  EXPECT_EQ(counts.checks() % absent.size(), 0u);
  EXPECT_GE(counts.checks(), 3 * absent.size());
}

TEST_F(PathDatabaseTest, NoticesWrongAnswers) {
  const auto database = Opened("none", nullptr);
  for (const Lookup& wrong :
       {Lookup{list_->path(5), "another"}, Lookup{list_->path(5), {}},
        Lookup{"usr/bin/missing", "package-1"}}) {
    const auto micros = database->RunLookups(&wrong, 1);
    ASSERT_FALSE(micros.ok());
    EXPECT_NE(std::string(micros.status().message()).find("wrong answer for"),
              std::string::npos);
  }
}

// Below half a bit per key RocksDB writes no filter, and says nothing.
TEST_F(PathDatabaseTest, NoticesTablesWithoutFilter) {
  const auto database = Loaded("bloom", Bloom(0.1));
  const absl::Status status = database->OpenForLookups();
  ASSERT_FALSE(status.ok());
  EXPECT_NE(std::string(status.message()).find("has 0 bytes of filter"),
            std::string::npos)
      << status;
}

TEST_F(PathDatabaseTest, NoticesFiltersOfAnotherPolicy) {
  Loaded("bloom", Bloom(10));
  PathDatabase ours(
      {"ours", directory_ + "/bloom", NewRocksDBFilterPolicy({}), false});
  const absl::Status status = ours.OpenForLookups();
  ASSERT_FALSE(status.ok());
  EXPECT_NE(std::string(status.message()).find("should be 'oneline'"),
            std::string::npos)
      << status;
}

TEST(AssignFlushesTest, EachLevelIsLargerThanTheOneAbove) {
  const std::vector<uint8_t> flush_of_path = AssignFlushes(100000, 1);
  std::vector<size_t> paths_of_flush(15);
  for (uint8_t flush : flush_of_path) ++paths_of_flush.at(flush);
  EXPECT_NEAR(paths_of_flush[0], 11000, 1000);
  EXPECT_NEAR(paths_of_flush[14], 250, 100);
  // All but the last four flushes, a hundredth, are compacted.
  EXPECT_NEAR(EntriesWritten(flush_of_path), 199000, 300);
}

}  // namespace
}  // namespace oneline
