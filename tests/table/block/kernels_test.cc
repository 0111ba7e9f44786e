// The kernels of every kind (table/simd/lookups.h): with each instruction set
// that this machine can run they answer as docs/format.md says, whatever the
// bytes of the lines, and stay inside them. The portable kernel is held to a
// reader written from the specification, the others to the portable one.
//
// The lines here are whole ones; others: tests/table/short_block/
// short_line_kernels_test.cc. Every header of the Ribbon: tests/table/ribbon/
// ribbon_kernels_test.cc. Many random lines: kernels_differential_test.cc.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "table/block/filter_kind.h"
#include "table/hash/hash_list.h"
#include "table/hash/key_hash.h"
#include "table/simd/lookups.h"
#include "tests/guarded_bytes.h"
#include "tests/sanitizers.h"
#include "tests/table/all_kinds.h"
#include "tests/table/line_specification.h"
#include "tests/table/random_lines.h"
#include "tests/table/supported_sets.h"
#include "tests/test_seed.h"

namespace oneline {
namespace {

constexpr size_t kStep = kSlow ? 5 : 1;

// Lines that nobody builds: nothing, everything, all but nothing, all but
// everything, and random bytes from sparse to dense.
std::vector<LineBytes> HostileLines(std::mt19937_64& random) {
  const LineBytes none(kLineBytes), all(kLineBytes, 0xff);
  std::vector<LineBytes> lines = {none, all};
  for (size_t bit = 0; bit < kLineBits; bit += kStep) {
    lines.push_back(none);
    FlipBit(bit, lines.back().data());
    lines.push_back(all);
    FlipBit(bit, lines.back().data());
  }
  for (size_t sixteenths = 1; sixteenths < 16; ++sixteenths) {
    for (int i = 0; i < 8; ++i) {
      lines.push_back(RandomLine(kLineBytes, sixteenths, random));
    }
  }
  return lines;
}

// Lines built, as the kind builds them, from these hashes.
std::vector<uint8_t> BuiltLines(const KindTraits& kind, uint8_t parameter,
                                const std::vector<uint64_t>& hashes,
                                uint32_t num_lines) {
  HashList list;
  for (uint64_t hash : hashes) list.Append(hash);
  std::vector<uint8_t> lines(kLineBytes * num_lines);
  kind.build(list, parameter, kDefaultEffort, lines.data(), num_lines);
  return lines;
}

// The kernel of one kind and one instruction set.
struct Kernel {
  const KindTraits* kind;
  InstructionSet set;
};

class KernelTest : public testing::TestWithParam<Kernel> {
 protected:
  void SetUp() override {
    if (!IsSupported(GetParam().set)) {
      GTEST_SKIP() << "this processor can't run it";
    }
  }

  const KindTraits& kind() const { return *GetParam().kind; }
  const ProbeKernel& kernel() const {
    return KernelFor(*kind().kernels, GetParam().set);
  }
  LineContext Context(uint8_t parameter) const {
    return kind().context(parameter, kLineBytes);
  }

  bool Expected(const uint8_t* line, uint64_t hash, uint8_t parameter) const {
    if (GetParam().set == InstructionSet::kPortable) {
      return LineBySpecification(kind().id, line, kLineBytes, hash, parameter);
    }
    return KernelFor(*kind().kernels, InstructionSet::kPortable)
        .one(line, hash, Context(parameter));
  }

  void ExpectRightAnswers(const uint8_t* line, uint8_t parameter,
                          const std::vector<uint64_t>& hashes) const {
    const LineContext context = Context(parameter);
    for (uint64_t hash : hashes) {
      ASSERT_EQ(kernel().one(line, hash, context),
                Expected(line, hash, parameter))
          << "hash " << hash << ", parameter " << int{parameter};
    }
  }

  // In one of the processor's lines, and over two: kernels may tell these
  // apart.
  void ExpectRightAnswersWherever(const LineBytes& line, uint8_t parameter,
                                  const std::vector<uint64_t>& hashes) const {
    alignas(kLineBytes) std::array<uint8_t, 2 * kLineBytes> memory;
    for (size_t offset : {0, 16}) {
      std::memcpy(memory.data() + offset, line.data(), kLineBytes);
      ExpectRightAnswers(memory.data() + offset, parameter, hashes);
    }
  }

