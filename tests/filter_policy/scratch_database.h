// Real databases for tests, and what is asked of all of them: that every key
// is found and that the filter was used.

#ifndef ONELINE_TESTS_FILTER_POLICY_SCRATCH_DATABASE_H_
#define ONELINE_TESTS_FILTER_POLICY_SCRATCH_DATABASE_H_

#include <rocksdb/db.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/options.h>
#include <rocksdb/statistics.h>
#include <rocksdb/table.h>
#include <rocksdb/table_properties.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "oneline/filter_options.h"
#include "tests/temporary_directory.h"

namespace oneline {

// Tests put the keys with even numbers into databases. Those with odd numbers
// lie between them, so that only a filter knows that they are absent. The
// first kPrefixBytes bytes differ from key to key.
inline constexpr size_t kPrefixBytes = 7;
std::string KeyAt(int i);
std::string ValueAt(int i);

using PolicyPtr = std::shared_ptr<const rocksdb::FilterPolicy>;
PolicyPtr OurPolicy(double bits_per_key, Kind kind = Kind::kRibbon);
// By its name in OPTIONS files; fails the test if RocksDB doesn't know it.
PolicyPtr PolicyNamed(const std::string& name);

// Options for a small database that compacts when told to, with a filter
// policy or (null) without.
rocksdb::Options OptionsWith(const PolicyPtr& policy,
                             rocksdb::BlockBasedTableOptions table = {});

class ScratchDatabase {
 public:
  // Opens an empty one.
  explicit ScratchDatabase(const rocksdb::Options& options);

  // Each time it is opened its statistics begin anew.
  rocksdb::Status TryReopen(const rocksdb::Options& options);
  void Reopen(const rocksdb::Options& options);
  void Close() { db_.reset(); }

  rocksdb::DB* operator->() const { return db_.get(); }
  rocksdb::DB* get() const { return db_.get(); }
  const std::string& path() const { return path_; }

  // Writes one table with every second key of [first, last).
  void WriteTable(int first, int last);
  // Puts them, and leaves them in memory.
  void Put(int first, int last);
  // Rewrites all tables.
  void CompactAll();

  uint64_t Ticker(rocksdb::Tickers ticker) const {
    return statistics_->getTickerCount(ticker);
  }
  // The path of each table, of all column families.
  std::vector<std::string> TableFiles() const;
  // The properties of each table.
  std::vector<std::shared_ptr<const rocksdb::TableProperties>> Tables() const;
  // The names of the policies that wrote the tables, each once.
  std::vector<std::string> PolicyNames() const;
  // Bits of filter for each key of all tables.
  double FilterBitsPerKey() const;

 private:
  const TemporaryDirectory directory_;
  const std::string path_;
  std::shared_ptr<rocksdb::Statistics> statistics_;
  std::unique_ptr<rocksdb::DB> db_;
};

// Gets each key of [first, last), one by one and in batches of 1 to 32: what
// was put is there, nothing else is.
void ExpectAllFound(const ScratchDatabase& database, int first, int last);

// The same, and the filter kept lookups of absent keys from at least
// `least_share` of the tables that could have them.
void ExpectFiltered(const ScratchDatabase& database, int first, int last,
                    double least_share = 0.95);

// The same, and no filter was of any use.
void ExpectUnfiltered(const ScratchDatabase& database, int first, int last);

// Seeks the prefix of each key of [first, last), as a reader that wants this
// prefix only: finds what is there, and the filter kept seeks of absent
// prefixes from at least `least_share` of the tables.
void ExpectPrefixSeeksFiltered(const ScratchDatabase& database, int first,
                               int last, double least_share = 0.95);

}  // namespace oneline

#endif  // ONELINE_TESTS_FILTER_POLICY_SCRATCH_DATABASE_H_
