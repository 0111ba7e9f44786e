// What only the LOG of a database tells. RocksDB writes the options of each
// column family there when it opens the database, so that it has the sizes of
// block caches and the filter policies that there really were; our policy, what
// it refused of SetOptions. Every stats_dump_period_sec RocksDB adds
// statistics, if the program keeps any: they count from when it began to, and
// databases of one program may share them.
//
//   ... --------------- Options for column family [default]:
//     block_cache: 0x5586b547e6e0
//     block_cache_options:
//       capacity : 8388608
//       num_shard_bits : 4
//     filter_policy: oneline
//   ... [ERROR] [default] oneline: bits_per_key=101: must be ...: refused,
//   filters are written with {id=oneline;bits_per_key=12;}
//   2026/11/24-11:20:24.322038 21734 [db/db_impl/db_impl.cc:788] STATISTICS:
//   rocksdb.block.cache.miss COUNT : 3305

#ifndef ONELINE_TOOLS_DATABASE_LOG_FILE_H_
#define ONELINE_TOOLS_DATABASE_LOG_FILE_H_

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>

#include "absl/status/status.h"

namespace oneline {

struct BlockCache {
  std::string address;    // column families that share a cache have the same
  uint64_t capacity = 0;  // bytes
  std::optional<int> shard_bits;  // it has two to this power of shards
};

struct RefusedOptions {
  std::string mistake;  // what was refused, and why
  std::string policy;   // what filters are written with
};

// The fewest lookups and seeks that tell anything.
inline constexpr uint64_t kMinLookups = 100000;

struct LookupStatistics {
  // When the sample began and ended, to seconds. No begin: with the statistics.
  std::string begin, end;
  // Otherwise options and tables may be others by now.
  bool is_of_newest_log = true;

  uint64_t lookups = 0, seeks = 0;  // of keys, of iterators

  // Where lookups found their key. Deleted keys count as found in memtables
  // only; "lower" is level 2 and all levels below it.
  uint64_t memtable_hits = 0, level0_hits = 0, level1_hits = 0, lower_hits = 0;

  // Queries of filters by lookups of keys: those that said no; those that said
  // maybe; and of these those whose table had the key. RocksDB before 8.3 also
  // counts in `useful` the tables that prefixes saved a seek.
  uint64_t useful = 0, positive = 0, true_positive = 0;
  uint64_t prefix_checked = 0;  // queries for prefixes

  // The lowest number of a table that was written after the sample began:
  // before, lookups met other filters.
  uint64_t first_new_table = std::numeric_limits<uint64_t>::max();

  uint64_t queries() const { return useful + positive + prefix_checked; }

  // RocksDB does not read its counters at one moment, so that a little more may
  // be found than was looked up; these rates are never above 1. Nothing if
  // there were too few lookups to tell.
  //
  // Of the queries for absent keys, the share that said maybe.
  std::optional<double> fp_rate() const;
  // Of the lookups that came to the last level, the share that found their key.
  // All levels from 2 on count as one.
  std::optional<double> hits(int last_level) const;
};

// By column family, but for the status and the statistics.
struct LogFile {
  // Unavailable if the system does not let a LOG be read. OK without any.
  absl::Status status;

  // All from the newest LOG that shows any.
  std::map<std::string, BlockCache> block_caches;

  // The names of the policies when the newest LOG was begun, "nullptr" for
  // none. The OPTIONS file may name another, in whose place it was.
  std::map<std::string, std::string> filter_policies;

  // The last of the newest LOG.
  std::map<std::string, RefusedOptions> refused;

  // The newest sample that is large enough, of the newest of four LOGs that has
  // one: the last statistics there, less the newest ones before them that at
  // least kMinLookups lookups and seeks have followed.
  std::optional<LookupStatistics> statistics;
};

// Reads LOG and each LOG.old.<microseconds> of the database at `path`. Leaves
// out what is missing or can't be parsed.
LogFile ReadLogs(const std::string& path);

// By column family, what the newest LOG.old.* that shows a filter policy shows,
// and its name: "oneline in LOG.old.1795519224000002". Reads of each only its
// beginning, in which RocksDB opens the database.
std::map<std::string, std::string> PoliciesInOldLogs(const std::string& path);

}  // namespace oneline

#endif  // ONELINE_TOOLS_DATABASE_LOG_FILE_H_
