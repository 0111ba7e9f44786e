#include "filter_policy/refilter/table_compaction.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <mutex>
#include <utility>

#include "filter_policy/refilter/table_filter.h"
#include "filter_policy/rocksdb/rocksdb_filter_bits.h"
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

// Before 9.10 RocksDB drops keys with sequence number 0, which tables have that
// were ingested into an empty database, where a snapshot has that number, too.
Status CheckSnapshots(rocksdb::DB* db) {
  uint64_t snapshots = 0, oldest = 1;
  if (kLosesIngestedKeys &&
      db->GetIntProperty(rocksdb::DB::Properties::kNumSnapshots, &snapshots) &&
      db->GetIntProperty(rocksdb::DB::Properties::kOldestSnapshotSequence,
                         &oldest) &&
      snapshots > 0 && oldest == 0) {
    return Status::NotSupported(
        "a snapshot is older than the first write, and this version of RocksDB "
        "would lose keys: release it first");
  }
  return Status::OK();
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

// The level of the table now; -1 if it is gone. As CompactFiles sees it: what
// ListTables says can be older, if a compaction is just ending.
int LevelOf(rocksdb::DB* db, uint64_t number) {
  std::vector<rocksdb::LiveFileMetaData> tables;
  db->GetLiveFilesMetaData(&tables);
  for (const rocksdb::LiveFileMetaData& table : tables) {
    if (table.file_number == number) return table.level;
  }
  return -1;
}

// See MustBeAlone. The program may have changed its options since `options`.
Status CheckItIsAlone(rocksdb::DB* db, rocksdb::ColumnFamilyHandle* family,
                      const Options& options) {
  if (MustBeAlone(options) &&
      !db->GetOptions(family).disable_auto_compactions) {
    return Status::NotSupported(
        "it has user-defined timestamps, and this version of RocksDB may crash "
        "beside an automatic compaction: set disable_auto_compactions "
        "meanwhile");
  }
  return Status::OK();
}

bool HasRunningCompactions(rocksdb::DB* db) {
  uint64_t running = 0;
  return db->GetIntProperty(rocksdb::DB::Properties::kNumRunningCompactions,
                            &running) &&
         running > 0;
}

// The other tables that RocksDB rewrites together with this one: the neighbours
// in its level that share a key with it, their neighbours, and so on.
std::vector<ListedTable> TakenAlong(rocksdb::DB* db,
                                    rocksdb::ColumnFamilyHandle* family,
                                    const Options& options,
                                    const ListedTable& table) {
  std::vector<ListedTable> level;
  for (ListedTable& other : ListTables(db, family)) {
    if (other.level == table.level) level.push_back(std::move(other));
  }
  const auto itself = std::find_if(
      level.begin(), level.end(),
      [&](const ListedTable& one) { return one.number == table.number; });
  if (table.level == 0 || itself == level.end()) return {};
  const auto touch = [&](const ListedTable& left, const ListedTable& right) {
    return options.comparator->CompareWithoutTimestamp(left.last_key,
                                                       right.first_key) >= 0;
  };
  auto first = itself, last = itself;
  while (first != level.begin() && touch(first[-1], first[0])) --first;
  while (last + 1 != level.end() && touch(last[0], last[1])) ++last;
  std::vector<ListedTable> along(first, itself);
  along.insert(along.end(), itself + 1, last + 1);
  return along;
}

// Whether all of them can be compacted, and into the table's path. Aborted if
// one of them is gone.
Status CheckThoseTakenAlong(rocksdb::DB* db,
                            rocksdb::ColumnFamilyHandle* family,
                            const Options& options, const ListedTable& table,
                            const TableCheck& check) {
  const std::vector<ListedTable> along = TakenAlong(db, family, options, table);
  const auto left_with = [](const ListedTable& other, const Status& status) {
    return Status::NotSupported(
        "RocksDB would compact " + other.path() +
            ", which shares a key with it, together with it",
        status.ToString());
  };
  for (const ListedTable& other : along) {
    Status status = CheckOptions(options, other);
    if (status.ok() && (other.directory != table.directory ||
                        other.temperature != table.temperature)) {
      status = Status::NotSupported("it has another path or temperature");
    }
    if (!status.ok()) return left_with(other, status);
  }
  for (const ListedTable& other : along) {
    const Status status = check(other);
    if (status.ok()) continue;
    if (status.IsAborted()) return status;
    return LevelOf(db, other.number) == table.level
               ? left_with(other, status)
               : Status::Aborted("a table that shares a key with it is gone");
  }
  return Status::OK();
}

// Two limits for a table. RocksDB takes neighbours along that share a key with
// it: a long chain of them does not become a single huge table. And a table
// that is larger than the options ask for stays whole.
uint64_t SizeLimit(const Options& options, const ListedTable& table,
                   uint64_t filter_bytes) {
  const double target =
      static_cast<double>(options.target_file_size_base) *
      std::pow(std::max(options.target_file_size_multiplier, 1),
               std::max(table.level - 1, 0));
  constexpr double kMost = 1e18;
  return std::max(table.bytes + table.bytes / 4 + filter_bytes,
                  static_cast<uint64_t>(std::min(target, kMost)));
}

rocksdb::CompactionOptions CompactionOptionsFor(const Options& options,
                                                const ListedTable& table,
                                                uint64_t filter_bytes) {
  rocksdb::CompactionOptions compaction;
  // That of the column family. The default was snappy before 9.0.
  compaction.compression = rocksdb::kDisableCompressionOption;
  compaction.output_file_size_limit = SizeLimit(options, table, filter_bytes);
  // More would cut the table into several.
  compaction.max_subcompactions = 1;
#if ONELINE_HAS_TEMPERATURE_OVERRIDE
  if (table.temperature != TemperatureIn(options, table.level)) {
    compaction.output_temperature_override = table.temperature;
  }
#endif
  return compaction;
}

// What another compaction has made of a table of `level` that is in `now`.
Outcome OutcomeOfMove(int level, int now) {
  if (now < 0) return Outcome::kGone;
  return now == level ? Outcome::kLeft : Outcome::kBusy;
}

Outcome OutcomeOf(const Status& status) {
  if (status.ok()) return Outcome::kRewritten;
  if (status.IsColumnFamilyDropped()) return Outcome::kGone;
  // Aborted is also the code of a lack of memory.
  if (status.IsAborted() && !status.IsMemoryLimit()) return Outcome::kBusy;
  if (status.IsCompactionTooLarge()) return Outcome::kLeft;
  // The database is closed or read-only, or manual compactions are disabled. Or
  // the compaction failed, although the table's checksums are right, so its
  // other files, the disk or the memory are in trouble: RocksDB stops writes.
  return Outcome::kStopped;
}

// Before 8.9 RocksDB deletes the new tables where it could not sync their
// record in the MANIFEST. The record may be there all the same, and the
// database could not be opened any more. So until the compaction has ended well
// no files are deleted; after an I/O error, until the database is opened again.
Status CompactFiles(rocksdb::DB* db, rocksdb::ColumnFamilyHandle* family,
                    const rocksdb::CompactionOptions& options,
                    const ListedTable& table, int path_id,
                    std::vector<std::string>* new_tables) {
#if ONELINE_DELETES_UNSYNCED_TABLES
  Status status = db->DisableFileDeletions();
  if (!status.ok()) return status;
#endif
  const Status compacted = db->CompactFiles(options, family, {table.file_name},
                                            table.level, path_id, new_tables);
#if ONELINE_DELETES_UNSYNCED_TABLES
  if (compacted.IsIOError()) return compacted;
  status = db->EnableFileDeletions(/*force=*/false);
  if (compacted.ok() && !status.ok()) return status;
#endif
  return compacted;
}

}  // namespace

