#include "membership/filters/best_practice.h"

#include <algorithm>
#include <cassert>
#include <iterator>

#include "membership/filters/best_practice_table.h"

namespace oneline {

Practice BestPractice(double fp_rate) {
  assert(fp_rate > 0);
  for (int bits = 1; bits <= kMaxPracticeBits; ++bits) {
    const auto& rates = best_practice::kFpRates[bits - 1];
    for (int hashes = 1; hashes <= kMaxPracticeHashes; ++hashes) {
      if (rates[hashes - 1] <= fp_rate) return {bits, hashes};
    }
  }
  const auto& last = best_practice::kFpRates[kMaxPracticeBits - 1];
  const auto* best = std::min_element(std::begin(last), std::end(last));
  return {kMaxPracticeBits, static_cast<int>(best - std::begin(last)) + 1};
}

}  // namespace oneline
