// Tests of table/block/filter_block.h: the pinned blocks and the reader. The
// trailer: trailer_test.cc. Damage of every byte: filter_block_damage_test.cc.

#include "table/block/filter_block.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "table/block/filter_block_builder.h"
#include "table/block/filter_kind.h"
#include "table/hash/key_hash.h"
#include "tests/golden/golden_blocks.h"
#include "tests/random_keys.h"
#include "tests/table/all_kinds.h"
#include "tests/table/supported_sets.h"
#include "tests/test_seed.h"

namespace oneline {
namespace {

uint8_t ByteFromEnd(std::string_view block, size_t i) {
  return static_cast<uint8_t>(block[block.size() - i]);
}

TEST(GoldenBlocksTest, BytesNeverChange) {
  for (const GoldenBlock& golden : GoldenBlocks()) {
    const std::string pinned = ReadGoldenBlock(golden);
    EXPECT_GE(pinned.size(), kTrailerBytes) << golden.name;
    EXPECT_EQ(GoldenText(golden, BuildGoldenBlock(golden)),
              GoldenText(golden, pinned))
        << golden.name;
  }
}

TEST(GoldenBlocksTest, StayReadable) {
  for (const GoldenBlock& golden : GoldenBlocks()) {
    SCOPED_TRACE(golden.name);
    const std::string pinned = ReadGoldenBlock(golden);
    std::string error;
    const std::optional<Trailer> trailer = DecodeTrailer(pinned, &error);
    ASSERT_TRUE(trailer.has_value()) << error;
    EXPECT_EQ(trailer->seed, golden.seed);
    EXPECT_EQ(trailer->num_keys, golden.num_keys);
    EXPECT_EQ(trailer->kind, FindKind(golden.kind)->id);
    EXPECT_EQ(trailer->version, 1);
    EXPECT_EQ(trailer->level, golden.level);
    if (golden.parameter != 0) {
      EXPECT_EQ(trailer->parameter, golden.parameter);
    } else {
      EXPECT_EQ(trailer->asked_bits_per_key, golden.bits_per_key);
    }
    for (InstructionSet set : SupportedSets()) {
      const FilterBlockReader reader(pinned, set);
      for (size_t i = 0; i < golden.num_keys; ++i) {
        EXPECT_TRUE(reader.MayMatch(GoldenKey(i))) << i;
      }
      // It is a filter, too: of a thousand other keys it denies most.
      size_t passed = 0;
      for (size_t i = 1000; i < 2000; ++i) {
        passed += reader.MayMatch(GoldenKey(i));
      }
      EXPECT_LT(passed, 100u);
    }
  }
}

// What keeps RocksDB's own readers, of any version, from misreading a block.
TEST(FilterBlockTest, EndsSoThatRocksDbAnswersMaybe) {
  for (const GoldenBlock& golden : GoldenBlocks()) {
    const std::string block = ReadGoldenBlock(golden);
    ASSERT_GE(block.size(), 6u);
    EXPECT_EQ(ByteFromEnd(block, 5), 0);
    EXPECT_EQ(block.substr(block.size() - 4), "one\xec");
  }
}

TEST(FilterBlockReaderTest, NoKeysMeansNo) {
  const std::string block = ReadGoldenBlock(GoldenBlocks()[0]);
  ASSERT_EQ(block.size(), kTrailerBytes);
  const FilterBlockReader reader(block);
  EXPECT_FALSE(reader.MayMatch(""));
  EXPECT_FALSE(reader.MayMatch("key"));
  for (size_t n = 0; n <= 100; ++n) {
    const std::vector<uint64_t> hashes(n, ~uint64_t{0});
    const std::unique_ptr<bool[]> answers(new bool[n + 1]);
    std::fill_n(answers.get(), n + 1, true);
    reader.MayMatchHashes(hashes.data(), n, answers.get());
    EXPECT_EQ(std::count(answers.get(), answers.get() + n, true), 0);
    EXPECT_TRUE(answers[n]);
  }
}

// Five standard deviations of the keys that were asked for.
TEST(BlockFpRateTest, IsThePartOfAbsentKeysThatPass) {
  std::mt19937_64 random = TestRandom();
  for (const KindTraits* kind : AllKinds()) {
    for (const double bits_per_key : {2.0, 5.0, 9.0}) {
      for (const int num_keys : {1, 30, 5000}) {
        FilterBlockBuilder builder(*kind, bits_per_key, random());
        for (int i = 0; i < num_keys; ++i) {
          builder.AddKey(IntegerKey(KeySet::kRandom, 1, i));
        }
        const FilterBlock built = builder.Finish();
        const std::string_view block(built.bytes.get(), built.size);
        const double rate = BlockFpRate(block);
        const FilterBlockReader reader(block);
        constexpr int kProbes = 200000;
        int passed = 0;
        for (int i = 0; i < kProbes; ++i) {
          passed += reader.MayMatchHash(random()) ? 1 : 0;
        }
        EXPECT_NEAR(static_cast<double>(passed) / kProbes, rate,
                    5 * std::sqrt(rate / kProbes) + 0.02 * rate + 1e-4)
            << kind->name << " " << bits_per_key << " " << num_keys;
      }
    }
  }
}

TEST(BlockFpRateTest, OfNoKeysAndOfLinesThatWereNotSolved) {
  EXPECT_EQ(BlockFpRate(ReadGoldenBlock(GoldenBlocks()[0])), 0);
  // Line 0 says "maybe"; line 1 has one row, and so 32 columns.
  std::string block(2 * kLineBytes + kTrailerBytes, '\0');
  block[0] = static_cast<char>(63 << 2);
  block[kLineBytes] = 1 << 2;
  Trailer trailer;
  trailer.num_lines = 2;
  trailer.num_keys = 1;
  trailer.kind = 2;
  EncodeTrailer(trailer,
                reinterpret_cast<uint8_t*>(block.data()) + 2 * kLineBytes);
  EXPECT_EQ(BlockFpRate(block), (1 + std::exp2(-32)) / 2);
}

TEST(FilterBlockReaderTest, BorrowsAlsoUnalignedBytes) {
  const GoldenBlock& golden = GoldenBlocks().back();
  const std::string block = ReadGoldenBlock(golden);
  for (size_t offset = 0; offset < 64; ++offset) {
    const std::string shifted = std::string(offset, '\0') + block;
    const FilterBlockReader reader(std::string_view(shifted).substr(offset));
    EXPECT_EQ(reader.seed(), golden.seed);
    for (size_t i = 0; i < golden.num_keys; ++i) {
      ASSERT_TRUE(reader.MayMatch(GoldenKey(i))) << offset;
    }
  }
}

// For the thread sanitizer.
TEST(FilterBlockReaderTest, ManyThreadsMayUseIt) {
  const GoldenBlock& golden = GoldenBlocks().back();
  const std::string block = ReadGoldenBlock(golden);
  const FilterBlockReader shared(block);
  std::vector<std::thread> threads;
  std::array<size_t, 4> passed{};
  for (size_t& count : passed) {
    threads.emplace_back([&] {
      const FilterBlockReader own(block);
      for (size_t i = 0; i < golden.num_keys; ++i) {
        const uint64_t hash = KeyHash(GoldenKey(i), own.seed());
        bool batch = false;
        shared.MayMatchHashes(&hash, 1, &batch);
        count += batch && own.MayMatchHash(hash) && shared.MayMatchHash(hash);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (size_t count : passed) EXPECT_EQ(count, golden.num_keys);
}

}  // namespace
}  // namespace oneline
