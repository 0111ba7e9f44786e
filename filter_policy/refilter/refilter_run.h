// One call of Refilter: rounds of looking at all tables and compacting those
// that need a new filter, until a look finds none.

#ifndef ONELINE_FILTER_POLICY_REFILTER_REFILTER_RUN_H_
#define ONELINE_FILTER_POLICY_REFILTER_REFILTER_RUN_H_

#include <rocksdb/db.h>
#include <rocksdb/options.h>
#include <rocksdb/status.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "filter_policy/refilter/expected_filter.h"
#include "filter_policy/refilter/read_rate.h"
#include "filter_policy/refilter/refilter_tally.h"
#include "filter_policy/refilter/table_compaction.h"
#include "filter_policy/refilter/table_filter.h"
#include "oneline/refilter.h"

namespace oneline {

class RefilterRun {
 public:
  // `stop`: cancels, as options.cancel does; may be null. Borrows all.
  RefilterRun(rocksdb::DB* db, const RefilterOptions& options,
              const std::atomic<bool>* stop, RefilterReport* report);

  // As Refilter. To be called once. REQUIRES: valid options.
  rocksdb::Status Run();

 private:
  struct Family {
    rocksdb::ColumnFamilyHandle* handle;
    std::string name;
    bool is_dropped = false;
    // As of this round; table_options is null if its tables are not
    // block-based, and so have no filters.
    rocksdb::Options options;
    const rocksdb::BlockBasedTableOptions* table_options = nullptr;
    std::string policy;  // its text
    std::unique_ptr<FilterExpectations> expectations;
    std::vector<ListedTable> tables;
    // Numbers of tables that this call has written for `policy`.
    std::set<uint64_t> written;
  };

  struct Work {
    Family* family;
    ListedTable table;
    ExpectedFilter expected;
  };

  // A round: finds the work, and does it.
  void Look();
  void Refresh(Family* family);
  void ForgetOfAnotherPolicy(Family* family);
  void LookAt(Family* family);
  // The filter of a table; null if it can't be read, and is left or gone.
  const TableToRefilter* Read(Family* family, const ListedTable& table);
  void Judge(Family* family, const ListedTable& table,
             const TableFilter& filter, int last_level);
  // The filter that the table would get.
  ExpectedFilter Expect(const Family& family, const ListedTable& table,
                        const TableFilter& filter) const;
  void CompactAll();
  void CompactSome();  // by one thread
  void Compact(const Work& work);
  // Compares the checksums of a table, once; adds what it reads to `read`.
  rocksdb::Status CheckOnce(const rocksdb::Options& options,
                            const ListedTable& table, uint64_t* read);
  void LookAtNew(Family* family, const std::string& path);

  uint64_t FilterBytes() const;

  // Ends the call; the first status counts.
  void Stop(const rocksdb::Status& status);
  bool IsStopped();  // also by the caller
  // Waits until the rate allows to read more.
  void CountRead(uint64_t bytes);
  void WaitUntil(ReadRate::Time time);
  rocksdb::Status Result() const;

  rocksdb::DB* const db_;
  const RefilterOptions& options_;
  const std::atomic<bool>* const stop_;
  RefilterReport& report_;

  std::vector<Family> families_;
  std::vector<Work> work_;  // of this round
  uint64_t newest_ = 0;     // table at the first look

  // What follows is of all threads while they compact, and so are `written` and
  // `is_dropped` of a Family. Maps are by the number of the table.
  std::mutex mutex_;
  RefilterTally tally_;
  ReadRate rate_;
  size_t next_ = 0;  // in work_
  std::map<uint64_t, TableToRefilter> known_;
  std::map<uint64_t, rocksdb::Status> checked_;
  rocksdb::Status end_;
};

}  // namespace oneline

#endif  // ONELINE_FILTER_POLICY_REFILTER_REFILTER_RUN_H_
