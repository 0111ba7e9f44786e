// From an allowed false-positive rate to a filter, in three ways: by the table
// of whole bits and hashes that ClickHouse sizes its filters with, by the
// formulas, and with all bits of a key in one cache line. Prints what each way
// takes and the rate that it really has.

#include <cstdint>
#include <cstdio>
#include <string>

#include "membership/filters/blocked_bloom_filter.h"
#include "membership/filters/bloom_filter.h"
#include "membership/filters/classic_model.h"

namespace oneline {
namespace {

constexpr uint64_t kKeys = 100000;
constexpr uint64_t kAbsentKeys = 1000000;

// Fills the filter and prints its bits per key, its hashes and its rate.
template <typename Filter>
void Measure(Filter& filter, int num_hashes) {
  for (uint64_t i = 0; i < kKeys; ++i) filter.Add(std::to_string(i));
  uint64_t passed = 0;
  for (uint64_t i = kKeys; i < kKeys + kAbsentKeys; ++i) {
    passed += filter.MayContain(std::to_string(i));
  }
  std::printf("%9.2f%4d%9.4f %%",
              8.0 * static_cast<double>(filter.num_bytes()) / kKeys, num_hashes,
              100.0 * static_cast<double>(passed) / kAbsentKeys);
}

void Compare(double fp_rate) {
  std::printf("%6g %%", 100 * fp_rate);
  const Practice practice = BestPractice(fp_rate);
  BloomFilter by_table = *BloomFilter::ForBytes(
      kKeys * static_cast<uint64_t>(practice.bits_per_key) / 8,
      practice.num_hashes, /*seed=*/0);
  Measure(by_table, practice.num_hashes);
  BloomFilter by_formula = *BloomFilter::ForKeys(kKeys, fp_rate);
  Measure(by_formula, by_formula.shape().num_hashes);
  BlockedBloomFilter blocked = *BlockedBloomFilter::ForKeys(kKeys, fp_rate);
  Measure(blocked, blocked.num_probes());
  std::printf("\n");
}

}  // namespace
}  // namespace oneline

int main() {
  std::printf("%8s%24s%24s%24s\n%8s", "", "table", "formula", "one cache line",
              "allowed");
  for (int way = 0; way < 3; ++way) {
    std::printf("%9s%4s%11s", "bits/key", "k", "measured");
  }
  std::printf("\n");
  for (double fp_rate : {0.1, 0.025, 0.01, 0.001, 0.0001}) {
    oneline::Compare(fp_rate);
  }
}
