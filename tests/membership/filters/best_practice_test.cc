// Tests of membership/filters/best_practice.h, and that the committed table is
// what its generator prints.

#include "membership/filters/best_practice.h"

#include <gtest/gtest.h>

#include "membership/filters/classic_model.h"
#include "tests/run_program.h"

namespace oneline {
namespace {

TEST(BestPracticeTest, TheTableIsWhatItsGeneratorPrints) {
  const Finished generator = RunProgram("membership/filters/best_practice_gen");
  EXPECT_EQ(generator.exit_code, 0) << generator.err;
  EXPECT_EQ(ReadWholeFile("membership/filters/best_practice_table.h"),
            generator.out)
      << "bazel run //membership/filters:best_practice_gen > "
         "membership/filters/best_practice_table.h";
}

TEST(BestPracticeTest, KnownRates) {
  const struct {
    double fp_rate;
    int bits_per_key, num_hashes;
  } kKnown[] = {
      // ClickHouse's default for its Bloom filter indexes.
      {0.025, 8, 4},
      // k = 10 and m/n = 20 give 0.0000889, and are chosen for that rate.
      {0.0000890, 20, 10},
      {0.0000888, 20, 11},
      // Below the table, the entry with the lowest rate.
      {6.6e-5, 20, 14},
      {1e-300, 20, 14},
  };
  for (const auto& [fp_rate, bits_per_key, num_hashes] : kKnown) {
    const Practice practice = BestPractice(fp_rate);
    EXPECT_EQ(practice.bits_per_key, bits_per_key) << fp_rate;
    EXPECT_EQ(practice.num_hashes, num_hashes) << fp_rate;
  }
  EXPECT_NEAR(ClassicBloomFpRate(20, 14), 6.71e-5, 0.005e-5);
}

// Neither fewer bits, nor fewer hashes with the same bits, reach the rate.
TEST(BestPracticeTest, NoSmallerChoiceReachesTheRate) {
  for (double rate = 0.99; rate > 7e-5; rate *= 0.97) {
    const Practice practice = BestPractice(rate);
    EXPECT_LE(ClassicBloomFpRate(practice.bits_per_key, practice.num_hashes),
              rate);
    for (int k = 1; k < practice.num_hashes; ++k) {
      EXPECT_GT(ClassicBloomFpRate(practice.bits_per_key, k), rate);
    }
    for (int k = 1; practice.bits_per_key > 1 && k <= kMaxPracticeHashes; ++k) {
      EXPECT_GT(ClassicBloomFpRate(practice.bits_per_key - 1, k), rate);
    }
  }
}

}  // namespace
}  // namespace oneline
