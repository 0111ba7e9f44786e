// Tests of membership/filters/classic_model.h against the figures that the
// literature gives. tests/membership/filters/every_filter_test.cc compares
// measured rates with the model.

#include "membership/filters/classic_model.h"

#include "tests/testing.h"

namespace oneline {
namespace {

TEST(ClassicModelTest, FiguresOfTheLiterature) {
  const struct {
    double figure, published, error;
  } kFigures[] = {
      // 9.6 bits per key for 1 %, and 4.8 more for each factor of ten.
      {ClassicBloomBitsPerKey(0.01), 9.585058, 1e-6},
      {ClassicBloomBitsPerKey(1e-12) - ClassicBloomBitsPerKey(1e-11), 4.792529,
       1e-6},
      // A billion keys at 0.01 %: 1.66 GB at the least, 2.4 GB in a filter.
      {1e9 * InformationBound(1e-4) / 8, 1.66e9, 0.005e9},
      {1e9 * ClassicBloomBitsPerKey(1e-4) / 8, 2.4e9, 0.005e9},
      // With a billion keys in 18 MB only one absent key in a thousand is found
      // to be absent.
      {ClassicBloomFpRate(8 * 18e6 / 1e9, 1), 0.999, 0.0005},
      // Pei Cao, "Bloom Filters - the math": k = 10 and m/n = 20.
      {ClassicBloomFpRate(20, 10), 0.0000889, 0.00000005},
      // k = 1, a bitmap with one hash: 1 % needs about 100 bits per key.
      {ClassicBloomFpRate(100, 1), 0.01, 0.0001},
      // k = 8 with half of the bits set: 2^-8, at 11.54 bits per key. With 16
      // it is 0.057 % and not the 0.01 % that one article promises, which the
      // best k does not reach either.
      {ClassicBloomFpRate(8 / std::log(2), 8), 1.0 / 256, 1e-12},
      {ClassicBloomFpRate(16, 8), 0.000574, 0.000001},
      {ClassicBloomFpRate(16, ClassicBloomProbes(16)), 0.00046, 0.000005},
  };
  for (const auto &[figure, published, error] : kFigures) {
    EXPECT_NEAR(figure, published, error);
  }
}

TEST(ClassicModelTest, TheNumberOfProbesIsTheBestOfAll) {
  for (double bits = 0.1; bits < 100; bits *= 1.07) {
    int best = 1;
    for (int k = 2; k <= 100; ++k) {
      if (ClassicBloomFpRate(bits, k) < ClassicBloomFpRate(bits, best)) {
        best = k;
      }
    }
    EXPECT_EQ(ClassicBloomProbes(bits), best) << bits;
  }
}

TEST(BestPracticeTest, IsTheSmallestEntryOfTheTable) {
  const struct {
    double fp_rate;
    int bits_per_key, num_hashes;
  } kKnown[] = {
      // ClickHouse's default for its Bloom filter indexes.
      {0.025, 8, 4},
      // k = 10 and m/n = 20 give 0.0000889, and are chosen for that rate.
      {0.0000890, 20, 10},
      {0.0000888, 20, 11},
      // Below the table, the entry with the lowest rate, 6.7e-5.
      {6.6e-5, 20, 14},
      {1e-300, 20, 14},
  };
  for (const auto &[fp_rate, bits_per_key, num_hashes] : kKnown) {
    const Practice practice = BestPractice(fp_rate);
    EXPECT_EQ(practice.bits_per_key, bits_per_key) << fp_rate;
    EXPECT_EQ(practice.num_hashes, num_hashes) << fp_rate;
  }
}

}  // namespace
}  // namespace oneline
