// Tests of table/block/filter_block.h: the trailer, its bytes and what is said
// of a block whose trailer is wrong; and the reader, whose answers are pinned
// in tests/golden. Damage of every byte: filter_block_damage_test.cc.

#include "table/block/filter_block.h"

#include "table/block/filter_block_builder.h"
#include "tests/golden/test_vectors.h"
#include "tests/table/all_kinds.h"
#include "tests/testing.h"

namespace oneline {
namespace {

TEST(FilterBlockReaderTest, NoKeysMeansNo) {
  const std::string& block = PinnedVector("bloom_empty").bytes;
  ASSERT_EQ(block.size(), kTrailerBytes);
  const FilterBlockReader reader(block);
  EXPECT_FALSE(reader.MayMatch(""));
  EXPECT_FALSE(reader.MayMatch("key"));
  constexpr size_t kKeys = 100;
  const std::vector<uint64_t> hashes(kKeys, ~uint64_t{0});
  std::array<bool, kKeys + 1> answers;
  answers.fill(true);
  reader.MayMatchHashes(hashes.data(), kKeys, answers.data());
  EXPECT_EQ(std::count(answers.begin(), answers.end(), true), 1);
  EXPECT_TRUE(answers[kKeys]);
}

// Five standard deviations of the keys that were looked up.
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
  EXPECT_EQ(BlockFpRate(PinnedVector("ribbon_empty").bytes), 0);
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

// Makes the checksum of a block's trailer right again.
void PutChecksum(std::string& block) {
  std::string trailer = block.substr(block.size() - kTrailerBytes);
  trailer.replace(23, 4, 4, '\0');
  const auto checksum = static_cast<uint32_t>(KeyHash(trailer, 0));
  for (size_t i = 0; i < 4; ++i) {
    block[block.size() - 9 + i] = static_cast<char>(checksum >> (8 * i) & 0xff);
  }
}

// One line of the bloom kind, then this trailer.
std::string BlockWith(const Trailer& trailer) {
  std::string block(kLineBytes + kTrailerBytes, '\0');
  EncodeTrailer(trailer, reinterpret_cast<uint8_t*>(block.data()) + kLineBytes);
  return block;
}

constexpr Trailer kGoodTrailer = {0x1122334455667788, 1, 20, 1, 1, 6};
static_assert(kGoodTrailer.level == kUnknownLevel && kUnknownLevel == 255 &&
              kGoodTrailer.asked_bits_per_key == 0);

// Where their number is the largest that the trailer can tell.
TEST(FilterBlockReaderTest, ManyKeysAreNotNone) {
  Trailer trailer = kGoodTrailer;
  trailer.num_keys = ~0u;
  std::string block = BlockWith(trailer);
  block.replace(0, kLineBytes, kLineBytes, '\xff');
  EXPECT_TRUE(FilterBlockReader(block).MayMatch("key"));
}

// Every byte, where the head of filter_block.h draws it.
TEST(TrailerTest, BytesAreWhereTheyAreSpecified) {
  Trailer trailer = {
      0x1122334455667788, 0x99aabbcc, 0xddeeff01, 2, 1, 52, 5, 10.5};
  std::string bytes(kTrailerBytes, '\0');
  EncodeTrailer(trailer, reinterpret_cast<uint8_t*>(bytes.data()));
  std::string expected(
      "\x88\x77\x66\x55\x44\x33\x22\x11"  // seed
      "\xcc\xbb\xaa\x99"                  // lines
      "\x01\xff\xee\xdd"                  // keys
      "\x02\x01\x34"                      // kind, version, parameter
      "\x05\x00"                          // level, reserved
      "\x00\x15"                          // 10.5 * 512
      "\0\0\0\0"                          // checksum
      "\0one\xec",
      kTrailerBytes);
  PutChecksum(expected);
  EXPECT_EQ(bytes, expected);
}

// The block is refused with this error, and its reader answers "maybe".
void ExpectRefused(const std::string& block, const std::string& error) {
  std::string told;
  EXPECT_EQ(DecodeTrailer(block, &told), std::nullopt);
  EXPECT_EQ(told, error);
  const FilterBlockReader reader(block);
  for (uint64_t i = 0; i < 100; ++i) {
    EXPECT_TRUE(reader.MayMatch(IntegerKey(KeySet::kRandom, 1, i))) << error;
  }
}

// The bits asked for to the nearest 512th, 127.998 at most.
TEST(TrailerTest, AskedBitsAreRounded) {
  constexpr double kAsked[][2] = {
      {-1, 0}, {0.1, 51 / 512.0}, {100, 100}, {1e9, 65535 / 512.0}};
  for (const auto& [asked, stored] : kAsked) {
    Trailer trailer = kGoodTrailer;
    trailer.asked_bits_per_key = asked;
    EXPECT_EQ(DecodeTrailer(BlockWith(trailer))->asked_bits_per_key, stored);
  }
}

TEST(TrailerTest, ShortBlocksAndForeignOnesAreRefused) {
  const std::string block = BlockWith(kGoodTrailer);
  ASSERT_TRUE(DecodeTrailer(block).has_value());
  ExpectRefused("", "block of 0 bytes is shorter than a trailer (32 bytes)");
  ExpectRefused(block.substr(block.size() - 31),
                "block of 31 bytes is shorter than a trailer (32 bytes)");
  // What stands there in a filter of RocksDB: the number of its lines, or 0.
  ExpectRefused(std::string(100, '\0'), "wrong magic");
  for (const char* foreign : {"", "ne\xec", "onel", "one\xec."}) {
    EXPECT_FALSE(HasMagic(foreign)) << foreign;
  }
}

TEST(TrailerTest, EachByteIsHeldToWhatItCanBe) {
  const auto lines = [](uint32_t lines, size_t bytes) {
    return "the trailer tells of " + std::to_string(lines) +
           " lines of 64 bytes, but the block has " + std::to_string(bytes) +
           " bytes before the trailer";
  };
  const std::string unknown = " is unknown to this library";
  const struct {
    std::string error;  // with the right checksum
    size_t at;          // from the end of the block
    int byte;
  } kWrong[] = {
      {"wrong magic", 1, 0x6c},
      {"the byte before the magic is not 0", 5, 1},
      {"the reserved byte is not 0", 12, 1},
      {"the reserved byte is not 0", 12, 255},
      {"trailer version 0" + unknown, 15, 0},
      {"trailer version 2" + unknown, 15, 2},
      {"trailer version 255" + unknown, 15, 255},
      {"kind 0" + unknown, 16, 0},  // reserved for ever
      {"kind 3" + unknown, 16, 3},
      {"kind 255" + unknown, 16, 255},
      {lines(0, 64), 24, 0},
      {lines(2, 64), 24, 2},
      // Whose length in 32 bits would be 64.
      {lines((1 << 26) + 1, 64), 21, 4},
      {"0 keys in 1 lines", 20, 0},
  };
  for (const auto& [error, at, byte] : kWrong) {
    std::string block = BlockWith(kGoodTrailer);
    block[block.size() - at] = static_cast<char>(byte);
    ExpectRefused(block, at == 1 ? error : "wrong checksum of the trailer");
    PutChecksum(block);
    ExpectRefused(block, error);
  }
  const std::string block = BlockWith(kGoodTrailer);
  ExpectRefused(block.substr(1), lines(1, kLineBytes - 1));
  ExpectRefused(std::string(kLineBytes, '\0') + block,
                lines(1, 2 * kLineBytes));
  Trailer no_lines = kGoodTrailer;
  no_lines.num_lines = 0;
  ExpectRefused(BlockWith(no_lines).substr(kLineBytes), "20 keys in 0 lines");
}

TEST(TrailerTest, ParametersOfNoKindAreRefused) {
  for (const KindTraits* kind : AllKinds()) {
    for (int parameter = 0; parameter <= 255; ++parameter) {
      Trailer trailer = kGoodTrailer;
      trailer.kind = kind->id;
      trailer.parameter = static_cast<uint8_t>(parameter);
      if (kind->id == kBloomId ? parameter >= 1 && parameter <= 24
                               : parameter % 4 == 0 && parameter <= 192) {
        EXPECT_TRUE(DecodeTrailer(BlockWith(trailer)).has_value());
        continue;
      }
      ExpectRefused(BlockWith(trailer), "parameter " +
                                            std::to_string(parameter) +
                                            " is none of kind " + kind->name);
    }
  }
}

}  // namespace
}  // namespace oneline
