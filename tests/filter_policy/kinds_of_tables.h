// The kind and size of the filters of tables, and where they were written, read
// from the filters' bytes: our kinds and RocksDB's own.

#ifndef ONELINE_TESTS_FILTER_POLICY_KINDS_OF_TABLES_H_
#define ONELINE_TESTS_FILTER_POLICY_KINDS_OF_TABLES_H_

#include "filter_policy/refilter/decoded_filter.h"
#include "table/block/filter_block.h"
#include "tests/filter_policy/scratch_database.h"
#include "tools/sst/sst_reader.h"

namespace oneline {

// "bloom" or "ribbon", ours or RocksDB's; for other filters the kind of
// decoded_filter.h, or "unknown".
inline std::string KindOfFilter(std::string_view block) {
  const auto facts = DecodeFilter(block);
  if (!facts.has_value()) return "unknown";
  if (facts->kind == FoundKind::kRocksDBBloom) return "bloom";
  if (facts->kind == FoundKind::kRocksDBRibbon) return "ribbon";
  return NameOf(facts->kind);
}

// The filter in a table file, or its partitions.
inline std::vector<std::string> FiltersInFile(const std::string& file) {
  const auto table = SstReader::Open(file);
  EXPECT_TRUE(table.ok()) << table.status();
  if (!table.ok()) return {};
  return (*table)->filter_blocks();
}

// The kind of the filter in a table file, or of its first partition; "none" if
// there is none.
inline std::string KindInFile(const std::string& file) {
  const auto filters = FiltersInFile(file);
  return filters.empty() || filters[0].empty() ? "none"
                                               : KindOfFilter(filters[0]);
}

// Level and kind of each table, as "L0 bloom". Sorted.
inline std::vector<std::string> KindsOfTables(const ScratchDatabase& database) {
  std::vector<rocksdb::LiveFileMetaData> files;
  database->GetLiveFilesMetaData(&files);
  std::vector<std::string> kinds;
  for (const rocksdb::LiveFileMetaData& file : files) {
    kinds.push_back("L" + std::to_string(file.level) + " " +
                    KindInFile(file.db_path + file.name));
  }
  std::sort(kinds.begin(), kinds.end());
  return kinds;
}

// Bits of lines per key, from the trailer of our filter in a table file; 0 if
// there is none. Not for partitioned filters.
inline double BitsInFile(const std::string& file) {
  const auto filters = FiltersInFile(file);
  const auto trailer = DecodeTrailer(filters.empty() ? "" : filters[0]);
  if (!trailer.has_value() || trailer->num_keys == 0) return 0;
  return static_cast<double>(kLineBits) * trailer->num_lines /
         trailer->num_keys;
}

// The same of each table, by level. The tables of level 0 are in order from the
// newest to the oldest, those of other levels in order of keys.
inline std::map<int, std::vector<double>> BitsOfTables(
    const ScratchDatabase& database,
    rocksdb::ColumnFamilyHandle* family = nullptr) {
  rocksdb::ColumnFamilyMetaData tree;
  database->GetColumnFamilyMetaData(database.Family(family), &tree);
  std::map<int, std::vector<double>> bits;
  for (const rocksdb::LevelMetaData& level : tree.levels) {
    for (const rocksdb::SstFileMetaData& file : level.files) {
      bits[level.level].push_back(BitsInFile(file.db_path + file.name));
    }
  }
  return bits;
}

}  // namespace oneline

#endif  // ONELINE_TESTS_FILTER_POLICY_KINDS_OF_TABLES_H_
