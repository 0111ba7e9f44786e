#include "tools/refilter/run.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "tools/refilter/current_manifest.h"
#include "tools/rewrite/table_identity.h"
#include "tools/rewrite/table_rewrite.h"
#include "tools/text/byte_size.h"
#include "tools/text/file_progress.h"
#include "tools/text/number_text.h"
#include "tools/verify/verify_table.h"

namespace oneline {
namespace {

constexpr uint64_t kMinBatchBytes = uint64_t{4} << 30;
constexpr uint64_t kBatchShare = 100;
// For the MANIFEST and what RocksDB writes when it opens the database.
constexpr uint64_t kSpareBytes = uint64_t{64} << 20;

std::string DirectoryOf(const std::string& path) {
  return std::filesystem::path(path).parent_path().string();
}

absl::Status InFile(const std::string& path, const absl::Status& status) {
  return absl::Status(status.code(),
                      absl::StrCat(path, ": ", status.message()));
}

// One table of a batch.
struct Task {
  const PlannedTable* table = nullptr;
  TableRewrite rewrite;
  TableEntry entry;  // of the new table
  absl::Status status;
};

class Run {
 public:
  Run(const Disk& disk, const std::string& database, RefilterPlan plan,
      const RunOptions& options, Progress* progress, RunResult* result)
      : disk_(disk),
        database_(database),
        plan_(std::move(plan)),
        options_(options),
        progress_(*progress),
        result_(*result),
        session_id_(NewSessionId()) {}

  absl::Status All();

 private:
  absl::Status Batch(const std::vector<size_t>& tables);
  void Note(size_t batches, double seconds);
  absl::Status NumberTasks(const std::vector<size_t>& tables);
  absl::Status CheckSpace() const;
  absl::Status WriteTables();
  absl::Status WriteTable(Task* task) const;
  absl::Status Verify(const Task& task, const KeyList* keys,
                      FileProgress* progress) const;
  absl::Status Switch();
  // Of new files that are not used.
  void DeleteNew() const;
  void DeleteOld(const std::string& old_manifest);
  std::set<std::string> Directories() const;

  const Disk& disk_;
  const std::string database_;
  RefilterPlan plan_;
  const RunOptions& options_;
  Progress& progress_;
  RunResult& result_;
  const std::string session_id_;
  uint64_t bytes_done_ = 0;  // of old tables
  double seconds_ = 0;       // that they took

