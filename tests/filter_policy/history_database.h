// A database that a random history happens to: what is written, read, compacted
// and reopened. The answers to a history must not depend on filters, so
// databases that differ only in these are given the same one, and their answers
// compared.

#ifndef ONELINE_TESTS_FILTER_POLICY_HISTORY_DATABASE_H_
#define ONELINE_TESTS_FILTER_POLICY_HISTORY_DATABASE_H_

#include <rocksdb/utilities/transaction_db.h>

#include "tests/filter_policy/history_setup.h"

namespace oneline {

// All that an action draws, it draws from its seed.
struct Operation {
  size_t action;  // its number in HistoryDatabase::Actions()
  uint64_t seed;
};
std::ostream& operator<<(std::ostream& out, const Operation& operation);

using History = std::vector<Operation>;

// This many operations, each action with its frequency, and among them each
// action once more.
History RandomHistory(int operations, std::mt19937_64& random);

struct Answers {
  std::vector<std::string> of_operations;
  // How many lookups and seeks filters answered.
  uint64_t useful = 0;
  // How often each action did something.
  std::map<std::string, uint64_t> done;
};

// Runs the history on a new database.
Answers Run(const History& history, const HistoryWorld& world,
            const HistorySetup& setup);

class HistoryDatabase {
 public:
  using Random = std::mt19937_64;

  // Does it, and returns what the database says. An operation that does not
  // fit, such as to release a snapshot where there is none, does nothing, and
  // says "". A status that nobody expects fails the test.
  struct Action {
    const char* name;
    int weight;  // the frequencies that find most in little time
    std::string (HistoryDatabase::*act)(Random&);
  };
  static const std::vector<Action>& Actions();

  HistoryDatabase(const HistoryWorld& world, const HistorySetup& setup);
  ~HistoryDatabase() { Close(); }
  HistoryDatabase(const HistoryDatabase&) = delete;
  HistoryDatabase& operator=(const HistoryDatabase&) = delete;

  std::string Answer(const Operation& operation);

  // Lookups and seeks that filters answered, in all openings.
  uint64_t useful() const;
  const std::map<std::string, uint64_t>& done() const { return done_; }

 private:
  rocksdb::ColumnFamilyOptions FamilyOptions();
  std::vector<rocksdb::ColumnFamilyDescriptor> Descriptors();
  void Open();
  void Close();
  rocksdb::ColumnFamilyHandle* Family(Random& random);
  // The policy of this opening, as text.
  const std::string& Policy() const;

  // Keys to put or delete, and keys to look up, which also are others.
  std::string WrittenKey(Random& random) const;
  std::string AnyKey(Random& random) const;
  // The options of a read: in a world with timestamps as of now.
  rocksdb::ReadOptions Reading() const;
  // The present, later at each call.
  std::string NextTimestamp();

  std::string Put(Random& random);
  std::string Delete(Random& random);
  std::string SingleDelete(Random& random);
  std::string Merge(Random& random);
  std::string DeleteRange(Random& random);
  std::string Transaction(Random& random);
  std::string Get(Random& random);
  std::string MultiGet(Random& random);
  std::string Scan(Random& random) { return Walk(random, false); }
  std::string ScanBackwards(Random& random) { return Walk(random, true); }
  std::string SeekPrefix(Random& random);
  std::string Snapshot(Random& random);
  std::string Reopen(Random& random);
  std::string ReleaseSnapshot(Random& random);
  std::string CreateFamily(Random& random);
  std::string DropFamily(Random& random);
  std::string Ingest(Random& random);
  std::string Fill(Random& random);
  std::string Flush(Random& random);
  std::string Compact(Random& random);
  std::string SetOptions(Random& random);
  std::string Refilter(Random& random);

  std::string Walk(Random& random, bool backwards);
  // Adds a table of these entries.
  std::string IngestTable(rocksdb::ColumnFamilyHandle* family,
                          const std::map<std::string, std::string>& entries);

  const HistoryWorld world_;
  const HistorySetup setup_;
  const TemporaryDirectory directory_;
  const std::string path_;
  size_t opened_ = 0;    // times
  size_t families_ = 1;  // made
  uint64_t now_ = 0;     // the time of the last write
  std::string reading_;  // the timestamp of reads
  rocksdb::Slice reading_slice_;
  std::map<std::string, uint64_t> done_;
  // Keys of families that were put once and can be deleted by SingleDelete.
  std::set<std::pair<std::string, std::string>> single_;
  std::shared_ptr<rocksdb::Statistics> statistics_;
  rocksdb::Options options_;
  std::unique_ptr<rocksdb::DB> db_;
  rocksdb::TransactionDB* transactions_ = nullptr;  // db_, if it is one
  std::map<std::string, rocksdb::ColumnFamilyHandle*> handles_;  // by name
  std::vector<const rocksdb::Snapshot*> snapshots_;
};

}  // namespace oneline

#endif  // ONELINE_TESTS_FILTER_POLICY_HISTORY_DATABASE_H_
