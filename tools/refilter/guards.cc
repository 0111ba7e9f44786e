#include "tools/refilter/guards.h"

#include <fcntl.h>
#include <rocksdb/comparator.h>
#include <rocksdb/env.h>
#include <rocksdb/table.h>
#include <rocksdb/utilities/options_util.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <memory>
#include <system_error>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "filter_policy/rocksdb/rocksdb_filter_bits.h"
#include "filter_policy/rocksdb/rocksdb_version.h"

namespace oneline {
namespace {

namespace fs = std::filesystem;

template <typename... Words>
absl::Status Refused(const Words&... words) {
  return absl::FailedPreconditionError(absl::StrCat(words...));
}

absl::Status Lacks(const std::string& name, const std::string& object) {
  return Refused(name, "=", object,
                 ", which this program does not have:", kCallInProgram);
}

absl::Status Unavailable(const rocksdb::Status& status) {
  return status.ok() ? absl::OkStatus()
                     : absl::UnavailableError(status.ToString());
}

// The database's program might not be able to read the new files.
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

// RocksDB writes into each.
absl::Status CheckDirectories(std::vector<std::string> directories,
                              const std::string& path) {
  directories.push_back(path);
  for (const std::string& directory : directories) {
    if (access(directory.c_str(), W_OK | X_OK) != 0) {
      return absl::ErrnoToStatus(errno, directory + ": can't be written");
    }
  }
  return absl::OkStatus();
}

// The lock is looked at and not taken, which RocksDB does. REQUIRES: this
// process does not have it: it would lose it here.
absl::Status CheckLock(const std::string& path) {
  const std::string file = path + "/LOCK";
  const int fd = open(file.c_str(), O_RDWR | O_CLOEXEC);
  if (fd < 0 && errno == ENOENT) return absl::OkStatus();
  if (fd < 0) return absl::ErrnoToStatus(errno, file + ": can't be written");
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
  rocksdb::Env* const env = rocksdb::Env::Default();
  std::vector<std::string> names;
  rocksdb::Status status = env->GetChildren(directory, &names);
  for (const std::string& name : names) {
    uint64_t number = 0, bytes = 0;
    if (!absl::EndsWith(name, ".log") ||
        !absl::SimpleAtoi(absl::StripSuffix(name, ".log"), &number)) {
      continue;
    }
    const std::string log = directory + "/" + name;
    status = env->GetFileSize(log, &bytes);
    if (!status.ok()) break;
    if (bytes == 0) continue;
    if (allow_2pc) {
      return Refused(log,
                     ": is not empty, and a database with two-phase commits "
                     "(allow_2pc) has logs that only its program reads "
                     "rightly: let that end prepared transactions, write a "
                     "key, flush all column families and close it; or",
                     kCallInProgram);
    }
    if (number > std::numeric_limits<uint32_t>::max()) {
      return Refused(log,
                     ": RocksDB does not read recycled logs of such numbers, "
                     "so that opening the database can lose what it has: copy "
                     "the database before anything opens it");
    }
  }
  return Unavailable(status);
}

// RocksDB opens the database with its defaults where an OPTIONS file was cut.
// It writes two sections for each family, and an empty line after each section.
absl::Status CheckOptionsAreWhole(const DatabaseTables& database) {
  const OptionsFile& options = *database.options_text;
  const std::string& text = options.text();
  const std::string end = text.substr(text.find_last_not_of(" \n") + 1);
  bool are_whole = std::count(end.begin(), end.end(), '\n') > 1;
  for (const ColumnFamilyTables& family : database.column_families) {
    are_whole &=
        options.Object("CFOptions", family.name, "comparator") != kNoObject &&
        (family.table_options() == nullptr ||
         options.HasSection(kTableSection, family.name));
  }
  if (are_whole) return absl::OkStatus();
  return Refused(database.options_file,
                 ": was cut, or lacks a column family: let the database's "
                 "program open it, which writes a whole one; or",
                 kCallInProgram);
}

absl::Status CheckOptions(const DatabaseTables& database) {
  const std::string& path = database.path;
  const OptionsFile& options = *database.options_text;
  const std::string& wal_dir = database.db_options.wal_dir;
  if (!wal_dir.empty() &&
      (fs::path(wal_dir).is_relative() || !IsWithin(wal_dir, path))) {
    return Refused(path, ": its OPTIONS file has wal_dir=", wal_dir,
                   ", which is relative to where its program runs, or outside "
                   "the database's directory: these may be the logs of a "
                   "database that this is a copy of, and opening a copy "
                   "deletes them:",
                   kCallInProgram);
  }
  const absl::Status logs = CheckLogs(wal_dir.empty() ? path : wal_dir,
                                      database.db_options.allow_2pc);
  if (!logs.ok()) return logs;
  constexpr char kChecksums[] = "file_checksum_gen_factory";
  const std::string checksums = options.Object("DBOptions", "", kChecksums);
  if (database.db_options.file_checksum_gen_factory == nullptr &&
      checksums != kNoObject) {
    return Lacks(kChecksums, checksums);
  }
  const std::string text =
      options.Get("Version", "", "rocksdb_version").value_or("");
  int major = 0, minor = 0;
  if (std::sscanf(text.c_str(), "%d.%d", &major, &minor) == 2 &&
      std::pair(major, minor) <= std::pair(kRocksDBMajor, kRocksDBMinor)) {
    return absl::OkStatus();
  }
  return absl::UnimplementedError(absl::StrCat(
      "the database was last opened by RocksDB '", text,
      "', by its OPTIONS file, and this program has ", kRocksDBMajor, ".",
      kRocksDBMinor, ": use one that was built for that RocksDB"));
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
  std::vector<std::string> names;
  const rocksdb::Status status =
      rocksdb::Env::Default()->GetChildren(directory, &names);
  for (const std::string& name : names) {
    for (const char* const extension : {".sst", ".ldb", ".blob", ".trash"}) {
      if (!absl::EndsWith(name, extension)) continue;
      return Refused(directory, "/", name,
                     ": is no file of this database now, which has no table in "
                     "its directory: RocksDB would delete it. Give the "
                     "program's db_paths, or move it away");
    }
  }
  return Unavailable(status);
}

constexpr char kGiveDirectories[] =
    ": give all of the program's db_paths, in its order, with --db_paths; if "
    "it has cf_paths,";

absl::Status CheckFile(const std::string& path) {
  std::error_code ignored;
  if (fs::is_regular_file(path, ignored)) return absl::OkStatus();
  if (fs::exists(path, ignored)) {
    return Refused(path, ": is not a regular file: put back the database's");
  }
  return Refused(path, ": is missing, or in another directory",
                 kGiveDirectories, kCallInProgram);
}

// Whether each file is where RocksDB looks for it, and no others are there.
absl::Status CheckTables(const DatabaseTables& database,
                         const std::vector<std::string>& directories) {
  for (const ColumnFamilyTables& family : database.column_families) {
    std::vector<std::string> files;
    for (const TableFile& table : family.tables) {
      const std::string name = fs::path(table.path).filename();
      if (table.path_id >= directories.size()) {
        return Refused(database.path, ": ", name, " is in directory ",
                       table.path_id + 1, " of the program's db_paths",
                       kGiveDirectories, kCallInProgram);
      }
      files.push_back(directories[table.path_id] + "/" + name);
    }
    for (const std::string& name : family.blob_files) {
      files.push_back(directories[0] + name);
    }
    for (const std::string& file : files) {
      const absl::Status status = CheckFile(file);
      if (!status.ok()) return status;
    }
  }
  std::error_code ignored;
  for (const std::string& directory : directories) {
    if (fs::equivalent(directory, database.path, ignored)) continue;
    const absl::Status status = CheckOtherTables(database, directory);
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

}  // namespace

bool IsWithin(const fs::path& path, const std::string& directory) {
  std::error_code ignored;
  const fs::path relative =
      fs::weakly_canonical(path, ignored)
          .lexically_relative(fs::canonical(directory, ignored));
  return !relative.empty() && *relative.begin() != "..";
}

absl::Status CheckDatabase(const DatabaseTables& database,
                           const std::vector<std::string>& directories) {
  const std::string& path = database.path;
  absl::Status status = CheckOwner(path);
  if (status.ok()) status = CheckDirectories(directories, path);
  if (status.ok()) status = CheckLock(path);
  std::error_code ignored;
  if (status.ok() && fs::is_directory(path + "/blob_dir", ignored)) {
    return Refused(path, ": is a stacked BlobDB, by its directory blob_dir:",
                   kCallInProgram);
  }
  if (status.ok()) status = database.options_status;
  if (status.ok() && !database.options_text.ok()) {
    return Refused(path, ": has no OPTIONS file:", kCallInProgram);
  }
  if (status.ok()) status = CheckOptions(database);
  if (status.ok()) status = CheckOptionsAreWhole(database);
  return status.ok() ? CheckTables(database, directories) : status;
}

absl::Status CheckFamily(const OptionsFile& options,
                         const ColumnFamilyTables& family,
                         const ConfiguredPolicy& policy) {
  const auto named = [&](const char* name, const char* section = "CFOptions") {
    return options.Object(section, family.name, name);
  };
  const std::string about = absl::StrCat("column family '", family.name, "': ");
  const rocksdb::ColumnFamilyOptions& made = family.options;
  const rocksdb::BlockBasedTableOptions* const table = family.table_options();
  const bool has_comparator = named("comparator") == made.comparator->Name();
  const std::pair<const char*, const void*> objects[] = {
      {"comparator", has_comparator ? made.comparator : nullptr},
      {"merge_operator", made.merge_operator.get()},
      {"compaction_filter", made.compaction_filter},
      {"compaction_filter_factory", made.compaction_filter_factory.get()},
      {"prefix_extractor", made.prefix_extractor.get()},
      {"sst_partitioner_factory", made.sst_partitioner_factory.get()}};
  for (const auto& [name, object] : objects) {
    if (object != nullptr || named(name) == kNoObject) continue;
    return Lacks(about + name, named(name));
  }
  if (table == nullptr) {
    return Lacks(about + "table_factory", named("table_factory"));
  }
  // RocksDB leaves it out where it does not know it.
  constexpr char kIndex[] = "user_defined_index_factory";
  const std::string index = named(kIndex, kTableSection);
  if (index != kNoObject) return Lacks(about + kIndex, index);
  if (!policy.mistake.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat("the filter policy '", policy.text, "' of column family '",
                     family.name, "': ", policy.mistake));
  }
  if (policy.policy == nullptr) return absl::OkStatus();
  rocksdb::FilterBuildingContext compaction(*table);
  compaction.level_at_creation = 1;
  compaction.reason = rocksdb::TableFileCreationReason::kCompaction;
  const std::unique_ptr<rocksdb::FilterBitsBuilder> builder(
      policy.policy->GetBuilderWithContext(compaction));
  if (builder != nullptr) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("the filter policy '", policy.text,
                   "' writes no filters; for none give nullptr"));
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

}  // namespace oneline
