// Tests of filter_policy/rocksdb/build_check.h: a build for another minor
// version of RocksDB is refused, and writes and reads no filters where RocksDB
// does not ask; one for another patch filters. The version of RocksDB that this
// program tells of is not that of the build.

#include "filter_policy/rocksdb/build_check.h"

#include <rocksdb/cache.h>

#if __has_include(<rocksdb/advanced_cache.h>)
#include <rocksdb/advanced_cache.h>  // Cache, since RocksDB 8
#endif
#include <rocksdb/db.h>
#include <rocksdb/sst_file_reader.h>
#include <rocksdb/sst_file_writer.h>
#include <rocksdb/statistics.h>
#include <rocksdb/table_properties.h>
#include <rocksdb/version.h>

#include "filter_policy/options/filter_options_text.h"
#include "filter_policy/rocksdb/rocksdb_open.h"
#include "filter_policy/rocksdb/rocksdb_registration.h"
#include "filter_policy/rocksdb/rocksdb_version.h"
#include "oneline/refilter.h"
#include "table/block/filter_block.h"
#include "tests/filter_policy/filter_bits.h"
#include "tests/filter_policy/lines_logged.h"

static std::string told_version = "6.99.0";

namespace rocksdb {

std::string GetRocksVersionAsString(bool /*with_patch*/) {
  return told_version;
}

}  // namespace rocksdb