bool MustBeAlone(const Options& options) {
  return kTimestampsNeedQuiet && options.comparator->timestamp_size() > 0;
}

std::vector<ListedTable> ListTables(rocksdb::DB* db,
                                    rocksdb::ColumnFamilyHandle* family) {
  rocksdb::ColumnFamilyMetaData meta;
  db->GetColumnFamilyMetaData(family, &meta);
  std::vector<ListedTable> tables;
  for (const rocksdb::LevelMetaData& level : meta.levels) {
    for (const rocksdb::SstFileMetaData& file : level.files) {
      tables.push_back({file.file_number, file.directory,
                        file.relative_filename, level.level, file.size,
                        file.temperature, file.smallestkey, file.largestkey});
    }
  }
  return tables;
}

bool IsListed(rocksdb::DB* db, uint64_t number) {
  return LevelOf(db, number) >= 0;
}

bool IsBottommost(const std::vector<ListedTable>& tables,
                  const Options& options, const ListedTable& table) {
  // In level 0 the oldest of all.
  if (table.level == 0) return tables.back().number == table.number;
  const auto end = tables.end();
  const auto end_of_level = [&](auto from, int level) {
    return std::partition_point(
        from, end, [&](const ListedTable& one) { return one.level <= level; });
  };
  auto level = end_of_level(tables.begin(), table.level);
  while (level != end) {
    const auto next = end_of_level(level, level->level);
    const auto reaches =
        std::partition_point(level, next, [&](const ListedTable& one) {
          return options.comparator->CompareWithoutTimestamp(
                     one.last_key, table.first_key) < 0;
        });
    if (reaches != next && options.comparator->CompareWithoutTimestamp(
                               reaches->first_key, table.last_key) <= 0) {
      return false;
    }
    level = next;
  }
  return true;
}

