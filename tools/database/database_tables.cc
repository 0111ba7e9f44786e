#include "tools/database/database_tables.h"

#include <rocksdb/comparator.h>
#include <rocksdb/convenience.h>
#include <rocksdb/db.h>
#include <rocksdb/env.h>
#include <rocksdb/metadata.h>
#include <rocksdb/utilities/options_util.h>
#include <rocksdb/version.h>

#include <filesystem>
#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "filter_policy/rocksdb/rocksdb_open.h"
#include "tools/database/options_file.h"
#include "tools/sst/sst_format.h"

namespace oneline {
namespace {

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

absl::Status ReadError(const std::string& path, const rocksdb::Status& status) {
  return absl::DataLossError(absl::StrCat(path, ": ", status.ToString()));
}

rocksdb::ConfigOptions Lenient() {
  rocksdb::ConfigOptions config;
  config.ignore_unknown_options = true;
  config.ignore_unsupported_options = true;
  return config;
}

// Keeps OpenForReadOnly from writing a LOG, from opening every table, and from
// failing because of damaged tables.
void PrepareForReading(rocksdb::DBOptions* options) {
  options->info_log = std::make_shared<NoLog>();
  options->max_open_files = 20;
  options->paranoid_checks = false;
  options->skip_stats_update_on_db_open = true;
#if ROCKSDB_MAJOR < 11
  options->skip_checking_sst_file_sizes_on_db_open = true;
#endif
  options->create_if_missing = false;
  options->statistics = nullptr;
}

// What it takes to open a database.
struct DatabaseDescription {
  rocksdb::DBOptions db_options;
  std::vector<rocksdb::ColumnFamilyDescriptor> column_families;
  std::string options_file;
};

// With RocksDB's default options if the OPTIONS file is missing or damaged.
absl::StatusOr<DatabaseDescription> Describe(const std::string& path) {
  DatabaseDescription result;
  std::vector<rocksdb::ColumnFamilyDescriptor> described;
  std::string name;
  if (rocksdb::GetLatestOptionsFileName(path, rocksdb::Env::Default(), &name)
          .ok()) {
    result.options_file = absl::StrCat(path, "/", name);
    if (!rocksdb::LoadOptionsFromFile(Lenient(), result.options_file,
                                      &result.db_options, &described)
             .ok()) {
      result.db_options = rocksdb::DBOptions();
      described.clear();
    }
  }
  PrepareForReading(&result.db_options);
  std::vector<std::string> names;
  const rocksdb::Status status =
      rocksdb::DB::ListColumnFamilies(result.db_options, path, &names);
  if (!status.ok()) return ReadError(path, status);
  for (const std::string& family : names) {
    rocksdb::ColumnFamilyOptions options;
    for (const rocksdb::ColumnFamilyDescriptor& one : described) {
      if (one.name == family) options = one.options;
    }
    result.column_families.emplace_back(family, options);
  }
  return result;
}

using Comparators = std::vector<std::unique_ptr<rocksdb::Comparator>>;

// Where RocksDB does not know a column family's comparator, sets one of the
// same name, taken from the text of the OPTIONS file. `families` borrow the
// result.
Comparators ReplaceUnknownComparators(
    const std::string& options_file,
    std::vector<rocksdb::ColumnFamilyDescriptor>* families) {
  Comparators replacements;
  const absl::StatusOr<OptionsFile> text = OptionsFile::Load(options_file);
  if (!text.ok()) return replacements;
  for (rocksdb::ColumnFamilyDescriptor& family : *families) {
    const std::optional<std::string> name =
        text->Get("CFOptions", family.name, "comparator");
    if (!name.has_value() || *name == family.options.comparator->Name()) {
      continue;
    }
    replacements.push_back(std::make_unique<NamedComparator>(*name));
    family.options.comparator = replacements.back().get();
    // These checks compare keys, which needs the real comparator.
    family.options.force_consistency_checks = false;
  }
  return replacements;
}

absl::StatusOr<std::vector<rocksdb::LiveFileMetaData>> LiveFiles(
    const std::string& path, const DatabaseDescription& database) {
  std::vector<rocksdb::ColumnFamilyDescriptor> families =
      database.column_families;
  const Comparators comparators =
      ReplaceUnknownComparators(database.options_file, &families);
  for (rocksdb::ColumnFamilyDescriptor& family : families) {
    // It is null if RocksDB does not know its name, but opening needs one.
    if (family.options.table_factory == nullptr) {
      family.options.table_factory =
          rocksdb::ColumnFamilyOptions().table_factory;
    }
  }
  std::unique_ptr<rocksdb::DB> db;
  std::vector<rocksdb::ColumnFamilyHandle*> handles;
  const rocksdb::Status status = rocksdb::DB::OpenForReadOnly(
      database.db_options, path, families, &handles, OpenInto(&db));
  if (!status.ok()) return ReadError(path, status);
  std::vector<rocksdb::LiveFileMetaData> files;
  db->GetLiveFilesMetaData(&files);
  for (rocksdb::ColumnFamilyHandle* handle : handles) {
    db->DestroyColumnFamilyHandle(handle);
  }
  return files;
}

std::string PathOf(const rocksdb::LiveFileMetaData& file,
                   const std::vector<std::string>& other_directories) {
  const std::string path = absl::StrCat(file.db_path, file.name);
  std::error_code ignored;
  if (std::filesystem::exists(path, ignored)) return path;
  for (const std::string& directory : other_directories) {
    const std::string other = absl::StrCat(directory, file.name);
    if (std::filesystem::exists(other, ignored)) return other;
  }
  return path;
}

absl::StatusOr<DatabaseTables> TablesOfDatabase(
    const std::string& path,
    const std::vector<std::string>& other_directories) {
  const absl::StatusOr<DatabaseDescription> database = Describe(path);
  if (!database.ok()) return database.status();
  // A database of RocksDB has both files, one of LevelDB neither.
  if (database->options_file.empty() &&
      !std::filesystem::exists(path + "/IDENTITY")) {
    return absl::InvalidArgumentError(absl::StrCat(
        path,
        ": is a database of LevelDB, not of RocksDB: it has no file"
        " IDENTITY"));
  }
  const auto files = LiveFiles(path, *database);
  if (!files.ok()) return files.status();
  DatabaseTables result;
  result.is_database = true;
  result.options_file = database->options_file;
  for (const rocksdb::ColumnFamilyDescriptor& family :
       database->column_families) {
    ColumnFamilyTables tables{family.name, family.options, {}};
    for (const rocksdb::LiveFileMetaData& file : *files) {
      if (file.column_family_name != family.name) continue;
      tables.tables.push_back({PathOf(file, other_directories),
                               file.file_number, file.size, file.level});
    }
    result.column_families.push_back(std::move(tables));
  }
  return result;
}

}  // namespace

bool DatabaseTables::Lists(const std::string& table_path) const {
  for (const ColumnFamilyTables& family : column_families) {
    for (const TableFile& file : family.tables) {
      if (file.path == table_path) return true;
    }
  }
  return false;
}

absl::StatusOr<DatabaseTables> TablesAt(
    const std::string& path,
    const std::vector<std::string>& other_directories) {
  std::error_code error;
  const std::filesystem::file_status status =
      std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) {
    return absl::NotFoundError(
        absl::StrCat(path, ": ", error ? error.message() : "no such file"));
  }
  if (std::filesystem::is_directory(status)) {
    if (!std::filesystem::exists(path + "/CURRENT", error)) {
      return absl::InvalidArgumentError(absl::StrCat(
          path, ": is not a RocksDB database: it has no file CURRENT"));
    }
    return TablesOfDatabase(path, other_directories);
  }
  if (!std::filesystem::is_regular_file(status)) {
    return absl::InvalidArgumentError(absl::StrCat(
        path, ": is neither the directory of a database nor an SST file"));
  }
  const absl::Status format = CheckSstFormat(path);
  if (!format.ok()) {
    return absl::Status(format.code(),
                        absl::StrCat(path, ": ", format.message()));
  }
  DatabaseTables result;
  const uint64_t bytes = std::filesystem::file_size(path, error);
  result.column_families.push_back({"", {}, {{path, 0, bytes, -1}}});
  return result;
}

}  // namespace oneline
