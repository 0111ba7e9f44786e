// Reads from the file of a LevelDB table which filter it has. LevelDB has no
// function for that.

#ifndef ONELINE_BENCH_DATABASES_LEVELDB_TABLE_FILTER_H_
#define ONELINE_BENCH_DATABASES_LEVELDB_TABLE_FILTER_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"

namespace oneline {

struct LevelDBTableFilter {
  std::string policy;  // its name; empty if the table has no filter
  uint64_t bytes = 0;  // of the filter block, including the offsets of filters
};

// InvalidArgument if the file is not a LevelDB table.
absl::StatusOr<LevelDBTableFilter> ReadTableFilter(const std::string& path);

}  // namespace oneline

#endif  // ONELINE_BENCH_DATABASES_LEVELDB_TABLE_FILTER_H_
