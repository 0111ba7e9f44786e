// Tests of table/block/filter_block.h: the pinned blocks, the trailer and what
// is said of a wrong one, and the reader. Damage of every byte:
// tests/table/block/filter_block_damage_test.cc.

#include "table/block/filter_block.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "table/block/filter_block_builder.h"
#include "table/block/filter_kind.h"
#include "table/hash/key_hash.h"
#include "table/simd/probe.h"
#include "tests/golden/golden_blocks.h"
#include "tests/random_keys.h"
#include "tests/table/all_kinds.h"
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
    const absl::StatusOr<Trailer> trailer = DecodeTrailer(pinned);
    ASSERT_TRUE(trailer.ok()) << trailer.status();
    EXPECT_EQ(trailer->seed, golden.seed);
    EXPECT_EQ(trailer->num_keys, golden.num_keys);
    EXPECT_EQ(trailer->kind, FindKind(golden.kind)->id);
    EXPECT_EQ(trailer->version, 1);
    if (golden.parameter != 0) {
      EXPECT_EQ(trailer->parameter, golden.parameter);
    }
    for (InstructionSet set :
         {InstructionSet::kPortable, BestInstructionSet()}) {
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

// CRC-32C as a division of polynomials, the message's bits one by one.
uint32_t Crc32c(std::string_view message) {
  uint32_t remainder = 0xffffffff;
  for (char c : message) {
    for (int i = 0; i < 8; ++i) {
      const uint32_t bit = static_cast<uint8_t>(c) >> i & 1;
      const bool subtract = ((remainder ^ bit) & 1) != 0;
      remainder >>= 1;
      if (subtract) remainder ^= 0x82f63b78;
    }
  }
  return ~remainder;
}

// Makes the checksum of a block's trailer right again.
void PutChecksum(std::string& block) {
  const size_t trailer = block.size() - kTrailerBytes;
  const uint32_t crc =
      Crc32c(block.substr(trailer, 19) + block.substr(trailer + 23, 5));
  for (size_t i = 0; i < 4; ++i) {
    block[trailer + 19 + i] = static_cast<char>(crc >> (8 * i) & 0xff);
  }
}

TEST(FilterBlockTest, ChecksumIsCrc32cOfTheOtherBytes) {
  EXPECT_EQ(Crc32c("123456789"), 0xe3069283u);  // RFC 3720's check value
  for (const GoldenBlock& golden : GoldenBlocks()) {
    const std::string block = ReadGoldenBlock(golden);
    std::string again = block;
    again[again.size() - 9] ^= 1;
    PutChecksum(again);
    EXPECT_EQ(again, block) << golden.name;
  }
}

// One line of the bloom kind, then this trailer.
std::string BlockWith(const Trailer& trailer) {
  std::string block(kLineBytes + kTrailerBytes, '\0');
  EncodeTrailer(trailer, reinterpret_cast<uint8_t*>(block.data()) + kLineBytes);
  return block;
}

constexpr Trailer kGoodTrailer = {0x1122334455667788, 1, 20, 1, 1, 6};

TEST(TrailerTest, SurvivesEncodingAndDecoding) {
  std::mt19937_64 random = TestRandom();
  for (int i = 0; i < 1000; ++i) {
    Trailer trailer = kGoodTrailer;
    trailer.seed = random();
    trailer.num_keys = static_cast<uint32_t>(random() | 1);
    trailer.parameter = static_cast<uint8_t>(1 + random() % 24);
    const absl::StatusOr<Trailer> decoded = DecodeTrailer(BlockWith(trailer));
    ASSERT_TRUE(decoded.ok()) << decoded.status();
    EXPECT_EQ(decoded->seed, trailer.seed);
    EXPECT_EQ(decoded->num_lines, trailer.num_lines);
    EXPECT_EQ(decoded->num_keys, trailer.num_keys);
    EXPECT_EQ(decoded->kind, trailer.kind);
    EXPECT_EQ(decoded->version, trailer.version);
    EXPECT_EQ(decoded->parameter, trailer.parameter);
  }
}

// The block is refused with this error, and its reader answers "maybe".
void ExpectRefused(const std::string& block, const absl::Status& error) {
  EXPECT_EQ(DecodeTrailer(block).status(), error);
  const FilterBlockReader reader(block);
  constexpr size_t kKeys = 100;
  std::array<uint64_t, kKeys> hashes;
  std::array<bool, kKeys> answers{};
  size_t passed = 0;
  for (size_t i = 0; i < kKeys; ++i) {
    const IntegerKey key(KeySet::kRandom, 1, i);
    passed += reader.MayMatch(key);
    hashes[i] = KeyHash(key, reader.seed());
  }
  reader.MayMatchHashes(hashes.data(), kKeys, answers.data());
  passed += std::count(answers.begin(), answers.end(), true);
  EXPECT_EQ(passed, 2 * kKeys) << error;
}

TEST(TrailerTest, ShortBlocksAreRefused) {
  const std::string block = BlockWith(kGoodTrailer);
  ASSERT_TRUE(DecodeTrailer(block).ok());
  ExpectRefused("", absl::DataLossError("block of 0 bytes is shorter than a "
                                        "trailer (28 bytes)"));
  ExpectRefused(block.substr(block.size() - 27),
                absl::DataLossError("block of 27 bytes is shorter than a "
                                    "trailer (28 bytes)"));
  EXPECT_TRUE(FilterBlockReader(std::string_view()).MayMatch("key"));
}

TEST(TrailerTest, WrongMagicAndChecksumAreRefused) {
  std::string block = BlockWith(kGoodTrailer);
  block.back() = '\x6c';
  ExpectRefused(block, absl::DataLossError("wrong magic"));
  // What stands there in a filter of RocksDB: the number of its lines, or 0.
  ExpectRefused(std::string(100, '\0'), absl::DataLossError("wrong magic"));
  block = BlockWith(kGoodTrailer);
  block[kLineBytes] ^= 1;
  ExpectRefused(block, absl::DataLossError("wrong checksum of the trailer"));
}

TEST(TrailerTest, ByteBeforeTheMagicMustBeZero) {
  std::string block = BlockWith(kGoodTrailer);
  block[block.size() - 5] = 1;
  ExpectRefused(block, absl::DataLossError("wrong checksum of the trailer"));
  PutChecksum(block);
  ExpectRefused(block,
                absl::DataLossError("the byte before the magic is not 0"));
}

TEST(TrailerTest, UnknownVersionsAndKindsAreRefused) {
  for (int version = 0; version <= 255; ++version) {
    if (version == 1) continue;
    Trailer trailer = kGoodTrailer;
    trailer.version = static_cast<uint8_t>(version);
    ExpectRefused(BlockWith(trailer), absl::UnimplementedError(
                                          "version " + std::to_string(version) +
                                          " is unknown to this library"));
  }
  for (int kind = 0; kind <= 255; ++kind) {
    Trailer trailer = kGoodTrailer;
    trailer.kind = static_cast<uint8_t>(kind);
    if (FindKind(trailer.kind) != nullptr) continue;
    ExpectRefused(BlockWith(trailer),
                  absl::UnimplementedError("kind " + std::to_string(kind) +
                                           " is unknown to this library"));
  }
  EXPECT_EQ(FindKind(uint8_t{0}), nullptr) << "reserved for ever";
}

TEST(TrailerTest, ParametersOfNoKindAreRefused) {
  for (const KindTraits* kind : AllKinds()) {
    for (int parameter = 0; parameter <= 255; ++parameter) {
      Trailer trailer = kGoodTrailer;
      trailer.kind = kind->id;
      trailer.parameter = static_cast<uint8_t>(parameter);
      if (kind->valid_parameter(trailer.parameter)) {
        EXPECT_TRUE(DecodeTrailer(BlockWith(trailer)).ok());
        continue;
      }
      ExpectRefused(
          BlockWith(trailer),
          absl::DataLossError("parameter " + std::to_string(parameter) +
                              " is none of kind " + kind->name));
    }
  }
}

TEST(TrailerTest, LengthsThatDoNotFitAreRefused) {
  const auto error = [](uint32_t lines, size_t bytes) {
    return absl::DataLossError("the trailer tells of " + std::to_string(lines) +
                               " lines of 64 bytes, but the block has " +
                               std::to_string(bytes) +
                               " bytes before the trailer");
  };
  // Among them 2^26 lines, whose length in 32 bits would be 0 or 64.
  for (uint32_t num_lines :
       {0u, 2u, 3u, 1u << 26, (1u << 26) + 1, 0xffffffffu}) {
    Trailer trailer = kGoodTrailer;
    trailer.num_lines = num_lines;
    const std::string block = BlockWith(trailer);
    ExpectRefused(block, error(num_lines, 64));
    if (num_lines == 0) continue;
    ExpectRefused(block.substr(kLineBytes), error(num_lines, 0));
  }
  const std::string block = BlockWith(kGoodTrailer);
  for (size_t cut = 1; cut <= kLineBytes; ++cut) {
    ExpectRefused(block.substr(cut), error(1, kLineBytes - cut));
    ExpectRefused(std::string(cut, '\0') + block, error(1, kLineBytes + cut));
  }
}

TEST(TrailerTest, KeysWithoutLinesAndLinesWithoutKeysAreRefused) {
  Trailer trailer = kGoodTrailer;
  trailer.num_keys = 0;
  ExpectRefused(BlockWith(trailer), absl::DataLossError("0 keys in 1 lines"));
  trailer = kGoodTrailer;
  trailer.num_lines = 0;
  ExpectRefused(BlockWith(trailer).substr(kLineBytes),
                absl::DataLossError("20 keys in 0 lines"));
}

TEST(HasMagicTest, LooksAtTheLastFourBytesOnly) {
  EXPECT_TRUE(HasMagic("one\xec"));
  EXPECT_TRUE(HasMagic("anything one\xec"));
  EXPECT_FALSE(HasMagic(""));
  EXPECT_FALSE(HasMagic("ne\xec"));
  EXPECT_FALSE(HasMagic("onel"));
  EXPECT_FALSE(HasMagic("one\xec."));
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
        FilterBlockBuilder builder(*kind, bits_per_key, random(), 4);
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
  // Line 0 says 63, "maybe"; line 1 has no rows.
  std::string block(2 * kLineBytes + kTrailerBytes, '\0');
  block[0] = 63;
  Trailer trailer;
  trailer.num_lines = 2;
  trailer.num_keys = 1;
  trailer.kind = 2;
  EncodeTrailer(trailer,
                reinterpret_cast<uint8_t*>(block.data()) + 2 * kLineBytes);
  EXPECT_EQ(BlockFpRate(block), 0.5);
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
