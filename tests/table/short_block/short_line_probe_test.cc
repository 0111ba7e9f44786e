// Tests of table/short_block/short_line_probe.h: with each instruction set that
// this machine can run, lines of every length get the answers of
// docs/format.md, whatever their bytes, and nothing outside them is read.

#include "table/short_block/short_line_probe.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "table/block/filter_kind.h"
#include "table/hash/key_hash.h"
#include "table/ribbon/ribbon_lines.h"
#include "table/ribbon/ribbon_solver.h"
#include "table/simd/probe.h"
#include "tests/guarded_bytes.h"
#include "tests/sanitizers.h"
#include "tests/test_seed.h"

namespace oneline {
namespace {

constexpr uint32_t kStep = kSanitized ? 9 : 1;

using Bytes = std::vector<uint8_t>;

ShortLine LineOf(const Bytes& bytes) {
  return {bytes.data(), static_cast<uint32_t>(bytes.size())};
}

bool Bit(ShortLine line, size_t i) {
  return (line.bytes[i / 8] >> (i % 8) & 1) != 0;
}

uint64_t Fold(uint64_t hash, uint64_t multiplier) {
  const auto product = static_cast<unsigned __int128>(hash) * multiplier;
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

// The answers as the specification words them, bit by bit, with no part of the
// code.
bool RibbonBySpecification(ShortLine line, uint64_t hash, int base) {
  int fields = 0;
  for (int i = 0; i < 11; ++i) fields += Bit(line, i) ? 1 << i : 0;
  const int s = fields / 64 % 8, d = fields / 512;
  if (fields % 64 == 63) return true;
  const int w = base + fields % 64;
  if (w == 0) return false;
  const uint64_t c = Fold(hash, 0x9e3779b97f4a7c15);
  const uint64_t f = Fold(hash, 0x243f6a8885a308d3);
  const uint64_t r = s == 0 ? c : c << (8 * s) | c >> (64 - 8 * s);
  const int place =
      std::min(std::max(static_cast<int>(r >> 56) * 284 / 256 - 14, 0), 255);
  const int group = static_cast<int>(f >> 32 & 255);
  const int line_bits = 8 * static_cast<int>(line.num_bytes);
  for (int j = 0; j < 32 && 11 + j * w < line_bits; ++j) {
    const int rows = std::min(w, line_bits - (11 + j * w));
    if (rows < w && (group + 40 - 16 * d) * w >= 256 * rows) break;
    const int window = std::min(rows, 56);
    const int start = place * (rows - window + 1) / 256;
    bool parity = false;
    for (int i = 0; i < window; ++i) {
      const bool coefficient = i == 0 || (r >> i & 1) != 0;
      parity ^=
          coefficient && Bit(line, static_cast<size_t>(11 + j * w + start + i));
    }
    if (parity != ((f >> j & 1) != 0)) return false;
    if (rows < w) break;
  }
  return true;
}

bool BloomBySpecification(ShortLine line, uint64_t hash, int num_probes) {
  const uint64_t mix = hash * 0x9e3779b97f4a7c15;
  for (int i = 0; i < num_probes; ++i) {
    uint64_t x = i < 8 || i >= 16 ? mix >> 32 : mix % (uint64_t{1} << 32);
    for (int times = 0; times < i + 1; ++times) {
      x = x * 0x9e3779b9 % (uint64_t{1} << 32);
    }
    if (!Bit(line, x * (8 * line.num_bytes) / (uint64_t{1} << 32)))
      return false;
  }
  return true;
}

std::vector<uint64_t> RandomHashes(size_t n, std::mt19937_64& random) {
  std::vector<uint64_t> hashes(n);
  for (uint64_t& hash : hashes) hash = random();
  return hashes;
}

// A line in which the first field of the Ribbon's header is `rows_over_base`
// and other bits are set with probability sixteenths / 16.
Bytes RandomLine(size_t num_bytes, size_t sixteenths, uint32_t rows_over_base,
                 std::mt19937_64& random) {
  Bytes bytes(num_bytes);
  for (size_t bit = 6; bit < 8 * num_bytes; ++bit) {
    if (random() % 16 >= sixteenths) continue;
    bytes[bit / 8] = static_cast<uint8_t>(bytes[bit / 8] | 1u << bit % 8);
  }
  bytes[0] = static_cast<uint8_t>((bytes[0] & 0xc0u) | rows_over_base);
  return bytes;
}

Bytes SolvedLine(const std::vector<uint64_t>& hashes, uint8_t base,
                 uint32_t num_bytes) {
  using namespace blocked_ribbon;
  std::vector<uint64_t> copy = hashes;
  const auto end = static_cast<uint32_t>(copy.size());
  Bytes bytes(num_bytes);
  std::make_unique<LinesSolver>(kPortableSolver, base, 4, num_bytes)
      ->Solve(copy.data(), &end, 1, bytes.data());
  return bytes;
}

class ShortLineKernelTest : public testing::TestWithParam<InstructionSet> {
 protected:
  void SetUp() override {
    if (GetParam() > BestInstructionSet()) {
      GTEST_SKIP() << "this processor can't run it";
    }
  }

  const ShortLineKernel& kernel() const {
    return ShortLineKernelFor(GetParam());
  }

  void ExpectRibbon(ShortLine line, uint64_t hash, uint8_t base) const {
    ASSERT_EQ(kernel().ribbon(line, hash, base),
              RibbonBySpecification(line, hash, base))
        << line.num_bytes << " bytes, base " << int{base} << ", hash " << hash;
  }
  void ExpectBloom(ShortLine line, uint64_t hash, uint8_t probes) const {
    ASSERT_EQ(kernel().bloom(line, hash, probes),
              BloomBySpecification(line, hash, probes))
        << line.num_bytes << " bytes, " << int{probes} << " probes, hash "
        << hash;
  }
};

// Also rows that leave no full column, and all values of the header.
TEST_P(ShortLineKernelTest, RibbonAnswersAsSpecifiedForAnyBytes) {
  std::mt19937_64 random = TestRandom();
  for (uint32_t num_bytes = 8; num_bytes <= 64; num_bytes += kStep) {
    for (uint32_t rows_over_base = 0; rows_over_base < 64; ++rows_over_base) {
      for (int i = 0; i < 12; ++i) {
        const Bytes bytes =
            RandomLine(num_bytes, random() % 17, rows_over_base, random);
        const auto base = static_cast<uint8_t>(i < 4 ? i : random());
        for (uint64_t hash : RandomHashes(8, random)) {
          ExpectRibbon(LineOf(bytes), hash, base);
          if (HasFatalFailure()) return;
        }
      }
    }
  }
}

// Keys of a solved line pass all of its columns; once a bit is changed, some
// don't, and each bit comes to decide about one of them.
TEST_P(ShortLineKernelTest, RibbonAnswersAsSpecifiedOnDamagedLines) {
  std::mt19937_64 random = TestRandom();
  for (uint32_t num_bytes = 8; num_bytes <= 64; num_bytes += 2 * kStep) {
    for (size_t num_keys : {1, 2, 3, 5, 10, 20, 35, 60, 150}) {
      const auto base = static_cast<uint8_t>(num_keys & ~size_t{1});
      std::vector<uint64_t> hashes = RandomHashes(num_keys, random);
      Bytes bytes = SolvedLine(hashes, base, num_bytes);
      for (uint64_t hash : hashes) {
        ASSERT_TRUE(kernel().ribbon(LineOf(bytes), hash, base))
            << num_bytes << " bytes, " << num_keys << " keys";
      }
      hashes.resize(std::min<size_t>(num_keys, 6));
      hashes.push_back(random());
      for (size_t bit = 0; bit < 8 * num_bytes; ++bit) {
        bytes[bit / 8] = static_cast<uint8_t>(bytes[bit / 8] ^ 1u << bit % 8);
        for (uint64_t hash : hashes) ExpectRibbon(LineOf(bytes), hash, base);
        if (HasFatalFailure()) return;
        bytes[bit / 8] = static_cast<uint8_t>(bytes[bit / 8] ^ 1u << bit % 8);
      }
    }
  }
}

TEST_P(ShortLineKernelTest, BloomAnswersAsSpecifiedForAnyBytes) {
  std::mt19937_64 random = TestRandom();
  for (uint32_t num_bytes = 8; num_bytes <= 64; num_bytes += kStep) {
    for (uint8_t probes = 1; probes <= 24; ++probes) {
      for (size_t sixteenths : {4, 8, 14, 15, 16}) {
        const Bytes bytes =
            RandomLine(num_bytes, sixteenths, random() % 64, random);
        for (uint64_t hash : RandomHashes(20, random)) {
          ExpectBloom(LineOf(bytes), hash, probes);
          if (HasFatalFailure()) return;
        }
      }
    }
  }
}

// A line of 64 bytes is one of a filter block, with the answers of the kernels
// that look into these.
TEST_P(ShortLineKernelTest, WholeLinesAreThoseOfFilterBlocks) {
  std::mt19937_64 random = TestRandom();
  const ProbeKernel& ribbon =
      *(*FindKind(kRibbonId)->kernels)[static_cast<size_t>(GetParam())];
  const ProbeKernel& bloom =
      *(*FindKind(kBloomId)->kernels)[static_cast<size_t>(GetParam())];
  for (size_t num_keys : {1, 5, 20, 51, 80, 150}) {
    const auto base = static_cast<uint8_t>(num_keys);
    std::vector<uint64_t> hashes = RandomHashes(num_keys, random);
    const Bytes bytes = SolvedLine(hashes, base, kLineBytes);
    for (uint64_t absent : RandomHashes(2000, random)) hashes.push_back(absent);
    for (uint64_t hash : hashes) {
      EXPECT_EQ(kernel().ribbon(LineOf(bytes), hash, base),
                ribbon.one(bytes.data(), hash, base));
      EXPECT_EQ(kernel().bloom(LineOf(bytes), hash, 2),
                bloom.one(bytes.data(), hash, 2));
    }
  }
}

// The unreadable pages end the test if another byte is read.
TEST_P(ShortLineKernelTest, ReadTheLineAndNothingElse) {
  std::mt19937_64 random = TestRandom();
  for (GuardedEdge edge : {GuardedEdge::kStart, GuardedEdge::kEnd}) {
    for (uint32_t num_bytes = 8; num_bytes <= 64; ++num_bytes) {
      const GuardedBytes guarded(num_bytes, edge);
      const ShortLine line = {guarded.data(), num_bytes};
      for (int i = 0; i < 40; ++i) {
        const Bytes bytes =
            RandomLine(num_bytes, 8 + random() % 9, random() % 64, random);
        std::memcpy(guarded.data(), bytes.data(), num_bytes);
        const auto base = static_cast<uint8_t>(random());
        const uint64_t hash = random();
        ExpectRibbon(line, hash, base);
        ExpectBloom(line, hash, static_cast<uint8_t>(1 + random() % 24));
        if (HasFatalFailure()) return;
      }
      // Keys that pass look at every column.
      const std::vector<uint64_t> hashes = RandomHashes(num_bytes / 2, random);
      const Bytes solved = SolvedLine(hashes, 2, num_bytes);
      std::memcpy(guarded.data(), solved.data(), num_bytes);
      for (uint64_t hash : hashes) {
        ASSERT_TRUE(kernel().ribbon(line, hash, 2)) << num_bytes;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, ShortLineKernelTest,
    testing::Values(InstructionSet::kPortable, InstructionSet::kAvx2,
                    InstructionSet::kAvx512),
    [](const auto& set) {
      return std::string(kInstructionSetNames[static_cast<size_t>(set.param)]);
    });

}  // namespace
}  // namespace oneline
