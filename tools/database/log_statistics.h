// What lookups met lately, by the statistics in the LOG of a database. RocksDB
// writes them there every stats_dump_period_sec, if the program keeps any
// (Options::statistics):
//
//   2026/11/24-11:20:24.322038 21734 [db/db_impl/db_impl.cc:788] STATISTICS:
//    rocksdb.block.cache.miss COUNT : 3305
//   rocksdb.block.cache.hit COUNT : 0
//
// They count from when the program began to keep them. Databases of one program
// may share them.

#ifndef ONELINE_TOOLS_DATABASE_LOG_STATISTICS_H_
#define ONELINE_TOOLS_DATABASE_LOG_STATISTICS_H_

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>

namespace oneline {

// The fewest lookups and seeks that tell anything.
inline constexpr uint64_t kMinLookups = 100000;

struct LookupStatistics {
  // When the sample began and ended, as the LOG spells it, without fractions of
  // a second. No begin: the program began to keep statistics.
  std::string begin, end;
  // Otherwise the program may have had other options since, and the database
  // other tables.
  bool is_of_newest_log = true;

  uint64_t gets = 0, multiget_keys = 0;  // lookups of keys
  uint64_t seeks = 0;                    // of iterators

  // Where lookups found their key. Deleted keys count as found in memtables
  // only; "lower" is level 2 and all levels below it.
  uint64_t memtable_hits = 0, level0_hits = 0, level1_hits = 0, lower_hits = 0;

  // Queries of filters by lookups of keys: those that said no; those that said
  // maybe; and of these those whose table had the key. RocksDB before 8.3 also
  // counts in `useful` the tables that prefixes saved a seek.
  uint64_t useful = 0, positive = 0, true_positive = 0;
  uint64_t prefix_checked = 0;  // queries for prefixes

  // The lowest number of a table that was written within the sample: before,
  // lookups met other filters.
  uint64_t first_new_table = std::numeric_limits<uint64_t>::max();

  // "By the statistics in the LOG from ... to ... (1,234,567 lookups, 0 seeks)"
  std::string Origin() const;

  uint64_t lookups() const { return gets + multiget_keys; }
  uint64_t queries() const { return useful + positive + prefix_checked; }

  // RocksDB does not read its counters at one moment, so that a little more may
  // be found than was looked up; these rates are never above 1.
  //
  // Of the queries for absent keys, the share that said maybe; nothing if there
  // were too few of them to tell.
  std::optional<double> fp_rate() const;

  // Of the lookups that came to the last level, the share that found their key;
  // nothing if there were too few. All levels from 2 on count as one.
  std::optional<double> hits(int last_level = 2) const;
};

// The newest sample that is large enough, of the newest LOG that has one: the
// last statistics there, less the newest ones before them that at least
// kMinLookups lookups and seeks have followed. Nothing if none of the newest
// `max_logs` LOGs has one as large.
std::optional<LookupStatistics> ReadLookupStatistics(
    const std::string& database, size_t max_logs);

}  // namespace oneline

#endif  // ONELINE_TOOLS_DATABASE_LOG_STATISTICS_H_
