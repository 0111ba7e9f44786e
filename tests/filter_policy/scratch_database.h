// Real databases for tests, and what all such tests check: that every key is
// found, and that the filter was used.

#ifndef ONELINE_TESTS_FILTER_POLICY_SCRATCH_DATABASE_H_
#define ONELINE_TESTS_FILTER_POLICY_SCRATCH_DATABASE_H_

#include <rocksdb/db.h>
#include <rocksdb/options.h>
#include <rocksdb/statistics.h>
#include <rocksdb/table.h>
#include <rocksdb/table_properties.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "tests/filter_policy/policies.h"
#include "tests/temporary_directory.h"

namespace oneline {

// Key number i and its value. Tests put the keys with even numbers into
// databases. The keys with odd numbers lie between them, so that only a filter
// can tell that they are absent. The first kPrefixBytes bytes of each key
// differ.
inline constexpr size_t kPrefixBytes = 7;
std::string KeyAt(int i);
std::string ValueAt(int i);

// Options for a small database that only compacts when told to. A null policy
// means no filters.
rocksdb::Options OptionsWith(const PolicyPtr& policy,
                             rocksdb::BlockBasedTableOptions table = {});

// Writes a table with the even keys of [0, last) that belongs to no database.
void WriteTableFile(const rocksdb::Options& options, const std::string& file,
                    int last);

class ScratchDatabase {
 public:
  // Opens a database in a temporary directory. It is empty; with `last` it has
  // one table with the even keys of [0, last).
  explicit ScratchDatabase(const rocksdb::Options& options, int last = 0);

  // Closes the database and opens it again, with statistics that begin at 0.
  // Reopen fails the test on error.
  rocksdb::Status TryReopen(const rocksdb::Options& options);
  void Reopen(const rocksdb::Options& options);
  void Close() { db_.reset(); }

  rocksdb::DB* operator->() const { return db_.get(); }
  rocksdb::DB* get() const { return db_.get(); }
  const std::string& path() const { return path_; }

  // A null family, here and below, is the default one.
  rocksdb::ColumnFamilyHandle* Family(
      rocksdb::ColumnFamilyHandle* family) const {
    return family != nullptr ? family : db_->DefaultColumnFamily();
  }
  // Writes one table with the even keys of [first, last).
  void WriteTable(int first, int last,
                  rocksdb::ColumnFamilyHandle* family = nullptr);
  // The same, and compacts it, with what else is in level 0, into a table of
  // this level.
  void WriteTableTo(int level, int first, int last,
                    rocksdb::ColumnFamilyHandle* family = nullptr);
  // Puts the even keys of [first, last), without writing a table.
  void Put(int first, int last, rocksdb::ColumnFamilyHandle* family = nullptr);
  // Makes a column family with one table, of all keys of [0, last).
  void WriteFamily(const std::string& name, const rocksdb::Options& options,
                   int last);
  // Compacts the tables of level 0 into one of `level`.
  void CompactLevel0To(int level,
                       rocksdb::ColumnFamilyHandle* family = nullptr);
  // Rewrites all tables.
  void CompactAll(rocksdb::ColumnFamilyHandle* family = nullptr);
  // Waits until RocksDB has nothing to flush or compact. (DB::WaitForCompact
  // came with RocksDB 8.)
  void WaitForCompactions() const;

  uint64_t Ticker(rocksdb::Tickers ticker) const {
    return statistics_->getTickerCount(ticker);
  }
  // Lookups and seeks by prefix that filters answered.
  uint64_t PrefixUseful() const;
  // The path of each table, of all column families.
  std::vector<std::string> TableFiles() const;
  // The properties of each table.
  std::vector<std::shared_ptr<const rocksdb::TableProperties>> Tables() const;
  // The names of the policies that wrote the tables, each once.
  std::vector<std::string> PolicyNames() const;
  // The size of all filters, in bits per key.
  double FilterBitsPerKey() const;

 private:
  const TemporaryDirectory directory_;
  const std::string path_;
  std::shared_ptr<rocksdb::Statistics> statistics_;
  std::unique_ptr<rocksdb::DB> db_;
};

// Looks up each key of [first, last), one by one and in batches of 1 to 33, and
// checks that the even ones are found and the others are not.
void ExpectAllFound(const ScratchDatabase& database, int first, int last);

// The same, and checks that filters answered at least this share of the lookups
// of absent keys. (If several tables have the range, their filters' answers add
// up.)
void ExpectFiltered(const ScratchDatabase& database, int first, int last,
                    double min_share = 0.95);

// The same, and checks that no filter answered any lookup.
void ExpectUnfiltered(const ScratchDatabase& database, int first, int last);

// Seeks the prefix of each key of [first, last) with prefix_same_as_start, and
// checks that the even keys are found and that filters answered at least this
// share of the seeks of absent prefixes.
void ExpectPrefixSeeksFiltered(const ScratchDatabase& database, int first,
                               int last, double min_share = 0.95);

}  // namespace oneline

#endif  // ONELINE_TESTS_FILTER_POLICY_SCRATCH_DATABASE_H_
