// Tests of oneline/refilter.h with databases of all shapes: each gets our
// filters, others of ours, RocksDB's and none, keeps its keys, and gives
// a second call nothing to do.

#include <gtest/gtest.h>
#include <rocksdb/comparator.h>
#include <rocksdb/convenience.h>
#include <rocksdb/merge_operator.h>
#include <rocksdb/slice_transform.h>
#include <rocksdb/sst_file_writer.h>

#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "filter_policy/rocksdb/rocksdb_open.h"
#include "oneline/refilter.h"
#include "tests/filter_policy/policies.h"
#include "tests/filter_policy/refilter/refiltered_tables.h"
#include "tests/filter_policy/scratch_database.h"
#include "tests/temporary_directory.h"

namespace oneline {
namespace {

using rocksdb::BlockBasedTableOptions;
using rocksdb::Options;
using rocksdb::Status;

constexpr int kKeys = 6000;  // half of them absent

struct Layout {
  const char* name;
  void (*change)(Options*, BlockBasedTableOptions*);
  void (*fill)(ScratchDatabase*);
  // Of the tables, some have no filter although the policy would write one.
  bool may_lack_filters = false;
  bool has_timestamps = false;
};

std::ostream& operator<<(std::ostream& out, const Layout& layout) {
  return out << layout.name;
}

void Same(Options*, BlockBasedTableOptions*) {}

// Tables of level 2, of level 1, and of level 0.
void FillLevels(ScratchDatabase* database) {
  for (int first = 0; first < kKeys; first += kKeys / 3) {
    database->WriteTable(first, first + kKeys / 3);
    database->CompactLevel0To(2);
  }
  database->WriteTable(500, 900);
  database->CompactLevel0To(1);
  database->WriteTable(0, 300);
  database->WriteTable(200, 1000);
}

void FillLevel0(ScratchDatabase* database) {
  for (int first = 0; first < kKeys; first += kKeys / 3) {
    database->WriteTable(first, first + kKeys / 3);
  }
}

void FillAutomatically(ScratchDatabase* database) {
  for (int round = 0; round < 3; ++round) {
    for (int first = 0; first < kKeys; first += 500) {
      database->WriteTable(first, first + 500);
    }
  }
  database->WaitForCompactions();
}

// The tables are moved to the last level with the bits of level 0.
void FillAndMoveDown(ScratchDatabase* database) {
  FillLevel0(database);
  rocksdb::CompactRangeOptions options;
  options.change_level = true;
  options.target_level = 3;
  options.bottommost_level_compaction =
      rocksdb::BottommostLevelCompaction::kSkip;
  const Status status = (*database)->CompactRange(options, nullptr, nullptr);
  ASSERT_TRUE(status.ok()) << status.ToString();
}

void FillByIngestion(ScratchDatabase* database) {
  const TemporaryDirectory directory;
  const std::string file = directory.File("ingested.sst");
  WriteTableFile((*database)->GetOptions(), file, kKeys);
  const Status status = (*database)->IngestExternalFile(
      {file}, rocksdb::IngestExternalFileOptions());
  ASSERT_TRUE(status.ok()) << status.ToString();
  database->WriteTable(0, 900);
  database->WriteTable(3000, 4000);
}

void FillWithDeletions(ScratchDatabase* database) {
  database->WriteTable(0, kKeys);
  // Of keys that are not there, and of some that are written again.
  ASSERT_TRUE((*database)
                  ->DeleteRange({}, (*database)->DefaultColumnFamily(),
                                KeyAt(1000), KeyAt(1400))
                  .ok());
  database->CompactLevel0To(2);
  database->WriteTable(1000, 1400);
  ASSERT_TRUE((*database)
                  ->DeleteRange({}, (*database)->DefaultColumnFamily(),
                                KeyAt(kKeys), KeyAt(kKeys + 1000))
                  .ok());
  ASSERT_TRUE((*database)->Flush({}).ok());  // range deletions alone
}

void FillWithMerges(ScratchDatabase* database) {
  for (int i = 0; i < kKeys; i += 2) {
    ASSERT_TRUE((*database)->Merge({}, KeyAt(i), ValueAt(i)).ok());
  }
  ASSERT_TRUE((*database)->Flush({}).ok());
  database->WriteTable(0, 3000);
}

void FillWithSingleKeys(ScratchDatabase* database) {
  for (int i = 0; i < 20; i += 2) {
    database->WriteTable(i, i + 2);
    if (i == 8) database->CompactLevel0To(2);
  }
  for (int i = 20; i < kKeys; i += 2) {
    ASSERT_TRUE((*database)->Put({}, KeyAt(i), ValueAt(i)).ok());
  }
  ASSERT_TRUE((*database)->Flush({}).ok());
}

void FillWithTimestamps(ScratchDatabase* database) {
  for (int round = 1; round <= 3; ++round) {
    std::string timestamp(8, '\0');
    timestamp[0] = static_cast<char>(round);
    for (int i = 0; i < kKeys; i += 2) {
      ASSERT_TRUE((*database)
                      ->Put({}, (*database)->DefaultColumnFamily(), KeyAt(i),
                            timestamp, ValueAt(i))
                      .ok());
    }
    ASSERT_TRUE((*database)->Flush({}).ok());
    if (round == 2) database->CompactLevel0To(2);
  }
}

// The newest value counts.
class LastOperand final : public rocksdb::AssociativeMergeOperator {
 public:
  const char* Name() const override { return "LastOperand"; }
  bool Merge(const rocksdb::Slice&, const rocksdb::Slice*,
             const rocksdb::Slice& value, std::string* result,
             rocksdb::Logger*) const override {
    *result = value.ToString();
    return true;
  }
};

void Partition(BlockBasedTableOptions* table) {
  table->partition_filters = true;
  table->index_type = BlockBasedTableOptions::kTwoLevelIndexSearch;
  table->metadata_block_size = 512;
  table->block_size = 512;
}

const Layout kLayouts[] = {
    {"Levels", Same, FillLevels},
    {"Level0", Same, FillLevel0},
    {"Automatic",
     [](Options* options, BlockBasedTableOptions*) {
       options->disable_auto_compactions = false;
       options->max_bytes_for_level_base = 64 << 10;
       options->target_file_size_base = 16 << 10;
     },
     FillAutomatically},
    {"DynamicLevels",
     [](Options* options, BlockBasedTableOptions*) {
       options->disable_auto_compactions = false;
       options->level_compaction_dynamic_level_bytes = true;
       options->max_bytes_for_level_base = 64 << 10;
       options->target_file_size_base = 16 << 10;
       options->level0_file_num_compaction_trigger = 2;
     },
     FillAutomatically},
    {"Universal",
     [](Options* options, BlockBasedTableOptions*) {
       options->disable_auto_compactions = false;
       options->compaction_style = rocksdb::kCompactionStyleUniversal;
     },
     FillAutomatically},
    {"UniversalWithoutLevels",
     [](Options* options, BlockBasedTableOptions*) {
       options->compaction_style = rocksdb::kCompactionStyleUniversal;
       options->num_levels = 1;
     },
     FillLevel0},
    {"Fifo",
     [](Options* options, BlockBasedTableOptions*) {
       options->compaction_style = rocksdb::kCompactionStyleFIFO;
       options->num_levels = 1;
     },
     FillLevel0},
    {"MovedDown", Same, FillAndMoveDown},
    {"Ingested", Same, FillByIngestion},
    {"IngestBehind",
     [](Options* options, BlockBasedTableOptions*) {
       options->allow_ingest_behind = true;
     },
     FillLevels},
    {"Partitioned",
     [](Options*, BlockBasedTableOptions* table) { Partition(table); },
     FillLevels},
    {"PartitionedInCache",
     [](Options*, BlockBasedTableOptions* table) {
       Partition(table);
       table->cache_index_and_filter_blocks = true;
     },
     FillLevels},
    {"Prefixes",
     [](Options* options, BlockBasedTableOptions*) {
       options->prefix_extractor.reset(
           rocksdb::NewFixedPrefixTransform(kPrefixBytes));
     },
     FillLevels},
    {"OnlyPrefixes",
     [](Options* options, BlockBasedTableOptions* table) {
       options->prefix_extractor.reset(
           rocksdb::NewFixedPrefixTransform(kPrefixBytes));
       table->whole_key_filtering = false;
     },
     FillLevels},
    {"NoKeyHasAPrefix",
     [](Options* options, BlockBasedTableOptions* table) {
       options->prefix_extractor.reset(rocksdb::NewFixedPrefixTransform(100));
       table->whole_key_filtering = false;
     },
     FillLevels, /*may_lack_filters=*/true},
    {"ForHits",
     [](Options* options, BlockBasedTableOptions*) {
       options->optimize_filters_for_hits = true;
     },
     FillLevels, /*may_lack_filters=*/true},
    {"ForMemory",
     [](Options*, BlockBasedTableOptions* table) {
       table->optimize_filters_for_memory = true;
     },
     FillLevels},
    {"BlobFiles",
     [](Options* options, BlockBasedTableOptions*) {
       options->enable_blob_files = true;
       options->enable_blob_garbage_collection = true;
     },
     FillLevels},
    {"Deletions", Same, FillWithDeletions},
    {"Merges",
     [](Options* options, BlockBasedTableOptions*) {
       options->merge_operator = std::make_shared<LastOperand>();
     },
     FillWithMerges},
    {"SingleKeys", Same, FillWithSingleKeys},
    {"Timestamps",
     [](Options* options, BlockBasedTableOptions*) {
       ASSERT_TRUE(rocksdb::Comparator::CreateFromString(
                       rocksdb::ConfigOptions(),
                       "leveldb.BytewiseComparator.u64ts", &options->comparator)
                       .ok());
     },
     FillWithTimestamps, /*may_lack_filters=*/false, /*has_timestamps=*/true},
};

class RefilterLayoutsTest : public testing::TestWithParam<Layout> {
 protected:
  Options OptionsFor(const PolicyPtr& policy) {
    BlockBasedTableOptions table;
    // The default differs between versions, and lets sizes of small filters
    // differ much.
    table.optimize_filters_for_memory = false;
    Options options = OptionsWith(policy, table);
    GetParam().change(&options, &table);
    table.filter_policy = policy;
    options.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
    return options;
  }

