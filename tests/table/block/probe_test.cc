// Tests of table/simd/probe.h and of the kernels of every kind: each
// instruction set that this machine can run answers like the portable kernel,
// whatever the bytes of the lines, and stays inside them.
//
// A kind that is added to table/block/filter_kind.cc is tested with no change
// here.

#include "table/simd/probe.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "table/block/filter_kind.h"
#include "table/hash/hash_list.h"
#include "table/hash/key_hash.h"
#include "tests/guarded_bytes.h"
#include "tests/sanitizers.h"
#include "tests/table/all_kinds.h"
#include "tests/test_seed.h"

namespace oneline {
namespace {

using Line = std::array<uint8_t, kLineBytes>;

void FlipBit(size_t bit, Line& line) {
  line[bit / 8] = static_cast<uint8_t>(line[bit / 8] ^ (1u << (bit % 8)));
}

std::vector<uint64_t> RandomHashes(size_t n, std::mt19937_64& random) {
  std::vector<uint64_t> hashes(n);
  for (uint64_t& hash : hashes) hash = random();
  return hashes;
}

// Each bit is set with probability sixteenths / 16.
Line RandomLine(size_t sixteenths, std::mt19937_64& random) {
  Line line{};
  for (size_t bit = 0; bit < kLineBits; ++bit) {
    if (random() % 16 < sixteenths) FlipBit(bit, line);
  }
  return line;
}

// Lines that nobody builds: nothing, everything, all but nothing, all but
// everything, and random bytes from sparse to dense.
std::vector<Line> HostileLines(std::mt19937_64& random) {
  Line none{}, all;
  all.fill(0xff);
  std::vector<Line> lines = {none, all};
  for (size_t bit = 0; bit < kLineBits; ++bit) {
    lines.push_back(none);
    FlipBit(bit, lines.back());
    lines.push_back(all);
    FlipBit(bit, lines.back());
  }
  for (size_t sixteenths = 1; sixteenths < 16; ++sixteenths) {
    for (int i = 0; i < 8; ++i) lines.push_back(RandomLine(sixteenths, random));
  }
  return lines;
}

// One line built, as the kind builds it, from these hashes.
Line BuiltLine(const KindTraits& kind, uint8_t parameter,
               const std::vector<uint64_t>& hashes) {
  HashList list;
  for (uint64_t hash : hashes) list.Append(hash);
  Line line{};
  kind.build(list, parameter, kDefaultEffort, line.data(), 1);
  return line;
}

// The kernel of one kind and one instruction set, beside the portable one.
struct Kernel {
  const KindTraits* kind;
  InstructionSet set;
};

class KernelTest : public testing::TestWithParam<Kernel> {
 protected:
  void SetUp() override {
    if (GetParam().set > BestInstructionSet()) {
      GTEST_SKIP() << "this processor can't run it";
    }
  }

  const KindTraits& kind() const { return *GetParam().kind; }
  const ProbeKernel& kernel() const {
    return KernelFor(*kind().kernels, GetParam().set);
  }
  const ProbeKernel& portable() const {
    return KernelFor(*kind().kernels, InstructionSet::kPortable);
  }

  void ExpectSameAnswers(const uint8_t* line, uint8_t parameter,
                         const std::vector<uint64_t>& hashes) const {
    for (uint64_t hash : hashes) {
      ASSERT_EQ(kernel().one(line, hash, parameter),
                portable().one(line, hash, parameter))
          << "hash " << hash << ", parameter " << int{parameter};
    }
  }

  // In one of the processor's lines, and over two: kernels may tell these
  // apart.
  void ExpectSameAnswersWherever(const Line& line, uint8_t parameter,
                                 const std::vector<uint64_t>& hashes) const {
    alignas(kLineBytes) std::array<uint8_t, 2 * kLineBytes> memory;
    for (size_t offset : {0, 16}) {
      std::memcpy(memory.data() + offset, line.data(), kLineBytes);
      ExpectSameAnswers(memory.data() + offset, parameter, hashes);
    }
  }

