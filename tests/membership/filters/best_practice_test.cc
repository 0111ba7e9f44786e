// Tests of membership/filters/best_practice.h, and that the committed table is
// what its generator prints.

#include "membership/filters/best_practice.h"

#include <gtest/gtest.h>

#include "membership/filters/classic_model.h"
#include "tests/run_program.h"

namespace oneline {
namespace {

void ExpectPractice(double fp_rate, int bits_per_key, int num_hashes) {
  const Practice practice = BestPractice(fp_rate);
  EXPECT_EQ(practice.bits_per_key, bits_per_key) << fp_rate;
  EXPECT_EQ(practice.num_hashes, num_hashes) << fp_rate;
}

TEST(BestPracticeTest, TheTableIsWhatItsGeneratorPrints) {
  const Finished generator = RunProgram("membership/filters/best_practice_gen");
  EXPECT_EQ(generator.exit_code, 0) << generator.err;
  EXPECT_EQ(ReadWholeFile("membership/filters/best_practice_table.h"),
            generator.out)
      << "bazel run //membership/filters:best_practice_gen > "
         "membership/filters/best_practice_table.h";
}

TEST(BestPracticeTest, KnownRates) {
  ExpectPractice(0.9999, 1, 1);
  ExpectPractice(0.64, 1, 1);
  ExpectPractice(0.5, 2, 1);
  // ClickHouse's default for its Bloom filter indexes.
  ExpectPractice(0.025, 8, 4);
  ExpectPractice(0.01, 10, 5);
  ExpectPractice(0.001, 15, 8);
  // k = 10 and m/n = 20 give 0.0000889, and are chosen for that rate.
  ExpectPractice(0.0000890, 20, 10);
  ExpectPractice(0.0000888, 20, 11);
}

TEST(BestPracticeTest, BelowTheTableTheEntryWithTheLowestRate) {
  EXPECT_NEAR(ClassicBloomFpRate(20, 14), 6.71e-5, 0.005e-5);
  for (double rate : {6.6e-5, 1e-9, 1e-300}) ExpectPractice(rate, 20, 14);
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
