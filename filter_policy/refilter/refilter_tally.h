// What a call of Refilter has found, rewritten and left: its report, and the
// progress that it tells.

#ifndef ONELINE_FILTER_POLICY_REFILTER_REFILTER_TALLY_H_
#define ONELINE_FILTER_POLICY_REFILTER_REFILTER_TALLY_H_

#include <rocksdb/status.h>

#include <cstdint>
#include <map>
#include <set>

#include "filter_policy/refilter/table_compaction.h"
#include "oneline/refilter.h"

namespace oneline {

// By the numbers of tables, which all column families share. Not thread-safe.
class RefilterTally {
 public:
  // Calls options.progress whenever a table is done. Borrows both.
  RefilterTally(const RefilterOptions& options, RefilterReport* report)
      : options_(options), report_(*report) {}

  // A table that needs a new filter or can't be read; counted once.
  void Found(const ListedTable& table) {
    if (!found_.insert({table.file_number, {table}}).second) return;
    report_.tables_found = ++progress_.tables;
    report_.bytes_found = progress_.bytes += table.size;
  }

  // OK: it was rewritten, by this call or another compaction. Otherwise it is
  // left, and this is why. REQUIRES: it was found.
  void Done(uint64_t number, const rocksdb::Status& status) {
    FoundTable& found = found_.at(number);
    found.is_done = true;
    if (status.ok()) {
      ++report_.tables_rewritten;
      report_.bytes_rewritten += found.table.size;
    } else {
      Leave(found.table, status);
    }
    ++progress_.tables_done;
    progress_.bytes_done += found.table.size;
    if (options_.progress != nullptr) options_.progress(progress_);
  }

  // After a look at all tables. Those that were found and are not done were
  // replaced by another compaction if they are not listed any more; and if they
  // are not wrong, it has moved them to a level where their filter is right, or
  // SetOptions has changed the options back: they are forgotten.
  void Settle(const std::set<uint64_t>& listed,
              const std::set<uint64_t>& wrong) {
    for (auto at = found_.begin(); at != found_.end();) {
      const auto& [number, found] = *at;
      if (!found.is_done && listed.count(number) == 0) {
        Done(number, rocksdb::Status::OK());
      }
      if (found.is_done || wrong.count(number) != 0) {
        ++at;
        continue;
      }
      report_.tables_found = --progress_.tables;
      report_.bytes_found = progress_.bytes -= found.table.size;
      at = found_.erase(at);
    }
  }

  // Reports the tables that are not done.
  void LeaveTheRest(const rocksdb::Status& status) {
    for (const auto& [number, found] : found_) {
      if (!found.is_done) Leave(found.table, status);
    }
  }

  bool IsDone(uint64_t number) const {
    const auto found = found_.find(number);
    return found != found_.end() && found->second.is_done;
  }
  bool AllAreDone() const { return progress_.tables_done == progress_.tables; }

 private:
  struct FoundTable {
    ListedTable table;
    bool is_done = false;
  };

  void Leave(const ListedTable& table, const rocksdb::Status& status) {
    report_.left.push_back(
        {table.column_family_name, PathOf(table), table.level, status});
  }

  const RefilterOptions& options_;
  RefilterReport& report_;
  std::map<uint64_t, FoundTable> found_;
  RefilterProgress progress_;
};

}  // namespace oneline

#endif  // ONELINE_FILTER_POLICY_REFILTER_REFILTER_TALLY_H_
