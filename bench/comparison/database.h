// A database under comparison: loaded along a plan, then asked for keys. Each
// answer is checked against what it must be.

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
#include "bench/comparison/records.h"
#include "bench/measure/clocks.h"
#include "tools/text/progress.h"

namespace oneline {

struct Lookup {
  std::string_view key;
  std::optional<std::string_view> value;  // none: the key is not there
};

// What lookups did.
struct LookupCounts {
  uint64_t checks = 0;          // tables whose filter was asked
  uint64_t skipped = 0;         // tables that the filter kept closed
  uint64_t true_positives = 0;  // tables opened for a key they have
  uint64_t block_reads = 0;     // data blocks read from a file

  // Tables opened for a key they lack.
  uint64_t false_positives() const { return checks - skipped - true_positives; }
};

// Where lookups find blocks. Filters and indexes are always in memory.
struct Reads {
  size_t block_cache_bytes = 0;
  bool warm = false;    // all blocks are read once beforehand
  bool direct = false;  // past the kernel's page cache
};

// What loading took, of the whole process.
struct WriteCost {
  ElapsedTime flushes;  // writing to memory and tables of level 0
  ElapsedTime compactions;
};

// Not thread-safe; different ones can be loaded at the same time (their
// WriteCost is then of no use).
class Database {
 public:
  virtual ~Database() = default;

  // In errors and in results.
  const std::string& name() const { return name_; }
  virtual bool has_filter() const = 0;

  // Writes all records; `progress` advances by the plan's entries_written().
  virtual absl::StatusOr<WriteCost> Load(const Records& records,
                                         const LoadPlan& plan,
                                         Progress* progress) = 0;

  // Opens what was loaded, and checks that each table has a filter of the
  // policy meant, or none if there is to be none. Opening again is allowed.
  virtual absl::Status OpenForLookups(const Reads& reads) = 0;

  // Lets go of memory until it is opened again.
  virtual void Close() = 0;

  // Looks up a key. An error if the answer is not the expected one.
  virtual absl::Status Get(const Lookup& lookup) = 0;

  // Looks up up to 32 keys at once; the first key that starts with a prefix,
  // the lookup's key being the first possible one. For databases that can.
  virtual absl::Status MultiGet(const Lookup* lookups, size_t count);
  virtual absl::Status SeekPrefix(const Lookup& lookup);

  // Counts since OpenForLookups or the last call. Those of SeekPrefix hold for
  // absent prefixes: with present ones, true positives are not told apart.
  virtual LookupCounts TakeCounts() = 0;

  // From the newest table to the oldest, as a lookup meets them.
  const std::vector<TableShape>& tables() const { return tables_; }
  // Filters of all tables, and the same divided by the records.
  uint64_t filter_bytes() const { return filter_bytes_; }
  double filter_bits_per_key() const;

 protected:
  explicit Database(std::string name) : name_(std::move(name)) {}

  // Found `value`, or nothing if null: is that right?
  absl::Status CheckAnswer(const Lookup& lookup,
                           const std::optional<std::string_view>& value) const {
    if (value == lookup.value) return absl::OkStatus();
    return WrongAnswer(lookup, value);
  }
  absl::Status Error(const std::string& what) const;
  // Counts a table's filter. An error if it is not by the policy `wanted`, or
  // if there is one though the database is to have none.
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