  void ExpectKeys(const ScratchDatabase& database) {
    if (!GetParam().has_timestamps) return ExpectAllFound(database, 0, kKeys);
    rocksdb::ReadOptions read;
    for (const char version : {'\1', '\2', '\3'}) {
      const std::string timestamp = version + std::string(7, '\0');
      const rocksdb::Slice slice(timestamp);
      read.timestamp = &slice;
      std::string value;
      for (int i = 0; i < kKeys; ++i) {
        const Status status = database->Get(read, KeyAt(i), &value);
        ASSERT_EQ(status.ok(), i % 2 == 0) << status.ToString();
      }
    }
  }

  // Whether filters answer lookups of absent keys, after keys were looked up.
  static uint64_t Useful(const ScratchDatabase& database) {
    return database.Ticker(rocksdb::BLOOM_FILTER_USEFUL) +
           database.PrefixUseful();
  }

  // The same keys in the same levels, with filters of this kind.
  void GiveFilters(const PolicyPtr& policy, const std::string& kind,
                   ScratchDatabase* database) {
    SCOPED_TRACE(kind);
    const std::map<int, int> levels = TablesByLevel(*database);
    Options options = OptionsFor(policy);
    options.disable_auto_compactions = true;
    database->Reopen(options);
    RefilterOptions refilter = Unlimited();
    refilter.threads = 2;
    const RefilterReport report = RefilterAll(*database, refilter);
    if (!GetParam().may_lack_filters) {
      EXPECT_GT(report.tables_found, 0u);
      std::map<std::string, int> kinds = KindsOf(*database);
      // Tables of range deletions alone; and RocksDB writes no Ribbon for a few
      // keys.
      if (kinds.size() > 1) kinds.erase("none");
      if (kind == "RocksDB Ribbon") kinds.erase("RocksDB Bloom");
      ASSERT_EQ(kinds.size(), 1u);
      EXPECT_EQ(kinds.begin()->first, kind);
    }
    EXPECT_EQ(TablesByLevel(*database), levels);
    ExpectNothingToDo(*database);
    database->Reopen(options);
    ExpectKeys(*database);
    if (!GetParam().may_lack_filters) {
      EXPECT_EQ(Useful(*database) > 0, policy != nullptr);
    }
    ExpectNothingToDo(*database);
  }
};

TEST_P(RefilterLayoutsTest, ThereAndBack) {
  const PolicyPtr rocksdbs = PolicyNamed("bloomfilter:10:false");
  ScratchDatabase database(OptionsFor(rocksdbs));
  GetParam().fill(&database);
  ASSERT_FALSE(HasFatalFailure());
  ExpectNothingToDo(database);
  GiveFilters(PolicyNamed("oneline:9"), "ribbon", &database);
  GiveFilters(PolicyNamed("{id=oneline;bits_per_key=20}"), "ribbon", &database);
  GiveFilters(PolicyNamed("{id=oneline;kind=bloom;bits_by_level=false}"),
              "bloom", &database);
  GiveFilters(PolicyNamed("ribbonfilter:12:-1"), "RocksDB Ribbon", &database);
  GiveFilters(rocksdbs, "RocksDB Bloom", &database);
  GiveFilters(nullptr, "none", &database);
  GiveFilters(PolicyNamed("oneline:10"), "ribbon", &database);
}

// Policies that give tables of different levels different filters.
TEST_P(RefilterLayoutsTest, ByLevel) {
  for (const char* text : {"{id=oneline;bloom_before_level=2;bits_per_key=10}",
                           "{id=oneline;level_bits_per_key=20:16:12:8}",
                           "{id=oneline;bits_per_key=20;max_filter_bytes=4096}",
                           "ribbonfilter:10:2"}) {
    SCOPED_TRACE(text);
    const PolicyPtr policy = PolicyNamed(text);
    ScratchDatabase database(OptionsFor(PolicyNamed("bloomfilter:4:false")));
    GetParam().fill(&database);
    ASSERT_FALSE(HasFatalFailure());
    Options options = OptionsFor(policy);
    options.disable_auto_compactions = true;
    database.Reopen(options);
    const RefilterReport report = RefilterAll(database);
    if (!GetParam().may_lack_filters) {
      EXPECT_GT(report.tables_found, 0u);
    }
    ExpectNothingToDo(database);
    database.Reopen(options);
    ExpectKeys(database);
  }
}

INSTANTIATE_TEST_SUITE_P(, RefilterLayoutsTest, testing::ValuesIn(kLayouts),
                         [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace oneline
