// Tests of table/short_block/short_block.h: every key that was added passes,
// whatever the options; bytes that are no such block answer "maybe", and
// nothing outside them is read. The bytes are pinned by
// tests/golden/test_vectors_test.cc.

#include "table/short_block/short_block.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "table/block/filter_kind.h"
#include "table/hash/key_hash.h"
#include "table/short_block/short_block_sizing.h"
#include "tests/guarded_bytes.h"
#include "tests/sanitizers.h"
#include "tests/table/all_kinds.h"
#include "tests/table/line_specification.h"
#include "tests/table/random_lines.h"
#include "tests/table/ribbon_lines.h"
#include "tests/table/supported_sets.h"
#include "tests/test_seed.h"

namespace oneline {
namespace {

std::string Build(const KindTraits& kind, double bits_per_key,
                  std::vector<uint64_t> hashes, int effort = kDefaultEffort) {
  std::string block;
  AppendShortBlock(kind, bits_per_key, effort, &hashes, &block);
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

TEST(ShortBlockTest, NoFalseNegative) {
  std::mt19937_64 random = TestRandom();
  std::uniform_real_distribution<double> bits_per_key(1, 40);
  for (const KindTraits* kind : AllKinds()) {
    for (size_t n = 1; n <= 700; n += kSlow ? 1 + n / 8 : 1) {
      const double bits = n % 3 == 0 ? 10 : bits_per_key(random);
      const std::vector<uint64_t> hashes = RandomHashes(n, random);
      const std::string block = Build(*kind, bits, hashes, 1 << n % 4);
      ASSERT_EQ(block.size(), ShortBlockShapeFor(n, bits).block_bytes());
      for (const ShortBlockKernels& kernels : Kernels()) {
        for (uint64_t hash : hashes) {
          ASSERT_TRUE(ShortBlockMayMatch(block, hash, kernels))
              << kind->name << ", " << n << " keys, " << bits << " bits";
        }
      }
    }
  }
}

// Blocks of very large data blocks with tiny entries.
TEST(ShortBlockTest, ManyKeys) {
  std::mt19937_64 random = TestRandom();
  for (const KindTraits* kind : AllKinds()) {
    for (double bits : {1.0, 2.1, 2.2, 2.5, 10.0, 100.0}) {
      const auto hashes = RandomHashes(kSlow ? 3000 : 100000, random);
      const std::string block = Build(*kind, bits, hashes);
      for (uint64_t hash : hashes) ASSERT_TRUE(MayMatch(block, hash)) << bits;
    }
  }
}

// Hashes that share a line, more than it can hold: it answers "maybe".
TEST(ShortBlockTest, CrowdedLines) {
  std::mt19937_64 random = TestRandom();
  for (const KindTraits* kind : AllKinds()) {
    for (size_t crowd : {100, 254, 255, 400, 2000}) {
      std::vector<uint64_t> hashes = RandomHashes(100, random);
      for (size_t i = 0; i < crowd; ++i) hashes.push_back(random() >> 20);
      const std::string block = Build(*kind, 10, hashes);
      for (uint64_t hash : hashes) ASSERT_TRUE(MayMatch(block, hash)) << crowd;
    }
  }
}

// The set of the hashes decides, not their order or how often they come.
TEST(ShortBlockTest, BytesDependOnTheSetOfHashes) {
  std::mt19937_64 random = TestRandom();
  for (const KindTraits* kind : AllKinds()) {
    for (size_t n : {1, 2, 20, 51, 60, 300}) {
      std::vector<uint64_t> hashes = RandomHashes(n, random);
      const std::string block = Build(*kind, 10, hashes);
      std::shuffle(hashes.begin(), hashes.end(), random);
      EXPECT_EQ(block, Build(*kind, 10, hashes));
      for (size_t i = 0; i < n; ++i) hashes.push_back(hashes[random() % n]);
      EXPECT_EQ(block, Build(*kind, 10, hashes)) << "with repetitions";
    }
  }
}

TEST(ShortBlockTest, EqualHashesAreOneKey) {
  for (const KindTraits* kind : AllKinds()) {
    const std::string block =
        Build(*kind, 10, std::vector<uint64_t>(5000, 0x123456789abcdef0));
    EXPECT_EQ(block.size(), 9u);
    EXPECT_TRUE(MayMatch(block, 0x123456789abcdef0));
    EXPECT_FALSE(MayMatch(block, 0x0fedcba987654321));
  }
}

// What stands there before is LevelDB's, and not touched.
TEST(ShortBlockTest, IsAppended) {
  std::mt19937_64 random = TestRandom();
  for (const KindTraits* kind : AllKinds()) {
    std::vector<uint64_t> hashes = RandomHashes(20, random);
    const std::string alone = Build(*kind, 10, hashes);
    std::string bytes = "what was there";
    AppendShortBlock(*kind, 10, kDefaultEffort, &hashes, &bytes);
    EXPECT_EQ(bytes, "what was there" + alone);
    hashes.clear();
    AppendShortBlock(*kind, 10, kDefaultEffort, &hashes, &bytes);
    EXPECT_EQ(bytes, "what was there" + alone) << "nothing for no keys";
  }
}

// As docs/format.md words it, with no part of the code.
bool MayMatchBySpecification(const std::string& block, uint64_t hash) {
  if (block.size() < 9) return true;
  const size_t lines_bytes = block.size() - 1;
  const size_t num_lines = (lines_bytes + 63) / 64;
  if (lines_bytes % num_lines != 0) return true;
  const size_t line_bytes = lines_bytes / num_lines;
  const auto product = static_cast<unsigned __int128>(hash) * num_lines;
  const auto* line = reinterpret_cast<const uint8_t*>(block.data()) +
                     line_bytes * static_cast<size_t>(product >> 64);
  const int code = static_cast<uint8_t>(block.back());
  if (code >= 1 && code <= 24) {
    return BloomBySpecification(line, line_bytes, hash, code);
  }
  if (code >= 0x80 && code <= 0xb0) {
    return SpecifiedRibbonLookup(line, line_bytes, hash, 4 * (code - 0x80))
        .MayMatch();
  }
  return true;
}

// Every length and every code. Lines have one row more than the base, all of
// which are 0, or are random.
TEST(ShortBlockTest, AnyBytesAnswerAsSpecified) {
  std::mt19937_64 random = TestRandom();
  for (size_t size = 0; size <= 200; size += kSlow ? 3 : 1) {
    for (int code = 0; code <= 255; ++code) {
      std::string block(size, '\0');
      for (size_t i = 0; i < size; ++i) {
        if (size % 2 == 0) block[i] = static_cast<char>(random());
      }
      if (size > 0) {
        block[0] = 1 << 2;
        block.back() = static_cast<char>(code);
      }
      for (const ShortBlockKernels& kernels : Kernels()) {
        for (uint64_t hash : RandomHashes(10, random)) {
          ASSERT_EQ(ShortBlockMayMatch(block, hash, kernels),
                    MayMatchBySpecification(block, hash))
              << size << " bytes, code " << code << ", hash " << hash;
        }
      }
    }
  }
}

// Of bytes that can be a block, most hashes are turned away: the lines have one
// row more than the base, or few bits, all of which are 0.
TEST(ShortBlockTest, OnlyPossibleBlocksAnswerNo) {
  std::mt19937_64 random = TestRandom();
  for (size_t size = 0; size <= 200; ++size) {
    const size_t lines_bytes = size - 1;  // huge if there are no bytes
    const size_t num_lines = (lines_bytes + 63) / 64;
    const bool possible_size = size >= 9 && lines_bytes % num_lines == 0;
    std::string block(size, '\0');
    for (size_t i = 0; possible_size && i < num_lines; ++i) {
      // The longest reach: where there is no full column, most keys are asked
      // in the partial one.
      block[i * (lines_bytes / num_lines)] = 1 << 2 | 3;
    }
    for (int code = 0; code <= 255; ++code) {
      if (size > 0) block.back() = static_cast<char>(code);
      const bool possible = possible_size && ((code >= 1 && code <= 24) ||
                                              (code >= 0x80 && code <= 0xb0));
      int passed = 0;
      while (passed < 400 && MayMatch(block, random())) ++passed;
      EXPECT_EQ(passed == 400, !possible) << size << " bytes, code " << code;
    }
  }
}

// A block cut short, at either end, or with bytes added, is another block or
// none; no byte outside it is read.
TEST(ShortBlockTest, AnyBytesAreReadWithinTheirBounds) {
  std::mt19937_64 random = TestRandom();
  for (GuardedEdge edge : {GuardedEdge::kStart, GuardedEdge::kEnd}) {
    for (const KindTraits* kind : AllKinds()) {
      for (size_t n : {1, 20, 51, 60, 200}) {
        const std::string block = Build(*kind, 10, RandomHashes(n, random));
        for (size_t size = 0; size <= block.size(); ++size) {
          const GuardedBytes guarded(size, edge);
          auto* const bytes = reinterpret_cast<char*>(guarded.data());
          for (size_t begin : {size_t{0}, block.size() - size}) {
            if (size > 0) std::memcpy(bytes, block.data() + begin, size);
            for (const ShortBlockKernels& kernels : Kernels()) {
              for (int i = 0; i < 20; ++i) {
                ShortBlockMayMatch({bytes, size}, random(), kernels);
              }
              EXPECT_TRUE(size >= 9 ||
                          ShortBlockMayMatch({bytes, size}, 1, kernels));
            }
          }
        }
        // Random codes for the same lengths.
        const GuardedBytes guarded(block.size(), edge);
        auto* const bytes = reinterpret_cast<char*>(guarded.data());
        std::memcpy(bytes, block.data(), block.size());
        for (int code = 0; code <= 255; ++code) {
          bytes[block.size() - 1] = static_cast<char>(code);
          for (const ShortBlockKernels& kernels : Kernels()) {
            for (int i = 0; i < 4; ++i) {
              ShortBlockMayMatch({bytes, block.size()}, random(), kernels);
            }
          }
        }
      }
    }
  }
}

// Over many blocks, as LevelDB asks many.
TEST(ShortBlockTest, FalsePositivesAreThoseOfTheModel) {
  std::mt19937_64 random = TestRandom();
  const size_t blocks = kSlow ? 60 : 1500;
  for (const KindTraits* kind : AllKinds()) {
    for (double bits : {4.0, 7.0, 10.0}) {
      for (size_t n : {5, 20, 50, 60, 200}) {
        std::vector<double> rates;
        double sum = 0;
        constexpr int kLookups = 1000;
        for (size_t i = 0; i < blocks; ++i) {
          const std::string block = Build(*kind, bits, RandomHashes(n, random));
          int passed = 0;
          for (int j = 0; j < kLookups; ++j)
            passed += MayMatch(block, random());
          rates.push_back(static_cast<double>(passed) / kLookups);
          sum += rates.back();
        }
        const double mean = sum / static_cast<double>(blocks);
        double variance = 0;
        for (double rate : rates) variance += (rate - mean) * (rate - mean);
        const double error = std::sqrt(variance) / static_cast<double>(blocks);
        const double model = ShortBlockFpRate(*kind, n, bits);
        // 5 standard errors, and what the model may be wrong by.
        EXPECT_NEAR(mean, model, 5 * error + 0.05 * model + 1e-6)
            << kind->name << ", " << bits << " bits, " << n << " keys";
      }
    }
  }
}

}  // namespace
}  // namespace oneline
