// Filters damaged on disk, in databases that are open or opened afterwards.
// RocksDB's checksum finds the damage: lookups then go on without the filter,
// and no key is lost. Where RocksDB does not check, what is damaged in a line
// can only hide keys of that line, and what is damaged in the trailer none.

#include <gtest/gtest.h>
#include <rocksdb/cache.h>
#include <rocksdb/version.h>

#include <functional>
#include <random>
#include <string>
#include <vector>

#include "table/block/filter_block.h"
#include "tests/filter_policy/scratch_database.h"
#include "tests/filter_policy/table_layouts.h"
#include "tests/test_seed.h"
#include "tests/tools/filter_blocks.h"
#include "tests/tools/table_bytes.h"

namespace oneline {
namespace {

using rocksdb::Status;

constexpr int kKeys = 2000;  // half of them are put
constexpr size_t kLineBytes = 64;
// The lines of a filter with 10 bits per key have 51 keys on average.
constexpr int kMaxKeysOfALine = 120;

// 7.8 reads filters with checks, whatever ReadOptions say. 9.7 obeys them.
constexpr bool kReadOptionsApplyToFilters = ROCKSDB_MAJOR >= 8;

enum class Part { kLines, kTrailer };

struct Damaged {
  bool partitioned = false;
  bool mmap = false;
  // Whether the database is open when the bytes change. It then has a cache
  // that keeps nothing, so filters are read again.
  bool running = false;
  Part part = Part::kLines;

  Kind kind() const { return mmap ? Kind::kBloom : Kind::kRibbon; }
};

std::string NameOf(const testing::TestParamInfo<Damaged>& test) {
  const Damaged& damaged = test.param;
  return std::string(damaged.partitioned ? "Partitioned" : "Full") +
         (damaged.mmap ? "Mmap" : "") +
         (damaged.running ? "WhileOpen" : "BeforeOpen") +
         (damaged.part == Part::kLines ? "Lines" : "Trailer");
}

std::vector<Damaged> AllDamaged() {
  std::vector<Damaged> all;
  for (const bool partitioned : {false, true}) {
    for (const bool mmap : {false, true}) {
      for (const bool running : {false, true}) {
        for (const Part part : {Part::kLines, Part::kTrailer}) {
          all.push_back({partitioned, mmap, running, part});
        }
      }
    }
  }
  return all;
}

rocksdb::Options OptionsOf(const Damaged& damaged, bool cached) {
  TableLayout layout = {"damaged"};
  layout.partitioned = damaged.partitioned;
  layout.mmap = damaged.mmap;
  layout.cached = cached;
  layout.bloom = damaged.kind() == Kind::kBloom;
  rocksdb::Options options = OptionsFor(layout, PolicyFor(layout));
  auto* const table =
      options.table_factory->GetOptions<rocksdb::BlockBasedTableOptions>();
  table->checksum = rocksdb::kCRC32c;  // for ReplaceBlock
  if (cached) table->block_cache = rocksdb::NewLRUCache(0);
  return options;
}

// What lookups of all keys found.
struct Answers {
  int missing = 0;  // keys that were put, and "not found"
  int errors = 0;
  int wrong = 0;  // other values, or keys that were not put
};

Answers LookUpAll(const ScratchDatabase& database, bool verify_checksums) {
  rocksdb::ReadOptions options;
  options.verify_checksums = verify_checksums;
  Answers answers;
  for (int i = 0; i < kKeys; ++i) {
    std::string value;
    const Status status = database->Get(options, KeyAt(i), &value);
    const bool put = i % 2 == 0;
    if (status.IsNotFound()) {
      answers.missing += put;
    } else if (!status.ok()) {
      ++answers.errors;
    } else {
      answers.wrong += !put || value != ValueAt(i);
    }
  }
  return answers;
}

class DamagedFilterTest : public testing::TestWithParam<Damaged> {
 protected:
  DamagedFilterTest() : database_(OptionsOf(GetParam(), GetParam().running)) {
    database_.WriteTable(0, kKeys);
    file_ = database_.TableFiles().at(0);
    blocks_ = BlocksOf(file_);
  }

  size_t Offset(const std::string& block) {
    const size_t lines = block.size() - kTrailerBytes;
    return GetParam().part == Part::kLines ? random_() % lines
                                           : lines + random_() % kTrailerBytes;
  }

  // Damages a byte of every filter block. False if RocksDB then refuses to open
  // the database: it does so for partitions, which it reads ahead, but goes on
  // without a full filter.
  bool DamageAll() {
    EXPECT_EQ(blocks_.size() > 1, GetParam().partitioned);
    if (!GetParam().running) database_.Close();
    for (const std::string& block : blocks_) {
      FlipByte(file_, OffsetIn(file_, block) + Offset(block));
    }
    if (GetParam().running) return true;
    const Status status = database_.TryReopen(OptionsOf(GetParam(), false));
    if (status.ok()) return true;
    EXPECT_TRUE(GetParam().partitioned && status.IsCorruption())
        << status.ToString();
    EXPECT_NE(status.ToString().find("checksum"), std::string::npos)
        << status.ToString();
    return false;
  }

