// Tests of `oneline verify` on databases with damaged tables: each kind of
// damage is found, and in the right file.

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <functional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "table/block/filter_block.h"
#include "tests/filter_policy/scratch_database.h"
#include "tests/filter_policy/table_layouts.h"
#include "tests/sanitizers.h"
#include "tests/tools/filter_blocks.h"
#include "tests/tools/run_oneline.h"
#include "tests/tools/table_bytes.h"
#include "tools/verify/verify_table.h"

namespace oneline {
namespace {

struct Policy {
  const char* name;
  const char* id;  // as in OPTIONS files
};
constexpr Policy kPolicies[] = {
    {"Ribbon", "oneline:10"},
    {"Bloom", "{id=oneline;kind=bloom}"},
    {"RocksDBBloom", "bloomfilter:10:false"},
    {"RocksDBRibbon", "ribbonfilter:10:-1"},
};

// Options with the checksum type that ReplaceBlock writes, and blocks whose
// size is that of their keys: RocksDB, by default from 9.2 on, rounds it to
// what malloc happens to give, and then no two may be exchangeable.
rocksdb::Options OptionsOf(const char* policy, bool partitioned) {
  TableLayout layout = {"verify"};
  layout.partitioned = partitioned;
  rocksdb::Options options = OptionsFor(layout, PolicyNamed(policy));
  auto* table =
      options.table_factory->GetOptions<rocksdb::BlockBasedTableOptions>();
  table->checksum = rocksdb::kCRC32c;
  table->optimize_filters_for_memory = false;
  return options;
}

// `verify` finds damage in this table and in no other of three; its message
// contains `why`.
void ExpectDamaged(const std::string& path, const std::string& file,
                   const std::string& why) {
  const Finished program = RunOneline("verify " + path);
  EXPECT_EQ(program.exit_code, 1) << program.out << program.err;
  EXPECT_TRUE(Contains(program.out, file + ": damaged: ")) << program.out;
  EXPECT_TRUE(Contains(program.out, why)) << program.out;
  EXPECT_TRUE(Contains(program.out, "1 table DAMAGED\n")) << program.out;
  EXPECT_TRUE(Contains(program.out, "2 tables intact: ")) << program.out;
}

void ExpectIntact(const std::string& path) {
  const Finished program = RunOneline("verify " + path);
  EXPECT_EQ(program.exit_code, 0) << program.out << program.err;
  EXPECT_TRUE(Contains(program.out, "3 tables intact: ")) << program.out;
  EXPECT_FALSE(Contains(program.out, "DAMAGED")) << program.out;
}

// Three tables; the tests damage the second.
class VerifyDamageTest
    : public testing::TestWithParam<std::tuple<Policy, bool>> {
 protected:
  VerifyDamageTest()
      : database_(OptionsOf(std::get<0>(GetParam()).id, partitioned())) {
    for (int table = 0; table < 3; ++table) {
      database_.WriteTable(10000 * table, 10000 * table + 6000);
    }
    // TableFiles has the newest table first.
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

// A few places; sst_reader_damage_test.cc damages every part of a filter.
TEST_P(VerifyDamageTest, FlippedBytesAreFound) {
  ExpectIntact(database_.path());
  const std::string contents = ReadWholeFile(file_);
  std::vector<size_t> places = {OffsetIn(file_, blocks_.front())};
  if (partitioned()) {
    // The index of the partitions, which follows the last one.
    places.push_back(OffsetIn(file_, blocks_.back()) + blocks_.back().size() +
                     kBlockTrailerBytes + 1);
  }
  for (const size_t place : places) {
    SCOPED_TRACE(place);
    FlipByte(file_, place);
    ExpectDamaged(database_.path(), file_, "filter can't be read: Corruption");
    Overwrite(file_, 0, contents);
  }
  ExpectIntact(database_.path());
  FlipByte(file_, 100);  // the first data block
  ExpectDamaged(database_.path(), file_, "checksum mismatch");
}

TEST_P(VerifyDamageTest, TheFilterOfAnotherTableIsFound) {
  const std::vector<std::string> others = BlocksOf(other_file_);
  // The first and the last block, which are the same without partitions.
  for (const size_t i : std::set<size_t>{0, blocks_.size() - 1}) {
    const std::string contents = ReadWholeFile(file_);
    std::string other;
    for (const std::string& candidate : others) {
      if (candidate.size() == blocks_[i].size()) other = candidate;
    }
    ASSERT_NE(other, "") << "no block has the size";
    ReplaceBlock(file_, blocks_[i], other);
    // RocksDB reads the block without an error.
    EXPECT_EQ(BlocksOf(file_).size(), blocks_.size());
    ExpectDamaged(database_.path(), file_, "' does not pass ");
    Overwrite(file_, 0, contents);
  }
}

// Three tables with our filters; the tests damage the second.
class VerifyOursTest : public testing::TestWithParam<bool> {
 protected:
  VerifyOursTest() : database_(OptionsOf(kPolicies[0].id, GetParam())) {
    for (int table = 0; table < 3; ++table) {
      database_.WriteTable(10000 * table, 10000 * table + 6000);
    }
    file_ = database_.TableFiles()[1];
    blocks_ = BlocksOf(file_);
    database_.Close();
  }

  // Changes the last block, and writes the right checksum of RocksDB's for it.
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

// A partition in the place of another one.
TEST_P(VerifyOursTest, PartitionsInTheWrongPlaceAreFound) {
  if (!GetParam()) return;
  const auto keys = [this](size_t i) {
    return DecodeTrailer(blocks_[i])->num_keys;
  };
  for (size_t i = 0; i < blocks_.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      if (blocks_[i].size() != blocks_[j].size() || keys(i) != keys(j))
        continue;
      ReplaceBlock(file_, blocks_[i], blocks_[j]);
      ExpectDamaged(database_.path(), file_, "' does not pass ");
      return;
    }
  }
  FAIL() << "no two have as many keys and bytes";
}

TEST_P(VerifyOursTest, ADamagedTrailerIsFound) {
  Change(
      [](std::string* block) { (*block)[block->size() - kTrailerBytes] ^= 1; });
  ExpectDamaged(database_.path(), file_, "checksum");
}

// RocksDB would take the block for a filter of its own that says "maybe" to
// all.
TEST_P(VerifyOursTest, ALostMagicIsFound) {
  Change([](std::string* block) { block->back() = 0x6c; });
  ExpectDamaged(database_.path(), file_,
                "neither a filter of ours nor one of RocksDB's");
}

TEST_P(VerifyOursTest, AWrongNumberOfKeysIsFound) {
  Change([](std::string* block) {
    auto trailer = DecodeTrailer(*block);
    ASSERT_TRUE(trailer.has_value());
    ++trailer->num_keys;
    EncodeTrailer(*trailer, reinterpret_cast<uint8_t*>(block->data()) +
                                block->size() - kTrailerBytes);
  });
  ExpectDamaged(database_.path(), file_,
                "the filter has 3001 keys, but the table's properties say "
                "3000");
}

TEST_P(VerifyOursTest, AnotherSeedIsFound) {
  Change([](std::string* block) {
    auto trailer = DecodeTrailer(*block);
    ASSERT_TRUE(trailer.has_value());
    ++trailer->seed;
    EncodeTrailer(*trailer, reinterpret_cast<uint8_t*>(block->data()) +
                                block->size() - kTrailerBytes);
  });
  ExpectDamaged(database_.path(), file_, "' does not pass ");
}

void Swap(const std::string& a, const std::string& b) {
  const std::string other = a + ".other";
  std::filesystem::rename(a, other);
  std::filesystem::rename(b, a);
  std::filesystem::rename(other, b);
}

// Each is sound, but lookups go to the wrong one.
TEST(VerifySwappedTest, TablesWithEachOthersNamesAreFound) {
  for (const char* policy : {"oneline:10", "nullptr"}) {
    // Other keys; the same keys in the same order, written twice.
    for (const int second : {100, 10000, 0}) {
      ScratchDatabase database(OptionsWith(
          policy == std::string("nullptr") ? nullptr : PolicyNamed(policy)));
      database.WriteTable(0, 6000);
      database.WriteTable(second, second + 6000);
      const std::vector<std::string> files = database.TableFiles();
      database.Close();
      EXPECT_EQ(RunOneline("verify " + database.path()).exit_code, 0);
      Swap(files[0], files[1]);
      const Finished program = RunOneline("verify " + database.path());
      EXPECT_EQ(program.exit_code, 1);
      const std::string number =
          std::filesystem::path(files[1]).filename().string();
      EXPECT_TRUE(Contains(program.out, files[0] + ": damaged: is " + number +
                                            ", by its properties\n"))
          << program.out;
      EXPECT_TRUE(Contains(program.out, "2 tables DAMAGED\n")) << program.out;
    }
  }
}

// What the MANIFEST says of a table that is in another's place.
TEST(VerifySwappedTest, TheSizeAndTheRangeOfKeysAreCompared) {
  for (const char* policy : {"oneline:10", "nullptr"}) {
    const bool filtered = policy != std::string("nullptr");
    ScratchDatabase database(
        OptionsWith(filtered ? PolicyNamed(policy) : nullptr));
    database.WriteTable(0, 1000);
    TableFile file;
    file.path = database.TableFiles()[0];
    file.bytes = std::filesystem::file_size(file.path);
    file.level = 1;
    file.smallest_key = KeyAt(0);
    file.largest_key = KeyAt(998);
    const auto message = [](const TableFile& one) {
      return VerifyTable(one, [](uint64_t, uint64_t) {}).message;
    };
    EXPECT_EQ(message(file), "");
    TableFile other = file;
    ++other.bytes;
    EXPECT_TRUE(Contains(message(other), "bytes, but the MANIFEST says "));
    other = file;
    other.smallest_key = KeyAt(1);
    EXPECT_TRUE(Contains(message(other), "the first key is "));
    other = file;
    other.largest_key = KeyAt(996);
    EXPECT_EQ(Contains(message(other), "the last key is "), filtered);
    // A file that is verified alone.
    other.level = -1;
    EXPECT_EQ(message(other), "");
  }
}

TEST(VerifyUnreadableTest, TooFewDescriptorsAreNoDamage) {
  if (kSanitized) GTEST_SKIP() << "sanitizers open files themselves";
  ScratchDatabase database(OptionsWith(OurPolicy(10)));
  for (int i = 0; i < 12; ++i) database.WriteTable(i, 40000);
  database.Close();
  int failed = 0;
  for (const int descriptors : {6, 7, 9, 12}) {
    const Finished run =
        RunProgram("{ ulimit -n " + std::to_string(descriptors) + "; " +
                   Oneline() + " verify " + database.path() + " --jobs=12; }");
    EXPECT_FALSE(Contains(run.out, "damaged")) << descriptors << run.out;
    EXPECT_TRUE(run.exit_code == 0 || run.exit_code == 2) << run.exit_code;
    if (run.exit_code == 2) {
      ++failed;
      EXPECT_TRUE(Contains(run.err, "Too many open files")) << run.err;
    }
  }
  EXPECT_GT(failed, 0);
}

TEST(VerifyUnreadableTest, AFifoIsNoTable) {
  ScratchDatabase database(OptionsWith(OurPolicy(10)));
  for (int i = 0; i < 3; ++i) database.WriteTable(1000 * i, 1000 * i + 1000);
  const std::string file = database.TableFiles()[1];
  database.Close();
  std::filesystem::remove(file);
  ASSERT_EQ(mkfifo(file.c_str(), 0600), 0);
  ExpectDamaged(database.path(), file, "is not a regular file");
}

// Nothing but RocksDB's assertions may notice it, which abort.
TEST(VerifyWithoutChecksumsTest, DamageDoesNotCrashIt) {
  rocksdb::BlockBasedTableOptions layout;
  layout.checksum = rocksdb::kNoChecksum;
  rocksdb::Options options = OptionsWith(OurPolicy(10), layout);
  options.compression = rocksdb::kNoCompression;
  ScratchDatabase database(options);
  database.WriteTable(0, 20);
  const std::string file = database.TableFiles()[0];
  database.Close();
  // The end of the data block, one restart point at offset 0, and the block's
  // type of compression. The highest bit of the number of restarts says that
  // there is a hash index before them.
  const char end[] = {0, 0, 0, 0, 1, 0, 0, 0, 0};
  const size_t offset = OffsetIn(file, std::string_view(end, sizeof(end)));
  Overwrite(file, offset + 7, "\x80");
  for (const std::string command : {"verify", "inspect"}) {
    const Finished run = RunOneline(command + " " + database.path());
    EXPECT_TRUE(run.exit_code >= 0 && run.exit_code <= 2) << run.exit_code;
    if (run.exit_code == 2) {
      EXPECT_TRUE(Contains(run.err, "oneline: aborted; perhaps by RocksDB"))
          << run.err;
    }
  }
}

}  // namespace
}  // namespace oneline
