#include "tests/kinds_of_tables.h"

#include <gtest/gtest.h>
#include <rocksdb/metadata.h>
#include <rocksdb/sst_file_reader.h>

#include <algorithm>

#include "filter_policy/rocksdb_filter_bits.h"
#include "table/filter_block.h"
#include "table/filter_kind.h"

namespace oneline {
namespace {

// Reads filters as ours does, and keeps a copy of the last one.
class RecordingPolicy final : public rocksdb::FilterPolicy {
 public:
  const char* Name() const override { return "recording"; }
  const char* CompatibilityName() const override {
    return ours_->CompatibilityName();
  }
  rocksdb::FilterBitsBuilder* GetBuilderWithContext(
      const rocksdb::FilterBuildingContext&) const override {
    return nullptr;
  }
  rocksdb::FilterBitsReader* GetFilterBitsReader(
      const rocksdb::Slice& block) const override {
    block_ = block.ToString();
    return ours_->GetFilterBitsReader(block);
  }

  // Empty if there was none.
  const std::string& block() const { return block_; }

 private:
  const PolicyPtr ours_ = OurPolicy(10);
  mutable std::string block_;
};

std::string FilterInFile(const std::string& file) {
  const auto policy = std::make_shared<RecordingPolicy>();
  // It loads the filter of a table that it opens.
  rocksdb::SstFileReader reader(OptionsWith(policy));
  const rocksdb::Status status = reader.Open(file);
  EXPECT_TRUE(status.ok()) << status.ToString();
  return policy->block();
}

}  // namespace

std::string KindOfFilter(std::string_view block) {
  const auto trailer = DecodeTrailer(block);
  if (trailer.ok()) return FindFilterKind(trailer->kind)->name;
  // RocksDB marks its own by the fifth byte from the end.
  if (block.size() <= 5 || HasMagic(block)) return "unknown";
  switch (static_cast<signed char>(block[block.size() - 5])) {
    case -1:
      return "bloom";
    case -2:
      return "ribbon";
    default:
      return "unknown";
  }
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

double BitsOfFilter(std::string_view block) {
  const auto trailer = DecodeTrailer(block);
  if (!trailer.ok() || trailer->num_keys == 0) return 0;
  return static_cast<double>(kLineBits) * trailer->num_lines /
         trailer->num_keys;
}

double BitsInFile(const std::string& file) {
  return BitsOfFilter(FilterInFile(file));
}

std::map<int, std::vector<double>> BitsOfTables(
    const ScratchDatabase& database) {
  rocksdb::ColumnFamilyMetaData tree;
  database->GetColumnFamilyMetaData(&tree);
  std::map<int, std::vector<double>> bits;
  for (const rocksdb::LevelMetaData& level : tree.levels) {
    for (const rocksdb::SstFileMetaData& file : level.files) {
      bits[level.level].push_back(BitsInFile(file.db_path + file.name));
    }
  }
  return bits;
}

}  // namespace oneline