  std::mt19937_64 random_ = TestRandom();
  ScratchDatabase database_;
  std::string file_;
  std::vector<std::string> blocks_;
};

INSTANTIATE_TEST_SUITE_P(All, DamagedFilterTest,
                         testing::ValuesIn(AllDamaged()), NameOf);

TEST_P(DamagedFilterTest, HidesNoKeyWhereChecksumsAreVerified) {
  ExpectFiltered(database_, 0, kKeys);
  if (!DamageAll()) return;
  const uint64_t before = database_.Ticker(rocksdb::BLOOM_FILTER_USEFUL);
  const Answers answers = LookUpAll(database_, /*verify_checksums=*/true);
  EXPECT_EQ(answers.missing, 0);
  EXPECT_EQ(answers.errors, 0);
  EXPECT_EQ(answers.wrong, 0);
  EXPECT_EQ(database_.Ticker(rocksdb::BLOOM_FILTER_USEFUL), before)
      << "a damaged filter was used";
  // A compaction replaces the filter.
  database_.CompactAll();
  ExpectFiltered(database_, 0, kKeys);
}

TEST_P(DamagedFilterTest, HidesNoMoreThanItsLinesWithoutChecksums) {
  if (!DamageAll()) return;
  const Answers answers = LookUpAll(database_, /*verify_checksums=*/false);
  EXPECT_EQ(answers.errors, 0);
  EXPECT_EQ(answers.wrong, 0);
  if (GetParam().part == Part::kTrailer || !GetParam().running ||
      !kReadOptionsApplyToFilters) {
    EXPECT_EQ(answers.missing, 0);
  } else {
    EXPECT_LE(answers.missing, kMaxKeysOfALine * blocks_.size());
  }
}

// As if RocksDB had not checked: the checksum is right for the damaged bytes.
TEST_P(DamagedFilterTest, HidesNoMoreThanOneLineWhereTheChecksumIsForged) {
  if (!GetParam().running) database_.Close();
  const std::string& block = blocks_[random_() % blocks_.size()];
  std::string damaged = block;
  if (GetParam().part == Part::kTrailer) {
    // The seed, without which all keys would be missed.
    damaged[block.size() - kTrailerBytes + random_() % 8] ^= 0x10;
  } else {
    const size_t line = Offset(block) / kLineBytes * kLineBytes;
    // Not the header: one Ribbon header of 64 says that the line answers "maybe".
    for (size_t i = 2; i < kLineBytes; ++i) {
      damaged[line + i] = static_cast<char>(random_());
    }
  }
  ReplaceBlock(file_, block, damaged);
  if (!GetParam().running) database_.Reopen(OptionsOf(GetParam(), false));
  const Answers answers = LookUpAll(database_, /*verify_checksums=*/true);
  EXPECT_EQ(answers.errors, 0);
  EXPECT_EQ(answers.wrong, 0);
  if (GetParam().part == Part::kTrailer) {
    EXPECT_EQ(answers.missing, 0);
  } else {
    // Some lines of a partition may have no keys.
    if (!GetParam().partitioned) {
      EXPECT_GT(answers.missing, 0) << "the filter was not read";
    }
    EXPECT_LE(answers.missing, kMaxKeysOfALine);
  }
}

// A filter that is neither in the block cache nor copied, but lies in the
// mapped file, is checked when the table is opened and never again.
TEST(MappedFilterTest, HidesNoMoreThanOneLineIfChangedAfterOpening) {
  Damaged damaged;
  damaged.mmap = true;
  ScratchDatabase database(OptionsOf(damaged, false));
  database.WriteTable(0, kKeys);
  const std::string file = database.TableFiles().at(0);
  const std::string block = BlocksOf(file).at(0);
  const size_t line = OffsetIn(file, block) + kLineBytes;
  Overwrite(file, line, std::string(kLineBytes, '\x5a'));
  Answers answers = LookUpAll(database, /*verify_checksums=*/true);
  EXPECT_GT(answers.missing, 0) << "the filter was not in the mapped file";
  EXPECT_LE(answers.missing, kMaxKeysOfALine);
  EXPECT_EQ(answers.errors + answers.wrong, 0);
  database.Reopen(OptionsOf(damaged, false));
  answers = LookUpAll(database, /*verify_checksums=*/true);
  EXPECT_EQ(answers.missing + answers.errors + answers.wrong, 0);
}

}  // namespace
}  // namespace oneline
