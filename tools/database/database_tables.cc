#include "tools/database/database_tables.h"

#include <rocksdb/comparator.h>
#include <rocksdb/convenience.h>
#include <rocksdb/db.h>
#include <rocksdb/env.h>
#include <rocksdb/metadata.h>
#include <rocksdb/utilities/options_util.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <memory>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "filter_policy/refilter/rocksdb_call.h"
#include "filter_policy/rocksdb/rocksdb_open.h"
#include "filter_policy/rocksdb/rocksdb_version.h"
#include "tools/database/read_only_env.h"
#include "tools/sst/sst_reader.h"

namespace oneline {
namespace {

namespace fs = std::filesystem;

// Replaces a comparator that this program does not have. RocksDB only compares
// its name with the MANIFEST's, as no key is looked up.
class NamedComparator final : public rocksdb::Comparator {
 public:
  explicit NamedComparator(std::string name) : name_(std::move(name)) {}
  const char* Name() const override { return name_.c_str(); }
  int Compare(const rocksdb::Slice& a, const rocksdb::Slice& b) const override {
    return a.compare(b);
  }
  void FindShortestSeparator(std::string*,
                             const rocksdb::Slice&) const override {}
  void FindShortSuccessor(std::string*) const override {}

 private:
  const std::string name_;
};

absl::Status NotRead(const std::string& path, const rocksdb::Status& status) {
  return absl::DataLossError(absl::StrCat(path, ": ", status.ToString()));
}

absl::Status NotRead(const std::string& path, const std::error_code& error) {
  return absl::UnavailableError(absl::StrCat(path, ": ", error.message()));
}

absl::Status Wrong(const std::string& path, const char* what) {
  return absl::InvalidArgumentError(absl::StrCat(path, ": ", what));
}

// As ReadingOptions names them.
constexpr const char* kDirectories[] = {"/dev/null/0", "/dev/null/1",
                                        "/dev/null/2", "/dev/null/3"};

// OpenForReadOnly with these options reads the MANIFEST, opens no table, and
// changes nothing. The database's own options are not used: they are not
// needed, and may ask for anything.
rocksdb::DBOptions ReadingOptions(const std::string& path) {
  rocksdb::DBOptions options;
  options.env = ReadOnlyEnv();
  options.info_log = std::make_shared<NoLog>();
  // That it finds no tables must not make it fail.
  options.max_open_files = 20;
  options.max_file_opening_threads = 1;
  options.paranoid_checks = false;
  options.skip_stats_update_on_db_open = true;
#if ONELINE_HAS_SKIP_FILE_SIZES
  options.skip_checking_sst_file_sizes_on_db_open = true;
#endif
  options.create_if_missing = false;
  // Which timestamps in memory only exclude.
  options.allow_concurrent_memtable_write = false;
  options.wal_dir = path;
  // The directories of tables, as many as there can be: the MANIFEST has the
  // number of each table's, and RocksDB asserts that there is one. None exists,
  // because RocksDB would open some tables, which may be FIFOs, and remove
  // *.trash files.
  for (const char* none : kDirectories) {
    options.db_paths.emplace_back(none, std::numeric_limits<uint64_t>::max());
  }
  return options;
}

// Sets all of the result but its id and its tables: with RocksDB's default
// options if the OPTIONS file is missing or damaged.
absl::Status Describe(const std::string& path, DatabaseTables* result) {
  std::vector<rocksdb::ColumnFamilyDescriptor> described;
  std::string name;
  const rocksdb::Status newest =
      rocksdb::GetLatestOptionsFileName(path, rocksdb::Env::Default(), &name);
  if (!newest.ok() && !newest.IsNotFound()) {
    return absl::UnavailableError(
        absl::StrCat(path, ": can't be listed: ", newest.ToString()));
  }
  if (newest.ok()) {
    rocksdb::ConfigOptions lenient;
    lenient.ignore_unknown_options = true;
    lenient.ignore_unsupported_options = true;
    const std::string file = absl::StrCat(path, "/", name);
    result->options_file = file;
    result->options_text = OptionsFile::Load(file);
    const rocksdb::Status loaded = rocksdb::LoadOptionsFromFile(
        lenient, file, &result->db_options, &described);
    if (!loaded.ok()) {
      result->options_status = absl::DataLossError(
          absl::StrCat(file, ": RocksDB can't load it: ", loaded.ToString()));
      result->db_options = rocksdb::DBOptions();
      described.clear();
    }
  }
  std::error_code ignored;
  const std::string& logs = result->db_options.db_log_dir;
  result->has_logs = logs.empty() || fs::equivalent(logs, path, ignored);
  std::vector<std::string> names;
  const rocksdb::Status status =
      rocksdb::DB::ListColumnFamilies(ReadingOptions(path), path, &names);
  if (!status.ok()) return NotRead(path, status);
  for (const std::string& family : names) {
    result->column_families.push_back({family, {}, {}});
    for (const rocksdb::ColumnFamilyDescriptor& one : described) {
      if (one.name != family) continue;
      result->column_families.back().options = one.options;
    }
  }
  return absl::OkStatus();
}

using Comparators = std::vector<std::unique_ptr<rocksdb::Comparator>>;

// The column families with the options that reading their lists of tables
// needs: their comparators. Where RocksDB does not know one, sets another of
// the same name, taken from the text of the OPTIONS file, and adds it to
// `replacements`, which the result borrows.
std::vector<rocksdb::ColumnFamilyDescriptor> FamiliesToRead(
    const DatabaseTables& database, Comparators* replacements) {
  // More than databases have, in case that the OPTIONS file is missing or has
  // too few; and a bound for what it has: each level takes 1.5 KB.
  constexpr int kLevels = 50, kMaxLevels = 1000;
  const absl::StatusOr<OptionsFile>& text = database.options_text;
  std::vector<rocksdb::ColumnFamilyDescriptor> families;
  for (const ColumnFamilyTables& one : database.column_families) {
    rocksdb::ColumnFamilyOptions options;
    options.num_levels =
        std::clamp(one.options.num_levels, kLevels, kMaxLevels);
    options.comparator = one.options.comparator;
#if ONELINE_HAS_PERSIST_TIMESTAMPS
    // Another value than the MANIFEST's is refused.
    options.persist_user_defined_timestamps =
        one.options.persist_user_defined_timestamps;
#endif
    const std::optional<std::string> name =
        text.ok() ? text->Get("CFOptions", one.name, "comparator")
                  : std::nullopt;
    if (name.has_value() && *name != options.comparator->Name()) {
      replacements->push_back(std::make_unique<NamedComparator>(*name));
      options.comparator = replacements->back().get();
      // These checks compare keys, which needs the real comparator.
      options.force_consistency_checks = false;
    }
    families.emplace_back(one.name, options);
  }
  return families;
}

std::string PathOf(const std::string& database, const std::string& file_name,
                   const std::vector<std::string>& other_directories) {
  const std::string path = absl::StrCat(database, file_name);
  std::error_code ignored;
  if (fs::exists(path, ignored)) return path;
  for (const std::string& directory : other_directories) {
    const std::string other = absl::StrCat(directory, file_name);
    if (fs::exists(other, ignored)) return other;
  }
  return path;
}

// A key of the MANIFEST without its timestamp.
std::string UserKey(const std::string& key,
                    const rocksdb::Comparator& comparator) {
  return key.substr(
      0, key.size() - std::min(key.size(), comparator.timestamp_size()));
}

// Sets the id and the tables.
absl::Status ReadManifest(const std::string& path,
                          const std::vector<std::string>& other_directories,
                          DatabaseTables* result) {
  Comparators replacements;
  const std::vector<rocksdb::ColumnFamilyDescriptor> families =
      FamiliesToRead(*result, &replacements);
  std::unique_ptr<rocksdb::DB> db;
  std::vector<rocksdb::ColumnFamilyHandle*> handles;
  rocksdb::DBOptions options = ReadingOptions(path);
  if (result->db_options.track_and_verify_wals_in_manifest) {
    // Where the MANIFEST has logs and these are not tracked, RocksDB would note
    // that, which it can't when it only reads: it crashes.
    options.track_and_verify_wals_in_manifest = true;
    if (!result->db_options.wal_dir.empty()) {
      options.wal_dir = result->db_options.wal_dir;
    }
  }
  const rocksdb::Status status = CallRocksDB([&] {
    return rocksdb::DB::OpenForReadOnly(options, path, families, &handles,
                                        OpenInto(&db));
  });
  if (!status.ok()) return NotRead(path, status);
  if (!db->GetDbIdentity(result->id).ok()) result->id.clear();
  std::vector<rocksdb::LiveFileMetaData> files;
  db->GetLiveFilesMetaData(&files);
  for (ColumnFamilyTables& family : result->column_families) {
    const rocksdb::Comparator& comparator = *family.options.comparator;
    for (const rocksdb::LiveFileMetaData& file : files) {
      if (file.column_family_name != family.name) continue;
      const auto path_id = std::find(std::begin(kDirectories),
                                     std::end(kDirectories), file.directory) -
                           std::begin(kDirectories);
      family.tables.push_back({PathOf(path, file.name, other_directories),
                               file.file_number, file.size, file.level,
                               static_cast<size_t>(path_id),
                               UserKey(file.smallestkey, comparator),
                               UserKey(file.largestkey, comparator)});
    }
  }
  // In the order of the families.
  for (size_t i = 0; i < handles.size(); ++i) {
    rocksdb::ColumnFamilyMetaData tree;
    db->GetColumnFamilyMetaData(handles[i], &tree);
    for (const rocksdb::BlobMetaData& file : tree.blob_files) {
      result->column_families[i].blob_files.push_back(file.blob_file_name);
    }
    db->DestroyColumnFamilyHandle(handles[i]);
  }
  return absl::OkStatus();
}

// An error if a file that RocksDB reads first is, for example, a FIFO: it would
// wait for ever for the other end.
absl::Status CheckFiles(const std::string& path) {
  std::error_code error, ignored;
  for (fs::directory_iterator entry(path, error), end; !error && entry != end;
       entry.increment(error)) {
    const std::string name = entry->path().filename();
    const bool is_read =
        name == "CURRENT" || name == "IDENTITY" ||
        absl::EndsWith(name, ".log") || absl::StartsWith(name, "MANIFEST-") ||
        absl::StartsWith(name, "OPTIONS-") || absl::StartsWith(name, "LOG");
    // A directory does no harm.
    if (is_read && entry->exists(ignored) && !entry->is_directory(ignored) &&
        !entry->is_regular_file(ignored)) {
      return Wrong(entry->path(), "is not a regular file");
    }
  }
  return error ? NotRead(path, error) : absl::OkStatus();
}

absl::Status ReadDatabase(const std::string& path,
                          const std::vector<std::string>& other_directories,
                          DatabaseTables* result) {
  absl::Status status = CheckFiles(path);
  if (status.ok()) status = Describe(path, result);
  if (!status.ok()) return status;
  // A database of RocksDB has both files, one of LevelDB neither.
  if (result->options_file.empty() && !fs::exists(path + "/IDENTITY")) {
    return Wrong(
        path,
        "is a database of LevelDB, not of RocksDB: it has no file IDENTITY");
  }
  return ReadManifest(path, other_directories, result);
}

}  // namespace

absl::StatusOr<DatabaseTables> TablesAt(
    const std::string& path,
    const std::vector<std::string>& other_directories) {
  if (path.empty()) return absl::InvalidArgumentError("PATH is empty");
  std::error_code error;
  const fs::file_status file = fs::status(path, error);
  if (!fs::exists(file)) {
    return absl::NotFoundError(
        absl::StrCat(path, ": ", error ? error.message() : "no such file"));
  }
  for (const std::string& directory : other_directories) {
    if (fs::is_directory(directory, error)) continue;
    return Wrong(directory, "there is no such directory");
  }
  DatabaseTables result;
  result.path = path;
  result.is_database = fs::is_directory(file);
  if (result.is_database) {
    const bool has_current = fs::exists(path + "/CURRENT", error);
    if (error) return NotRead(path, error);
    if (!has_current) {
      return Wrong(path, "is not a RocksDB database: it has no file CURRENT");
    }
    const absl::Status read = ReadDatabase(path, other_directories, &result);
    if (!read.ok()) return read;
    return result;
  }
  if (!fs::is_regular_file(file)) {
    return Wrong(path,
                 "is neither the directory of a database nor an SST file");
  }
  const absl::Status format = CheckSstFormat(path);
  const bool is_damaged_table =
      absl::IsDataLoss(format) ||
      (absl::IsInvalidArgument(format) && absl::EndsWith(path, ".sst"));
  if (!format.ok() && !is_damaged_table) {
    return WithPath(path, format);
  }
  const uint64_t bytes = fs::file_size(path, error);
  result.column_families.push_back({"", {}, {{path, 0, bytes, -1, 0, "", ""}}});
  return result;
}

absl::StatusOr<std::set<std::string>> ChosenFamilies(
    const std::vector<ColumnFamilyTables>& families, const std::string& names) {
  std::set<std::string> all;
  for (const ColumnFamilyTables& family : families) all.insert(family.name);
  if (names.empty()) return all;
  if (all.count(names) > 0) return std::set<std::string>{names};
  const std::set<std::string> chosen = absl::StrSplit(names, ',');
  for (const std::string& name : chosen) {
    if (all.count(name) > 0) continue;
    return absl::NotFoundError(
        absl::StrCat("there is no column family '", name, "'"));
  }
  return chosen;
}

}  // namespace oneline
