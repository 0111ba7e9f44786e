// What a call of Refilter has found, rewritten and left: its report, and the
// progress that it tells.

#ifndef ONELINE_FILTER_POLICY_REFILTER_REFILTER_TALLY_H_
#define ONELINE_FILTER_POLICY_REFILTER_REFILTER_TALLY_H_

#include <rocksdb/status.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "filter_policy/refilter/table_compaction.h"
#include "oneline/refilter.h"

namespace oneline {

// By the numbers of tables, which all column families share. A table that was
// found is done when it was rewritten or left. Not thread-safe.
class RefilterTally {
 public:
  // Calls options.progress whenever a table is done. Borrows both.
  RefilterTally(const RefilterOptions& options, RefilterReport* report);

  // A table that needs a new filter or can't be read; counted once.
  void Found(const std::string& family, const ListedTable& table);
  void Rewritten(const ListedTable& table);
  void Left(const std::string& family, const ListedTable& table,
            const rocksdb::Status& status);

  // Of tables that are not done, those that are not listed any more: another
  // compaction has replaced them.
  void CountReplaced(const std::set<uint64_t>& listed);

  // Of tables that are not done, those that are not wrong any more: another
  // compaction has moved them to a level where their filter is right, or
  // SetOptions has changed the options back.
  void ForgetAllBut(const std::set<uint64_t>& wrong);

  // Reports the tables that are not done.
  void LeaveTheRest(const rocksdb::Status& status);

  bool IsDone(uint64_t number) const { return done_.count(number) != 0; }
  bool AllAreDone() const { return done_.size() == found_.size(); }
  size_t done() const { return done_.size(); }

 private:
  struct FoundTable {
    std::string family;
    ListedTable table;
  };

  void Done(const ListedTable& table);

  const RefilterOptions& options_;
  RefilterReport& report_;
  std::map<uint64_t, FoundTable> found_;
  std::set<uint64_t> done_;
  RefilterProgress progress_;
};

}  // namespace oneline

#endif  // ONELINE_FILTER_POLICY_REFILTER_REFILTER_TALLY_H_
