// Tests of `oneline verify`, the built program, on real databases: intact ones
// pass, and each kind of damage is found in the file that has it.

#include <gtest/gtest.h>
#include <leveldb/db.h>
#include <rocksdb/slice_transform.h>
#include <rocksdb/sst_file_writer.h>

#include <atomic>
#include <fstream>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "filter_policy/rocksdb_filter_bits.h"
#include "table/filter_block.h"
#include "tests/run_oneline.h"
#include "tests/scratch_database.h"
#include "tests/table_bytes.h"
#include "tests/table_layouts.h"
#include "tools/sst_reader.h"

namespace oneline {
namespace {

struct Policy {
  const char* name;
  const char* id;  // in OPTIONS files
};
constexpr Policy kPolicies[] = {
    {"Ribbon", "oneline:10"},
    {"Bloom", "{id=oneline;kind=bloom}"},
    {"RocksDBBloom", "bloomfilter:10:false"},
    {"RocksDBRibbon", "ribbonfilter:10:-1"},
};

rocksdb::Options OptionsOf(const char* policy, bool partitioned,
                           rocksdb::ChecksumType checksum) {
  TableLayout layout = {"verify"};
  layout.partitioned = partitioned;
  rocksdb::Options options = OptionsFor(layout, PolicyNamed(policy));
  auto* const table =
      options.table_factory->GetOptions<rocksdb::BlockBasedTableOptions>();
  table->checksum = checksum;
  return options;
}

std::vector<std::string> BlocksOf(const std::string& file) {
  const auto table = SstReader::Open(file);
  EXPECT_TRUE(table.ok()) << table.status();
  return table.ok() ? (*table)->filter_blocks() : std::vector<std::string>();
}

// `verify` finds that this table, and no other, is damaged, for a reason in
// which `why` occurs.
void ExpectDamaged(const std::string& path, const std::string& file,
                   const std::string& why) {
  const Finished program = RunOneline("verify " + path);
  EXPECT_EQ(program.exit_code, 1) << program.out << program.err;
  EXPECT_TRUE(Contains(program.out, file + ": damaged: ")) << program.out;
  EXPECT_TRUE(Contains(program.out, why)) << program.out;
  EXPECT_TRUE(Contains(program.out, "1 table DAMAGED\n")) << program.out;
  EXPECT_TRUE(Contains(program.out, "2 tables intact: ")) << program.out;
}

void ExpectIntact(const std::string& path, const std::string& counts) {
  const Finished program = RunOneline("verify " + path);
  EXPECT_EQ(program.exit_code, 0) << program.out << program.err;
  EXPECT_TRUE(Contains(program.out, counts)) << program.out;
  EXPECT_FALSE(Contains(program.out, "DAMAGED")) << program.out;
}

class VerifyLayoutTest : public testing::TestWithParam<TableLayout> {};

INSTANTIATE_TEST_SUITE_P(All, VerifyLayoutTest,
                         testing::ValuesIn(kTableLayouts), LayoutName);

TEST_P(VerifyLayoutTest, IntactTablesPass) {
  const TableLayout& layout = GetParam();
  for (const PolicyPtr& policy :
       {PolicyFor(layout),
        PolicyNamed(layout.partitioned ? "bloomfilter:10:false"
                                       : "ribbonfilter:10:-1")}) {
    ScratchDatabase database(OptionsFor(layout, policy));
    // Some keys are deleted that are in another table, or in none.
    for (int i = 1; i < 2000; i += 2) {
      ASSERT_TRUE(database->Delete(rocksdb::WriteOptions(), KeyAt(i)).ok());
    }
    database.WriteTable(0, 4000);
    database.WriteTable(4000, 6000);
    uint64_t blocks = 0;
    for (const std::string& file : database.TableFiles()) {
      blocks += BlocksOf(file).size();
    }
    const uint64_t partitions = layout.partitioned ? blocks : 0;
    ExpectIntact(database.path(),
                 "2 tables intact: " + std::to_string(blocks) +
                     " filter blocks, " + std::to_string(partitions) +
                     " of them partitions; 4,000 keys" +
                     (layout.prefixes ? ", 4,000 prefixes\n" : "\n"));
  }
}

// Three tables, of which the second is damaged.
class VerifyDamageTest
    : public testing::TestWithParam<std::tuple<Policy, bool>> {
 protected:
  VerifyDamageTest()
      : database_(OptionsOf(std::get<0>(GetParam()).id, partitioned(),
                            rocksdb::kCRC32c)) {
    for (int table = 0; table < 3; ++table) {
      database_.WriteTable(10000 * table, 10000 * table + 6000);
    }
    // The newest comes first.
    file_ = database_.TableFiles()[1];
    other_file_ = database_.TableFiles()[0];
    blocks_ = BlocksOf(file_);
    database_.Close();
  }

  static bool partitioned() { return std::get<1>(GetParam()); }

  ScratchDatabase database_;
  std::string file_, other_file_;
  std::vector<std::string> blocks_;
};

INSTANTIATE_TEST_SUITE_P(All, VerifyDamageTest,
                         testing::Combine(testing::ValuesIn(kPolicies),
                                          testing::Bool()),
                         [](const auto& test) {
                           return std::string(std::get<0>(test.param).name) +
                                  (std::get<1>(test.param) ? "Partitioned"
                                                           : "Full");
                         });

TEST_P(VerifyDamageTest, FlippedBytesAreFound) {
  ExpectIntact(database_.path(), "3 tables intact: ");
  const std::string contents = ReadWholeFile(file_);
  std::vector<size_t> places;
  for (const std::string& block : {blocks_.front(), blocks_.back()}) {
    const size_t begin = OffsetIn(file_, block);
    places.insert(places.end(),
                  {begin, begin + block.size() / 2, begin + block.size() - 1,
                   begin + block.size() + kBlockTrailerBytes - 1});
  }
  if (partitioned()) {
    // Their index, right behind the last one.
    places.push_back(OffsetIn(file_, blocks_.back()) + blocks_.back().size() +
                     kBlockTrailerBytes + 1);
  }
  for (const size_t place : places) {
    SCOPED_TRACE(place);
    FlipByte(file_, place);
    ExpectDamaged(database_.path(), file_, "filter can't be read: Corruption");
    Overwrite(file_, 0, contents);
  }
  ExpectIntact(database_.path(), "3 tables intact: ");
  FlipByte(file_, 100);  // the first data block
  ExpectDamaged(database_.path(), file_, "checksum mismatch");
}

TEST_P(VerifyDamageTest, TheFilterOfAnotherTableIsFound) {
  const std::vector<std::string> others = BlocksOf(other_file_);
  for (const size_t i : {size_t{0}, blocks_.size() - 1}) {
    const std::string contents = ReadWholeFile(file_);
    std::string other;
    for (const std::string& candidate : others) {
      if (candidate.size() == blocks_[i].size()) other = candidate;
    }
    ASSERT_NE(other, "") << "no block has the size";
    ReplaceBlock(file_, blocks_[i], other);
    // RocksDB has no complaint.
    EXPECT_EQ(BlocksOf(file_).size(), blocks_.size());
    ExpectDamaged(database_.path(), file_, "' does not pass ");
    Overwrite(file_, 0, contents);
  }
}

// Three tables with our filters, of which the second is damaged.
class VerifyOursTest : public testing::TestWithParam<bool> {
 protected:
  VerifyOursTest()
      : database_(OptionsOf("oneline:10", GetParam(), rocksdb::kCRC32c)) {
    for (int table = 0; table < 3; ++table) {
      database_.WriteTable(10000 * table, 10000 * table + 6000);
    }
    file_ = database_.TableFiles()[1];
    blocks_ = BlocksOf(file_);
    database_.Close();
  }

