// Whether a database and the handles of its column families can be compacted:
// RocksDB trusts its caller, and crashes otherwise.

#ifndef ONELINE_FILTER_POLICY_REFILTER_COLUMN_FAMILY_HANDLES_H_
#define ONELINE_FILTER_POLICY_REFILTER_COLUMN_FAMILY_HANDLES_H_

#include <rocksdb/db.h>
#include <rocksdb/status.h>

#include <cstdint>
#include <vector>

namespace oneline {

// InvalidArgument if a handle is of another database, was dropped, or is there
// twice. Otherwise counts the tables of the column families that have no handle
// here. REQUIRES: no handle is null.
rocksdb::Status CheckHandles(
    rocksdb::DB* db, const std::vector<rocksdb::ColumnFamilyHandle*>& handles,
    uint64_t* tables_of_others);

bool IsReadOnly(rocksdb::DB* db);

}  // namespace oneline

#endif  // ONELINE_FILTER_POLICY_REFILTER_COLUMN_FAMILY_HANDLES_H_
