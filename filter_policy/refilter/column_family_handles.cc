#include "filter_policy/refilter/column_family_handles.h"

#include <rocksdb/metadata.h>
#include <rocksdb/options.h>

#include <algorithm>
#include <set>
#include <string>

#include "filter_policy/refilter/table_compaction.h"

namespace oneline {
namespace {

using rocksdb::Status;

// A handle of another database would have RocksDB read memory that is not its
// own. It shows by the paths: this database has no files in those of the
// handle.
bool IsOfDatabase(rocksdb::DB* db, rocksdb::ColumnFamilyHandle* handle) {
  if (ListTables(db, handle).empty()) return true;
  const std::string name = handle->GetName();
  const rocksdb::Options options = db->GetOptions(handle);
  std::vector<rocksdb::LiveFileMetaData> files;
  db->GetLiveFilesMetaData(&files);
  return std::any_of(files.begin(), files.end(), [&](const auto& file) {
    return file.column_family_name == name &&
           std::any_of(
               options.cf_paths.begin(), options.cf_paths.end(),
               [&](const auto& one) { return one.path == file.directory; });
  });
}

}  // namespace

Status CheckHandles(rocksdb::DB* db,
                    const std::vector<rocksdb::ColumnFamilyHandle*>& handles,
                    uint64_t* tables_of_others) {
  std::set<std::string> names;
  for (rocksdb::ColumnFamilyHandle* handle : handles) {
    const std::string name = handle->GetName();
    if (!IsOfDatabase(db, handle)) {
      return Status::InvalidArgument(
          "column_families: '" + name +
          "' is of another database, or was dropped");
    }
    if (!names.insert(name).second) {
      return Status::InvalidArgument("column_families: '" + name +
                                     "' is there twice");
    }
  }
  std::vector<rocksdb::LiveFileMetaData> files;
  db->GetLiveFilesMetaData(&files);
  *tables_of_others = static_cast<uint64_t>(
      std::count_if(files.begin(), files.end(), [&](const auto& file) {
        return names.count(file.column_family_name) == 0;
      }));
  return Status::OK();
}

// Some of RocksDB's read-only databases do not refuse CompactFiles, and crash.
// All refuse this, which does nothing in others.
bool IsReadOnly(rocksdb::DB* db) {
  return db
      ->IngestExternalFile(db->DefaultColumnFamily(), {},
                           rocksdb::IngestExternalFileOptions())
      .IsNotSupported();
}

}  // namespace oneline
