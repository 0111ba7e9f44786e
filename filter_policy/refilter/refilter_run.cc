#include "filter_policy/refilter/refilter_run.h"

#include <rocksdb/convenience.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/options.h>
#include <rocksdb/table.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <map>
#include <mutex>
#include <new>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "filter_policy/refilter/expected_filter.h"
#include "filter_policy/refilter/parallel_for.h"
#include "filter_policy/refilter/refilter_tally.h"
#include "filter_policy/refilter/table_compaction.h"
#include "filter_policy/refilter/table_filter.h"

namespace oneline {
namespace {

using rocksdb::BlockBasedTableOptions;
using rocksdb::Status;
using Clock = std::chrono::steady_clock;

// How long a flag to cancel can go unnoticed.
constexpr std::chrono::milliseconds kNap(20);

// Before tables that other compactions held are tried again.
constexpr std::chrono::milliseconds kPause(300);

// The longest wait for the rate, four months: of all threads together it is a
// time that the clock can count.
constexpr double kMostSeconds = 1e7;

struct Family {
  explicit Family(rocksdb::ColumnFamilyHandle* its_handle)
      : handle(its_handle), name(its_handle->GetName()) {}

  rocksdb::ColumnFamilyHandle* const handle;
  const std::string name;
  // As of this round.
  rocksdb::Options options;
  std::string policy;  // its text
  std::vector<ListedTable> tables;
  // Numbers of tables that this call has written, with the policy then.
  std::map<uint64_t, std::string> written;
};

struct Work {
  Family* family;
  ListedTable table;
  ExpectedFilter expected;
};

class RefilterRun {
 public:
  RefilterRun(rocksdb::DB* db, const RefilterOptions& options,
              const std::atomic<bool>* stop, RefilterReport* report)
      : db_(db),
        options_(options),
        stop_(stop),
        report_(*report),
        families_(options.column_families.begin(),
                  options.column_families.end()),
        tally_(options, report) {}

  Status Run() {
    CountTables();
    Look();
    for (const auto& [number, filter] : known_) {
      report_.filter_bytes_before += filter.filter_bytes;
    }
    while (!options_.dry_run && !work_.empty()) {
      if (IsReadOnly(db_)) {
        Stop(Status::NotSupported("the database is read-only"));
      }
      CompactAll();
      if (!tally_.AllAreDone()) WaitUntil(Clock::now() + kPause);
      if (IsStopped()) break;
      Look();
    }
    report_.filter_bytes_after = FilterBytes();
    if (!end_.ok() && !options_.dry_run) tally_.LeaveTheRest(end_);
    return Result();
  }

 private:
  void CountTables() {
    std::set<std::string> names;
    for (const Family& family : families_) names.insert(family.name);
    std::vector<ListedTable> tables;
    db_->GetLiveFilesMetaData(&tables);
    for (const ListedTable& table : tables) {
      newest_ = std::max(newest_, table.file_number);
      if (names.count(table.column_family_name) == 0) {
        ++report_.tables_of_other_families;
      } else {
        ++report_.tables;
        report_.bytes += table.size;
      }
    }
  }

  void Look() {
    work_.clear();
    std::set<uint64_t> listed, wrong;
    for (Family& family : families_) {
      LookAt(&family);
      for (const ListedTable& table : family.tables) {
        listed.insert(table.file_number);
      }
    }
    for (const Work& work : work_) wrong.insert(work.table.file_number);
    tally_.Settle(listed, IsStopped() ? listed : wrong);
    // Those above the last level have few keys, and most lookups ask them.
    std::stable_sort(work_.begin(), work_.end(),
                     [](const Work& a, const Work& b) {
                       return a.table.level < b.table.level;
                     });
  }

