#include "filter_policy/refilter/table_compaction.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <mutex>
#include <utility>

#include "filter_policy/rocksdb/rocksdb_version.h"

namespace oneline {
namespace {

using rocksdb::Options;
using rocksdb::Status;
using rocksdb::Temperature;

// The index of the path in which the table is; -1 if it is in none.
int PathIdOf(const Options& options, const ListedTable& table) {
  for (size_t i = 0; i < options.cf_paths.size(); ++i) {
    if (options.cf_paths[i].path == table.directory) return static_cast<int>(i);
  }
  return -1;
}

// The temperature that RocksDB gives to a table of this level.
Temperature TemperatureIn(const Options& options, int level) {
  if (level == options.num_levels - 1 &&
      options.last_level_temperature != Temperature::kUnknown) {
    return options.last_level_temperature;
  }
#if ONELINE_HAS_WRITE_TEMPERATURE
  return options.default_write_temperature;
#else
  return Temperature::kUnknown;
#endif
}

uint64_t Property(rocksdb::DB* db, const std::string& name) {
  uint64_t value = 0;
  db->GetIntProperty(name, &value);
  return value;
}

// What in the options forbids to compact the table.
Status CheckOptions(const Options& options, const ListedTable& table) {
  if (PathIdOf(options, table) < 0) {
    return Status::NotSupported(
        "it is in none of the paths of its column family");
  }
  if (options.preclude_last_level_data_seconds > 0 &&
      table.level == options.num_levels - 1) {
    return Status::NotSupported(
        "preclude_last_level_data_seconds is set: keys would move up a level");
  }
#if !ONELINE_HAS_TEMPERATURE_OVERRIDE
  if (table.temperature != TemperatureIn(options, table.level)) {
    return Status::NotSupported("it would lose its temperature");
  }
#endif
  return Status::OK();
}

// Whether no other compaction, of ours or an automatic one, may run beside it.
// RocksDB compares an empty range of keys, that of a table that is gone, with
// those of other compactions. A comparator with timestamps ends the program at
// that, or reads memory that is not its own.
bool MustBeAlone(const TableToCompact& of) {
  return kTimestampsNeedQuiet && of.options.comparator->timestamp_size() > 0;
}

// The program may have changed its options since `of.options`.
Status CheckItIsAlone(const TableToCompact& of) {
  if (MustBeAlone(of) &&
      !of.db->GetOptions(of.family).disable_auto_compactions) {
    return Status::NotSupported(
        "it has user-defined timestamps, and this version of RocksDB may crash "
        "beside an automatic compaction: set disable_auto_compactions "
        "meanwhile");
  }
  return Status::OK();
}

// See kLosesIngestedKeys.
Status CheckSnapshots(rocksdb::DB* db) {
  using Properties = rocksdb::DB::Properties;
  if (kLosesIngestedKeys && Property(db, Properties::kNumSnapshots) > 0 &&
      Property(db, Properties::kOldestSnapshotSequence) == 0) {
    return Status::NotSupported(
        "a snapshot is older than the first write, and this version of RocksDB "
        "would lose keys: release it first");
  }
  return Status::OK();
}

// The tables below level 0 that RocksDB rewrites together with this one: the
// neighbours in its level that share a key with it, their neighbours, and so
// on.
std::vector<ListedTable> TakenAlong(const TableToCompact& of) {
  const std::vector<ListedTable> tables =
      ListTables(of.db, of.table.column_family_name);
  auto first =
      std::find_if(tables.begin(), tables.end(), [&](const ListedTable& one) {
        return one.file_number == of.table.file_number;
      });
  if (first == tables.end() || first->level == 0) return {};
  const auto touch = [&](const ListedTable& left, const ListedTable& right) {
    return left.level == right.level &&
           of.options.comparator->CompareWithoutTimestamp(
               left.largestkey, right.smallestkey) >= 0;
  };
  auto last = first;
  while (first != tables.begin() && touch(first[-1], first[0])) --first;
  while (last + 1 != tables.end() && touch(last[0], last[1])) ++last;
  return {first, last + 1};
}

// Whether all of them can be compacted, and into the table's path.
Status CheckThoseTakenAlong(const TableToCompact& of, const TableCheck& check) {
  for (const ListedTable& other : TakenAlong(of)) {
    Status status = CheckOptions(of.options, other);
    if (status.ok() && (other.directory != of.table.directory ||
                        other.temperature != of.table.temperature)) {
      status = Status::NotSupported("it has another path or temperature");
    }
    if (status.ok()) status = check(other);
    if (status.IsAborted()) return status;
    if (status.ok()) continue;
    if (LevelOf(of.db, other.file_number) != of.table.level) {
      return Status::Aborted("a table that shares a key with it is gone");
    }
    return Status::NotSupported(
        "RocksDB would compact " + PathOf(other) +
            ", which shares a key with it, together with it",
        status.ToString());
  }
  return Status::OK();
}

// What forbids to compact the table, now at least.
Status Check(const TableToCompact& of, const TableCheck& check) {
  Status status = CheckOptions(of.options, of.table);
  if (status.ok()) status = CheckSnapshots(of.db);
  if (status.ok()) status = CheckItIsAlone(of);
  if (status.ok()) status = check(of.table);
  if (status.ok()) status = CheckThoseTakenAlong(of, check);
  return status;
}

// What another compaction has made of the table.
Outcome OutcomeOfMove(const TableToCompact& of) {
  const int level = LevelOf(of.db, of.table.file_number);
  return level < 0                 ? Outcome::kDone
         : level == of.table.level ? Outcome::kLeft
                                   : Outcome::kBusy;
}

Outcome OutcomeOf(const Status& status) {
  if (status.ok() || status.IsColumnFamilyDropped()) return Outcome::kDone;
  // Aborted is also the code of a lack of memory.
  if (status.IsAborted() && !status.IsMemoryLimit()) return Outcome::kBusy;
  if (status.IsCompactionTooLarge()) return Outcome::kLeft;
  // The database is closed or read-only, or manual compactions are disabled. Or
  // the compaction failed, although the table's checksums are right, so its
  // other files, the disk or the memory are in trouble: RocksDB stops writes.
  return Outcome::kStopped;
}

// Two limits for a table. RocksDB takes neighbours along that share a key with
// it: a long chain of them does not become a single huge table. And a table
// that is larger than the options ask for stays whole.
uint64_t SizeLimit(const TableToCompact& of) {
  const double target =
      of.options.target_file_size_base *
      std::pow(std::max(of.options.target_file_size_multiplier, 1),
               std::max(of.table.level - 1, 0));
  constexpr double kMost = 1e18;
  return std::max(of.table.size + of.table.size / 4 + of.filter_bytes,
                  static_cast<uint64_t>(std::min(target, kMost)));
}

// Where ONELINE_DELETES_UNSYNCED_TABLES holds, a database whose new tables are
// deleted could not be opened any more. So until the compaction has ended well
// no files are deleted; after an I/O error, until the database is opened again.
Status CompactFiles(const TableToCompact& of, std::vector<std::string>* files) {
  rocksdb::CompactionOptions options;
  // That of the column family. The default was snappy before 9.0.
  options.compression = rocksdb::kDisableCompressionOption;
  options.output_file_size_limit = SizeLimit(of);
  options.max_subcompactions = 1;  // more would cut the table into several
#if ONELINE_HAS_TEMPERATURE_OVERRIDE
  if (of.table.temperature != TemperatureIn(of.options, of.table.level)) {
    options.output_temperature_override = of.table.temperature;
  }
#endif
#if ONELINE_DELETES_UNSYNCED_TABLES
  Status status = of.db->DisableFileDeletions();
  if (!status.ok()) return status;
#endif
  const Status compacted = of.db->CompactFiles(
      options, of.family, {of.table.relative_filename}, of.table.level,
      PathIdOf(of.options, of.table), files);
#if ONELINE_DELETES_UNSYNCED_TABLES
  if (compacted.IsIOError()) return compacted;
  status = of.db->EnableFileDeletions(/*force=*/false);
  if (compacted.ok() && !status.ok()) return status;
#endif
  return compacted;
}

}  // namespace

std::string PathOf(const ListedTable& table) {
  return table.directory + "/" + table.relative_filename;
}

std::vector<ListedTable> ListTables(rocksdb::DB* db,
                                    const std::string& family) {
  std::vector<ListedTable> all, tables;
  db->GetLiveFilesMetaData(&all);
  for (ListedTable& table : all) {
    if (table.column_family_name == family) tables.push_back(std::move(table));
  }
  return tables;
}

int LevelOf(rocksdb::DB* db, uint64_t number) {
  std::vector<ListedTable> tables;
  db->GetLiveFilesMetaData(&tables);
  for (const ListedTable& table : tables) {
    if (table.file_number == number) return table.level;
  }
  return -1;
}

bool IsBottommost(const std::vector<ListedTable>& tables,
                  const Options& options, const ListedTable& table) {
  // In level 0 the oldest of all.
  if (table.level == 0) return tables.back().file_number == table.file_number;
  const auto order = [&](const std::string& a, const std::string& b) {
    return options.comparator->CompareWithoutTimestamp(a, b);
  };
  for (int level = table.level + 1; level <= tables.back().level; ++level) {
    // The first of the level that does not end before this table.
    const auto reaches = std::partition_point(
        tables.begin(), tables.end(), [&](const ListedTable& one) {
          return one.level < level ||
                 (one.level == level &&
                  order(one.largestkey, table.smallestkey) < 0);
        });
    if (reaches != tables.end() && reaches->level == level &&
        order(reaches->smallestkey, table.largestkey) <= 0) {
      return false;
    }
  }
  return true;
}

CompactedTable CompactTable(const TableToCompact& of, const TableCheck& check) {
  CompactedTable compacted;
  compacted.status = Check(of, check);
  if (!compacted.status.ok()) {
    if (LevelOf(of.db, of.table.file_number) < 0) {
      compacted.outcome = Outcome::kDone;
    } else if (compacted.status.IsAborted()) {
      compacted.outcome = Outcome::kBusy;
    }
    return compacted;
  }
  static std::mutex mutex;  // of all calls of this process
  std::unique_lock<std::mutex> alone(mutex, std::defer_lock);
  if (MustBeAlone(of)) {
    alone.lock();
    compacted.outcome = OutcomeOfMove(of);
    if (Property(of.db, rocksdb::DB::Properties::kNumRunningCompactions) > 0) {
      compacted.outcome = Outcome::kBusy;
    }
    if (compacted.outcome != Outcome::kLeft) return compacted;
    compacted.status = CheckItIsAlone(of);
    if (!compacted.status.ok()) return compacted;
  }
  compacted.status = CompactFiles(of, &compacted.new_files);
  compacted.outcome = compacted.status.IsInvalidArgument()
                          ? OutcomeOfMove(of)
                          : OutcomeOf(compacted.status);
  return compacted;
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
