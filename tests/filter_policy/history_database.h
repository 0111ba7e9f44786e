// A database that a history happens to.

#ifndef ONELINE_TESTS_FILTER_POLICY_HISTORY_DATABASE_H_
#define ONELINE_TESTS_FILTER_POLICY_HISTORY_DATABASE_H_

#include <rocksdb/db.h>
#include <rocksdb/options.h>
#include <rocksdb/statistics.h>
#include <rocksdb/utilities/transaction_db.h>

#include <cstdint>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "tests/filter_policy/random_history.h"
#include "tests/temporary_directory.h"

namespace oneline {

// How one of the databases keeps its filters.
struct HistorySetup {
  const char* name;
  // Filter policies as text: the first is opened with, each reopening takes the
  // next one.
  std::vector<std::string> policies;
  bool partitioned = false;  // and in the block cache
  bool whole_keys = true;    // otherwise prefixes alone are in filters
};

// What all of them have in common.
struct HistoryWorld {
  bool prefixes = false;
  bool transactions = false;  // a TransactionDB
  bool universal = false;
};

struct Answers {
  std::vector<std::string> of_operations;
  // How many lookups and seeks filters answered.
  uint64_t useful = 0;
  // How many tables got new filters by Refilter.
  uint64_t refiltered = 0;
};

// Runs the history on a new database.
Answers Run(const History& history, const HistoryWorld& world,
            const HistorySetup& setup);

class HistoryDatabase {
 public:
  HistoryDatabase(const HistoryWorld& world, const HistorySetup& setup);
  ~HistoryDatabase();
  HistoryDatabase(const HistoryDatabase&) = delete;
  HistoryDatabase& operator=(const HistoryDatabase&) = delete;

  // Does it, and returns what the database says. An operation that does not
  // fit, such as to release a snapshot where there is none, does nothing.
  std::string Answer(const Operation& operation);

  // Lookups and seeks that filters answered, in all openings.
  uint64_t useful() const;
  uint64_t refiltered() const { return refiltered_; }

 private:
  using Random = std::mt19937_64;
  using Handles = std::map<std::string, rocksdb::ColumnFamilyHandle*>;

  rocksdb::ColumnFamilyOptions FamilyOptions();
  std::vector<rocksdb::ColumnFamilyDescriptor> Descriptors();
  void Open();
  void Close();
  rocksdb::ColumnFamilyHandle* Family(Random& random);

  // Each draws from `random`.
  std::string Put(Random& random);
  std::string Delete(Random& random);
  std::string Merge(Random& random);
  std::string DeleteRange(Random& random);
  std::string PutEntity(Random& random);
  std::string IndexedBatch(Random& random);
  std::string Transaction(Random& random);
  std::string Get(Random& random);
  std::string MultiGet(Random& random);
  std::string Scan(Random& random, bool backwards);
  std::string SeekPrefix(Random& random);
  std::string Snapshot();
  std::string ReleaseSnapshot(Random& random);
  std::string CreateFamily(Random& random);
  std::string DropFamily(Random& random);
  std::string Ingest(Random& random);
  std::string SetOptions(Random& random);
  std::string Refilter(Random& random);
  std::string ReadOnly();
  std::string Secondary();
  std::string Checkpoint();
  std::string Backup();

  // All keys and values, of a copy that is opened for reading.
  std::string Contents(const std::string& path);
  static std::string Contents(rocksdb::DB* db, const Handles& handles);

  const HistoryWorld world_;
  const HistorySetup setup_;
  const TemporaryDirectory directory_;
  const std::string path_;
  size_t opened_ = 0;    // times
  size_t families_ = 1;  // made
  size_t copies_ = 0;
  uint64_t refiltered_ = 0;
  std::shared_ptr<rocksdb::Statistics> statistics_;
  rocksdb::Options options_;
  std::unique_ptr<rocksdb::DB> db_;
  rocksdb::TransactionDB* transactions_ = nullptr;  // db_, if it is one
  Handles handles_;                                 // by name
  std::vector<const rocksdb::Snapshot*> snapshots_;
};

}  // namespace oneline

#endif  // ONELINE_TESTS_FILTER_POLICY_HISTORY_DATABASE_H_