  // Of the batch.
  std::vector<Task> tasks_;
  uint64_t manifest_number_ = 0;
  bool may_be_switched_ = false;
};

std::set<std::string> Run::Directories() const {
  std::set<std::string> directories = {database_};
  for (const PlannedTable& table : plan_.tables) {
    directories.insert(DirectoryOf(table.path));
  }
  return directories;
}

// New numbers are in the order of the old ones: some tables of level 0 are
// ordered by nothing else.
absl::Status Run::NumberTasks(const std::vector<size_t>& tables) {
  const absl::StatusOr<uint64_t> first = FirstFreeNumber(
      disk_, Directories(), plan_.current.manifest.next_file_number());
  if (!first.ok()) return first.status();
  uint64_t number = *first;
  tasks_.clear();
  for (const size_t i : tables)
    tasks_.push_back({&plan_.tables[i], {}, {}, {}});
  std::sort(tasks_.begin(), tasks_.end(), [](const Task& a, const Task& b) {
    return a.table->entry.number < b.table->entry.number;
  });
  for (Task& task : tasks_) {
    TableRewrite& rewrite = task.rewrite;
    rewrite.old_path = task.table->path;
    rewrite.new_number = number++;
    rewrite.new_path = absl::StrCat(DirectoryOf(rewrite.old_path), "/",
                                    TableName(rewrite.new_number));
    rewrite.entry = task.table->entry;
    rewrite.session_id = session_id_;
    rewrite.request = task.table->request;
    rewrite.is_last = task.table->is_last;
  }
  manifest_number_ = number;
  return absl::OkStatus();
}

absl::Status Run::CheckSpace() const {
  std::map<std::string, uint64_t> needed;
  for (const Task& task : tasks_) {
    // A filter takes less than a tenth of the table, and seldom twice as much.
    const uint64_t bytes = task.table->entry.bytes;
    needed[DirectoryOf(task.rewrite.new_path)] += bytes + bytes / 5;
  }
  for (const auto& [directory, bytes] : needed) {
    const absl::StatusOr<uint64_t> free = disk_.FreeBytes(directory);
    if (!free.ok()) return free.status();
    if (*free >= bytes + kSpareBytes) continue;
    return absl::UnavailableError(absl::StrCat(
        directory, ": has ", BytesText(static_cast<double>(*free)),
        " of free space, and the next ", Tables(tasks_.size()), " need ",
        BytesText(static_cast<double>(bytes + kSpareBytes))));
  }
  return absl::OkStatus();
}

// The new table through RocksDB: every block, and every key in its filter.
// `keys` are all that it has, or null if it has to be read for them.
absl::Status Run::Verify(const Task& task, const KeyList* keys,
                         FileProgress* progress) const {
  TableFile file;
  file.path = task.rewrite.new_path;
  file.number = task.entry.number;
  file.bytes = task.entry.bytes;
  file.level = static_cast<int>(task.entry.level);
  constexpr size_t kSequenceAndType = 8;
  file.smallest_key = task.entry.smallest.substr(
      0, task.entry.smallest.size() - kSequenceAndType);
  file.largest_key = task.entry.largest.substr(
      0, task.entry.largest.size() - kSequenceAndType);
  const auto advance = [&](uint64_t read, uint64_t all) {
    progress->Advance(read, all);
  };
  const VerifiedTable verified = VerifyTable(file, advance, keys);
  if (verified.verdict == TableVerdict::kUnfiltered) {
    if (keys != nullptr) return absl::OkStatus();
    const auto table = SstReader::Open(file.path);
    if (!table.ok()) return table.status();
    return (*table)->ForEachEntry([](std::string_view) { return true; });
  }
  if (verified.verdict == TableVerdict::kIntact &&
      verified.unknown_extractor.empty()) {
    return absl::OkStatus();
  }
  return absl::DataLossError(
      absl::StrCat("the new table is not sound: ", verified.message));
}

absl::Status Run::WriteTable(Task* task) const {
  const uint64_t bytes = task->table->entry.bytes;
  const FamilyPlan& family = plan_.families[task->table->family];
  absl::StatusOr<RewrittenTable> rewritten;
  {
    FileProgress progress(&progress_, bytes / 2);
    rewritten = Rewrite(disk_, task->rewrite, *family.request,
                        [&](uint64_t read, uint64_t all) {
                          progress.Advance(read, all);
                          return options_.may_go_on();
                        });
  }
  if (!rewritten.ok()) {
    return InFile(task->rewrite.old_path, rewritten.status());
  }
  task->entry = std::move(rewritten->entry);
  const absl::Status may_go_on = options_.may_go_on();
  if (!may_go_on.ok()) return may_go_on;
  FileProgress progress(&progress_, bytes - bytes / 2);
  const absl::Status verified =
      Verify(*task, rewritten->keys.has_value() ? &*rewritten->keys : nullptr,
             &progress);
  return verified.ok() ? verified : InFile(task->rewrite.new_path, verified);
}

absl::Status Run::WriteTables() {
  std::atomic<bool> has_failed{false};
  ParallelFor(tasks_.size(), options_.jobs, [&](size_t i) {
    if (has_failed) return;  // the batch will be deleted
    tasks_[i].status = WriteTable(&tasks_[i]);
    if (!tasks_[i].status.ok()) has_failed = true;
  });
  for (const Task& task : tasks_) {
    if (!task.status.ok()) return task.status;
  }
  std::set<std::string> directories;
  for (const Task& task : tasks_) {
    directories.insert(DirectoryOf(task.rewrite.new_path));
  }
  for (const std::string& directory : directories) {
    const absl::Status synced = disk_.SyncDirectory(directory);
    if (!synced.ok()) return synced;
  }
  return absl::OkStatus();
}

absl::Status Run::Switch() {
  const Manifest& before = plan_.current.manifest;
  std::vector<Replacement> replacements;
  for (const Task& task : tasks_) {
    replacements.push_back({plan_.families[task.table->family].id,
                            task.table->entry.number, task.entry});
  }
  const std::string bytes = before.With(replacements, manifest_number_ + 1);
  absl::StatusOr<Manifest> after = Manifest::Parse(bytes);
  if (!after.ok()) return after.status();
  if (!IsReplaced(before, replacements, *after)) {
    return absl::InternalError("the new MANIFEST lists other tables");
  }
  absl::Status status =
      WriteManifest(disk_, database_, manifest_number_, bytes, *after);
  if (status.ok()) status = options_.may_go_on();
  if (!status.ok()) return status;
  status = SwitchTo(disk_, database_, manifest_number_, &may_be_switched_);
  if (!status.ok()) return status;
  plan_.current = {ManifestName(manifest_number_), *std::move(after)};
  return absl::OkStatus();
}

void Run::DeleteNew() const {
  std::vector<std::string> paths = {
      absl::StrCat(database_, "/", ManifestName(manifest_number_)),
      absl::StrCat(database_, "/", TemporaryCurrentName(manifest_number_))};
  for (const Task& task : tasks_) paths.push_back(task.rewrite.new_path);
  for (const std::string& path : paths) {
    // RocksDB deletes what is left, when it opens the database.
    disk_.Delete(path).IgnoreError();
  }
}

void Run::DeleteOld(const std::string& old_manifest) {
  std::vector<std::string> paths = {absl::StrCat(database_, "/", old_manifest)};
  for (const Task& task : tasks_) paths.push_back(task.rewrite.old_path);
  for (const std::string& path : paths) {
    if (!disk_.Delete(path).ok()) result_.left.push_back(path);
  }
}

absl::Status Run::Batch(const std::vector<size_t>& tables) {
  absl::Status status = options_.may_go_on();
  if (status.ok()) status = NumberTasks(tables);
  if (status.ok()) status = CheckSpace();
  if (!status.ok()) return status;
  const std::string old_manifest = plan_.current.name;
  may_be_switched_ = false;
  status = WriteTables();
  if (status.ok()) status = Switch();
  if (!status.ok() && may_be_switched_) {
    return absl::Status(
        status.code(),
        absl::StrCat(status.message(),
                     "; the last batch may have its new filters or its old "
                     "ones, and the database is whole with both"));
  }
  if (!status.ok()) {
    DeleteNew();
    return status;
  }
  DeleteOld(old_manifest);
  return absl::OkStatus();
}

// The line of the batch that is done, of so many.
void Run::Note(size_t batches, double seconds) {
  FinishedBatch done = {tasks_.size(), 0, seconds};
  for (const Task& task : tasks_) {
    done.bytes += task.entry.bytes;
    bytes_done_ += task.table->entry.bytes;
  }
  seconds_ += seconds;
  result_.tables += done.tables;
  result_.bytes_written += done.bytes;
  result_.batches.push_back(done);
  const auto bytes = static_cast<double>(done.bytes);
  const double seconds_per_byte =
      seconds_ / static_cast<double>(std::max<uint64_t>(bytes_done_, 1));
  progress_.Note(absl::StrFormat(
      "batch %d of %d: %s, %s in %s, %s/s; %s left", result_.batches.size(),
      batches, Tables(done.tables), BytesText(bytes), DurationText(seconds),
      BytesText(bytes / std::max(seconds, 1e-3)),
      DurationText(seconds_per_byte *
                   static_cast<double>(plan_.bytes - bytes_done_))));
}

absl::Status Run::All() {
  const uint64_t batch_bytes =
      options_.batch_bytes > 0
          ? options_.batch_bytes
          : std::max(kMinBatchBytes, plan_.bytes / kBatchShare);
  const auto batches = BatchesOf(plan_, batch_bytes);
  if (batches.empty()) return absl::OkStatus();
  progress_.BeginBytes(
      absl::StrCat(Tables(plan_.tables.size()), ", ",
                   BytesText(static_cast<double>(plan_.bytes))),
      plan_.bytes);
  absl::Status status;
  for (const std::vector<size_t>& tables : batches) {
    const auto begin = Progress::Clock::now();
    status = Batch(tables);
    if (!status.ok()) break;
    Note(batches.size(),
         std::chrono::duration<double>(Progress::Clock::now() - begin).count());
  }
  progress_.End();
  return status;
}

}  // namespace

absl::Status RunPlan(const Disk& disk, const std::string& database,
                     RefilterPlan plan, const RunOptions& options,
                     Progress* progress, RunResult* result) {
  return Run(disk, database, std::move(plan), options, progress, result).All();
}

}  // namespace oneline