namespace oneline {
namespace {

using rocksdb::Status;

rocksdb::Options WithOurFilters() {
  rocksdb::BlockBasedTableOptions table;
  table.filter_policy.reset(
      MakeRocksDBFilterPolicy(FilterOptions(), kPolicyName));
  rocksdb::Options options;
  options.create_if_missing = true;
  options.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
  return options;
}

void ExpectRefused(const Status& status) {
  EXPECT_TRUE(status.IsNotSupported()) << status.ToString();
  for (const std::string& part :
       {std::string("6.99.0"), RocksDBVersionText()}) {
    EXPECT_NE(status.ToString().find(part), std::string::npos)
        << status.ToString();
  }
}

TEST(BuildCheckTest, WhoeverAsksIsRefused) {
  ExpectRefused(CheckVersion());
  ExpectRefused(CheckExactVersion());
  std::shared_ptr<const rocksdb::FilterPolicy> policy;
  ExpectRefused(NewRocksDBFilterPolicy(FilterOptions(), &policy));
  EXPECT_EQ(policy, nullptr);
  const TemporaryDirectory directory;
  std::unique_ptr<rocksdb::DB> db;
  ExpectRefused(
      rocksdb::DB::Open(WithOurFilters(), directory.File("db"), OpenInto(&db)));
  rocksdb::Options options;
  options.create_if_missing = true;
  ASSERT_TRUE(
      rocksdb::DB::Open(options, directory.File("db"), OpenInto(&db)).ok());
  // It would remove each filter.
  ExpectRefused(Refilter(db.get(), RefilterOptions(), nullptr));
}

TEST(BuildCheckTest, TablesThatAreWrittenWithoutAskingHaveNoFilter) {
  const TemporaryDirectory directory;
  const std::string file = directory.File("file.sst");
  const rocksdb::Options options = WithOurFilters();
  rocksdb::SstFileWriter writer(rocksdb::EnvOptions(), options);
  ASSERT_TRUE(writer.Open(file).ok());
  ASSERT_TRUE(writer.Put("key", "value").ok());
  ASSERT_TRUE(writer.Finish().ok());
  rocksdb::SstFileReader reader(options);
  ASSERT_TRUE(reader.Open(file).ok());
  EXPECT_EQ(reader.GetTableProperties()->num_entries, 1u);
  EXPECT_EQ(reader.GetTableProperties()->filter_size, 0u);
}

TEST(BuildCheckTest, FiltersOfOursAreNotRead) {
  uint8_t block[kTrailerBytes];
  EncodeTrailer(Trailer(), block);  // of a table without keys: says "no"
  ASSERT_TRUE(HasMagic({reinterpret_cast<char*>(block), sizeof(block)}));
  const std::unique_ptr<const rocksdb::FilterPolicy> policy(
      MakeRocksDBFilterPolicy(FilterOptions(), kPolicyName));
  EXPECT_EQ(policy->GetFilterBitsReader(
                rocksdb::Slice(reinterpret_cast<char*>(block), sizeof(block))),
            nullptr);
  EXPECT_EQ(policy->GetFilterBitsReader(rocksdb::Slice()), nullptr);
}

TEST(BuildCheckTest, FiltersDifferByMinorVersionAndInKnownPatches) {
  EXPECT_TRUE(HaveSameFilters(100901, 100901));
  EXPECT_TRUE(HaveSameFilters(100901, 100902));
  EXPECT_TRUE(HaveSameFilters(70899, 70803));
  EXPECT_FALSE(HaveSameFilters(70803, 70903));
  EXPECT_FALSE(HaveSameFilters(70803, 80803));
  EXPECT_FALSE(HaveSameFilters(100600, 100601));
  EXPECT_FALSE(HaveSameFilters(100602, 100600));
  EXPECT_TRUE(HaveSameFilters(100601, 100602));
  for (const char* version : {"", "7", "hello", "100.1.1"}) {
    told_version = version;
    EXPECT_TRUE(CheckVersion().IsNotSupported()) << version;
  }
  told_version = "6.99.0";
}

// Another patch of the version compiled for.
class OtherPatchTest : public testing::Test {
 protected:
  OtherPatchTest() {
    told_version = std::to_string(kRocksDBMajor) + "." +
                   std::to_string(kRocksDBMinor) + ".99";
  }
  ~OtherPatchTest() override { told_version = "6.99.0"; }
};

TEST_F(OtherPatchTest, OurFiltersAreWrittenAndReadAndRefilterRefuses) {
  const TemporaryDirectory directory;
  std::unique_ptr<rocksdb::DB> db;
  rocksdb::Options options = WithOurFilters();
  options.statistics = rocksdb::CreateDBStatistics();
  ASSERT_TRUE(
      rocksdb::DB::Open(options, directory.File("db"), OpenInto(&db)).ok());
  ASSERT_TRUE(db->Put({}, "a", "value").ok());
  ASSERT_TRUE(db->Put({}, "z", "value").ok());
  ASSERT_TRUE(db->Flush({}).ok());
  std::string value;
  EXPECT_TRUE(db->Get({}, "a", &value).ok());
  for (const char* absent : {"b", "c", "d", "e"}) {
    EXPECT_TRUE(db->Get({}, absent, &value).IsNotFound());
  }
  EXPECT_GE(options.statistics->getTickerCount(rocksdb::BLOOM_FILTER_USEFUL),
            2u);
  const Status refused = Refilter(db.get(), RefilterOptions(), nullptr);
  EXPECT_TRUE(refused.IsNotSupported()) << refused.ToString();
}

TEST_F(OtherPatchTest, ChargesNothingToTheCacheAndSaysSoOnce) {
  const PolicyPtr policy = OurPolicy(10);
  rocksdb::BlockBasedTableOptions table;
  table.block_cache = rocksdb::NewLRUCache(64 << 20);
  table.cache_usage_options
      .options_overrides[rocksdb::CacheEntryRole::kFilterConstruction]
      .charged = rocksdb::CacheEntryRoleOptions::Decision::kEnabled;
  LinesLogged log;
  for (int i = 0; i < 2; ++i) {
    const BuilderPtr builder = NewBuilder(policy, table, &log);
    AddKeys(MakeKeys("key", 100000), builder.get());
    FinishBlock(builder.get());
    EXPECT_EQ(table.block_cache->GetPinnedUsage(), 0u);
  }
  ASSERT_EQ(log.headers.size(), 2u);
  EXPECT_NE(log.headers[1].find("is not charged"), std::string::npos)
      << log.headers[1];
}

// Denies the first key that it is asked for; without another reader, none.
class WrongReader final : public rocksdb::FilterBitsReader {
 public:
  explicit WrongReader(ReaderPtr right) : right_(std::move(right)) {}
  bool MayMatch(const rocksdb::Slice& key) override {
    return right_ == nullptr || (asked_++ > 0 && right_->MayMatch(key));
  }
  void MayMatch(int n, rocksdb::Slice** keys, bool* may_match) override {
    for (int i = 0; i < n; ++i) may_match[i] = MayMatch(*keys[i]);
  }

 private:
  const ReaderPtr right_;
  int asked_ = 0;
};

TEST(BuildCheckTest, AFilterThatLosesAKeyOrPassesAllIsWrong) {
  const PolicyPtr bloom = PolicyNamed("bloomfilter:10");
  ASSERT_NE(bloom, nullptr);
  const auto right = [&](const rocksdb::Slice& filter) {
    return bloom->GetFilterBitsReader(filter);
  };
  EXPECT_TRUE(IsRight(NewBuilder(bloom), right));
  EXPECT_FALSE(IsRight(NewBuilder(bloom), [&](const rocksdb::Slice& filter) {
    return new WrongReader(ReaderPtr(right(filter)));
  }));
  EXPECT_FALSE(IsRight(NewBuilder(bloom), [](const rocksdb::Slice&) {
    return new WrongReader(nullptr);
  }));
  EXPECT_FALSE(IsRight(NewBuilder(bloom),
                       [](const rocksdb::Slice&) { return nullptr; }));
  EXPECT_FALSE(IsRight(nullptr, right));
  EXPECT_EQ(WhatIsWrong(), "");
}

}  // namespace
}  // namespace oneline
