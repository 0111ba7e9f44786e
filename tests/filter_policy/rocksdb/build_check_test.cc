// Tests of filter_policy/rocksdb/build_check.h: a build that does not fit the
// program is refused, and writes and reads no filters where RocksDB does not
// ask. The version of RocksDB that this program tells of is not that of the
// build.

#include "filter_policy/rocksdb/build_check.h"

#include <gtest/gtest.h>
#include <rocksdb/db.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/sst_file_reader.h>
#include <rocksdb/sst_file_writer.h>
#include <rocksdb/table.h>
#include <rocksdb/table_properties.h>
#include <rocksdb/version.h>

#include <memory>
#include <string>

#include "filter_policy/options/filter_options_text.h"
#include "filter_policy/rocksdb/rocksdb_open.h"
#include "filter_policy/rocksdb/rocksdb_registration.h"
#include "filter_policy/rocksdb/rocksdb_version.h"
#include "oneline/refilter.h"
#include "oneline/rocksdb_filter_policy.h"
#include "table/block/filter_block.h"
#include "tests/temporary_directory.h"

namespace rocksdb {

std::string GetRocksVersionAsString(bool /*with_patch*/) { return "6.99.0"; }

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
  ExpectRefused(CheckBuild());
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

}  // namespace
}  // namespace oneline
