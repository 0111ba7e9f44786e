#include "filter_policy/refilter/refilter_run.h"

#include <rocksdb/convenience.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/metadata.h>
#include <rocksdb/table.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <exception>
#include <map>
#include <new>
#include <thread>

#include "filter_policy/refilter/column_family_handles.h"

namespace oneline {
namespace {

using rocksdb::Status;
using Clock = std::chrono::steady_clock;

// How long a flag to cancel can go unnoticed.
constexpr std::chrono::milliseconds kNap(20);

// Before tables that other compactions held are tried again, longer each time.
constexpr std::chrono::milliseconds kFirstPause(50);
constexpr int kMostDoublings = 5;

// 123 for ".../000123.sst"; 0 for other files, as those of blobs.
uint64_t NumberOf(const std::string& path) {
  const std::string name = path.substr(path.rfind('/') + 1);
  char* end = nullptr;
  const uint64_t number = std::strtoull(name.c_str(), &end, 10);
  return std::string(end) == ".sst" ? number : 0;
}

// All options of the policy; empty for none.
std::string TextOf(const rocksdb::FilterPolicy* policy) {
  return policy == nullptr ? "" : policy->ToString(rocksdb::ConfigOptions());
}

}  // namespace

RefilterRun::RefilterRun(rocksdb::DB* db, const RefilterOptions& options,
                         const std::atomic<bool>* stop, RefilterReport* report)
    : db_(db),
      options_(options),
      stop_(stop),
      report_(*report),
      tally_(options, report),
      rate_(options.bytes_per_second) {
  std::vector<rocksdb::ColumnFamilyHandle*> handles = options.column_families;
  if (handles.empty()) handles.push_back(db->DefaultColumnFamily());
  for (rocksdb::ColumnFamilyHandle* handle : handles) {
    families_.emplace_back();
    families_.back().handle = handle;
    families_.back().name = handle->GetName();
  }
}

Status RefilterRun::Run() {
  std::vector<rocksdb::ColumnFamilyHandle*> handles;
  for (const Family& family : families_) handles.push_back(family.handle);
  const Status status =
      CheckHandles(db_, handles, &report_.tables_of_other_families);
  if (!status.ok()) return status;
  for (int idle_rounds = 0;;) {
    Look();
    if (options_.dry_run || work_.empty()) break;
    if (IsReadOnly(db_)) {
      Stop(Status::NotSupported("the database is read-only"));
    }
    if (IsStopped()) break;
    const size_t done = tally_.done();
    CompactAll();
    idle_rounds =
        tally_.done() > done ? 0 : std::min(idle_rounds + 1, kMostDoublings);
    if (!tally_.AllAreDone()) {
      WaitUntil(Clock::now() + kFirstPause * (1 << idle_rounds));
    }
    if (IsStopped()) break;
  }
  report_.filter_bytes_after = FilterBytes();
  if (!end_.ok() && !options_.dry_run) tally_.LeaveTheRest(end_);
  return Result();
}

void RefilterRun::Look() {
  const bool is_first = known_.empty() && tally_.done() == 0;
  work_.clear();
  std::set<uint64_t> listed;
  for (Family& family : families_) {
    Refresh(&family);
    for (const ListedTable& table : family.tables) {
      listed.insert(table.number);
      if (!is_first) continue;
      ++report_.tables;
      report_.bytes += table.bytes;
      newest_ = std::max(newest_, table.number);
    }
  }
  tally_.CountReplaced(listed);
  for (Family& family : families_) LookAt(&family);
  if (!IsStopped()) {
    std::set<uint64_t> wrong;
    for (const Work& work : work_) wrong.insert(work.table.number);
    tally_.ForgetAllBut(wrong);
  }
  if (is_first) {
    for (const auto& [number, table] : known_) {
      report_.filter_bytes_before += table.filter.filter_bytes;
    }
  }
  // Those above the last level have few keys, and most lookups ask them.
  std::stable_sort(work_.begin(), work_.end(),
                   [](const Work& a, const Work& b) {
                     return a.table.level < b.table.level;
                   });
}

void RefilterRun::Refresh(Family* family) {
  family->tables.clear();
  family->expectations.reset();
  family->table_options = nullptr;
  if (family->is_dropped) return;
  family->options = db_->GetOptions(family->handle);
  if (family->options.table_factory != nullptr) {
    family->table_options = family->options.table_factory
                                ->GetOptions<rocksdb::BlockBasedTableOptions>();
  }
  family->tables = ListTables(db_, family->handle);
  if (family->table_options == nullptr) return;
  ForgetOfAnotherPolicy(family);
  family->expectations = std::make_unique<FilterExpectations>(
      family->table_options->filter_policy, family->options,
      *family->table_options);
}

// What was written before SetOptions changed the policy may be rewritten again.
void RefilterRun::ForgetOfAnotherPolicy(Family* family) {
  const std::string now = TextOf(family->table_options->filter_policy.get());
  if (now == family->policy) return;
  family->policy = now;
  family->written.clear();
}

void RefilterRun::LookAt(Family* family) {
  if (family->table_options == nullptr) return;
  int deepest = 0;
  for (const ListedTable& table : family->tables) {
    deepest = std::max(deepest, table.level);
  }
  const int last_level = LastLevel(family->options, family->options, deepest);
  const size_t before = work_.size();
  uint64_t merges = 0;
  for (const ListedTable& table : family->tables) {
    if (IsStopped()) return;
    // Left; or of a family that was dropped, which lists its tables for ever.
    if (tally_.IsDone(table.number)) continue;
    const TableToRefilter* const read = Read(family, table);
    if (read == nullptr) continue;
    merges += read->merge_operands;
    Judge(family, table, read->filter, last_level);
  }
  // RocksDB stops all writes at the first merge that it can't compact, also of
  // a neighbour that is taken along.
  if (work_.size() > before && merges > 0 &&
      family->options.merge_operator == nullptr) {
    Stop(Status::InvalidArgument(
        "column family '" + family->name +
        "' has merges, and its options have no merge_operator: open the "
        "database with the one that wrote them"));
  }
}

const TableToRefilter* RefilterRun::Read(Family* family,
                                         const ListedTable& table) {
  const auto [found, is_new] =
      known_.try_emplace(table.number, TableToRefilter());
  if (!is_new) return &found->second;
  const Status status =
      ReadTableFilter(family->options, table.path(), &found->second);
  if (status.ok()) {
    const TableFilter& filter = found->second.filter;
    CountRead(filter.filter_bytes + filter.index_bytes);
    return &found->second;
  }
  known_.erase(found);
  if (IsListed(db_, table.number)) {
    tally_.Found(family->name, table);
    tally_.Left(family->name, table, status);
  }
  return nullptr;
}

void RefilterRun::Judge(Family* family, const ListedTable& table,
                        const TableFilter& filter, int last_level) {
  const bool is_right =
      family->expectations->Judge(filter, table.level, last_level) ==
      Verdict::kAsExpected;
  if (is_right && (!options_.all_tables || table.number > newest_)) return;
  tally_.Found(family->name, table);
  if (family->written.count(table.number) != 0) {
    tally_.Left(family->name, table,
                Status::Incomplete("it was rewritten, and has another filter "
                                   "than the policy is expected to write"));
    return;
  }
  work_.push_back({family, table, Expect(*family, table, filter)});
}

ExpectedFilter RefilterRun::Expect(const Family& family,
                                   const ListedTable& table,
                                   const TableFilter& filter) const {
  const bool is_bottommost = IsBottommost(family.tables, family.options, table);
  if (is_bottommost && family.options.optimize_filters_for_hits) return {};
  ExpectedFilter expected = family.expectations->At(
      table.level, std::max<uint64_t>(filter.keys_to_filter(), 1),
      is_bottommost, filter.is_partitioned() ? filter.blocks : 0);
  if (expected.kind == FoundKind::kForeign) {
    expected.bytes = static_cast<double>(filter.filter_bytes);
  } else if (expected.kind != FoundKind::kNone && filter.is_partitioned() &&
             family.table_options->partition_filters) {
    // The partitions' index stays.
    expected.bytes +=
        static_cast<double>(filter.filter_bytes - filter.block_bytes);
  }
  return expected;
}

void RefilterRun::CompactAll() {
  next_ = 0;
  size_t most =
      std::min<size_t>(static_cast<size_t>(options_.threads), work_.size());
  if (std::any_of(work_.begin(), work_.end(), [](const Work& work) {
        return MustBeAlone(work.family->options);
      })) {
    most = 1;
  }
  std::vector<std::thread> others;
  others.reserve(most);
  try {
    while (others.size() + 1 < most) {
      others.emplace_back([this] { CompactSome(); });
    }
  } catch (const std::exception&) {
    // Of threads or memory there are too few; fewer threads do it, too.
  }
  CompactSome();
  for (std::thread& other : others) other.join();
}

void RefilterRun::CompactSome() {
  try {
    while (!IsStopped()) {
      size_t next = 0;
      {
        std::lock_guard<std::mutex> lock(mutex_);
        next = next_++;
      }
      if (next >= work_.size()) return;
      Compact(work_[next]);
    }
  } catch (const std::bad_alloc&) {
    Stop(Status::MemoryLimit());
  }
}

void RefilterRun::Compact(const Work& work) {
  uint64_t read = 0;
  const CompactedTable compacted =
      CompactTable(db_, work.family->handle, work.family->options, work.table,
                   static_cast<uint64_t>(work.expected.most_bytes),
                   [&](const ListedTable& table) {
                     return CheckOnce(work.family->options, table, &read);
                   });
  for (const std::string& path : compacted.new_tables) {
    LookAtNew(work.family, path);
  }
  if (compacted.outcome == Outcome::kStopped) Stop(compacted.status);
  {
    std::lock_guard<std::mutex> lock(mutex_);
    switch (compacted.outcome) {
      case Outcome::kBusy:
        break;
      case Outcome::kRewritten:
      case Outcome::kGone:
        if (compacted.status.IsColumnFamilyDropped()) {
          work.family->is_dropped = true;
        }
        tally_.Rewritten(work.table);
        break;
      case Outcome::kLeft:
      case Outcome::kStopped:
        tally_.Left(work.family->name, work.table, compacted.status);
        break;
    }
  }
  if (read > 0) CountRead(read);
}

// Several tables may be taken along with this one.
Status RefilterRun::CheckOnce(const rocksdb::Options& options,
                              const ListedTable& table, uint64_t* read) {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    const auto found = checked_.find(table.number);
    if (found != checked_.end()) return found->second;
  }
  if (IsStopped()) return Status::Aborted("cancelled");
  const Status status = CheckTable(options, table.path());
  *read += table.bytes;
  std::lock_guard<std::mutex> lock(mutex_);
  checked_.emplace(table.number, status);
  return status;
}