  // Batches over these lines answer right, key by key, and write nothing else.
  void ExpectRightBatches(const uint8_t* lines, uint32_t num_lines,
                          uint8_t parameter,
                          const std::vector<uint64_t>& hashes) const;
};

void KernelTest::ExpectRightBatches(const uint8_t* lines, uint32_t num_lines,
                                    uint8_t parameter,
                                    const std::vector<uint64_t>& hashes) const {
  constexpr uint8_t kUntouched = 0xa5;
  std::vector<uint8_t> answers(hashes.size() + 16, kUntouched);
  kernel().batch(lines, num_lines, hashes.data(), hashes.size(),
                 Context(parameter), reinterpret_cast<bool*>(answers.data()));
  for (size_t i = 0; i < hashes.size(); ++i) {
    const uint8_t* line = lines + kLineBytes * LineIndex(hashes[i], num_lines);
    ASSERT_EQ(answers[i], Expected(line, hashes[i], parameter) ? 1 : 0)
        << "hash " << i << " of " << hashes.size() << ", parameter "
        << int{parameter} << ", " << num_lines << " lines";
  }
  for (size_t i = hashes.size(); i < answers.size(); ++i) {
    ASSERT_EQ(answers[i], kUntouched);
  }
}

TEST_P(KernelTest, HostileLines) {
  std::mt19937_64 random = TestRandom();
  std::vector<uint64_t> hashes = RandomHashes(kSlow ? 4 : 20, random);
  // Hashes that are hostile themselves.
  for (uint64_t hash : {uint64_t{0}, uint64_t{1}, ~uint64_t{0},
                        uint64_t{1} << 63, uint64_t{0xffffffff}}) {
    hashes.push_back(hash);
  }
  const std::vector<LineBytes> lines = HostileLines(random);
  for (uint8_t parameter : ValidParameters(kind())) {
    for (const LineBytes& line : lines) {
      ExpectRightAnswersWherever(line, parameter, hashes);
      if (HasFatalFailure()) return;
    }
  }
}

// The keys of a line pass; once a bit is changed some don't, and each bit of
// the line comes to decide about one of them.
TEST_P(KernelTest, DamagedLines) {
  std::mt19937_64 random = TestRandom();
  for (uint8_t parameter : ValidParameters(kind())) {
    for (size_t num_keys : {1, 5, 20, 51, 70, 120, 500}) {
      std::vector<uint64_t> hashes = RandomHashes(num_keys, random);
      LineBytes line = BuiltLines(kind(), parameter, hashes, 1);
      for (uint64_t hash : hashes) {
        ASSERT_TRUE(kernel().one(line.data(), hash, Context(parameter)))
            << num_keys << " keys, parameter " << int{parameter};
      }
      hashes.resize(std::min<size_t>(num_keys, kSlow ? 3 : 10));
      for (uint64_t absent : RandomHashes(2, random)) hashes.push_back(absent);
      for (size_t bit = 0; bit < kLineBits; bit += kStep) {
        FlipBit(bit, line.data());
        ExpectRightAnswersWherever(line, parameter, hashes);
        if (HasFatalFailure()) return;
        FlipBit(bit, line.data());
      }
    }
  }
}

// Of a filter's keys and as many others, one by one and in batches.
TEST_P(KernelTest, AnyAlignment) {
  std::mt19937_64 random = TestRandom();
  constexpr uint32_t kLines = 5;
  alignas(64) std::array<uint8_t, 64 + kLines * kLineBytes> memory;
  for (uint8_t parameter : ValidParameters(kind())) {
    std::vector<uint64_t> hashes = RandomHashes(100, random);
    const std::vector<uint8_t> built =
        BuiltLines(kind(), parameter, hashes, kLines);
    for (uint64_t absent : RandomHashes(100, random)) hashes.push_back(absent);
    std::shuffle(hashes.begin(), hashes.end(), random);
    for (size_t offset = 0; offset < 64; offset += kStep) {
      uint8_t* const lines = memory.data() + offset;
      std::memcpy(lines, built.data(), built.size());
      for (uint64_t hash : hashes) {
        const uint8_t* line = lines + kLineBytes * LineIndex(hash, kLines);
        ExpectRightAnswers(line, parameter, {hash});
      }
      ExpectRightBatches(lines, kLines, parameter, hashes);
      if (HasFatalFailure()) return;
    }
  }
}

// An answer depends on no byte but the line's 64. The unreadable pages end the
// test if another is read.
TEST_P(KernelTest, OneReadsTheLineAndNothingElse) {
  std::mt19937_64 random = TestRandom();
  for (GuardedEdge edge : {GuardedEdge::kStart, GuardedEdge::kEnd}) {
    const GuardedBytes line(kLineBytes, edge);
    for (uint8_t parameter : ValidParameters(kind())) {
      // Dense lines, so that the last probe of some hash is reached, and one
      // that its keys pass.
      for (size_t sixteenths : {8, 14, 16}) {
        std::memcpy(line.data(),
                    RandomLine(kLineBytes, sixteenths, random).data(),
                    kLineBytes);
        ExpectRightAnswers(line.data(), parameter, RandomHashes(200, random));
      }
      const std::vector<uint64_t> hashes = RandomHashes(40, random);
      std::memcpy(line.data(), BuiltLines(kind(), parameter, hashes, 1).data(),
                  kLineBytes);
      ExpectRightAnswers(line.data(), parameter, hashes);
      if (HasFatalFailure()) return;
    }
  }
}

// Batches of 0 to 100 hashes, where lines, hashes and answers each lie against
// an unreadable page. A prefetch may touch that, a read may not.
TEST_P(KernelTest, BatchStaysInsideItsArrays) {
  std::mt19937_64 random = TestRandom();
  const std::vector<uint8_t> valid = ValidParameters(kind());
  for (GuardedEdge edge : {GuardedEdge::kStart, GuardedEdge::kEnd}) {
    for (uint32_t num_lines : {1, 2, 3, 64, 100}) {
      const GuardedBytes lines(kLineBytes * num_lines, edge);
      for (uint32_t i = 0; i < num_lines; ++i) {
        std::memcpy(lines.data() + kLineBytes * i,
                    RandomLine(kLineBytes, 8 + i % 9, random).data(),
                    kLineBytes);
      }
      for (size_t n = 0; n <= 100; ++n) {
        const GuardedBytes hashes(8 * n, edge), answers(n, edge);
        auto* hash = reinterpret_cast<uint64_t*>(hashes.data());
        auto* answer = reinterpret_cast<bool*>(answers.data());
        for (size_t i = 0; i < n; ++i) hash[i] = random();
        const uint8_t parameter = valid[random() % valid.size()];
        kernel().batch(lines.data(), num_lines, hash, n, Context(parameter),
                       answer);
        for (size_t i = 0; i < n; ++i) {
          const uint8_t* line =
              lines.data() + kLineBytes * LineIndex(hash[i], num_lines);
          ASSERT_EQ(answer[i], Expected(line, hash[i], parameter));
        }
      }
    }
  }
}

// Keys of the filter and others, in any order, in batches of 0 to 100.
TEST_P(KernelTest, BatchesOfEverySize) {
  std::mt19937_64 random = TestRandom();
  constexpr uint32_t kLines = 37;
  for (uint8_t parameter : ValidParameters(kind())) {
    const std::vector<uint64_t> keys = RandomHashes(1000, random);
    const std::vector<uint8_t> lines =
        BuiltLines(kind(), parameter, keys, kLines);
    for (size_t n = 0; n <= 100; ++n) {
      std::vector<uint64_t> hashes = RandomHashes(n, random);
      for (uint64_t& hash : hashes) {
        if (random() % 2 == 0) hash = keys[random() % keys.size()];
      }
      ExpectRightBatches(lines.data(), kLines, parameter, hashes);
      if (HasFatalFailure()) return;
    }
  }
}

std::vector<Kernel> AllKernels() {
  std::vector<Kernel> kernels;
  for (const KindTraits* kind : AllKinds()) {
    for (InstructionSet set : AllSets()) kernels.push_back({kind, set});
  }
  return kernels;
}

INSTANTIATE_TEST_SUITE_P(All, KernelTest, testing::ValuesIn(AllKernels()),
                         [](const auto& kernel) {
                           return std::string(kernel.param.kind->name) + "_" +
                                  NameOf(kernel.param.set);
                         });

}  // namespace
}  // namespace oneline
