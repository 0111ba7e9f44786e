// Tests of table/short_block/short_block.h: every key that was added passes,
// whatever the options; bytes that are no such block answer "maybe", and
// nothing outside them is read; sizes. The bytes are pinned in tests/golden.

#include "table/short_block/short_block.h"

#include "table/block/line_count.h"
#include "tests/guarded_bytes.h"
#include "tests/table/all_kinds.h"
#include "tests/table/ribbon_lines.h"
#include "tests/table/supported_sets.h"
#include "tests/testing.h"

namespace oneline {
namespace {

std::string Build(const KindTraits& kind, double bits_per_key,
                  std::vector<uint64_t> hashes) {
  std::string block;
  AppendShortBlock(kind, bits_per_key, &hashes, &block);
  return block;
}

// Of each instruction set.
std::vector<ShortBlockKernels> Kernels() {
  std::vector<ShortBlockKernels> kernels;
  for (InstructionSet set : SupportedSets()) {
    kernels.push_back(ShortBlockKernelsFor(set));
  }
  return kernels;
}

bool MayMatch(std::string_view block, uint64_t hash) {
  return ShortBlockMayMatch(block, hash,
                            ShortBlockKernelsFor(ChosenInstructionSet()));
}

// It must not be written as another kind, whose parameter its own may be.
TEST(ShortBlockTest, AKindWithoutACodeAnswersMaybe) {
  std::mt19937_64 random = TestRandom();
  for (const KindTraits* known : AllKinds()) {
    KindTraits kind = *known;
    kind.id = 0;
    const std::string block = Build(kind, 10, RandomHashes(20, random));
    ASSERT_EQ(block.size(), ShortBlockShapeFor(20, 10).block_bytes());
    for (int i = 0; i < 100; ++i) EXPECT_TRUE(MayMatch(block, random()));
  }
}

// Also of very large data blocks with tiny entries; and with hashes that share
// a line, more than it can hold.
TEST(ShortBlockTest, NoFalseNegative) {
  std::mt19937_64 random = TestRandom();
  std::uniform_real_distribution<double> bits_per_key(1, 100);
  const auto expect_none = [&](const KindTraits& kind, double bits,
                               size_t spread, size_t crowd) {
    std::vector<uint64_t> hashes = RandomHashes(spread, random);
    for (size_t i = 0; i < crowd; ++i) hashes.push_back(random() >> 20);
    const std::string block = Build(kind, bits, hashes);
    ASSERT_EQ(block.size(),
              ShortBlockShapeFor(hashes.size(), bits).block_bytes());
    for (const ShortBlockKernels& kernels : Kernels()) {
      for (uint64_t hash : hashes) {
        ASSERT_TRUE(ShortBlockMayMatch(block, hash, kernels))
            << kind.name << ", " << hashes.size() << " keys, " << bits;
      }
    }
  };
  for (const KindTraits* kind : AllKinds()) {
    for (size_t n = 1; n <= 700; n += kSlow ? 1 + n / 8 : 1) {
      expect_none(*kind, n % 3 == 0 ? 10 : bits_per_key(random), n, 0);
    }
    for (double bits : {1.0, 2.1, 2.2, 2.5, 10.0, 100.0}) {
      expect_none(*kind, bits, kSlow ? 3000 : 50000, 0);
      for (const size_t crowd : {100, 254, 255, 400, 2000}) {
        expect_none(*kind, bits, 100, crowd);
      }
    }
  }
}

// The set of the hashes decides, not their order or how often they come. What
// stands there before is LevelDB's, and not touched.
TEST(ShortBlockTest, AppendsBytesOfTheSetOfHashes) {
  std::mt19937_64 random = TestRandom();
  for (const KindTraits* kind : AllKinds()) {
    for (size_t n : {1, 2, 20, 51, 60, 300}) {
      std::vector<uint64_t> hashes = RandomHashes(n, random);
      const std::string block = Build(*kind, 10, hashes);
      for (size_t i = 0; i < n; ++i) hashes.push_back(hashes[random() % n]);
      std::shuffle(hashes.begin(), hashes.end(), random);
      std::string bytes = "what was there";
      AppendShortBlock(*kind, 10, &hashes, &bytes);
      EXPECT_EQ(bytes, "what was there" + block);
      hashes.clear();
      AppendShortBlock(*kind, 10, &hashes, &bytes);
      EXPECT_EQ(bytes, "what was there" + block) << "nothing for no keys";
    }
  }
}

// Every length and every code, against an unreadable page, which ends the test
// if it is read. The first line has one row more than the base, all of which
// are 0, and the longest reach; or all bytes are random.
TEST(ShortBlockTest, AnyBytesAnswerAsSpecified) {
  std::mt19937_64 random = TestRandom();
  for (size_t size = 0; size <= 200; size += kSlow && size >= 12 ? 5 : 1) {
    for (GuardedEdge edge : {GuardedEdge::kStart, GuardedEdge::kEnd}) {
      const GuardedBytes guarded(size, edge);
      auto* const bytes = reinterpret_cast<char*>(guarded.data());
      size_t denied = 0;
      for (int code = 0; code <= 255; ++code) {
        std::string block(size, '\0');
        for (size_t i = 0; i < size; ++i) {
          if (i == 0) block[i] = 1 << 2 | 3;
          if (code % 2 == 0) block[i] = static_cast<char>(random());
        }
        if (size > 0) block.back() = static_cast<char>(code);
        std::copy(block.begin(), block.end(), bytes);
        for (uint64_t hash : RandomHashes(10, random)) {
          const bool expected = ShortBlockBySpecification(block, hash);
          denied += expected ? 0 : 1;
          for (const ShortBlockKernels& kernels : Kernels()) {
            ASSERT_EQ(ShortBlockMayMatch({bytes, size}, hash, kernels),
                      expected)
                << size << " bytes, code " << code << ", hash " << hash;
          }
        }
      }
      const size_t lines = (size + 62) / 64;
      EXPECT_EQ(denied > 0, size >= 9 && (size - 1) % lines == 0) << size;
    }
  }
}

void ExpectShape(size_t num_keys, double bits_per_key, uint32_t num_lines,
                 uint32_t line_bytes) {
  const ShortBlockShape shape = ShortBlockShapeFor(num_keys, bits_per_key);
  EXPECT_EQ(shape.num_lines, num_lines) << num_keys << " " << bits_per_key;
  EXPECT_EQ(shape.line_bytes, line_bytes) << num_keys << " " << bits_per_key;
}

TEST(ShortBlockShapeTest, KnownValues) {
  ExpectShape(1, 1, 1, 8);
  ExpectShape(1, 100, 1, 12);  // 12.5 bytes are 13
  ExpectShape(8, 10, 1, 9);
  ExpectShape(20, 10, 1, 24);
  ExpectShape(52, 10, 1, 64);
  ExpectShape(53, 10, 2, 33);  // 66.25 bytes are 66, but 65 are not even
  ExpectShape(200, 10, 4, 62);
  ExpectShape(1000000, 10, 19532, 64);
  ExpectShape(~size_t{0}, 100, kMaxLines, 64);
}

// A reader takes from the length of a block what was meant by it.
TEST(ShortBlockShapeTest, FollowsFromTheLength) {
  for (double bits : {1.0, 3.3, 7.0, 10.0, 23.4, 100.0}) {
    for (size_t n = 1; n < 200000; n += 1 + n / 500) {
      const ShortBlockShape shape = ShortBlockShapeFor(n, bits);
      const size_t lines_bytes = shape.block_bytes() - 1;
      ASSERT_EQ((lines_bytes + 63) / 64, shape.num_lines) << n << " " << bits;
      ASSERT_EQ(lines_bytes % shape.num_lines, 0u);
      ASSERT_GE(shape.line_bytes, 8u);
      ASSERT_LE(shape.line_bytes, 64u);
    }
  }
}

}  // namespace
}  // namespace oneline
