// One table, compacted onto its own level, so that nothing but its filter
// changes; and what RocksDB's answer means.

#ifndef ONELINE_FILTER_POLICY_REFILTER_TABLE_COMPACTION_H_
#define ONELINE_FILTER_POLICY_REFILTER_TABLE_COMPACTION_H_

#include <rocksdb/db.h>
#include <rocksdb/metadata.h>
#include <rocksdb/options.h>
#include <rocksdb/status.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace oneline {

// A table as the database lists it.
using ListedTable = rocksdb::LiveFileMetaData;
std::string PathOf(const ListedTable& table);

// The tables of a column family, from level 0 on, below it in the order of
// keys. (DB::GetColumnFamilyMetaData can tell an older state than the one that
// CompactFiles sees, and lists those of a dropped family.)
std::vector<ListedTable> ListTables(rocksdb::DB* db, const std::string& family);

// The level of a table now; -1 if it is gone.
int LevelOf(rocksdb::DB* db, uint64_t number);

// Whether RocksDB tells the policy that nothing older lies below the table when
// it is compacted onto its own level. `tables`: as from ListTables.
bool IsBottommost(const std::vector<ListedTable>& tables,
                  const rocksdb::Options& options, const ListedTable& table);

bool IsReadOnly(rocksdb::DB* db);

enum class Outcome {
  kDone,     // rewritten, also by another compaction; or it was dropped
  kBusy,     // another compaction holds it, or moved it: to be tried again
  kLeft,     // it can't be rewritten; others can
  kStopped,  // of the database or the program: no other table can
};

struct CompactedTable {
  Outcome outcome = Outcome::kLeft;
  rocksdb::Status status;
  std::vector<std::string> new_files;  // paths
};

// Compares the checksums of a table. RocksDB would find damage only in the
// middle of the compaction, and then stop all writes. Aborted: the table is to
// be tried again.
using TableCheck = std::function<rocksdb::Status(const ListedTable&)>;

struct TableToCompact {
  rocksdb::DB* db;
  rocksdb::ColumnFamilyHandle* family;
  const rocksdb::Options& options;  // of the database and the column family
  const ListedTable& table;
  uint64_t filter_bytes;  // the most that the new filter takes
};

// Compacts the table, and those that RocksDB must take along, unless its level,
// its temperature or the database would suffer by it.
CompactedTable CompactTable(const TableToCompact& of, const TableCheck& check);

}  // namespace oneline

#endif  // ONELINE_FILTER_POLICY_REFILTER_TABLE_COMPACTION_H_
