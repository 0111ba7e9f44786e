// Tests of tools/sst/sst_reader.h on damaged files, and of what it takes for
// damage.

#include <gtest/gtest.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "tests/filter_policy/scratch_database.h"
#include "tests/filter_policy/table_layouts.h"
#include "tests/tools/table_bytes.h"
#include "tools/sst/sst_reader.h"

namespace oneline {
namespace {

void ExpectDamagedFilter(const std::string& file, size_t place) {
  const auto table = SstReader::Open(file);
  ASSERT_TRUE(table.ok()) << place << ": " << table.status();
  EXPECT_TRUE(absl::IsDataLoss((*table)->filter_status()))
      << place << ": " << (*table)->filter_status();
  EXPECT_TRUE((*table)->filter_blocks().empty());
}

void ExpectDamageIsTold(const char* policy, bool partitioned) {
  ScratchDatabase database(
      OptionsFor({"damaged", partitioned}, PolicyNamed(policy)), 8000);
  const std::string file = database.TableFiles()[0];
  const std::string contents = ReadWholeFile(file);
  const std::vector<std::string> blocks = BlocksOf(file);
  ASSERT_FALSE(blocks.empty());
  std::vector<size_t> places;
  for (const std::string& block : blocks) {
    const size_t begin = OffsetIn(file, block);
    places.insert(places.end(),
                  {begin, begin + block.size() / 2, begin + block.size() - 1,
                   begin + block.size() + kBlockTrailerBytes - 1});
  }
  // The index of the partitions follows them.
  if (partitioned) {
    places.push_back(places.back() + 1);
    places.push_back(places.back() + 1);
  }
  for (const size_t place : places) {
    FlipByte(file, place);
    ExpectDamagedFilter(file, place);
    Overwrite(file, 0, contents);
  }
  // In the first data block.
  FlipByte(file, 100);
  const auto table = SstReader::Open(file);
  ASSERT_TRUE(table.ok()) << table.status();
  EXPECT_TRUE((*table)->filter_status().ok());
  EXPECT_TRUE(absl::IsDataLoss(
      (*table)->ForEachEntry([](std::string_view) { return true; })));
}

TEST(ReadStatusTest, TellsDamageFromWhatTheSystemRefused) {
  using rocksdb::Status;
  for (const int error : {EMFILE, EACCES, ENOMEM}) {
    EXPECT_TRUE(absl::IsUnavailable(ReadStatus(
        Status::IOError("While open a file for random read: db/000009.sst",
                        std::strerror(error)))));
  }
  EXPECT_TRUE(absl::IsUnavailable(ReadStatus(Status::MemoryLimit())));
  for (const int error : {EIO, EINVAL}) {
    EXPECT_TRUE(absl::IsDataLoss(ReadStatus(
        Status::IOError("While pread offset 7", std::strerror(error)))));
  }
  EXPECT_TRUE(absl::IsDataLoss(
      ReadStatus(Status::Corruption("bad block", std::strerror(EMFILE)))));
}

TEST(SstReaderDamageTest, DamageIsTold) {
  for (const char* const policy :
       {"oneline:10", "{id=oneline;kind=bloom}", "bloomfilter:10:false",
        "ribbonfilter:10:-1"}) {
    for (const bool partitioned : {false, true}) {
      SCOPED_TRACE(std::string(policy) + (partitioned ? ", partitioned" : ""));
      ExpectDamageIsTold(policy, partitioned);
    }
  }
}

// The number of entries differs from the properties, as if a data block and its
// entry in the index were lost.
TEST(SstReaderDamageTest, EntriesAreCounted) {
  rocksdb::BlockBasedTableOptions options;
  options.checksum = rocksdb::kNoChecksum;
  ScratchDatabase database(OptionsWith(OurPolicy(10), options), 1000);
  const std::string file = database.TableFiles()[0];
  // The end of "rocksdb.num.entries"; properties are stored without the
  // beginning that they share with the one before.
  const std::string name = "entries";
  const std::string contents = ReadWholeFile(file);
  // The last bits of the number, and those above.
  for (const bool is_more : {false, true}) {
    FlipByte(file, OffsetIn(file, name) + name.size() + (is_more ? 1 : 0));
    const auto table = SstReader::Open(file);
    ASSERT_TRUE(table.ok()) << table.status();
    EXPECT_EQ((*table)->num_entries() > 500, is_more);
    EXPECT_NE((*table)->num_entries(), 500u);
    const absl::Status status =
        (*table)->ForEachEntry([](std::string_view) { return true; });
    EXPECT_TRUE(absl::IsDataLoss(status));
    EXPECT_NE(status.message().find("there are 500 entries"),
              absl::string_view::npos)
        << status;
    Overwrite(file, 0, contents);
  }
}

// As if a partition and its entry in the index were lost.
TEST(SstReaderDamageTest, BytesOfTheFilterAreCounted) {
  rocksdb::Options options =
      OptionsFor({"damaged", /*partitioned=*/true}, OurPolicy(10));
  auto* table_options =
      options.table_factory->GetOptions<rocksdb::BlockBasedTableOptions>();
  table_options->checksum = rocksdb::kNoChecksum;
  ScratchDatabase database(options, 8000);
  const std::string file = database.TableFiles()[0];
  // Of "rocksdb.filter.policy" and "rocksdb.filter.size".
  const std::string contents = ReadWholeFile(file);
  const size_t policy = contents.find("policyoneline");
  ASSERT_NE(policy, std::string::npos);
  FlipByte(file, contents.find("size", policy) + 5);
  const auto table = SstReader::Open(file);
  ASSERT_TRUE(table.ok()) << table.status();
  EXPECT_NE((*table)->filter_status().message().find("bytes in"),
            absl::string_view::npos)
      << (*table)->filter_status();
}

}  // namespace
}  // namespace oneline