CompactedTable CompactTable(rocksdb::DB* db,
                            rocksdb::ColumnFamilyHandle* family,
                            const Options& options, const ListedTable& table,
                            uint64_t filter_bytes, const TableCheck& check) {
  CompactedTable compacted;
  compacted.status = CheckOptions(options, table);
  if (compacted.status.ok()) compacted.status = CheckSnapshots(db);
  if (compacted.status.ok()) {
    compacted.status = CheckItIsAlone(db, family, options);
  }
  if (!compacted.status.ok()) return compacted;
  compacted.status = check(table);
  if (compacted.status.ok()) {
    compacted.status = CheckThoseTakenAlong(db, family, options, table, check);
  }
  if (!compacted.status.ok()) {
    const bool is_listed = IsListed(db, table.number);
    compacted.outcome = !is_listed                     ? Outcome::kGone
                        : compacted.status.IsAborted() ? Outcome::kBusy
                                                       : Outcome::kLeft;
    return compacted;
  }
  const auto outcome_of_move = [&] {
    return OutcomeOfMove(table.level, LevelOf(db, table.number));
  };
  // Of all calls of this process.
  static std::mutex mutex;
  std::unique_lock<std::mutex> alone(mutex, std::defer_lock);
  if (MustBeAlone(options)) {
    compacted.outcome = Outcome::kBusy;
    if (!alone.try_lock() || HasRunningCompactions(db)) return compacted;
    compacted.outcome = outcome_of_move();
    if (compacted.outcome != Outcome::kLeft) return compacted;
    compacted.status = CheckItIsAlone(db, family, options);
    if (!compacted.status.ok()) return compacted;
  }
  compacted.status = CompactFiles(
      db, family, CompactionOptionsFor(options, table, filter_bytes), table,
      PathIdOf(options, table), &compacted.new_tables);
  compacted.outcome = compacted.status.IsInvalidArgument()
                          ? outcome_of_move()
                          : OutcomeOf(compacted.status);
  return compacted;
}

}  // namespace oneline
