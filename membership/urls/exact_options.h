// The RocksDB options of the exact frontier: they make adding and looking up
// digests fast, and keep the database within the memory that it was given.

#ifndef ONELINE_MEMBERSHIP_URLS_EXACT_OPTIONS_H_
#define ONELINE_MEMBERSHIP_URLS_EXACT_OPTIONS_H_

#include <rocksdb/options.h>
#include <rocksdb/statistics.h>

#include <cstddef>
#include <memory>

namespace oneline {

struct UrlDatabaseOptions {
  rocksdb::DBOptions database;
  // Of digests, which are looked up one by one and never read in order.
  rocksdb::ColumnFamilyOptions seen;
  rocksdb::ColumnFamilyOptions others;
};

// One cache of `memory_bytes`, 8 MiB or more, holds the blocks, indexes and
// filters of all column families and is charged for their memtables, which take
// at most half of it. `statistics` may be null.
UrlDatabaseOptions OptionsWithin(
    size_t memory_bytes, std::shared_ptr<rocksdb::Statistics> statistics);

}  // namespace oneline

#endif  // ONELINE_MEMBERSHIP_URLS_EXACT_OPTIONS_H_
