// The data sets of database benchmarks: records, keys that are not among them,
// and lookups of both.

#ifndef ONELINE_BENCH_KEYS_DATA_SET_H_
#define ONELINE_BENCH_KEYS_DATA_SET_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "bench/keys/path_list.h"
#include "bench/keys/records.h"

namespace oneline {

struct DataSet {
  std::shared_ptr<const Records> records;
  std::vector<std::string> absent;  // different keys that no record has
};

// Keys of 16 random bytes, values that do not compress.
DataSet RandomDataSet(size_t num_records, size_t value_bytes,
                      size_t num_absent);

// Paths and the packages they belong to: about `num_records` of the list, at
// equal distances, or all if it has fewer.
DataSet PathDataSet(std::shared_ptr<const PathList> list, size_t num_records,
                    size_t num_absent);

// How often keys are asked for: all alike, and each absent one once; or by
// Zipf's law with the exponent 0.99, present and absent ones.
enum class KeyLaw { kUniform, kZipf };

// `count` lookups, of which `absent_percent` in a hundred, evenly spread, are
// of absent keys; or fewer if each is looked up once and the data set has too
// few. Keys are drawn with `seed`. The lookups are views of the data set.
std::vector<Lookup> Lookups(const DataSet& data, size_t absent_percent,
                            size_t count, uint64_t seed,
                            KeyLaw law = KeyLaw::kUniform);

}  // namespace oneline

#endif  // ONELINE_BENCH_KEYS_DATA_SET_H_
