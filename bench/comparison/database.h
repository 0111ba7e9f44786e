// A database under comparison: it is loaded by a plan, then looks keys up.
// Every answer is compared with the right one.

#ifndef ONELINE_BENCH_COMPARISON_DATABASE_H_
#define ONELINE_BENCH_COMPARISON_DATABASE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "bench/comparison/fixed_tree.h"
#include "bench/keys/records.h"
#include "bench/measure/clocks.h"
#include "tools/text/progress.h"

namespace oneline {

// What a number of lookups did.
struct LookupCounts {
  uint64_t checks = 0;          // tables whose filter was asked
  uint64_t skipped = 0;         // tables skipped because of their filter
  uint64_t true_positives = 0;  // tables searched that have the key
  uint64_t block_reads = 0;     // data blocks read from files

  // Tables searched that do not have the key.
  uint64_t false_positives() const { return checks - skipped - true_positives; }

  LookupCounts& operator+=(const LookupCounts& other) {
    checks += other.checks;
    skipped += other.skipped;
    true_positives += other.true_positives;
    block_reads += other.block_reads;
    return *this;
  }
};

// Where lookups find data blocks. Filters and indexes are always in memory.
struct Reads {
  size_t block_cache_bytes = 0;
  bool warm = false;    // reads all blocks once beforehand
  bool direct = false;  // bypasses the kernel's page cache
};

// What loading took, as time of the whole process.
struct WriteCost {
  ElapsedTime flushes;  // writing to memtables and tables of level 0
  ElapsedTime compactions;
};

// Not thread-safe. Different databases can be loaded at the same time; their
// WriteCost is then meaningless.
class Database {
 public:
  virtual ~Database() = default;

  // In errors and in results.
  const std::string& name() const { return name_; }
  virtual bool has_filter() const = 0;

  // Writes all records. `progress` advances by the plan's entries_written().
  virtual absl::StatusOr<WriteCost> Load(const Records& records,
                                         const LoadPlan& plan,
                                         Progress* progress) = 0;

  // Opens what was loaded. An error unless each table has a filter of the
  // intended policy, or none if none is intended. May be called again.
  virtual absl::Status OpenForLookups(const Reads& reads) = 0;

  // Frees memory until the database is opened again.
  virtual void Close() = 0;

  // Looks up a key. An error if the answer is not the expected one.
  virtual absl::Status Get(const Lookup& lookup) = 0;

  // Looks up at most 32 keys at once. An error if the database cannot.
  virtual absl::Status MultiGet(const Lookup* lookups, size_t count);

  // Looks for the first key with a prefix; the lookup has the first possible
  // key with this prefix. An error if the database cannot.
  virtual absl::Status SeekPrefix(const Lookup& lookup);

  // The counts since OpenForLookups or the last call. For SeekPrefix they are
  // right only if the prefixes are absent: with present ones the databases do
  // not count true positives.
  virtual LookupCounts TakeCounts() = 0;

  // From the newest table to the oldest, in the order of a lookup.
  const std::vector<TableShape>& tables() const { return tables_; }
  // The size of the filters of all tables, and the same per record.
  uint64_t filter_bytes() const { return filter_bytes_; }
  double filter_bits_per_key() const;

 protected:
  explicit Database(std::string name) : name_(std::move(name)) {}

  // An error unless `value`, or nullopt for a key that was not found, is the
  // right answer.
  absl::Status CheckAnswer(const Lookup& lookup,
                           const std::optional<std::string_view>& value) const {
    if (value == lookup.value) return absl::OkStatus();
    return WrongAnswer(lookup, value);
  }
  absl::Status Error(const std::string& what) const;
  // Adds a table's filter to filter_bytes(). An error if it is not of the
  // policy `wanted`, or if the database should have no filter.
  absl::Status AddFilter(const std::string& table, uint64_t bytes,
                         const std::string& policy, const std::string& wanted);

  std::vector<TableShape> tables_;
  uint64_t entries_ = 0;  // of all tables
  uint64_t filter_bytes_ = 0;

 private:
  absl::Status WrongAnswer(const Lookup& lookup,
                           const std::optional<std::string_view>& value) const;

  const std::string name_;
};

}  // namespace oneline

#endif  // ONELINE_BENCH_COMPARISON_DATABASE_H_