  // Changes bytes of the last block, behind an intact checksum of RocksDB's.
  void Change(const std::function<void(std::string*)>& change) {
    std::string changed = blocks_.back();
    change(&changed);
    ReplaceBlock(file_, blocks_.back(), changed);
  }

  ScratchDatabase database_;
  std::string file_;
  std::vector<std::string> blocks_;
};

INSTANTIATE_TEST_SUITE_P(All, VerifyOursTest, testing::Bool(),
                         [](const auto& test) {
                           return test.param ? "Partitioned" : "Full";
                         });

TEST_P(VerifyOursTest, ACutFileIsFound) {
  const size_t bytes = ReadWholeFile(file_).size();
  for (const size_t left : {bytes - 1, bytes / 2, size_t{3}, size_t{0}}) {
    CutTo(file_, left);
    ExpectDamaged(database_.path(), file_, "its end is lost or damaged");
  }
}

TEST_P(VerifyOursTest, AMissingFileIsFound) {
  std::filesystem::remove(file_);
  ExpectDamaged(database_.path(), file_, "the file is missing");
}

// Partitions of the same table that changed places.
TEST_P(VerifyOursTest, PartitionsInTheWrongPlaceAreFound) {
  if (!GetParam()) return;
  for (size_t i = 0; i + 1 < blocks_.size(); ++i) {
    if (blocks_[i].size() != blocks_[i + 1].size()) continue;
    ReplaceBlock(file_, blocks_[i], blocks_[i + 1]);
    ExpectDamaged(database_.path(), file_, "' does not pass ");
    return;
  }
  FAIL() << "no neighbours are of one size";
}

TEST_P(VerifyOursTest, ADamagedTrailerIsFound) {
  Change([](std::string* block) { (*block)[block->size() - 28] ^= 1; });
  ExpectDamaged(database_.path(), file_, "checksum");
}

// RocksDB would take it for a filter of its own that says "maybe" to all.
TEST_P(VerifyOursTest, ALostMagicIsFound) {
  Change([](std::string* block) { block->back() = 0x6c; });
  ExpectDamaged(database_.path(), file_,
                "neither a filter of ours nor one of RocksDB's");
}

TEST_P(VerifyOursTest, AWrongNumberOfKeysIsFound) {
  Change([](std::string* block) {
    auto trailer = DecodeTrailer(*block);
    ASSERT_TRUE(trailer.ok());
    ++trailer->num_keys;
    EncodeTrailer(*trailer, reinterpret_cast<uint8_t*>(block->data()) +
                                block->size() - kTrailerBytes);
  });
  ExpectDamaged(database_.path(), file_,
                "the filter is of 3001 keys, but the table's properties tell "
                "of 3000");
}

TEST_P(VerifyOursTest, AnotherSeedIsFound) {
  Change([](std::string* block) {
    auto trailer = DecodeTrailer(*block);
    ASSERT_TRUE(trailer.ok());
    ++trailer->seed;
    EncodeTrailer(*trailer, reinterpret_cast<uint8_t*>(block->data()) +
                                block->size() - kTrailerBytes);
  });
  ExpectDamaged(database_.path(), file_, "' does not pass ");
}

// Leaves one key, or prefix, out of the filters that it builds, and counts it.
class ForgetfulBuilder final : public rocksdb::FilterBitsBuilder {
 public:
  ForgetfulBuilder(rocksdb::FilterBitsBuilder* builder,
                   const std::string& forgotten)
      : builder_(builder), forgotten_(forgotten) {}

