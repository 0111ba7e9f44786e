// Every kernel that this machine can run answers like a reader written from the
// specification, for many random lines, each another one. The default takes a
// few seconds; 10^8 lines for each kind take half an hour:
//
//   bazel test --test_env=ONELINE_TEST_LINES=100000000 --test_timeout=7200
//     //tests/table/block:kernels_differential_test

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "table/block/filter_kind.h"
#include "table/hash/key_hash.h"
#include "table/simd/lookups.h"
#include "tests/sanitizers.h"
#include "tests/table/all_kinds.h"
#include "tests/table/line_specification.h"
#include "tests/table/random_lines.h"
#include "tests/table/ribbon_lines.h"
#include "tests/table/supported_sets.h"
#include "tests/test_seed.h"

namespace oneline {
namespace {

// For each kind.
uint64_t NumLines() {
  const char* wanted = std::getenv("ONELINE_TEST_LINES");
  if (wanted != nullptr && *wanted != '\0') {
    return std::strtoull(wanted, nullptr, 0);
  }
  return kSlow ? 20000 : 500000;
}

constexpr size_t kKeys = 4;

class KernelsDifferentialTest
    : public testing::TestWithParam<const KindTraits*> {
 protected:
  const KindTraits& kind() const { return *GetParam(); }

  // Random bytes. Every second line of the Ribbon is then changed so that this
  // key passes, and half of these have one bit flipped after that. (Dense Bloom
  // lines let keys pass without such help.)
  LineBytes AnyLine(size_t num_bytes, uint64_t hash, uint8_t parameter) {
    LineBytes line = RandomLine(num_bytes, random_() % 17, random_);
    if (kind().id != kRibbonId || random_() % 2 == 0) return line;
    const SpecifiedRibbonLookup lookup(line.data(), num_bytes, hash, parameter);
    LetPass(lookup, line.data());
    if (random_() % 2 == 0) {
      FlipBit(11 + random_() % (8 * num_bytes - 11), line.data());
    }
    return line;
  }

  // All functions of each kernel that take lines of this length.
  void ExpectSpecifiedAnswers(const uint8_t* line, size_t num_bytes,
                              const std::array<uint64_t, kKeys>& hashes,
                              uint8_t parameter) {
    const auto length = static_cast<uint32_t>(num_bytes);
    const LineContext context = kind().context(parameter, length);
    std::array<bool, kKeys> expected;
    for (size_t i = 0; i < kKeys; ++i) {
      expected[i] =
          LineBySpecification(kind().id, line, num_bytes, hashes[i], parameter);
      passed_ += expected[i] ? 1 : 0;
    }
    for (InstructionSet set : sets_) {
      const ProbeKernel& kernel = KernelFor(*kind().kernels, set);
      std::array<bool, kKeys> answers;
      for (size_t i = 0; i < kKeys; ++i) {
        answers[i] = kernel.short_line({line, length}, hashes[i], context);
      }
      ASSERT_EQ(answers, expected)
          << NameOf(set) << ", " << num_bytes << " bytes, parameter "
          << int{parameter} << ", hashes from " << hashes[0];
      if (num_bytes < kLineBytes) continue;
      for (size_t i = 0; i < kKeys; ++i) {
        answers[i] = kernel.one(line, hashes[i], context);
      }
      ASSERT_EQ(answers, expected) << NameOf(set);
      kernel.batch(line, 1, hashes.data(), kKeys, context, answers.data());
      ASSERT_EQ(answers, expected) << NameOf(set);
    }
  }

  std::mt19937_64 random_;
  const std::vector<InstructionSet> sets_ = SupportedSets();
  uint64_t passed_ = 0;
};

TEST_P(KernelsDifferentialTest, AnswerAsSpecified) {
  random_ = TestRandom();
  const std::vector<uint8_t> parameters = ValidParameters(kind());
  const uint64_t num_lines = NumLines();
  alignas(kLineBytes) std::array<uint8_t, 2 * kLineBytes> memory;
  for (uint64_t i = 0; i < num_lines; ++i) {
    const uint8_t parameter = parameters[random_() % parameters.size()];
    // One line in four is short.
    const size_t num_bytes =
        random_() % 4 == 0 ? 8 + random_() % 57 : kLineBytes;
    std::array<uint64_t, kKeys> hashes;
    for (uint64_t& hash : hashes) hash = random_();
    const LineBytes line = AnyLine(num_bytes, hashes[0], parameter);
    uint8_t* const anywhere = memory.data() + random_() % kLineBytes;
    std::copy(line.begin(), line.end(), anywhere);
    ExpectSpecifiedAnswers(anywhere, num_bytes, hashes, parameter);
    if (HasFatalFailure()) return;
  }
  std::printf("%s: %llu lines, %llu of %llu lookups passed\n", kind().name,
              static_cast<unsigned long long>(num_lines),
              static_cast<unsigned long long>(passed_),
              static_cast<unsigned long long>(num_lines * kKeys));
  // Both answers were asked for.
  EXPECT_GT(passed_, num_lines / 50);
  EXPECT_LT(passed_, num_lines * 3);
}

INSTANTIATE_TEST_SUITE_P(All, KernelsDifferentialTest,
                         testing::ValuesIn(AllKinds()), [](const auto& kind) {
                           return std::string(kind.param->name);
                         });

}  // namespace
}  // namespace oneline
