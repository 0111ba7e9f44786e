// The data of database benchmarks: records, and keys that are not among them.

#ifndef ONELINE_BENCH_KEYS_DATA_SET_H_
#define ONELINE_BENCH_KEYS_DATA_SET_H_

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "bench/comparison/comparison.h"
#include "bench/comparison/records.h"
#include "bench/keys/path_list.h"

namespace oneline {

struct DataSet {
  std::string keys;         // what kind of keys, in results
  std::string value_bytes;  // in results
  std::shared_ptr<const Records> records;
  std::vector<std::string> absent;  // keys that are not there, all different
  // Filters have these first bytes of the keys, too; 0: not. Then
  // absent_prefixes has the first possible keys of prefixes that no key has,
  // and every keys_of_prefix-th record is the first of its prefix.
  size_t prefix_bytes = 0;
  size_t keys_of_prefix = 0;
  std::vector<std::string> absent_prefixes;
};

// 16 random bytes each.
DataSet RandomDataSet(size_t num_records, size_t value_bytes,
                      size_t num_absent);

// What a table of events has: the number of a user, 8 bytes, then that of the
// event, 4 bytes, big-endian, so that keys sort by number; 16 events for each
// user. Users have even numbers, absent ones odd ones.
DataSet CounterDataSet(size_t num_records, size_t value_bytes,
                       size_t num_absent);

// Paths and the packages they belong to: `num_records` of the list's, evenly
// taken, or all if it has not as many.
DataSet PathDataSet(std::shared_ptr<const PathList> list, size_t num_records,
                    size_t num_absent);

// Lookups of absent keys, of present ones, or of both by turns.
enum class Presence { kAbsent, kHalf, kPresent };
// Views of the data set's bytes. Absent keys do not come twice; there are
// fewer lookups than `count` if the data set has too few of them. Present ones
// are drawn with `seed`.
std::vector<Lookup> KeyLookups(const DataSet& data, Presence presence,
                               size_t count, uint64_t seed);
// The same for prefixes. REQUIRES: prefix_bytes > 0; absent or present.
std::vector<Lookup> PrefixLookups(const DataSet& data, Presence presence,
                                  size_t count, uint64_t seed);

}  // namespace oneline

#endif  // ONELINE_BENCH_KEYS_DATA_SET_H_
