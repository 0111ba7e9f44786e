// Reads from the LOG of a database what no other file has: how its filters were
// used, and how large its block caches are.
//
// RocksDB writes statistics every stats_dump_period_sec, ten minutes by
// default, if the program collects them (DBOptions::statistics):
//
//   2026/11/20-11:43:50.422975 11491 [db/db_impl/db_impl.cc:788] STATISTICS:
//    rocksdb.block.cache.miss COUNT : 0
//   rocksdb.bloom.filter.useful COUNT : 0
//
// and the options of each column family when it opens the database:
//
//   ... --------------- Options for column family [default]:
//     block_cache: 0x5586b547e6e0
//     block_cache_options:
//       capacity : 8388608
//
// Our policy writes what it refused of SetOptions, for which RocksDB may have
// returned OK:
//
//   ... [ERROR] [default] oneline: bits_per_key=101: must be ...: refused,
//   filters are written with {id=oneline;bits_per_key=10;...}

#ifndef ONELINE_TOOLS_DATABASE_LOG_FILE_H_
#define ONELINE_TOOLS_DATABASE_LOG_FILE_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace oneline {

// Counts since the program began, over all column families and all databases
// that share the statistics object. They cover lookups of single keys; RocksDB
// counts seeks by prefix elsewhere.
struct FilterStatistics {
  std::string time;             // of the dump, as in the LOG
  uint64_t lookups = 0;         // keys that were looked up
  uint64_t negatives = 0;       // filter answers "absent"
  uint64_t positives = 0;       // filter answers "maybe"
  uint64_t true_positives = 0;  // "maybe", and the table has the key

  uint64_t wasted_reads() const { return positives - true_positives; }
  // Filters that were asked for a key that their table does not have.
  uint64_t absent() const { return negatives + wasted_reads(); }
};

struct BlockCache {
  std::string address;    // column families that share a cache have the same
  uint64_t capacity = 0;  // bytes
};

struct RefusedOptions {
  std::string mistake;  // what was refused, and why
  std::string policy;   // what filters are written with
};

struct LogFile {
  // The newest in which a filter was asked; nothing if there are none.
  std::optional<FilterStatistics> statistics;

  // By column family, all from the newest LOG that shows any.
  std::map<std::string, BlockCache> block_caches;

  // By column family, the last of the newest LOG.
  std::map<std::string, RefusedOptions> refused;
};

// Reads LOG and LOG.old.* of the database at `path`. Leaves out what is missing
// or can't be parsed.
LogFile ReadLogs(const std::string& path);

}  // namespace oneline

#endif  // ONELINE_TOOLS_DATABASE_LOG_FILE_H_
