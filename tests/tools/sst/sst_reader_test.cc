// Tests of tools/sst/sst_reader.h: it returns every entry of a table, of
// whatever type. The entries are compared with RocksDB's own list of all
// versions of all keys. distinct_keys_test.cc has the filters of all layouts,
// sst_reader_damage_test.cc damaged files.

#include "tools/sst/sst_reader.h"

#include <gtest/gtest.h>
#include <rocksdb/comparator.h>
#include <rocksdb/convenience.h>
#include <rocksdb/merge_operator.h>
#include <rocksdb/utilities/debug.h>

#include <random>
#include <string>
#include <vector>

#include "tests/filter_policy/scratch_database.h"
#include "tests/filter_policy/table_layouts.h"
#include "tests/test_seed.h"

namespace oneline {
namespace {

using rocksdb::Slice;
using Keys = std::vector<std::string>;

std::unique_ptr<SstReader> OpenTable(const std::string& path) {
  auto table = SstReader::Open(path);
  EXPECT_TRUE(table.ok()) << table.status();
  return table.ok() ? std::move(*table) : nullptr;
}

// The key of every entry, so a key once for each of its versions.
Keys Entries(SstReader* table) {
  Keys keys;
  const absl::Status status = table->ForEachEntry([&](std::string_view key) {
    keys.emplace_back(key);
    return true;
  });
  EXPECT_TRUE(status.ok()) << status;
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

// Writes random entries of all types, and takes snapshots, which keep the old
// versions.
class AnyEntries {
 public:
  explicit AnyEntries(rocksdb::DB* db) : db_(db) {}
  ~AnyEntries() {
    for (const rocksdb::Snapshot* s : snapshots_) db_->ReleaseSnapshot(s);
  }

  void Write(std::mt19937_64* random, int n) {
    for (int i = 0; i < n; ++i) {
      WriteOne("key " + std::to_string((*random)() % (n / 8)), random);
      if ((*random)() % 2 == 0) snapshots_.push_back(db_->GetSnapshot());
    }
  }

 private:
  void WriteOne(const std::string& key, std::mt19937_64* random) {
    const rocksdb::WriteOptions w;
    rocksdb::Status status;
    switch ((*random)() % 7) {
      case 0:
      case 1:
        status = db_->Put(w, key, "short");
        break;
      case 2:
        status = db_->Put(w, key, std::string(100, 'b'));  // a blob
        break;
      case 3:
        status = db_->Delete(w, key);
        break;
      case 4:
        // SingleDelete is for keys that are put once.
        status = db_->Put(w, key + " once", "v");
        if (status.ok()) status = db_->SingleDelete(w, key + " once");
        break;
      case 5:
        status = db_->Merge(w, key, "operand");
        break;
      case 6:
        // On keys of their own: RocksDB 7.8 can't merge with these.
        status = db_->PutEntity(w, db_->DefaultColumnFamily(), key + " wide",
                                {{"column", "value"}});
        break;
    }
    ASSERT_TRUE(status.ok()) << status.ToString();
  }

  rocksdb::DB* const db_;
  std::vector<const rocksdb::Snapshot*> snapshots_;
};

void ExpectEveryEntry(const rocksdb::Comparator* comparator) {
  rocksdb::Options options = OptionsWith(OurPolicy(10));
  options.comparator = comparator;
  options.merge_operator = std::make_shared<Concatenate>();
  options.enable_blob_files = true;
  options.min_blob_size = 50;
  ScratchDatabase database(options);
  std::mt19937_64 random = TestRandom();
  {
    AnyEntries entries(database.get());
    entries.Write(&random, 4000);
    ASSERT_TRUE(database->Flush(rocksdb::FlushOptions()).ok());
  }
  const std::vector<std::string> files = database.TableFiles();
  ASSERT_EQ(files.size(), 1u);
  std::vector<rocksdb::KeyVersion> versions;
  ASSERT_TRUE(rocksdb::GetAllKeyVersions(database.get(), Slice(), Slice(),
                                         1 << 20, &versions)
                  .ok());
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
  // The same in a second pass.
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
  std::vector<const rocksdb::Snapshot*> snapshots;
  const auto delete_range = [&](size_t first, size_t last) {
    snapshots.push_back(database->GetSnapshot());
    ASSERT_TRUE(database
                    ->DeleteRange({}, database->DefaultColumnFamily(),
                                  keys[first], keys[last])
                    .ok());
    snapshots.push_back(database->GetSnapshot());
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
  for (const rocksdb::Snapshot* snapshot : snapshots) {
    database->ReleaseSnapshot(snapshot);
  }
}

TEST(SstReaderTest, TimestampsAreNoPartOfKeys) {
  const rocksdb::Comparator* comparator = nullptr;
  ASSERT_TRUE(rocksdb::Comparator::CreateFromString(
                  rocksdb::ConfigOptions(), "leveldb.BytewiseComparator.u64ts",
                  &comparator)
                  .ok());
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

// A policy of another library, with a name of its own.
class ForeignPolicy final : public rocksdb::FilterPolicy {
 public:
  const char* Name() const override { return "foreign"; }
  const char* CompatibilityName() const override { return "foreign"; }
  rocksdb::FilterBitsBuilder* GetBuilderWithContext(
      const rocksdb::FilterBuildingContext& context) const override {
    return ours_->GetBuilderWithContext(context);
  }
  rocksdb::FilterBitsReader* GetFilterBitsReader(
      const Slice& block) const override {
    return ours_->GetFilterBitsReader(block);
  }

 private:
  const PolicyPtr ours_ = OurPolicy(10);
};

TEST(SstReaderTest, AForeignFilterIsNamed) {
  for (const bool partitioned : {false, true}) {
    TableLayout layout = {"foreign"};
    layout.partitioned = partitioned;
    ScratchDatabase database(
        OptionsFor(layout, std::make_shared<ForeignPolicy>()));
    database.WriteTable(0, 1000);
    const auto table = OpenTable(database.TableFiles()[0]);
    ASSERT_NE(table, nullptr);
    EXPECT_TRUE(absl::IsUnimplemented(table->filter_status()));
    EXPECT_NE(table->filter_status().message().find("'foreign'"),
              absl::string_view::npos)
        << table->filter_status();
    EXPECT_EQ(Entries(table.get()).size(), 500u);
  }
}

}  // namespace
}  // namespace oneline
