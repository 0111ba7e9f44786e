// Which filter a LevelDB table has, from the table's file itself: LevelDB has
// no other way to tell.

#ifndef ONELINE_BENCH_DATABASES_LEVELDB_TABLE_FILTER_H_
#define ONELINE_BENCH_DATABASES_LEVELDB_TABLE_FILTER_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"

namespace oneline {

struct LevelDBTableFilter {
  std::string policy;  // its name; empty if the table has no filter
  uint64_t bytes = 0;  // of the filter block, offsets of filters included
};

absl::StatusOr<LevelDBTableFilter> ReadTableFilter(const std::string& path);

}  // namespace oneline

#endif  // ONELINE_BENCH_DATABASES_LEVELDB_TABLE_FILTER_H_