  // Finds the tables of a family that need a new filter.
  void LookAt(Family* family) {
    family->tables = ListTables(db_, family->name);
    if (family->tables.empty()) return;
    const rocksdb::Options& options = family->options =
        db_->GetOptions(family->handle);
    const auto* const table_options =
        options.table_factory == nullptr
            ? nullptr
            : options.table_factory->GetOptions<BlockBasedTableOptions>();
    if (table_options == nullptr) return;  // other tables have no filters
    const auto& policy = table_options->filter_policy;
    family->policy =
        policy == nullptr ? "" : policy->ToString(rocksdb::ConfigOptions());
    const FilterExpectations expectations(policy, options, *table_options);
    const int last_level =
        LastLevel(options, options, family->tables.back().level);
    bool has_work = false, has_merges = false;
    for (const ListedTable& table : family->tables) {
      if (IsStopped()) return;
      const uint64_t number = table.file_number;
      if (tally_.IsDone(number)) continue;  // left
      const TableFilter* const filter = Read(*family, table);
      if (filter == nullptr) continue;
      has_merges |= filter->merge_operands > 0;
      const bool is_right =
          expectations.Judge(*filter, table.level, last_level) ==
          Verdict::kAsExpected;
      if (is_right && (!options_.all_tables || number > newest_)) continue;
      tally_.Found(table);
      // What was written before SetOptions changed the policy is written again.
      const auto written = family->written.find(number);
      if (written != family->written.end() &&
          written->second == family->policy) {
        tally_.Done(number, Status::Incomplete(
                                "it was rewritten, and has another filter than "
                                "the policy is expected to write"));
        continue;
      }
      const bool is_bottommost = IsBottommost(family->tables, options, table);
      Work work = {family, table, {}};
      if (!is_bottommost || !options.optimize_filters_for_hits) {
        work.expected = expectations.At(table.level, *filter, is_bottommost);
      }
      work_.push_back(work);
      has_work = true;
    }
    // RocksDB stops all writes at the first merge that it can't compact, also
    // of a neighbour that is taken along.
    if (has_work && has_merges && options.merge_operator == nullptr) {
      Stop(Status::InvalidArgument(
          "column family '" + family->name +
          "' has merges, and its options have no merge_operator: open the "
          "database with the one that wrote them"));
    }
  }

  // The filter of a table; null if it can't be read, and is left or gone.
  const TableFilter* Read(const Family& family, const ListedTable& table) {
    const auto [found, is_new] = known_.try_emplace(table.file_number);
    TableFilter& filter = found->second;
    if (!is_new) return &filter;
    const Status status =
        ReadTableFilter(family.options, PathOf(table), &filter);
    if (status.ok()) {
      CountRead(filter.filter_bytes + filter.index_bytes);
      return &filter;
    }
    known_.erase(found);
    if (LevelOf(db_, table.file_number) >= 0) {
      tally_.Found(table);
      tally_.Done(table.file_number, status);
    }
    return nullptr;
  }

  void CompactAll() {
    try {
      ParallelFor(work_.size(), options_.threads, [this](size_t i) {
        if (!IsStopped()) Compact(work_[i]);
      });
    } catch (const std::bad_alloc&) {
      Stop(Status::MemoryLimit());
    }
  }

  void Compact(const Work& work) {
    Family& family = *work.family;
    uint64_t read = 0;
    const CompactedTable compacted =
        CompactTable({db_, family.handle, family.options, work.table,
                      static_cast<uint64_t>(work.expected.most_bytes)},
                     [&](const ListedTable& table) {
                       return CheckOnce(family.options, table, &read);
                     });
    for (const std::string& path : compacted.new_files)
      LookAtNew(&family, path);
    if (compacted.outcome == Outcome::kStopped) Stop(compacted.status);
    if (compacted.outcome != Outcome::kBusy) {
      const bool is_done = compacted.outcome == Outcome::kDone;
      std::lock_guard<std::mutex> lock(mutex_);
      tally_.Done(work.table.file_number,
                  is_done ? Status::OK() : compacted.status);
    }
    if (read > 0) CountRead(read);
  }

