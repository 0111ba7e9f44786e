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
struct ListedTable {
  uint64_t number = 0;    // 000123.sst is 123
  std::string directory;  // one of the column family's paths
  std::string file_name;
  int level = 0;
  uint64_t bytes = 0;
  rocksdb::Temperature temperature = rocksdb::Temperature::kUnknown;
  std::string first_key, last_key;  // with their timestamps

  std::string path() const { return directory + "/" + file_name; }
};

// The tables of a column family, from level 0 on, below it in the order of
// keys.
std::vector<ListedTable> ListTables(rocksdb::DB* db,
                                    rocksdb::ColumnFamilyHandle* family);

bool IsListed(rocksdb::DB* db, uint64_t number);

// Whether RocksDB tells the policy that nothing older lies below the table when
// it is compacted onto its own level. `tables`: as from ListTables.
bool IsBottommost(const std::vector<ListedTable>& tables,
                  const rocksdb::Options& options, const ListedTable& table);

// Whether no other compaction, of ours or an automatic one, may run beside
// those of the column family's tables. Before 9.3 RocksDB compares an empty
// range of keys, that of a table that is gone, with those of other compactions.
// A comparator with timestamps ends the program at that, or reads memory that
// is not its own.
bool MustBeAlone(const rocksdb::Options& options);

enum class Outcome {
  kRewritten,
  kGone,     // another compaction replaced it, or it was dropped
  kBusy,     // another compaction holds it, or moved it: to be tried again
  kLeft,     // it can't be rewritten; others can
  kStopped,  // of the database or the program: no other table can
};

struct CompactedTable {
  Outcome outcome = Outcome::kLeft;
  rocksdb::Status status;
  std::vector<std::string> new_tables;  // paths
};

// Compacts the table, and those that RocksDB must take along, unless its level,
// its temperature or the database would suffer by it.
// `options`: of the database and the column family.
// `filter_bytes`: the most that the new filter takes.
// `check`: compares the checksums of a table. RocksDB would find damage only in
// the middle of the compaction, and then stop all writes. Aborted: the table is
// to be tried again.
using TableCheck = std::function<rocksdb::Status(const ListedTable&)>;
CompactedTable CompactTable(rocksdb::DB* db,
                            rocksdb::ColumnFamilyHandle* family,
                            const rocksdb::Options& options,
                            const ListedTable& table, uint64_t filter_bytes,
                            const TableCheck& check);

}  // namespace oneline

#endif  // ONELINE_FILTER_POLICY_REFILTER_TABLE_COMPACTION_H_
