// The data sets of database benchmarks: records, and keys that are not among
// them.

#ifndef ONELINE_BENCH_KEYS_DATA_SET_H_
#define ONELINE_BENCH_KEYS_DATA_SET_H_

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "bench/keys/path_list.h"
#include "bench/keys/records.h"

namespace oneline {

struct DataSet {
  std::string keys;         // the kind of keys, as results name it
  std::string value_bytes;  // as results name it
  std::shared_ptr<const Records> records;
  std::vector<std::string> absent;  // different keys that no record has
  // If not 0, filters also have the first prefix_bytes of each key. Then
  // absent_prefixes has the first possible key of each of some prefixes that no
  // record has, and every keys_of_prefix-th record is the first of its prefix.
  size_t prefix_bytes = 0;
  size_t keys_of_prefix = 0;
  std::vector<std::string> absent_prefixes;
};

// Keys of 16 random bytes.
DataSet RandomDataSet(size_t num_records, size_t value_bytes,
                      size_t num_absent);

// The keys of a table of events: the number of a user, 8 bytes, then that of an
// event, 4 bytes, both big-endian, so that keys sort by number. Each user has
// 16 events. The users of records have even numbers, those of absent keys odd
// ones.
DataSet CounterDataSet(size_t num_records, size_t value_bytes,
                       size_t num_absent);

// Paths and the packages they belong to: about `num_records` of the list, at
// equal distances, or all if it has fewer.
DataSet PathDataSet(std::shared_ptr<const PathList> list, size_t num_records,
                    size_t num_absent);

// `count` lookups, of which `absent_in_ten` in ten, 0 to 10, evenly spread, are
// of absent keys; or fewer if the data set has too few of these: each is looked
// up once. Present keys are drawn with `seed`. The lookups are views of the
// data set.
std::vector<Lookup> KeyLookups(const DataSet& data, size_t absent_in_ten,
                               size_t count, uint64_t seed);
// The same for prefixes. REQUIRES: prefix_bytes > 0.
std::vector<Lookup> PrefixLookups(const DataSet& data, size_t absent_in_ten,
                                  size_t count, uint64_t seed);

}  // namespace oneline

#endif  // ONELINE_BENCH_KEYS_DATA_SET_H_
