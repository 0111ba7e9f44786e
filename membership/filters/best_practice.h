// From an allowed false-positive rate to whole bits per key and a number of
// hashes, by a table: how ClickHouse sizes the Bloom filters of its indexes.

#ifndef ONELINE_MEMBERSHIP_FILTERS_BEST_PRACTICE_H_
#define ONELINE_MEMBERSHIP_FILTERS_BEST_PRACTICE_H_

namespace oneline {

inline constexpr int kMaxPracticeBits = 20;
inline constexpr int kMaxPracticeHashes = 15;

struct Practice {
  int bits_per_key;  // 1 to kMaxPracticeBits
  int num_hashes;    // 1 to kMaxPracticeHashes
};

// The fewest bits per key that allow no more than this rate, and of the numbers
// of hashes that do with them, the least. A rate below 6.7e-5 is more than the
// table can promise: then its last and best entry. REQUIRES: fp_rate > 0.
Practice BestPractice(double fp_rate);

}  // namespace oneline

#endif  // ONELINE_MEMBERSHIP_FILTERS_BEST_PRACTICE_H_
