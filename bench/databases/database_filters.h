// The filters that database benchmarks compare, all of about the same size. One
// is there twice: what differs between these two databases is chance.

#ifndef ONELINE_BENCH_DATABASES_DATABASE_FILTERS_H_
#define ONELINE_BENCH_DATABASES_DATABASE_FILTERS_H_

#include <leveldb/filter_policy.h>
#include <rocksdb/filter_policy.h>

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace oneline {

// The filter with which the others are compared.
inline constexpr char kBaseFilter[] = "bloom";

// `option` is the value of filter_policy in an OPTIONS file; "nullptr" for
// none.
struct RocksDBFilter {
  std::string name;
  std::string option;
};
std::vector<RocksDBFilter> RocksDBFilters(double bits_per_key);
// Null for no filter. An error if RocksDB does not know the option.
absl::StatusOr<std::shared_ptr<const rocksdb::FilterPolicy>> MakePolicy(
    const RocksDBFilter& filter);

// `policy` is null for none.
struct LevelDBFilter {
  std::string name;
  std::shared_ptr<const leveldb::FilterPolicy> policy;
};
std::vector<LevelDBFilter> LevelDBFilters(double bits_per_key);

}  // namespace oneline

#endif  // ONELINE_BENCH_DATABASES_DATABASE_FILTERS_H_