void RefilterRun::LookAtNew(Family* family, const std::string& path) {
  const uint64_t number = NumberOf(path);
  if (number == 0) return;
  TableToRefilter table;
  // If it can't be read, the next look says why.
  const Status status = ReadTableFilter(family->options, path, &table);
  std::lock_guard<std::mutex> lock(mutex_);
  family->written.insert(number);
  if (status.ok()) known_.emplace(number, table);
}

// In a dry run what there would be.
uint64_t RefilterRun::FilterBytes() const {
  std::map<uint64_t, uint64_t> expected;
  if (options_.dry_run) {
    for (const Work& work : work_) {
      expected[work.table.number] = static_cast<uint64_t>(work.expected.bytes);
    }
  }
  uint64_t bytes = 0;
  for (const Family& family : families_) {
    if (family.is_dropped) continue;
    for (const ListedTable& table : ListTables(db_, family.handle)) {
      const auto changed = expected.find(table.number);
      const auto known = known_.find(table.number);
      if (changed != expected.end()) {
        bytes += changed->second;
      } else if (known != known_.end()) {
        bytes += known->second.filter.filter_bytes;
      }
    }
  }
  return bytes;
}

void RefilterRun::Stop(const Status& status) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (end_.ok()) end_ = status;
}

bool RefilterRun::IsStopped() {
  const auto is_set = [](const std::atomic<bool>* flag) {
    return flag != nullptr && flag->load(std::memory_order_relaxed);
  };
  if (is_set(options_.cancel) || is_set(stop_)) {
    Stop(Status::Incomplete("cancelled"));
  }
  std::lock_guard<std::mutex> lock(mutex_);
  return !end_.ok();
}

void RefilterRun::CountRead(uint64_t bytes) {
  ReadRate::Time next;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    next = rate_.Add(bytes, Clock::now());
  }
  WaitUntil(next);
}

void RefilterRun::WaitUntil(ReadRate::Time time) {
  for (;;) {
    const auto now = Clock::now();
    if (now >= time || IsStopped()) return;
    std::this_thread::sleep_for(std::min<Clock::duration>(time - now, kNap));
  }
}

Status RefilterRun::Result() const {
  if (!end_.ok()) return end_;
  if (report_.left.empty()) return Status::OK();
  const LeftTable& first = report_.left.front();
  return Status::Incomplete(std::to_string(report_.left.size()) + " of " +
                            std::to_string(report_.tables_found) +
                            " tables are left; the first: " + first.path +
                            ": " + first.status.ToString());
}

}  // namespace oneline
