// Filters damaged on disk. RocksDB's checksum finds the damage: lookups then go
// on without the filter, and no key is lost. Where the checksum is right for
// the damaged bytes, what is damaged in a line can only hide keys of that line,
// and what is damaged in the trailer none. (tests/table/block/ has every byte.)

#include <gtest/gtest.h>
#include <rocksdb/cache.h>

#include <random>
#include <string>
#include <tuple>
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

enum class Part { kLines, kTrailer };

// Whether filters are partitioned, and where they are damaged.
using Damaged = std::tuple<bool, Part>;

// What lookups of all keys found.
struct Answers {
  int missing = 0;  // keys that were put, and "not found"
  int errors = 0;
  int wrong = 0;  // other values, or keys that were not put
};

Answers LookUpAll(const ScratchDatabase& database) {
  Answers answers;
  for (int i = 0; i < kKeys; ++i) {
    std::string value;
    const Status status = database->Get({}, KeyAt(i), &value);
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
  DamagedFilterTest() : database_(Options()) {
    database_.WriteTable(0, kKeys);
    file_ = database_.TableFiles().at(0);
    blocks_ = BlocksOf(file_);
    EXPECT_EQ(blocks_.size() > 1, partitioned());
  }

  static bool partitioned() { return std::get<bool>(GetParam()); }
  static Part part() { return std::get<Part>(GetParam()); }

  // Filters are in a cache that keeps nothing, so they are read again.
  static rocksdb::Options Options() {
    TableLayout layout = {"damaged"};
    layout.partitioned = layout.bloom = partitioned();
    layout.cached = true;
    rocksdb::Options options = OptionsFor(layout, PolicyFor(layout));
    auto* const table =
        options.table_factory->GetOptions<rocksdb::BlockBasedTableOptions>();
    table->checksum = rocksdb::kCRC32c;  // for ReplaceBlock
    table->block_cache = rocksdb::NewLRUCache(0);
    return options;
  }

  size_t Offset(const std::string& block) {
    const size_t lines = block.size() - kTrailerBytes;
    return part() == Part::kLines ? random_() % lines
                                  : lines + random_() % kTrailerBytes;
  }

  std::mt19937_64 random_ = TestRandom();
  ScratchDatabase database_;
  std::string file_;
  std::vector<std::string> blocks_;
};

INSTANTIATE_TEST_SUITE_P(
    All, DamagedFilterTest,
    testing::Combine(testing::Bool(),
                     testing::Values(Part::kLines, Part::kTrailer)),
    [](const testing::TestParamInfo<Damaged>& test) {
      return std::string(std::get<bool>(test.param) ? "Partitioned" : "Full") +
             (std::get<Part>(test.param) == Part::kLines ? "Lines" : "Trailer");
    });

TEST_P(DamagedFilterTest, HidesNoKeyWhereTheChecksumTells) {
  ExpectFiltered(database_, 0, kKeys);
  for (const std::string& block : blocks_) {
    FlipByte(file_, OffsetIn(file_, block) + Offset(block));
  }
  const uint64_t before = database_.Ticker(rocksdb::BLOOM_FILTER_USEFUL);
  const Answers answers = LookUpAll(database_);
  EXPECT_EQ(answers.missing + answers.errors + answers.wrong, 0);
  EXPECT_EQ(database_.Ticker(rocksdb::BLOOM_FILTER_USEFUL), before)
      << "a damaged filter was used";
  // A compaction replaces the filter.
  database_.CompactAll();
  ExpectFiltered(database_, 0, kKeys);
}

TEST_P(DamagedFilterTest, HidesNoMoreThanOneLineWhereTheChecksumIsForged) {
  database_.Close();
  const std::string& block = blocks_[random_() % blocks_.size()];
  std::string damaged = block;
  if (part() == Part::kTrailer) {
    // The seed, without which all keys would be missed.
    damaged[block.size() - kTrailerBytes + random_() % 8] ^= 0x10;
  } else {
    const size_t line = Offset(block) / kLineBytes * kLineBytes;
    // Not the header: one Ribbon header of 64 says that the line answers
    // "maybe".
    for (size_t i = 2; i < kLineBytes; ++i) {
      damaged[line + i] = static_cast<char>(random_());
    }
  }
  ReplaceBlock(file_, block, damaged);
  database_.Reopen(Options());
  const Answers answers = LookUpAll(database_);
  EXPECT_EQ(answers.errors + answers.wrong, 0);
  if (part() == Part::kTrailer) {
    EXPECT_EQ(answers.missing, 0);
  } else {
    // Some lines of a partition may have no keys.
    if (!partitioned()) {
      EXPECT_GT(answers.missing, 0) << "the filter was not read";
    }
    EXPECT_LE(answers.missing, kMaxKeysOfALine);
  }
}

}  // namespace
}  // namespace oneline
