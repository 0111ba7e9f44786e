// Tests of table/hash/key_hash.h. Filters on disk were built from these hashes:
// a value that changes here makes every one of them deny its keys.

#include "table/hash/key_hash.h"

#include "tests/testing.h"

namespace oneline {
namespace {

// The input of xxHash's own test vectors, with which the values for seed 0 and
// kPrime64 agree.
constexpr uint64_t kPrime64 = 11400714785074694797u;
std::string VectorInput(size_t size) {
  std::string input;
  uint64_t state = 2654435761u;
  for (; input.size() < size; state *= kPrime64) {
    input.push_back(static_cast<char>(state >> 56));
  }
  return input;
}

constexpr uint64_t kSeeds[] = {0, kPrime64};

struct PinnedHashes {
  size_t key_bytes;
  uint64_t hash[2];  // one for each of kSeeds
};

// XXH3 treats keys of 0, 1..3, 4..8, 9..16, 17..128, 129..240 and more bytes
// each in another way. Computed by the distribution's libxxhash.so.
constexpr PinnedHashes kPinned[] = {
    {0, {0x2d06800538d394c2, 0xa8a6b918b2f0364a}},
    {1, {0xc44bdff4074eecdb, 0x032be332dd766ef8}},
    {3, {0x54247382a8d6b94d, 0x634b8990b4976373}},
    {4, {0xe5dc74bc51848a51, 0xaa2e7eccb0c8f747}},
    {8, {0x24ccc9acaa9f65e4, 0x8f973410999b8f6b}},
    {9, {0x14d5001c15dd3f2b, 0xb3ae7333d9013f60}},
    {16, {0x981b17d36c7498c9, 0x663f29333b4db6b1}},
    {17, {0x796f5acd3a60f862, 0xf3ec5067f4306db3}},
    {128, {0xfcff24126754d861, 0x73fde75280646649}},
    {129, {0x98f1b0a679a2ca29, 0x21fffdbca099c844}},
    {240, {0x81c3c2b67f568ccf, 0xcc0f58c27ef3d8ee}},
    {241, {0xc5a639ecd2030e5e, 0xdda9b0a161d4829a}},
    {65536, {0x918f7f0f912ca480, 0xbcb1719de7bee55b}},
};

// Keys of 9 to 16 bytes are hashed by our own code.
TEST(KeyHashTest, IsThatOfXxHashAtAnyAddress) {
  std::mt19937_64 random = TestRandom();
  for (int i = 0; i < 100000; ++i) {
    alignas(16) char bytes[80];
    for (char& c : bytes) c = static_cast<char>(random());
    const size_t length = i % 65, offset = random() % 16;
    const uint64_t seed = i % 3 == 0 ? kSeeds[i / 65 % 2] : random();
    ASSERT_EQ(KeyHash({bytes + offset, length}, seed),
              XXH3_64bits_withSeed(bytes + offset, length, seed))
        << length << " bytes at " << offset;
  }
}

TEST(KeyHashTest, NeverChanges) {
  const std::string input = VectorInput(65536);
  for (const PinnedHashes& pinned : kPinned) {
    for (size_t i = 0; i < std::size(kSeeds); ++i) {
      const std::string_view key(input.data(), pinned.key_bytes);
      EXPECT_EQ(KeyHash(key, kSeeds[i]), pinned.hash[i])
          << pinned.key_bytes << " bytes, seed " << kSeeds[i];
    }
  }
}

// XXH3 of 0.7.3 was another function for the empty key and for long ones.
TEST(KeyHashTest, AnotherFunctionIsRecognised) {
  EXPECT_TRUE(IsTheKeyHash(&KeyHash));
  EXPECT_FALSE(IsTheKeyHash([](std::string_view key, uint64_t seed) {
    return key.empty() ? 0 : KeyHash(key, seed);
  }));
  EXPECT_FALSE(IsTheKeyHash([](std::string_view key, uint64_t seed) {
    return key.size() > 240 ? KeyHash(key.substr(1), seed) : KeyHash(key, seed);
  }));
  EXPECT_FALSE(IsTheKeyHash(
      [](std::string_view key, uint64_t) { return KeyHash(key, 0); }));
}

// As above, of the longest keys of each kind.
constexpr struct {
  size_t key_bytes;
  uint64_t seed;
  Hash128 hash;
} kPinned128[] = {
    {0, 0, {0x6001c324468d497f, 0x99aa06d3014798d8}},
    {3, 0, {0x54247382a8d6b94d, 0x20efc49ff02422ea}},
    {8, 0, {0x64c69cab4bb21dc5, 0x47a7f080d82bb456}},
    {16, 0, {0x562980258a998629, 0xc68c368ecf8a9c05}},
    {128, 0, {0xebb15e34a7fb5ab1, 0x39992220e045260a}},
    {240, 0, {0x5c9aae94c8ebe5a0, 0xaa4202daa2769dc8}},
    {65536, 0, {0x918f7f0f912ca480, 0xdeafbd9df07edb70}},
    {16, kPrime64, {0x0346d13a7a5498c7, 0x6ffcb80cd33085c8}},
    {240, kPrime64, {0x604e98db085c1864, 0x29d2133d6ea58c5b}},
    {65536, kPrime64, {0xbcb1719de7bee55b, 0x1c6ef654c38c880d}},
};

TEST(KeyHash128Test, NeverChanges) {
  const std::string input = VectorInput(65536);
  for (const auto& [key_bytes, seed, expected] : kPinned128) {
    const Hash128 hash = KeyHash128({input.data(), key_bytes}, seed);
    EXPECT_EQ(hash.low, expected.low) << key_bytes << " " << seed;
    EXPECT_EQ(hash.high, expected.high) << key_bytes << " " << seed;
  }
}

}  // namespace
}  // namespace oneline