  // Batches over these lines answer like the portable kernel, key by key, and
  // write nothing else.
  void ExpectSameBatches(const uint8_t* lines, uint32_t num_lines,
                         uint8_t parameter,
                         const std::vector<uint64_t>& hashes) const;
};

void KernelTest::ExpectSameBatches(const uint8_t* lines, uint32_t num_lines,
                                   uint8_t parameter,
                                   const std::vector<uint64_t>& hashes) const {
  constexpr uint8_t kUntouched = 0xa5;
  std::vector<uint8_t> answers(hashes.size() + 16, kUntouched);
  kernel().batch(lines, num_lines, hashes.data(), hashes.size(), parameter,
                 reinterpret_cast<bool*>(answers.data()));
  for (size_t i = 0; i < hashes.size(); ++i) {
    const uint8_t* line = lines + kLineBytes * LineIndex(hashes[i], num_lines);
    ASSERT_EQ(answers[i], portable().one(line, hashes[i], parameter) ? 1 : 0)
        << "hash " << i << " of " << hashes.size() << ", parameter "
        << int{parameter} << ", " << num_lines << " lines";
  }
  for (size_t i = hashes.size(); i < answers.size(); ++i) {
    ASSERT_EQ(answers[i], kUntouched);
  }
}

TEST_P(KernelTest, AnswersLikePortableOnHostileLines) {
  std::mt19937_64 random = TestRandom();
  std::vector<uint64_t> hashes = RandomHashes(kSanitized ? 8 : 60, random);
  // Hashes that are hostile themselves.
  for (uint64_t hash : {uint64_t{0}, uint64_t{1}, ~uint64_t{0},
                        uint64_t{1} << 63, uint64_t{0xffffffff}}) {
    hashes.push_back(hash);
  }
  const std::vector<Line> lines = HostileLines(random);
  for (uint8_t parameter : ValidParameters(kind())) {
    for (const Line& line : lines) {
      ExpectSameAnswersWherever(line, parameter, hashes);
      if (HasFatalFailure()) return;
    }
  }
}

// The keys of a line pass; once a bit is changed some don't, and each bit of
// the line comes to decide about one of them.
TEST_P(KernelTest, AnswersLikePortableOnDamagedLines) {
  std::mt19937_64 random = TestRandom();
  for (uint8_t parameter : ValidParameters(kind())) {
    for (size_t num_keys : {1, 2, 5, 20, 51, 120, 500}) {
      std::vector<uint64_t> hashes = RandomHashes(num_keys, random);
      Line line = BuiltLine(kind(), parameter, hashes);
      for (uint64_t hash : hashes) {
        ASSERT_TRUE(kernel().one(line.data(), hash, parameter))
            << num_keys << " keys, parameter " << int{parameter};
      }
      hashes.resize(std::min<size_t>(num_keys, kSanitized ? 4 : 40));
      for (uint64_t absent : RandomHashes(4, random)) hashes.push_back(absent);
      for (size_t bit = 0; bit < kLineBits; ++bit) {
        FlipBit(bit, line);
        ExpectSameAnswersWherever(line, parameter, hashes);
        if (HasFatalFailure()) return;
        FlipBit(bit, line);
      }
    }
  }
}

TEST_P(KernelTest, AnyAlignment) {
  std::mt19937_64 random = TestRandom();
  alignas(64) std::array<uint8_t, 64 + 5 * kLineBytes> memory;
  for (uint8_t parameter : ValidParameters(kind())) {
    for (size_t offset = 0; offset < 64; ++offset) {
      memory.fill(0);
      HashList built;
      const std::vector<uint64_t> hashes = RandomHashes(100, random);
      for (uint64_t hash : hashes) built.Append(hash);
      kind().build(built, parameter, kDefaultEffort, memory.data() + offset, 5);
      for (uint64_t hash : hashes) {
        const uint8_t* line =
            memory.data() + offset + kLineBytes * LineIndex(hash, 5);
        ASSERT_TRUE(kernel().one(line, hash, parameter)) << offset;
      }
      ExpectSameBatches(memory.data() + offset, 5, parameter, hashes);
      ExpectSameBatches(memory.data() + offset, 5, parameter,
                        RandomHashes(100, random));
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
      // Dense lines, so that the last probe of some hash is reached.
      for (size_t sixteenths : {8, 14, 16}) {
        std::memcpy(line.data(), RandomLine(sixteenths, random).data(),
                    kLineBytes);
        ExpectSameAnswers(line.data(), parameter, RandomHashes(200, random));
        if (HasFatalFailure()) return;
      }
    }
  }
}

// Batches of 0 to 100 hashes, where lines, hashes and answers each lie against
// an unreadable page. A prefetch may touch that, a read may not.
TEST_P(KernelTest, BatchStaysInsideItsArrays) {
  std::mt19937_64 random = TestRandom();
  for (GuardedEdge edge : {GuardedEdge::kStart, GuardedEdge::kEnd}) {
    for (uint32_t num_lines : {1, 2, 3, 64, 100}) {
      const GuardedBytes lines(kLineBytes * num_lines, edge);
      for (uint32_t i = 0; i < num_lines; ++i) {
        std::memcpy(lines.data() + kLineBytes * i,
                    RandomLine(8 + i % 9, random).data(), kLineBytes);
      }
      for (size_t n = 0; n <= 100; ++n) {
        const GuardedBytes hashes(8 * n, edge), answers(n, edge);
        auto* hash = reinterpret_cast<uint64_t*>(hashes.data());
        auto* answer = reinterpret_cast<bool*>(answers.data());
        for (size_t i = 0; i < n; ++i) hash[i] = random();
        const auto valid = ValidParameters(kind());
        const uint8_t parameter = valid[random() % valid.size()];
        kernel().batch(lines.data(), num_lines, hash, n, parameter, answer);
        for (size_t i = 0; i < n; ++i) {
          const uint8_t* line =
              lines.data() + kLineBytes * LineIndex(hash[i], num_lines);
          ASSERT_EQ(answer[i], portable().one(line, hash[i], parameter));
        }
      }
    }
  }
}

TEST_P(KernelTest, BatchesOfEverySize) {
  std::mt19937_64 random = TestRandom();
  constexpr uint32_t kLines = 37;
  std::vector<uint8_t> lines;
  for (uint32_t i = 0; i < kLines; ++i) {
    const Line line = RandomLine(8 + i % 9, random);
    lines.insert(lines.end(), line.begin(), line.end());
  }
  for (uint8_t parameter : ValidParameters(kind())) {
    for (size_t n = 0; n <= 100; ++n) {
      ExpectSameBatches(lines.data(), kLines, parameter,
                        RandomHashes(n, random));
      if (HasFatalFailure()) return;
    }
  }
}

std::vector<Kernel> AllKernels() {
  std::vector<Kernel> kernels;
  for (const KindTraits* kind : AllKinds()) {
    for (size_t i = 0; i < kNumInstructionSets; ++i) {
      kernels.push_back({kind, static_cast<InstructionSet>(i)});
    }
  }
  return kernels;
}

std::string KernelName(const testing::TestParamInfo<Kernel>& kernel) {
  return std::string(kernel.param.kind->name) + "_" +
         kInstructionSetNames[static_cast<size_t>(kernel.param.set)];
}

INSTANTIATE_TEST_SUITE_P(All, KernelTest, testing::ValuesIn(AllKernels()),
                         KernelName);

// The choice of instruction set happens once in a program, so each case runs
// in a program of its own.
class ChosenInstructionSetDeathTest : public testing::Test {
 protected:
  void SetUp() override {
    testing::GTEST_FLAG(death_test_style) = "threadsafe";
  }

