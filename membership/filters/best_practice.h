// Sizes a classic Bloom filter by a table, as ClickHouse does for its indexes:
// from an allowed false-positive rate to whole bits per key and a number of
// hashes. membership/examples/size_for_rate.cc shows its use.

#ifndef ONELINE_MEMBERSHIP_FILTERS_BEST_PRACTICE_H_
#define ONELINE_MEMBERSHIP_FILTERS_BEST_PRACTICE_H_

namespace oneline {

inline constexpr int kMaxPracticeBits = 20;
inline constexpr int kMaxPracticeHashes = 15;

struct Practice {
  int bits_per_key;  // 1 to kMaxPracticeBits
  int num_hashes;    // 1 to kMaxPracticeHashes
};

// The fewest bits per key with which the false-positive rate is at most
// `fp_rate`, and the fewest hashes that suffice with them. The lowest rate of
// the table is 6.7e-5; below it, returns the entry that has this rate.
// REQUIRES: fp_rate > 0.
Practice BestPractice(double fp_rate);

}  // namespace oneline

#endif  // ONELINE_MEMBERSHIP_FILTERS_BEST_PRACTICE_H_
