#include "tests/filter_policy/kinds_of_tables.h"

#include <gtest/gtest.h>
#include <rocksdb/metadata.h>

#include <algorithm>
#include <memory>

#include "filter_policy/refilter/decoded_filter.h"
#include "tools/sst/sst_reader.h"

namespace oneline {
namespace {

std::vector<std::string> FiltersInFile(const std::string& file) {
  const auto table = SstReader::Open(file);
  EXPECT_TRUE(table.ok()) << table.status();
  if (!table.ok()) return {};
  return (*table)->filter_blocks();
}

std::string FilterInFile(const std::string& file) {
  const std::vector<std::string> filters = FiltersInFile(file);
  return filters.empty() ? "" : filters[0];
}

}  // namespace

std::string KindOfFilter(std::string_view block) {
  const auto facts = DecodeFilter(block);
  if (!facts.has_value()) return "unknown";
  if (facts->kind == FoundKind::kRocksDBBloom) return "bloom";
  if (facts->kind == FoundKind::kRocksDBRibbon) return "ribbon";
  return NameOf(facts->kind);
}

std::string KindInFile(const std::string& file) {
  const std::string block = FilterInFile(file);
  return block.empty() ? "none" : KindOfFilter(block);
}

std::vector<std::string> KindsOfTables(const ScratchDatabase& database) {
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

double BitsInFile(const std::string& file) {
  const auto trailer = DecodeTrailer(FilterInFile(file));
  if (!trailer.has_value() || trailer->num_keys == 0) return 0;
  return static_cast<double>(kLineBits) * trailer->num_lines /
         trailer->num_keys;
}

std::map<int, std::vector<double>> BitsOfTables(
    const ScratchDatabase& database, rocksdb::ColumnFamilyHandle* family) {
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