  // What the program writes to standard error with this ONELINE_KERNEL: its
  // messages, then the name of the chosen set.
  static void ExpectOutput(const char* kernel, const std::string& expected) {
    EXPECT_EXIT(
        {
          if (kernel == nullptr) {
            unsetenv("ONELINE_KERNEL");
          } else {
            setenv("ONELINE_KERNEL", kernel, 1);
          }
          ChosenInstructionSet();
          const auto set = static_cast<size_t>(ChosenInstructionSet());
          std::fputs(kInstructionSetNames[set], stderr);
          std::exit(0);
        },
        testing::ExitedWithCode(0), expected);
  }

  static std::string Best() {
    return kInstructionSetNames[static_cast<size_t>(BestInstructionSet())];
  }
};

TEST_F(ChosenInstructionSetDeathTest, IsTheBestIfNoneIsNamed) {
  ExpectOutput(nullptr, "^" + Best() + "$");
  ExpectOutput("", "^" + Best() + "$");
}

TEST_F(ChosenInstructionSetDeathTest, IsTheOneNamed) {
  for (size_t i = 0; i < kNumInstructionSets; ++i) {
    const std::string name = kInstructionSetNames[i];
    if (static_cast<InstructionSet>(i) <= BestInstructionSet()) {
      ExpectOutput(name.c_str(), "^" + name + "$");
    } else {
      ExpectOutput(name.c_str(), "^oneline: ONELINE_KERNEL=" + name +
                                     ": this processor can't run it; using " +
                                     Best() + "\n" + Best() + "$");
    }
  }
}

TEST_F(ChosenInstructionSetDeathTest, UnknownNamesAreReportedOnceAndIgnored) {
  for (const char* name : {"sse2", "AVX2", "avx2 ", "0"}) {
    ExpectOutput(name, std::string("^oneline: ONELINE_KERNEL=") + name +
                           ": unknown, must be portable, avx2 or avx512; "
                           "using " +
                           Best() + "\n" + Best() + "$");
  }
}

}  // namespace
}  // namespace oneline
