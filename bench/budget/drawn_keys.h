// The keys that lookups ask for: all alike or by Zipf's law, of which a share
// is in the database. The same for every filter.

#ifndef ONELINE_BENCH_BUDGET_DRAWN_KEYS_H_
#define ONELINE_BENCH_BUDGET_DRAWN_KEYS_H_

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "bench/measure/random_key.h"

namespace oneline {

enum class KeyLaw { kUniform, kZipf };

class DrawnKeys {
 public:
  // `keys`: in the database, those of Key(0), Key(2) and so on; `present`: the
  // share of lookups that find theirs, 0 to 1. Other keys for each `sequence`.
  DrawnKeys(uint64_t keys, KeyLaw law, double present, uint64_t sequence = 0)
      : keys_(keys), law_(law), present_(present), random_(sequence) {}

  struct Drawn {
    Key key;
    bool is_present;
  };

  Drawn Next() {
    const bool is_present = Share() < present_;
    const uint64_t rank = Rank();
    // Keys that are asked often are in all levels: they were written in the
    // order of their numbers.
    constexpr uint64_t kStride = 7919;
    return {Key(is_present ? 2 * (rank * kStride % keys_) : 2 * rank + 1),
            is_present};
  }

 private:
  // From 0 to 1.
  double Share() { return static_cast<double>(random_.Next() >> 11) * 0x1p-53; }

  uint64_t Rank() {
    const auto keys = static_cast<double>(keys_);
    double rank = keys * Share();
    if (law_ == KeyLaw::kZipf) {
      // The inverse of the integral of x^-0.99, from 1 to keys + 1.
      constexpr double kOther = 1 - 0.99;
      const double all = std::pow(keys + 1, kOther) - 1;
      rank = std::pow(1 + Share() * all, 1 / kOther) - 1;
    }
    return std::min(static_cast<uint64_t>(rank), keys_ - 1);
  }

  const uint64_t keys_;
  const KeyLaw law_;
  const double present_;
  Random random_;
};

}  // namespace oneline

#endif  // ONELINE_BENCH_BUDGET_DRAWN_KEYS_H_
