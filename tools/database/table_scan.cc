#include "tools/database/table_scan.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <set>

#include "absl/strings/str_cat.h"
#include "filter_policy/refilter/parallel_for.h"
#include "tools/command/command.h"
#include "tools/sst/sst_reader.h"
#include "tools/text/number_text.h"
#include "tools/text/progress.h"

namespace oneline {
namespace {

using Paths = std::set<std::string>;

// The tables that are not among those that were read before.
std::vector<TableFile> NewTables(const DatabaseTables& database,
                                 const Paths& before) {
  std::vector<TableFile> files;
  for (const ColumnFamilyTables& family : database.column_families) {
    for (const TableFile& file : family.tables) {
      if (before.count(file.path) == 0) files.push_back(file);
    }
  }
  return files;
}

void LeaveOut(const Paths& paths, DatabaseTables* database) {
  for (ColumnFamilyTables& family : database->column_families) {
    std::vector<TableFile>& files = family.tables;
    files.erase(std::remove_if(files.begin(), files.end(),
                               [&paths](const TableFile& file) {
                                 return paths.count(file.path) > 0;
                               }),
                files.end());
  }
}

}  // namespace

absl::StatusOr<int> ExitCodeOf(const std::vector<absl::Status>& tables) {
  if (std::any_of(tables.begin(), tables.end(), IsLost)) return kExitFound;
  const auto first =
      std::find_if(tables.begin(), tables.end(), absl::IsUnavailable);
  if (first == tables.end()) return kExitFine;
  return absl::UnavailableError(
      absl::StrCat(Tables(static_cast<size_t>(std::count_if(
                       first, tables.end(), absl::IsUnavailable))),
                   " could not be read; the first: ", first->message()));
}

absl::StatusOr<DatabaseTables> ReadTables(
    const std::string& path, const std::vector<std::string>& other_directories,
    int jobs, const std::string& stage, const ReadFile& read) {
  constexpr int kMaxLists = 10;
  Progress progress(stderr);
  Paths all_read;
  absl::StatusOr<DatabaseTables> listed = TablesAt(path, other_directories);
  for (int lists = 1; listed.ok(); ++lists) {
    const std::vector<TableFile> files = NewTables(*listed, all_read);
    uint64_t bytes = 0;
    for (const TableFile& file : files) {
      bytes += file.bytes;
      all_read.insert(file.path);
    }
    if (!stage.empty() && (lists == 1 || !files.empty())) {
      progress.Begin(absl::StrCat(stage, " ", Tables(files.size()), " of ",
                                  BytesText(bytes)),
                     bytes);
    }
    std::mutex mutex;
    Paths missing;
    ParallelFor(files.size(), jobs, [&](size_t i) {
      // The bytes of a file advance in proportion to its entries.
      uint64_t entries_read = 0, bytes_shown = 0;
      const bool found = read(files[i], [&](uint64_t entries, uint64_t all) {
        if (all == 0) return;
        entries_read = std::min(entries_read + entries, all);
        const auto done =
            static_cast<uint64_t>(1.0 * entries_read / all * files[i].bytes);
        progress.Advance(done - bytes_shown);
        bytes_shown = done;
      });
      progress.Advance(files[i].bytes - bytes_shown);
      std::lock_guard<std::mutex> lock(mutex);
      if (!found) missing.insert(files[i].path);
    });
    progress.End();
    if (missing.empty()) return listed;
    absl::StatusOr<DatabaseTables> later = TablesAt(path, other_directories);
    if (!later.ok()) return later;
    if (lists == kMaxLists) {
      for (const TableFile& lost : NewTables(*later, /*before=*/{})) {
        missing.erase(lost.path);
      }
      LeaveOut(missing, &*listed);
      return listed;
    }
    listed = std::move(later);
  }
  return listed;
}

}  // namespace oneline
