// What a database's LOG has that nothing else on disk has: how its filters were
// used, and how large its block caches are.
//
// RocksDB writes statistics there every stats_dump_period_sec, ten minutes by
// default, if the program has made some (DBOptions::statistics):
//
//   2026/11/20-11:43:50.422975 11491 [db/db_impl/db_impl.cc:788] STATISTICS:
//    rocksdb.block.cache.miss COUNT : 0
//   rocksdb.bloom.filter.useful COUNT : 0
//
// and the options of each column family when it is opened:
//
//   ... --------------- Options for column family [default]:
//     block_cache: 0x5586b547e6e0
//     block_cache_options:
//       capacity : 8388608

#ifndef ONELINE_TOOLS_DATABASE_LOG_FILE_H_
#define ONELINE_TOOLS_DATABASE_LOG_FILE_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace oneline {

// Counted since the program began; all column families together, and all
// databases that share the statistics. Lookups of single keys only: RocksDB
// counts seeks by prefix elsewhere.
struct FilterStatistics {
  std::string time;             // of the dump, as it stands in the LOG
  uint64_t lookups = 0;         // keys that were asked for
  uint64_t negatives = 0;       // filters that kept a lookup from a table
  uint64_t positives = 0;       // that let one pass
  uint64_t true_positives = 0;  // where the key was there

  uint64_t wasted_reads() const { return positives - true_positives; }
  // Filters asked for a key that their table does not have.
  uint64_t absent() const { return negatives + wasted_reads(); }
};

struct BlockCache {
  std::string address;    // the same for caches that are shared
  uint64_t capacity = 0;  // bytes
};

struct LogFile {
  // The last ones with a filter in them; nothing if there are none.
  std::optional<FilterStatistics> statistics;

  // By column family, as the newest LOG has them.
  std::map<std::string, BlockCache> block_caches;
};

// Reads LOG and LOG.old.* of the database at `path`. What is missing or can't
// be understood is left out.
LogFile ReadLogs(const std::string& path);

}  // namespace oneline

#endif  // ONELINE_TOOLS_DATABASE_LOG_FILE_H_
