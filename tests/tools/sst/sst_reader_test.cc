// Tests of tools/sst/sst_reader.h: it returns every entry of a table, of
// whatever type. The entries are compared with RocksDB's own list of all
// versions of all keys. What it takes for damage. The tests of verify have the
// filters of all layouts.

#include "tools/sst/sst_reader.h"

#include <rocksdb/comparator.h>
#include <rocksdb/merge_operator.h>
#include <rocksdb/utilities/debug.h>

#include <cerrno>
#include <deque>

#include "tests/filter_policy/table_layouts.h"
#include "tests/tools/table_bytes.h"

namespace oneline {
namespace {

using rocksdb::Slice;
using Keys = std::vector<std::string>;

std::unique_ptr<SstReader> OpenTable(const std::string& path) {
  auto table = SstReader::Open(path);
  EXPECT_TRUE(IsOk(table.status()));
  return table.ok() ? std::move(*table) : nullptr;
}

// The key of every entry, so a key once for each of its versions.
Keys Entries(SstReader* table) {
  Keys keys;
  EXPECT_TRUE(IsOk(table->ForEachEntry([&](std::string_view key) {
    keys.emplace_back(key);
    return true;
  })));
  return keys;
}

class Concatenate final : public rocksdb::AssociativeMergeOperator {
 public:
  const char* Name() const override { return "concatenate"; }
  bool Merge(const Slice&, const Slice* existing, const Slice& value,
             std::string* result, rocksdb::Logger*) const override {
    *result =
        (existing == nullptr ? "" : existing->ToString()) + value.ToString();
    return true;
  }
};

// An order that the reader does not know: by length, then descending.
class OddComparator final : public rocksdb::Comparator {
 public:
  const char* Name() const override { return "odd"; }
  int Compare(const Slice& a, const Slice& b) const override {
    if (a.size() != b.size()) return a.size() < b.size() ? -1 : 1;
    return b.compare(a);
  }
  void FindShortestSeparator(std::string*, const Slice&) const override {}
  void FindShortSuccessor(std::string*) const override {}
};

// Writes an entry of any type.
rocksdb::Status WriteAny(rocksdb::DB* db, std::mt19937_64* random) {
  const rocksdb::WriteOptions w;
  const std::string key = "key " + std::to_string((*random)() % 500);
  switch ((*random)() % 6) {
    case 0:
      return db->Put(w, key, "short");
    case 1:
      return db->Put(w, key, std::string(100, 'b'));  // a blob
    case 2:
      return db->Delete(w, key);
    case 3: {  // SingleDelete is for keys that are put once.
      const rocksdb::Status status = db->Put(w, key + " once", "v");
      return status.ok() ? db->SingleDelete(w, key + " once") : status;
    }
    case 4:
      return db->Merge(w, key, "operand");
    default:
      // On keys of their own: RocksDB 7.8 can't merge with these.
      return db->PutEntity(w, db->DefaultColumnFamily(), key + " wide",
                           {{"column", "value"}});
  }
}

void ExpectEveryEntry(const rocksdb::Comparator* comparator) {
  rocksdb::Options options = OptionsWith(OurPolicy(10));
  options.comparator = comparator;
  options.merge_operator = std::make_shared<Concatenate>();
  options.enable_blob_files = true;
  options.min_blob_size = 50;
  ScratchDatabase database(options);
  std::mt19937_64 random = TestRandom();
  // These keep the old versions.
  std::vector<const rocksdb::Snapshot*> snapshots;
  for (int i = 0; i < 4000; ++i) {
    ASSERT_TRUE(IsOk(WriteAny(database.get(), &random)));
    if (random() % 2 == 0) snapshots.push_back(database->GetSnapshot());
  }
  ASSERT_TRUE(database->Flush(rocksdb::FlushOptions()).ok());
  for (const auto* snapshot : snapshots) database->ReleaseSnapshot(snapshot);
  const std::vector<std::string> files = database.TableFiles();
  ASSERT_EQ(files.size(), 1u);
  std::vector<rocksdb::KeyVersion> versions;
  ASSERT_TRUE(IsOk(rocksdb::GetAllKeyVersions(database.get(), Slice(), Slice(),
                                              1 << 20, &versions)));
  Keys expected;
  for (const rocksdb::KeyVersion& version : versions) {
    expected.push_back(version.user_key);
  }
  ASSERT_GT(expected.size(), 500u);
  const std::unique_ptr<SstReader> table = OpenTable(files[0]);
  ASSERT_NE(table, nullptr);
  EXPECT_GT(table->properties().num_deletions, 20u);
  EXPECT_GT(table->properties().num_merge_operands, 20u);
  EXPECT_EQ(table->num_entries(), expected.size());
  EXPECT_EQ(Entries(table.get()), expected);
}

TEST(SstReaderTest, EveryEntryComesInAnyOrder) {
  const OddComparator odd;
  ExpectEveryEntry(rocksdb::BytewiseComparator());
  ExpectEveryEntry(&odd);
}

// With another comparator the ends of a range deletion are in another order.
TEST(SstReaderTest, RangeDeletionsAreNoEntries) {
  const OddComparator odd;
  rocksdb::Options options = OptionsWith(OurPolicy(10));
  options.comparator = &odd;
  ScratchDatabase database(options);
  const Keys keys = {"i", "g", "e", "c", "a"};
  // With a snapshot after each write the flush drops nothing.
  std::deque<rocksdb::ManagedSnapshot> snapshots;
  const auto delete_range = [&](size_t first, size_t last) {
    snapshots.emplace_back(database.get());
    ASSERT_TRUE(IsOk(database->DeleteRange({}, database->DefaultColumnFamily(),
                                           keys[first], keys[last])));
    snapshots.emplace_back(database.get());
  };
  delete_range(0, 4);
  for (const std::string& key : keys) {
    ASSERT_TRUE(database->Put({}, key, "v").ok());
  }
  delete_range(0, 3);
  delete_range(2, 4);
  ASSERT_TRUE(database->Flush({}).ok());
  const auto table = OpenTable(database.TableFiles()[0]);
  ASSERT_NE(table, nullptr);
  EXPECT_GE(table->properties().num_range_deletions, 3u);
  EXPECT_EQ(Entries(table.get()), keys);
}

TEST(SstReaderTest, TimestampsAreNoPartOfKeys) {
  const rocksdb::Comparator* comparator = nullptr;
  ASSERT_TRUE(IsOk(rocksdb::Comparator::CreateFromString(
      rocksdb::ConfigOptions(), "leveldb.BytewiseComparator.u64ts",
      &comparator)));
  rocksdb::Options options = OptionsWith(OurPolicy(10));
  options.comparator = comparator;
  ScratchDatabase database(options);
  Keys expected;
  for (int i = 0; i < 1000; ++i) {
    for (const char time : {'1', '2'}) {
      const std::string timestamp(8, time);
      ASSERT_TRUE(database->Put({}, KeyAt(i), timestamp, "v").ok());
      expected.push_back(KeyAt(i));
    }
  }
  ASSERT_TRUE(database->Flush({}).ok());
  const auto table = OpenTable(database.TableFiles()[0]);
  ASSERT_NE(table, nullptr);
  EXPECT_EQ(Entries(table.get()), expected);
}

void ExpectDamageIsTold(const char* policy, bool partitioned) {
  ScratchDatabase database(
      OptionsFor(partitioned ? "Partitioned" : "Full", PolicyNamed(policy)),
      8000);
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
    SCOPED_TRACE(place);
    FlipByte(file, place);
    const auto table = OpenTable(file);
    ASSERT_NE(table, nullptr);
    EXPECT_TRUE(absl::IsDataLoss(table->filter_status()))
        << table->filter_status();
    EXPECT_TRUE(table->filter_blocks().empty());
    Overwrite(file, 0, contents);
  }
  // In the first data block.
  FlipByte(file, 100);
  const auto table = OpenTable(file);
  ASSERT_NE(table, nullptr);
  EXPECT_TRUE(table->filter_status().ok());
  EXPECT_TRUE(absl::IsDataLoss(
      table->ForEachEntry([](std::string_view) { return true; })));
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
    const auto table = OpenTable(file);
    ASSERT_NE(table, nullptr);
    EXPECT_EQ(table->num_entries() > 500, is_more);
    EXPECT_NE(table->num_entries(), 500u);
    const absl::Status status =
        table->ForEachEntry([](std::string_view) { return true; });
    EXPECT_TRUE(absl::IsDataLoss(status));
    EXPECT_NE(status.message().find("there are 500 entries"),
              absl::string_view::npos)
        << status;
    Overwrite(file, 0, contents);
  }
}

// As if a partition and its entry in the index were lost.
TEST(SstReaderDamageTest, BytesOfTheFilterAreCounted) {
  rocksdb::Options options = OptionsFor("Partitioned", OurPolicy(10));
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
  const auto table = OpenTable(file);
  ASSERT_NE(table, nullptr);
  EXPECT_NE(table->filter_status().message().find("bytes in"),
            absl::string_view::npos)
      << table->filter_status();
}

}  // namespace
}  // namespace oneline