  // Compares the checksums of a table, once: several tables may take it along.
  // Adds what it reads to `read`.
  Status CheckOnce(const rocksdb::Options& options, const ListedTable& table,
                   uint64_t* read) {
    {
      std::lock_guard<std::mutex> lock(mutex_);
      const auto found = checked_.find(table.file_number);
      if (found != checked_.end()) return found->second;
    }
    if (IsStopped()) return Status::Aborted("cancelled");
    const Status status = CheckTable(options, PathOf(table));
    *read += table.size;
    std::lock_guard<std::mutex> lock(mutex_);
    checked_.emplace(table.file_number, status);
    return status;
  }

  void LookAtNew(Family* family, const std::string& path) {
    const uint64_t number =
        std::strtoull(&path[path.rfind('/') + 1], nullptr, 10);
    TableFilter filter;
    // If it can't be read, the next look says why; or it is a blob file.
    const Status status = ReadTableFilter(family->options, path, &filter);
    std::lock_guard<std::mutex> lock(mutex_);
    family->written[number] = family->policy;
    if (status.ok()) known_.emplace(number, filter);
  }

  // In a dry run what there would be.
  uint64_t FilterBytes() {
    for (const Work& work : work_) {
      if (!options_.dry_run) break;
      known_[work.table.file_number].filter_bytes =
          static_cast<uint64_t>(work.expected.bytes);
    }
    uint64_t bytes = 0;
    for (const Family& family : families_) {
      for (const ListedTable& table : ListTables(db_, family.name)) {
        const auto known = known_.find(table.file_number);
        if (known != known_.end()) bytes += known->second.filter_bytes;
      }
    }
    return bytes;
  }

  Status Result() const {
    if (!end_.ok()) return end_;
    if (report_.left.empty()) return Status::OK();
    const LeftTable& first = report_.left.front();
    return Status::Incomplete(std::to_string(report_.left.size()) + " of " +
                              std::to_string(report_.tables_found) +
                              " tables are left; the first: " + first.path +
                              ": " + first.status.ToString());
  }

  // Ends the call; the first status counts.
  void Stop(const Status& status) {
    std::lock_guard<std::mutex> lock(mutex_);
    if (end_.ok()) end_ = status;
  }

  bool IsStopped() {  // also by the caller
    if ((options_.cancel != nullptr && *options_.cancel) ||
        (stop_ != nullptr && *stop_)) {
      Stop(Status::Incomplete("cancelled"));
    }
    std::lock_guard<std::mutex> lock(mutex_);
    return !end_.ok();
  }

  // Waits for as long as all that was read takes. Time in which nothing was
  // read gives no right to read more later.
  void CountRead(uint64_t bytes) {
    if (options_.bytes_per_second == 0) return;
    const std::chrono::duration<double> seconds(
        std::min(1.0 * bytes / options_.bytes_per_second, kMostSeconds));
    Clock::time_point next;
    {
      std::lock_guard<std::mutex> lock(mutex_);
      next_read_ = std::max(next_read_, Clock::now()) +
                   std::chrono::duration_cast<Clock::duration>(seconds);
      next = next_read_;
    }
    WaitUntil(next);
  }

  void WaitUntil(Clock::time_point time) {
    for (;;) {
      const auto now = Clock::now();
      if (now >= time || IsStopped()) return;
      std::this_thread::sleep_for(std::min<Clock::duration>(time - now, kNap));
    }
  }

  rocksdb::DB* const db_;
  const RefilterOptions& options_;
  const std::atomic<bool>* const stop_;
  RefilterReport& report_;

  std::vector<Family> families_;
  std::vector<Work> work_;  // of this round
  uint64_t newest_ = 0;     // table when the call began

  // What follows is of all threads while they compact, and so is `written` of a
  // Family. Maps are by the number of the table.
  std::mutex mutex_;
  RefilterTally tally_;
  Clock::time_point next_read_;
  std::map<uint64_t, TableFilter> known_;
  std::map<uint64_t, Status> checked_;
  Status end_;
};

}  // namespace

Status RunRefilter(rocksdb::DB* db, const RefilterOptions& options,
                   const std::atomic<bool>* stop, RefilterReport* report) {
  return RefilterRun(db, options, stop, report).Run();
}

}  // namespace oneline
