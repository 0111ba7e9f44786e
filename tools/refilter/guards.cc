#include "tools/refilter/guards.h"

#include <fcntl.h>
#include <rocksdb/comparator.h>
#include <rocksdb/table.h>
#include <rocksdb/utilities/options_util.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "filter_policy/rocksdb/rocksdb_filter_bits.h"
#include "filter_policy/rocksdb/rocksdb_version.h"

namespace oneline {
namespace {

namespace fs = std::filesystem;

template <typename... Words>
absl::Status Refused(const Words&... words) {
  return absl::FailedPreconditionError(absl::StrCat(words...));
}

absl::Status CheckOwner(const std::string& path) {
  struct stat file = {};
  if (stat((path + "/CURRENT").c_str(), &file) != 0) {
    return absl::ErrnoToStatus(errno, path + "/CURRENT");
  }
  if (file.st_uid == geteuid()) return absl::OkStatus();
  return Refused(path, ": belongs to user ", file.st_uid,
                 ", and new files would belong to user ", geteuid(),
                 ": run this as that user, with sudo -u '#", file.st_uid, "'");
}

// The lock is looked at and not taken, which RocksDB does. REQUIRES: this
// process does not have it: it would lose it here.
absl::Status CheckLock(const std::string& path) {
  const std::string file = path + "/LOCK";
  const int fd = open(file.c_str(), O_RDWR | O_CLOEXEC);
  if (fd < 0) {
    if (errno == ENOENT) return absl::OkStatus();
    return absl::UnavailableError(absl::StrCat(
        file, ": can't be written: ", std::generic_category().message(errno)));
  }
  struct flock lock = {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  const bool is_known = fcntl(fd, F_GETLK, &lock) == 0;
  close(fd);
  if (!is_known || lock.l_type == F_UNLCK) return absl::OkStatus();
  return Refused(path, ": process ", lock.l_pid,
                 " has the database open: close it, or", kCallInProgram);
}

// Refuses logs that opening the database here could lose writes of. A plain DB
// numbers the keys of a WritePrepared or WriteUnprepared TransactionDB's
// batches otherwise than its program does, so that the first flush drops newer
// ones; no file records that policy. And a recycled log has its number in
// each record in 32 bits, which RocksDB compares with the whole number.
absl::Status CheckLogs(const std::string& directory, bool allow_2pc) {
  std::error_code error;
  for (fs::directory_iterator entry(directory, error), end;
       !error && entry != end; entry.increment(error)) {
    const fs::path& log = entry->path();
    uint64_t number = 0;
    if (log.extension() != ".log" ||
        !absl::SimpleAtoi(log.stem().string(), &number)) {
      continue;
    }
    const bool is_empty = entry->file_size(error) == 0;
    if (error) {
      return absl::UnavailableError(
          absl::StrCat(log.string(), ": ", error.message()));
    }
    if (is_empty) continue;
    if (allow_2pc) {
      return Refused(log.string(),
                     ": is not empty, and a database with two-phase commits "
                     "(allow_2pc) has logs that only its program reads "
                     "rightly: let that end prepared transactions, write a "
                     "key, flush all column families and close it; or",
                     kCallInProgram);
    }
    if (number > std::numeric_limits<uint32_t>::max()) {
      return Refused(log.string(),
                     ": RocksDB does not read recycled logs of such numbers, "
                     "so that opening the database can lose what it has: copy "
                     "the database before anything opens it");
    }
  }
  if (!error) return absl::OkStatus();
  return absl::UnavailableError(absl::StrCat(directory, ": ", error.message()));
}

// Whether it has filters for a table that a compaction writes.
bool WritesFilters(const rocksdb::FilterPolicy& policy,
                   const rocksdb::BlockBasedTableOptions& table) {
  rocksdb::FilterBuildingContext context(table);
  context.level_at_creation = 1;
  context.reason = rocksdb::TableFileCreationReason::kCompaction;
  return std::unique_ptr<rocksdb::FilterBitsBuilder>(
             policy.GetBuilderWithContext(context)) != nullptr;
}

// Whether it is the directory, or below it.
bool IsWithin(const std::string& path, const std::string& directory) {
  std::error_code ignored;
  const fs::path relative =
      fs::weakly_canonical(path, ignored)
          .lexically_relative(fs::canonical(directory, ignored));
  return !relative.empty() && *relative.begin() != "..";
}

// RocksDB deletes tables that it does not know.
absl::Status CheckOtherTables(const DatabaseTables& database,
                              const std::string& directory) {
  std::error_code ignored;
  if (fs::exists(directory + "/CURRENT", ignored)) {
    return Refused(directory,
                   ": is another database, whose tables RocksDB would delete: "
                   "give the program's db_paths");
  }
  for (const ColumnFamilyTables& family : database.column_families) {
    for (const TableFile& table : family.tables) {
      if (fs::equivalent(fs::path(table.path).parent_path(), directory,
                         ignored)) {
        return absl::OkStatus();
      }
    }
  }
  std::error_code error;
  for (fs::directory_iterator entry(directory, error), end;
       !error && entry != end; entry.increment(error)) {
    const std::string extension = entry->path().extension();
    if (extension != ".sst" && extension != ".ldb" && extension != ".blob" &&
        extension != ".trash") {
      continue;
    }
    return Refused(entry->path().string(),
                   ": is no file of this database now, which has no table in "
                   "its directory: RocksDB would delete it. Give the program's "
                   "db_paths, or move it away");
  }
  if (!error) return absl::OkStatus();
  return absl::UnavailableError(absl::StrCat(directory, ": ", error.message()));
}

}  // namespace

absl::Status CheckTables(const DatabaseTables& database,
                         const std::string& path,
                         const std::vector<std::string>& db_paths) {
  const std::vector<std::string> directories =
      db_paths.empty() ? std::vector<std::string>{path} : db_paths;
  std::error_code ignored;
  for (const ColumnFamilyTables& family : database.column_families) {
    for (const TableFile& table : family.tables) {
      const std::string name = fs::path(table.path).filename();
      if (table.path_id < directories.size() &&
          fs::exists(directories[table.path_id] + "/" + name, ignored)) {
        continue;
      }
      return Refused(path, ": ", name, " is not in directory ",
                     table.path_id + 1,
                     " of the program's db_paths: give all, in its order, with "
                     "--db_paths; if it has cf_paths,",
                     kCallInProgram);
    }
  }
  for (const std::string& directory : db_paths) {
    if (fs::equivalent(directory, path, ignored)) continue;
    const absl::Status status = CheckOtherTables(database, directory);
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

absl::Status CheckDirectory(const std::string& path) {
  absl::Status status = CheckOwner(path);
  if (status.ok()) status = CheckLock(path);
  std::error_code ignored;
  if (status.ok() && fs::is_directory(path + "/blob_dir", ignored)) {
    return Refused(path, ": is a stacked BlobDB, by its directory blob_dir:",
                   kCallInProgram);
  }
  return status;
}

absl::Status CheckUnchanged(const std::string& path,
                            const std::string& options_file) {
  const absl::Status status = CheckLock(path);
  std::string name;
  if (!status.ok() ||
      (rocksdb::GetLatestOptionsFileName(path, rocksdb::Env::Default(), &name)
           .ok() &&
       fs::path(options_file).filename() == name)) {
    return status;
  }
  return Refused(path,
                 ": a program has opened the database meanwhile: run the "
                 "command again, or",
                 kCallInProgram);
}

absl::Status CheckDatabase(const std::string& path, const OptionsFile& options,
                           const rocksdb::DBOptions& made) {
  if (!made.wal_dir.empty() && !IsWithin(made.wal_dir, path)) {
    return Refused(path, ": its OPTIONS file has wal_dir=", made.wal_dir,
                   ", outside the database's directory: these may be the logs "
                   "of a database that this is a copy of, and opening a copy "
                   "deletes them:",
                   kCallInProgram);
  }
  const absl::Status logs =
      CheckLogs(made.wal_dir.empty() ? path : made.wal_dir, made.allow_2pc);
  if (!logs.ok()) return logs;
  const std::string checksums =
      options.Get("DBOptions", "", "file_checksum_gen_factory")
          .value_or("nullptr");
  if (made.file_checksum_gen_factory == nullptr && checksums != "nullptr") {
    return Refused("file_checksum_gen_factory=", checksums,
                   ", which this program does not have:", kCallInProgram);
  }
  const std::string text =
      options.Get("Version", "", "rocksdb_version").value_or("");
  const std::vector<std::string> parts = absl::StrSplit(text, '.');
  int major = 0, minor = 0;
  if (parts.size() >= 2 && absl::SimpleAtoi(parts[0], &major) &&
      absl::SimpleAtoi(parts[1], &minor) &&
      std::make_pair(major, minor) <=
          std::make_pair(kRocksDBMajor, kRocksDBMinor)) {
    return absl::OkStatus();
  }
  return absl::UnimplementedError(absl::StrCat(
      "the database was last opened by RocksDB '", text,
      "', by its OPTIONS file, and this program has ", kRocksDBMajor, ".",
      kRocksDBMinor, ": use one that was built for that RocksDB"));
}

absl::Status CheckObjects(const OptionsFile& options,
                          const ColumnFamilyTables& family) {
  const auto text = [&](const char* name) {
    return options.Get("CFOptions", family.name, name).value_or("nullptr");
  };
  if (!options.Get("CFOptions", family.name, "comparator").has_value()) {
    return Refused("the OPTIONS file has no section for column family '",
                   family.name, "':", kCallInProgram);
  }
  const rocksdb::ColumnFamilyOptions& made = family.options;
  const auto* const table =
      made.table_factory == nullptr
          ? nullptr
          : made.table_factory->GetOptions<rocksdb::BlockBasedTableOptions>();
  const auto is_made = [&](const char* name, bool has_object) {
    return has_object || text(name) == "nullptr";
  };
  const std::pair<const char*, bool> objects[] = {
      {"comparator", text("comparator") == made.comparator->Name()},
      {"merge_operator",
       is_made("merge_operator", made.merge_operator != nullptr)},
      {"compaction_filter",
       is_made("compaction_filter", made.compaction_filter != nullptr)},
      {"compaction_filter_factory",
       is_made("compaction_filter_factory",
               made.compaction_filter_factory != nullptr)},
      {"prefix_extractor",
       is_made("prefix_extractor", made.prefix_extractor != nullptr)},
      {"sst_partitioner_factory",
       is_made("sst_partitioner_factory",
               made.sst_partitioner_factory != nullptr)},
      {"table_factory", table != nullptr},
  };
  for (const auto& [name, is_there] : objects) {
    if (is_there) continue;
    return Refused("column family '", family.name, "': ", name, "=", text(name),
                   ", which this program does not have:", kCallInProgram);
  }
  // RocksDB leaves it out where it does not know it.
  constexpr char kIndex[] = "user_defined_index_factory";
  const std::string index =
      options.Get(kTableSection, family.name, kIndex).value_or("nullptr");
  if (index == "nullptr") return absl::OkStatus();
  return Refused("column family '", family.name, "': ", kIndex, "=", index,
                 ", which this program does not have:", kCallInProgram);
}

absl::Status CheckPolicy(const ConfiguredPolicy& policy,
                         const ColumnFamilyTables& family) {
  if (!policy.mistake.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat("the filter policy '", policy.text, "' of column family '",
                     family.name, "': ", policy.mistake));
  }
  if (policy.policy == nullptr ||
      WritesFilters(*policy.policy,
                    *family.options.table_factory
                         ->GetOptions<rocksdb::BlockBasedTableOptions>())) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      absl::StrCat("the filter policy '", policy.text,
                   "' writes no filters; for none give nullptr"));
}

}  // namespace oneline