  void AddKey(const rocksdb::Slice& key) override {
    // Another one in its place, so that only the lookup can tell.
    builder_->AddKey(key == forgotten_ ? "something else" : key);
  }
#if ONELINE_ROCKSDB_VERSION >= 90600
  void AddKeyAndAlt(const rocksdb::Slice& key,
                    const rocksdb::Slice& alt) override {
    builder_->AddKeyAndAlt(key == forgotten_ ? "something else" : key,
                           alt == forgotten_ ? "something else" : alt);
  }
#endif
  size_t EstimateEntriesAdded() override {
    return builder_->EstimateEntriesAdded();
  }
  rocksdb::Slice Finish(std::unique_ptr<const char[]>* buf) override {
    return builder_->Finish(buf);
  }
  rocksdb::Slice Finish(std::unique_ptr<const char[]>* buf,
                        rocksdb::Status* status) override {
    return builder_->Finish(buf, status);
  }
  rocksdb::Status MaybePostVerify(const rocksdb::Slice& filter) override {
    return builder_->MaybePostVerify(filter);
  }
  size_t ApproximateNumEntries(size_t bytes) override {
    return builder_->ApproximateNumEntries(bytes);
  }
#if ONELINE_ROCKSDB_VERSION >= 100900
  size_t CalculateSpace(size_t n) override {
    return builder_->CalculateSpace(n);
  }
  double EstimatedFpRate(size_t n, size_t bytes) override {
    return builder_->EstimatedFpRate(n, bytes);
  }
#endif

