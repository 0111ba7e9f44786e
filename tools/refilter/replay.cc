#include "tools/refilter/replay.h"

#include <rocksdb/env.h>
#include <rocksdb/utilities/options_util.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <system_error>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "tools/database/database_tables.h"
#include "tools/manifest/log_records.h"
#include "tools/manifest/version_edit.h"

namespace oneline {
namespace {

constexpr char kName[] = "MANIFEST-000001";

// A directory for temporary files, with a database that has a MANIFEST and an
// OPTIONS file only. Deleted with its object.
class ReplayDirectory {
 public:
  ReplayDirectory() {
    std::error_code error;
    path_ =
        std::filesystem::temp_directory_path(error) / "oneline-refilter.XXXXXX";
    if (error || mkdtemp(path_.data()) == nullptr) path_.clear();
  }
  ~ReplayDirectory() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
  }
  ReplayDirectory(const ReplayDirectory&) = delete;
  ReplayDirectory& operator=(const ReplayDirectory&) = delete;

  const std::string& path() const { return path_; }

  bool Fill(const std::string& database, std::string_view manifest) const {
    if (path_.empty()) return false;
    std::string options;
    if (rocksdb::GetLatestOptionsFileName(database, rocksdb::Env::Default(),
                                          &options)
            .ok()) {
      std::error_code error;
      std::filesystem::copy_file(absl::StrCat(database, "/", options),
                                 absl::StrCat(path_, "/", options), error);
      if (error) return false;
    }
    return Write("IDENTITY", "replay") && Write(kName, manifest) &&
           Write("CURRENT", absl::StrCat(kName, "\n"));
  }

 private:
  bool Write(const std::string& name, std::string_view bytes) const {
    std::ofstream file(absl::StrCat(path_, "/", name), std::ios::binary);
    file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    file.close();
    return file.good();
  }

  std::string path_;
};

// What both know of a table.
struct Listed {
  int level = 0;
  uint64_t bytes = 0;
  std::string smallest, largest;

  bool operator==(const Listed& other) const {
    return level == other.level && bytes == other.bytes &&
           smallest == other.smallest && largest == other.largest;
  }
};

using Listing = std::map<std::pair<std::string, uint64_t>, Listed>;

// Without its sequence number and type, and without a timestamp where RocksDB
// does not give it.
std::string UserKey(const std::string& internal_key, size_t timestamp_bytes) {
  constexpr size_t kSequenceAndType = 8;
  const size_t extra = kSequenceAndType + timestamp_bytes;
  return internal_key.substr(
      0, internal_key.size() - std::min(internal_key.size(), extra));
}

Listing ListingOf(const DatabaseTables& database) {
  Listing listing;
  for (const ColumnFamilyTables& family : database.column_families) {
    for (const TableFile& file : family.tables) {
      listing[{family.name, file.number}] = {
          file.level, file.bytes, file.smallest_key, file.largest_key};
    }
  }
  return listing;
}

// `names`: the column families, for the size of their timestamps.
Listing ListingOf(const Manifest& manifest, const DatabaseTables& database) {
  std::map<std::string, size_t> timestamp_bytes;
  for (const ColumnFamilyTables& family : database.column_families) {
    timestamp_bytes[family.name] = family.options.comparator->timestamp_size();
  }
  Listing listing;
  for (const auto& [id, family] : manifest.families()) {
    const size_t timestamp = timestamp_bytes[family.name];
    for (const auto& [number, table] : family.tables) {
      const size_t cut =
          table.Field(kWithoutTimestampsField).has_value() ? 0 : timestamp;
      listing[{family.name, number}] = {
          static_cast<int>(table.level), table.bytes,
          UserKey(table.smallest, cut), UserKey(table.largest, cut)};
    }
  }
  return listing;
}

}  // namespace

absl::Status ReplayByRocksDB(const std::string& database,
                             std::string_view manifest,
                             const Manifest& expected) {
  const ReplayDirectory directory;
  // There are no logs in it, which the MANIFEST may ask for.
  std::string without_logs(manifest);
  AppendLogRecord(DeleteLogsRecord(expected.next_file_number()), &without_logs);
  if (!directory.Fill(database, without_logs)) {
    return absl::UnavailableError(absl::StrCat(
        directory.path(), ": no temporary files can be written there"));
  }
  return CheckListing(directory.path(), expected);
}

absl::Status CheckListing(const std::string& database,
                          const Manifest& expected) {
  const absl::StatusOr<DatabaseTables> tables = TablesAt(database);
  if (!tables.ok()) return tables.status();
  if (ListingOf(*tables) == ListingOf(expected, *tables)) {
    return absl::OkStatus();
  }
  return absl::DataLossError(
      "RocksDB reads other tables from the MANIFEST than this program");
}

}  // namespace oneline
