// A large filter of any kind, and how many absent keys it lets pass: by what
// stands in its lines, and by lookups.
//
// Two chances make a measured rate differ from the model's. The filter: its
// keys fell on lines as they did, and of what is in a line follows which part
// of all absent keys passes there. The probes: how many of the absent keys
// tried are among those, a binomial count. The first is measured line by line,
// so each has its own standard error and a fault in one does not hide in the
// other's.

#ifndef ONELINE_TESTS_TABLE_MEASURED_FILTER_H_
#define ONELINE_TESTS_TABLE_MEASURED_FILTER_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "table/block/filter_kind.h"
#include "tests/random_keys.h"

namespace oneline {

class MeasuredFilter {
 public:
  MeasuredFilter(const KindTraits& kind, KeySet set, uint64_t seed,
                 size_t num_keys, double bits_per_key, int effort);

  // Expects that its lines have the rate of the kind's model, and that as many
  // of `probes` absent keys pass: within six standard errors, the lines within
  // `slack` of the rate if that is more. `probes` is a multiple of kBatchKeys.
  void ExpectRateOfModel(uint64_t probes, double slack = 0) const;

 private:
  double ModelRate() const;
  // The part of `n` absent keys that pass.
  double ProbedRate(uint64_t n) const;

  const KindTraits& kind_;
  const KeySet set_;
  const uint64_t seed_;
  const size_t num_keys_;
  const int effort_;
  const uint32_t num_lines_;
  const uint8_t parameter_;
  std::vector<uint8_t> lines_;
  std::vector<uint32_t> keys_of_line_;
};

}  // namespace oneline

#endif  // ONELINE_TESTS_TABLE_MEASURED_FILTER_H_
