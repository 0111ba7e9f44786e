// How the exact store's database is set up: so that it adds and looks up
// digests quickly, and never takes more memory than it was given.

#ifndef ONELINE_MEMBERSHIP_URLS_EXACT_URL_OPTIONS_H_
#define ONELINE_MEMBERSHIP_URLS_EXACT_URL_OPTIONS_H_

#include <rocksdb/options.h>
#include <rocksdb/statistics.h>

#include <cstddef>
#include <memory>

namespace oneline {

struct UrlDatabaseOptions {
  rocksdb::DBOptions database;
  // Keys of sizeof(UrlDigest) bytes, looked up whole, never in order.
  rocksdb::ColumnFamilyOptions seen;
  rocksdb::ColumnFamilyOptions others;
};

// One cache of `memory_bytes`, 8 MiB or more, holds blocks, indexes and filters
// of all families, and is charged for their memtables, which take half of it at
// most. `statistics` may be null.
UrlDatabaseOptions OptionsWithin(
    size_t memory_bytes, std::shared_ptr<rocksdb::Statistics> statistics);

}  // namespace oneline

#endif  // ONELINE_MEMBERSHIP_URLS_EXACT_URL_OPTIONS_H_