 private:
  const std::unique_ptr<rocksdb::FilterBitsBuilder> builder_;
  const std::string forgotten_;
};

class ForgetfulPolicy final : public rocksdb::FilterPolicy {
 public:
  ForgetfulPolicy(const PolicyPtr& policy, const std::string& forgotten)
      : policy_(policy), forgotten_(forgotten) {}

  const char* Name() const override { return policy_->Name(); }
  const char* CompatibilityName() const override {
    return policy_->CompatibilityName();
  }
  rocksdb::FilterBitsBuilder* GetBuilderWithContext(
      const rocksdb::FilterBuildingContext& context) const override {
    return new ForgetfulBuilder(policy_->GetBuilderWithContext(context),
                                forgotten_);
  }
  rocksdb::FilterBitsReader* GetFilterBitsReader(
      const rocksdb::Slice& block) const override {
    return policy_->GetFilterBitsReader(block);
  }

 private:
  const PolicyPtr policy_;
  const std::string forgotten_;
};

// One key in a few thousand, which only its lookup can find missing: a key that
// is put, one that is deleted, a prefix; the first and the last of all.
TEST(VerifyTest, OneMissingKeyIsFound) {
  TableLayout full = {"full"}, partitioned = {"partitioned"};
  partitioned.partitioned = true;
  TableLayout both = full, prefixes = partitioned;
  both.prefixes = true;
  prefixes.prefixes = true;
  prefixes.whole_keys = false;
  for (const Policy& policy : {kPolicies[0], kPolicies[2]}) {
    for (const TableLayout& layout : {full, partitioned, both, prefixes}) {
      for (const int forgotten : {0, 1001, 3999}) {
        const std::string key = layout.prefixes
                                    ? KeyAt(forgotten).substr(0, kPrefixBytes)
                                    : KeyAt(forgotten);
        SCOPED_TRACE(std::string(policy.name) + " " + layout.name + " " + key);
        ScratchDatabase database(OptionsFor(
            layout,
            std::make_shared<ForgetfulPolicy>(PolicyNamed(policy.id), key)));
        for (int i = 1; i < 4000; i += 2) {
          ASSERT_TRUE(database->Delete(rocksdb::WriteOptions(), KeyAt(i)).ok());
        }
        database.WriteTable(0, 4000);
        const std::string file = database.TableFiles()[0];
        const Finished program = RunOneline("verify " + database.path());
        // By chance a missing key may pass.
        const auto may_pass = [&] {
          const auto table = PolicyNamed(policy.id);
          for (const std::string& block : BlocksOf(file)) {
            const std::unique_ptr<rocksdb::FilterBitsReader> reader(
                table->GetFilterBitsReader(block));
            if (reader->MayMatch(key)) return true;
          }
          return false;
        };
        if (may_pass()) continue;
        EXPECT_EQ(program.exit_code, 1) << program.out;
        EXPECT_TRUE(Contains(program.out, file + ": damaged: the key '" +
                                              KeyAt(forgotten) +
                                              "' does not pass "))
            << program.out;
      }
    }
  }
}

TEST(VerifyTest, LevelsFamiliesAndCompressionAreNoObstacle) {
  rocksdb::Options options = OptionsWith(OurPolicy(10));
  options.compression = rocksdb::kLZ4Compression;
  options.target_file_size_base = 10000;
  ScratchDatabase database(options);
  database.WriteTable(0, 8000);
  database.CompactAll();
  database.WriteTable(100, 300);
  rocksdb::ColumnFamilyHandle* family = nullptr;
  ASSERT_TRUE(
      database
          ->CreateColumnFamily(OptionsWith(PolicyNamed("ribbonfilter:10:0")),
                               "other", &family)
          .ok());
  rocksdb::ColumnFamilyHandle* unfiltered = nullptr;
  ASSERT_TRUE(
      database
          ->CreateColumnFamily(OptionsWith(nullptr), "unfiltered", &unfiltered)
          .ok());
  for (rocksdb::ColumnFamilyHandle* handle : {family, unfiltered}) {
    for (int i = 0; i < 500; ++i) {
      ASSERT_TRUE(
          database->Put(rocksdb::WriteOptions(), handle, KeyAt(i), "v").ok());
    }
    ASSERT_TRUE(database->Flush(rocksdb::FlushOptions(), handle).ok());
  }
  const size_t tables = database.TableFiles().size();
  ASSERT_GT(tables, 5u);
  const Finished once = RunOneline("verify " + database.path());
  EXPECT_EQ(once.exit_code, 0) << once.out << once.err;
  EXPECT_EQ(once.out, "1 table without a filter\n" +
                          std::to_string(tables - 1) +
                          " tables intact: " + std::to_string(tables - 1) +
                          " filter blocks, 0 of them partitions; 4,600 keys\n");
  // Any number of threads says the same.
  EXPECT_EQ(RunOneline("verify --jobs 4 " + database.path()).out, once.out);
  // As one file.
  const Finished file = RunOneline("verify " + database.TableFiles()[0]);
  EXPECT_EQ(file.exit_code, 0) << file.out << file.err;
  EXPECT_TRUE(Contains(file.out, "1 table intact: 1 filter blocks"))
      << file.out;
  for (rocksdb::ColumnFamilyHandle* handle : {family, unfiltered}) {
    ASSERT_TRUE(database->DestroyColumnFamilyHandle(handle).ok());
  }
}

TEST(VerifyTest, NothingIsChanged) {
  ScratchDatabase database(OptionsWith(OurPolicy(10)));
  for (int table = 0; table < 3; ++table) {
    database.WriteTable(1000 * table, 1000 * table + 500);
  }
  FlipByte(database.TableFiles()[1], 100);
  database.Close();
  const auto before = FilesIn(database.path());
  EXPECT_EQ(RunOneline("verify --jobs=2 " + database.path()).exit_code, 1);
  EXPECT_EQ(FilesIn(database.path()), before);
}

// Another process looks while this one writes and compacts.
TEST(VerifyTest, BesideARunningDatabase) {
  rocksdb::Options options = OptionsWith(OurPolicy(10));
  options.disable_auto_compactions = false;
  options.write_buffer_size = 64 << 10;
  options.target_file_size_base = 64 << 10;
  options.level0_file_num_compaction_trigger = 2;
  ScratchDatabase database(options);
  std::atomic<bool> stop{false};
  std::thread writer([&] {
    for (int i = 0; !stop; ++i) {
      const int key =
          static_cast<int>(static_cast<unsigned>(i) * 2654435761u % 50000u);
      ASSERT_TRUE(
          database->Put(rocksdb::WriteOptions(), KeyAt(key), ValueAt(i)).ok());
    }
  });
  for (int i = 0; i < 10; ++i) {
    const Finished program = RunOneline("verify " + database.path());
    EXPECT_EQ(program.exit_code, 0) << program.out << program.err;
  }
  stop = true;
  writer.join();
}

TEST(VerifyTest, AnUnknownExtractorIsSaid) {
  // A name that nobody can make one of.
  class Odd final : public rocksdb::SliceTransform {
   public:
    const char* Name() const override { return "odd extractor"; }
    rocksdb::Slice Transform(const rocksdb::Slice& key) const override {
      return {key.data(), 3};
    }
    bool InDomain(const rocksdb::Slice&) const override { return true; }
  };
  for (const bool whole_keys : {true, false}) {
    rocksdb::BlockBasedTableOptions table;
    table.whole_key_filtering = whole_keys;
    rocksdb::Options options = OptionsWith(OurPolicy(10), table);
    options.prefix_extractor = std::make_shared<Odd>();
    ScratchDatabase database(options);
    database.WriteTable(0, 1000);
    const Finished program = RunOneline("verify " + database.path());
    EXPECT_EQ(program.exit_code, 0) << program.out << program.err;
    EXPECT_TRUE(Contains(program.out, "'odd extractor'")) << program.out;
    EXPECT_TRUE(Contains(
        program.out, whole_keys ? "1 table whose prefixes were not checked\n"
                                : "1 table not checked\n"))
        << program.out;
    EXPECT_TRUE(Contains(program.out, whole_keys ? "; 500 keys" : "; 0 keys"))
        << program.out;
  }
}

TEST(VerifyTest, OtherFormatsAreSaid) {
  rocksdb::Options plain;
  plain.create_if_missing = true;
  plain.table_factory.reset(rocksdb::NewPlainTableFactory());
  plain.prefix_extractor.reset(rocksdb::NewFixedPrefixTransform(2));
  plain.allow_mmap_reads = true;
  plain.allow_concurrent_memtable_write = true;
  ScratchDatabase database(plain);
  database.WriteTable(0, 100);
  const Finished program = RunOneline("verify " + database.path());
  EXPECT_EQ(program.exit_code, 0) << program.err;
  EXPECT_TRUE(Contains(program.out, "not checked: is a PlainTable"))
      << program.out;
  EXPECT_TRUE(Contains(program.out, "1 table not checked\n")) << program.out;
  ExpectRefusal(RunOneline("verify " + database.TableFiles()[0]),
                "is a PlainTable");
}

TEST(VerifyTest, WrongPathsAreRefused) {
  const TemporaryDirectory directory;
  ExpectRefusal(RunOneline("verify " + directory.File("none")), "No such file");
  ExpectRefusal(RunOneline("verify " + directory.path()),
                "it has no file CURRENT");
  std::ofstream(directory.File("text")) << "some text that is no table\n";
  ExpectRefusal(RunOneline("verify " + directory.File("text")),
                "is no SST file");
  leveldb::Options options;
  options.create_if_missing = true;
  leveldb::DB* db = nullptr;
  ASSERT_TRUE(leveldb::DB::Open(options, directory.File("leveldb"), &db).ok());
  ASSERT_TRUE(db->Put(leveldb::WriteOptions(), "key", "value").ok());
  delete db;
  ExpectRefusal(RunOneline("verify " + directory.File("leveldb")),
                "is a database of LevelDB");
  ExpectRefusal(RunOneline("verify"), "usage: oneline verify PATH");
  ExpectRefusal(RunOneline("verify --jobs=0 " + directory.path()),
                "must be a number from 1 to 256");
}

TEST(VerifyTest, HelpTellsWhatItDoes) {
  const Finished program = RunOneline("verify --help");
  EXPECT_EQ(program.exit_code, 0);
  EXPECT_TRUE(Contains(program.out, "Exit codes:"));
  EXPECT_TRUE(Contains(program.out, "--jobs"));
  EXPECT_TRUE(Contains(RunOneline("help").out, "verify"));
}

}  // namespace
}  // namespace oneline
