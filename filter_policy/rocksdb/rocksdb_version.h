// What differs between versions of RocksDB, each difference under a name. No
// other file compares versions. A macro stands where headers of some version
// lack what the others have, so that only the preprocessor can choose; its
// value is 0 or 1. CONTRIBUTING.md says how to support another version.

#ifndef ONELINE_FILTER_POLICY_ROCKSDB_ROCKSDB_VERSION_H_
#define ONELINE_FILTER_POLICY_ROCKSDB_ROCKSDB_VERSION_H_

#include <rocksdb/version.h>

#include <string>

#define ONELINE_ROCKSDB_VERSION \
  (ROCKSDB_MAJOR * 10000 + ROCKSDB_MINOR * 100 + ROCKSDB_PATCH)

#if ONELINE_ROCKSDB_VERSION < 70003
#error "needs RocksDB 7.0.3 or later: filters had another interface before"
#endif

// BlockBasedTableOptions::cache_usage_options.
#define ONELINE_HAS_CACHE_USAGE (ONELINE_ROCKSDB_VERSION >= 70300)

// Seeks have tickers of their own, for the last level and for others.
#define ONELINE_HAS_SEEK_TICKERS (ONELINE_ROCKSDB_VERSION >= 80300)

// A compaction whose record in the MANIFEST could not be synced deletes its
// tables, although the record may be there. Later versions keep them.
#define ONELINE_DELETES_UNSYNCED_TABLES (ONELINE_ROCKSDB_VERSION < 80900)

// persist_user_defined_timestamps of column families.
#define ONELINE_HAS_PERSIST_TIMESTAMPS (ONELINE_ROCKSDB_VERSION >= 90000)

// default_write_temperature of column families.
#define ONELINE_HAS_WRITE_TEMPERATURE (ONELINE_ROCKSDB_VERSION >= 90100)

// FilterBitsBuilder::AddKeyAndAlt.
#define ONELINE_BUILDER_HAS_ALT (ONELINE_ROCKSDB_VERSION >= 90600)

// Timestamps can be in memory alone; SstFileReader::NewTableIterator reads all
// entries of a table.
#define ONELINE_HAS_MEMORY_TIMESTAMPS (ONELINE_ROCKSDB_VERSION >= 90600)

// DB::Open takes a std::unique_ptr<DB>*.
#define ONELINE_OPENS_UNIQUE_PTR (ONELINE_ROCKSDB_VERSION >= 91100)

// fail_if_options_file_error, which does nothing from here on.
#define ONELINE_HAS_OPTIONS_FILE_ERROR (ONELINE_ROCKSDB_VERSION < 100000)

// cf_allow_ingest_behind of column families.
#define ONELINE_HAS_CF_INGEST_BEHIND (ONELINE_ROCKSDB_VERSION >= 100600)

// CompactionOptions::output_temperature_override.
#define ONELINE_HAS_TEMPERATURE_OVERRIDE (ONELINE_ROCKSDB_VERSION >= 100800)

// FilterBitsBuilder::CalculateSpace and EstimatedFpRate.
#define ONELINE_BUILDER_HAS_SPACE (ONELINE_ROCKSDB_VERSION >= 100900)

// skip_checking_sst_file_sizes_on_db_open.
#define ONELINE_HAS_SKIP_FILE_SIZES (ONELINE_ROCKSDB_VERSION < 110000)

namespace oneline {

// The version that this code is compiled for: 70803 for 7.8.3.
inline constexpr int kRocksDBVersion = ONELINE_ROCKSDB_VERSION;
inline constexpr int kRocksDBMajor = ROCKSDB_MAJOR;
inline constexpr int kRocksDBMinor = ROCKSDB_MINOR;

// The same as text, as in "7.8.3".
inline std::string RocksDBVersionText() {
  return std::to_string(ROCKSDB_MAJOR) + "." + std::to_string(ROCKSDB_MINOR) +
         "." + std::to_string(ROCKSDB_PATCH);
}

// The first patches, within a minor version, with another layout of what the
// policy reads.
inline constexpr int kOtherFilters[] = {
    70003,   // the interface of filters
    100601,  // BlockBasedTableOptions
};

// Whether a policy that was compiled for the one version can serve a program
// that runs the other. The interface of filters is private: it may change with
// each minor version, but not in a patch.
constexpr bool HaveSameFilters(int compiled, int running) {
  for (const int other : kOtherFilters) {
    if ((compiled < other) != (running < other)) return false;
  }
  return compiled / 100 == running / 100;
}

// Whether the tests were run with this version, or with one before and one
// after it. The private interface may change in any other.
constexpr bool IsTestedRocksDB(int version) {
  return 70800 <= version && version < 110900;
}

#ifndef ONELINE_UNTESTED_ROCKSDB
static_assert(IsTestedRocksDB(kRocksDBVersion),
              "oneline is tested with RocksDB 7.8 to 11.8: define the macro "
              "ONELINE_UNTESTED_ROCKSDB to compile it with another version, "
              "and run its tests with that");
#endif

// The level of RocksDB's own Ribbon policy is an option besides its name, which
// SetOptions can change.
inline constexpr bool kRibbonLevelIsAnOption = kRocksDBVersion >= 80700;

// A manual compaction beside automatic ones can crash where keys have
// timestamps.
inline constexpr bool kTimestampsNeedQuiet = kRocksDBVersion < 90300;

// SeekForPrev misses keys in partitioned filters that have prefixes alone, with
// RocksDB's own filters as well.
inline constexpr bool kPrefixesNeedWholeKeys = kRocksDBVersion < 90500;

// SetOptions with a text for the whole policy makes a new policy, and options
// by name that are refused give no error.
inline constexpr bool kSetOptionsRemakesPolicy = kRocksDBVersion >= 90800;

// Compactions drop keys with sequence number 0, as tables have them that were
// ingested into an empty database, while a snapshot has that number.
inline constexpr bool kLosesIngestedKeys = kRocksDBVersion < 91000;

}  // namespace oneline

#endif  // ONELINE_FILTER_POLICY_ROCKSDB_ROCKSDB_VERSION_H_
