// A RocksDB database with one filter: it is loaded by a plan, or is a copy with
// other filters, and then looks keys up. Every answer is compared with the
// right one, and every table must have its filter. Errors end the program.

#ifndef ONELINE_BENCH_DATABASES_DATABASE_H_
#define ONELINE_BENCH_DATABASES_DATABASE_H_

#include <rocksdb/db.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/options.h>
#include <rocksdb/table.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "bench/databases/load_plan.h"
#include "bench/keys/records.h"
#include "bench/measure/clocks.h"
#include "tools/text/progress.h"

namespace oneline {

struct Filter {
  std::string name;    // in results and errors
  std::string policy;  // as in an OPTIONS file; "nullptr" for none
  bool optimize_filters_for_hits = false;
  bool lacks_some = false;  // tables of the last level have none
};

std::shared_ptr<const rocksdb::FilterPolicy> NewPolicy(
    const std::string& policy);

// The filters that comparisons are about, all of about the same size; the
// first is the base. It is there twice: what differs between these two
// databases is chance.
std::vector<Filter> ComparedFilters(double bits_per_key);
inline constexpr char kBaseFilter[] = "RocksDB's Bloom";

// Each kind with bits by level, of about the same size, and with hits=0.9.
std::vector<Filter> AdaptedFilters();

// Where lookups find blocks.
struct Reads {
  size_t block_cache_bytes = size_t{8} << 20;
  bool warm = false;    // reads blocks beforehand until the cache is full
  bool direct = false;  // bypasses the kernel's page cache
  // Filters and indexes are in the block cache, too. Otherwise they are in
  // memory with their table: in the cache they would evict blocks.
  bool filters_in_cache = false;
};

// What a number of lookups did, by RocksDB's tickers.
struct LookupCounts {
  uint64_t checks = 0;          // tables whose filter was asked
  uint64_t skipped = 0;         // tables skipped because of their filter
  uint64_t true_positives = 0;  // tables searched that have the key
  uint64_t data_blocks = 0;     // read from files
  uint64_t cached_blocks = 0;   // of all kinds, read into the block cache

  // Tables searched that do not have the key.
  uint64_t false_positives() const { return checks - skipped - true_positives; }
  LookupCounts& operator+=(const LookupCounts& other);
};

// What loading took, as time of the whole process.
struct WriteCost {
  ElapsedTime flushes;  // writing to memtables and tables of level 0
  ElapsedTime compactions;
};

// A table's level, entries, first and last key.
using TableShape = std::tuple<int, uint64_t, std::string, std::string>;

class Database {
 public:
  // At `path` there is nothing. Of `table`, the filter policy and the cache are
  // set here.
  Database(std::string path, Filter filter, const rocksdb::Options& options,
           const rocksdb::BlockBasedTableOptions& table = {});

  const std::string& name() const { return filter_.name; }
  bool has_filter() const { return policy_ != nullptr; }
  bool lacks_some() const { return filter_.lacks_some; }

  // Writes all records. `progress` advances by the plan's entries_written().
  WriteCost Load(const Records& records, const LoadPlan& plan,
                 Progress* progress);

  // Writes all records in the order of their keys into the last level, and then
  // a tenth of them again, at random, as RocksDB compacts them by itself. From
  // then on it compacts nothing.
  void LoadAndOverwrite(const Records& records, Progress* progress);

  // Frees memory until the database is opened again.
  void Close() { db_.reset(); }

  // Opens it, and fails unless each table has a filter of the policy, if there
  // is one.
  void OpenForLookups(const Reads& reads);

  // A copy of all tables by hard links, which Refilter gives another filter.
  // Without a policy they keep theirs, which nobody asks. REQUIRES: it is open.
  std::unique_ptr<Database> Copy(const std::string& path,
                                 const Filter& filter) const;

  // REQUIRES of the next four: OpenForLookups.
  void Get(const Lookup& lookup) const;
  void MultiGet(const Lookup* lookups, size_t count) const;  // at most 32
  // What Refilter took, as time of the whole process, and wrote; 0 if this is
  // no copy.
  const ElapsedTime& refilter_time() const { return refilter_time_; }
  uint64_t refilter_bytes() const { return refilter_bytes_; }
  // From the newest table to the oldest, in the order of a lookup.
  const std::vector<TableShape>& tables() const { return tables_; }
  double bits_per_key() const {
    return 8 * static_cast<double>(filter_bytes_) /
           static_cast<double>(entries_);
  }
  uint64_t data_bytes() const { return data_bytes_; }

  // The counts since the database was opened or the last call.
  LookupCounts TakeCounts();

 private:
  [[noreturn]] void FailHere(const std::string& what) const;
  void CheckHere(const rocksdb::Status& status) const;
  void Open(const Reads& reads);
  void CheckAnswer(const Lookup& lookup, const rocksdb::Status& status,
                   const rocksdb::PinnableSlice& value) const;
  void Describe(const FixedTree& tree);
  void WriteFlush(const Records& records, const std::vector<uint32_t>& flush,
                  Arrival arrival, Progress* progress) const;
  void CompactInto(int level, uint64_t table_bytes, Progress* progress) const;
  void ReadTables();

  const std::string path_;
  const Filter filter_;
  std::shared_ptr<const rocksdb::FilterPolicy> policy_;
  rocksdb::Options options_;
  rocksdb::BlockBasedTableOptions table_;
  std::unique_ptr<rocksdb::DB> db_;
  std::vector<TableShape> tables_;
  ElapsedTime refilter_time_;
  uint64_t refilter_bytes_ = 0;
  uint64_t entries_ = 0, filter_bytes_ = 0, data_bytes_ = 0;
};

// Returns when nothing is flushed or compacted.
void Rest(rocksdb::DB* db);

// For a database that is loaded by a plan: nothing is flushed or compacted but
// by the plan.
rocksdb::Options PlannedOptions();

}  // namespace oneline

#endif  // ONELINE_BENCH_DATABASES_DATABASE_H_
