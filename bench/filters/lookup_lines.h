// How many of the processor's cache lines a lookup in a filter reads.

#ifndef ONELINE_BENCH_FILTERS_LOOKUP_LINES_H_
#define ONELINE_BENCH_FILTERS_LOOKUP_LINES_H_

#include <cstddef>
#include <memory>

#include "bench/filters/filter_candidates.h"

namespace oneline {

enum class LookupType {
  kAbsent,
  kPresent,
  kAbsentBatch,  // 32 absent keys in one call
};

// Lines of 64 bytes for each key looked up.
struct LookupLines {
  double read;       // distinct lines read
  double asked_for;  // the same and those only prefetched
};

// A filter in memory.
class PlacedFilter {
 public:
  // At `misalignment` mod 64.
  PlacedFilter(const Candidate& candidate, size_t num_keys,
               size_t misalignment);
  ~PlacedFilter();

  double bits_per_key() const;

  // Means over `num_lookups` keys, rounded up to whole batches. The same in
  // every run.
  LookupLines Count(LookupType type, size_t num_lookups);

 private:
  LookupLines CountBatch(LookupType type, size_t first, size_t n);

  const size_t num_keys_;
  std::unique_ptr<char[]> memory_;
  rocksdb::Slice block_;
  std::unique_ptr<rocksdb::FilterBitsReader> reader_;
};

}  // namespace oneline

#endif  // ONELINE_BENCH_FILTERS_LOOKUP_LINES_H_
