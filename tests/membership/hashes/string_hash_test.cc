#include "membership/hashes/string_hash.h"

#include "tests/testing.h"

namespace oneline {
namespace {

// Computed with Python from the definitions of the functions.
constexpr struct {
  std::string_view input;
  uint32_t hash[8];
} kKnown[] = {
    {"", {0, 0, 5381, 1315423911, 0, 0, 0, 0}},
    {"a", {97, 97, 177670, 787808333, 97, 97, 97, 97}},
    {"abc",
     {1677554, 511219427, 193485963, 446371745, 822160044, 807794786, 26499,
      26499}},
    {"The quick brown fox jumps over the lazy dog",
     {1159206503, 1172222415, 885799134, 1609563704, 698634251, 212300147,
      69733463, 69733463}},
    {"\x80\xff",
     {17023, 2147221380, 5864388, 615020164, 86431871, 8396927, 2303, 2303}},
};

TEST(StringHashTest, KnownValues) {
  for (const auto &known : kKnown) {
    for (size_t i = 0; i < std::size(known.hash); ++i) {
      EXPECT_EQ(kStringHashes[i].hash(known.input), known.hash[i])
          << kStringHashes[i].name << " of " << known.input;
    }
  }
}

// Published values, without the highest bit.
TEST(StringHashTest, KnownValuesOfTheModernOnes) {
  EXPECT_EQ(kStringHashes[8].hash(""), 0x38d394c2u) << "XXH3";
  EXPECT_EQ(kStringHashes[9].hash("abc"), 0xb3dd93fau & 0x7fffffff)
      << "MurmurHash3";
}

}  // namespace
}  // namespace oneline
