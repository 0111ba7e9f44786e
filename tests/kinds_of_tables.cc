#include "tests/kinds_of_tables.h"

#include <gtest/gtest.h>
#include <rocksdb/metadata.h>

#include <algorithm>
#include <memory>

#include "tools/filter_facts.h"
#include "tools/sst_reader.h"

namespace oneline {

std::string KindOfFilter(std::string_view block) {
  const auto facts = FactsOf(block);
  if (!facts.ok()) return "unknown";
  if (facts->kind == "RocksDB Bloom") return "bloom";
  if (facts->kind == "RocksDB Ribbon") return "ribbon";
  return facts->kind;
}

std::string KindInFile(const std::string& file) {
  const auto table = SstReader::Open(file);
  EXPECT_TRUE(table.ok()) << table.status();
  if (!table.ok()) return "unknown";
  const std::vector<std::string>& blocks = (*table)->filter_blocks();
  return blocks.empty() ? "none" : KindOfFilter(blocks[0]);
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

}  // namespace oneline
