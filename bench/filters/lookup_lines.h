// Counts the cache lines of the processor that a lookup in a filter reads.

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

// Lines of 64 bytes per key looked up.
struct LookupLines {
  double read;                // different lines read
  double read_or_prefetched;  // the same, and those only prefetched
};

// A filter at a given place in memory.
class PlacedFilter {
 public:
  // Builds a filter that begins `misalignment` bytes after a multiple of 64.
  PlacedFilter(const Candidate& candidate, size_t num_keys,
               size_t misalignment);
  ~PlacedFilter();

  double bits_per_key() const;

  // Means over `num_lookups` keys, rounded up to whole batches. Every run has
  // the same result.
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
