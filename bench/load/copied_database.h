// One database with the filters of each policy: it is loaded once without
// filters, and oneline::Refilter makes those of each policy in a copy. So all
// copies have the same tables, and each table was rewritten once.

#ifndef ONELINE_BENCH_LOAD_COPIED_DATABASE_H_
#define ONELINE_BENCH_LOAD_COPIED_DATABASE_H_

#include <rocksdb/db.h>
#include <rocksdb/status.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "bench/databases/database_filters.h"
#include "bench/measure/random_key.h"

namespace oneline {

// Ends the program with a message unless the status is OK. Thread-safe.
void Check(const rocksdb::Status& status);

// Writes a record; its value begins with its key.
inline constexpr size_t kValueBytes = 100;
rocksdb::Status Put(rocksdb::DB* db, const rocksdb::WriteOptions& options,
                    const Key& key);

// `buffer_bytes` is the size of write buffers; those of tables and levels are
// multiples of it.
struct Sizes {
  uint64_t keys = 0;
  size_t buffer_bytes = 0;
  size_t cache_bytes = 0;  // for blocks; filters and indexes are beside it
};

// Makes `directory` with the records of Key(0), Key(2) and so on for each
// filter, unless an earlier call with the same sizes has made it. Errors end
// the program, here and below.
void MakeDatabases(const std::string& directory, const Sizes& sizes,
                   const std::vector<RocksDBFilter>& filters);

// An error unless each table has a filter of its own of this policy. Returns
// the bytes of all of them.
uint64_t CheckFilters(rocksdb::DB* db, const RocksDBFilter& filter);

// Copies one of them, by hard links to its tables, to `path`, where nothing is,
// and opens the copy, with statistics. It reads, flushes and compacts directly:
// neither the page cache nor other work on the machine decides what is read
// from the disk.
std::unique_ptr<rocksdb::DB> OpenCopy(const std::string& directory,
                                      const RocksDBFilter& filter,
                                      const std::string& path,
                                      const Sizes& sizes);

}  // namespace oneline

#endif  // ONELINE_BENCH_LOAD_COPIED_DATABASE_H_
