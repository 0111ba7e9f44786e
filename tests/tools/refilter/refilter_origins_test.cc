// `oneline refilter` on databases that are not made by flushes of plain keys
// into one directory, and what others keep of the old tables.

#include <gtest/gtest.h>
#include <rocksdb/cache.h>
#include <rocksdb/comparator.h>
#include <rocksdb/convenience.h>
#include <rocksdb/sst_file_writer.h>
#include <rocksdb/table.h>
#include <rocksdb/utilities/checkpoint.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include "filter_policy/rocksdb/rocksdb_filter_bits.h"
#include "tests/filter_policy/kinds_of_tables.h"
#include "tests/tools/refilter/closed_database.h"

namespace oneline {
namespace {

using RefilterOriginsTest = ClosedDatabaseTest;

// A file ingested with a sequence number, written into it or not.
TEST_F(RefilterOriginsTest, IngestedTables) {
  for (const bool write_sequence : {false, true}) {
    Make(Options());
    const std::string file = directory_.File("ingested.sst");
    {
      OpenedDatabase db =
          OpenParanoid(path_, Options(), {{"default", Options()}});
      rocksdb::SstFileWriter writer(rocksdb::EnvOptions(), Options());
      ASSERT_TRUE(writer.Open(file).ok());
      for (int i = 100; i < 300; i += 2) {
        ASSERT_TRUE(writer.Put(KeyAt(i), "ingested").ok());
      }
      ASSERT_TRUE(writer.Finish().ok());
      rocksdb::IngestExternalFileOptions how;
      how.write_global_seqno = write_sequence;
      ASSERT_TRUE(db.db->IngestExternalFile({file}, how).ok());
      digest_ = Digest(db);
    }
    const Finished run = Refilter(path_, "--filter_policy=oneline:10 --yes");
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_EQ(RunOneline("verify " + path_).exit_code, 0);
    ExpectSame(Options("oneline:10"));
  }
}

TEST_F(RefilterOriginsTest, TablesInOtherDirectories) {
  rocksdb::Options options = Options();
  const std::string far = directory_.File("far");
  options.db_paths = {{path_, 1000}, {far, 1 << 30}};
  std::filesystem::create_directory(far);
  Make(options);
  const std::string paths =
      "--filter_policy=oneline:10 --db_paths=" + path_ + "," + far;
  ASSERT_FALSE(std::filesystem::is_empty(far));
  ExpectRefusedRun("several directories",
                   paths + " --keep_old=" + directory_.File("kept"));
  ExpectRefusedRun("can't open it");  // without --db_paths
  const Finished run = Refilter(path_, "--yes " + paths);
  EXPECT_EQ(run.exit_code, 0) << run.err;
  for (const auto& entry : std::filesystem::directory_iterator(far)) {
    EXPECT_EQ(KindInFile(entry.path()), "ribbon");
  }
  EXPECT_FALSE(std::filesystem::is_empty(far));
  rocksdb::Options ours = Options("oneline:10");
  ours.db_paths = options.db_paths;
  ExpectSame(ours);
}

TEST_F(RefilterOriginsTest, Timestamps) {
  for (const bool partitioned : {false, true}) {
    rocksdb::BlockBasedTableOptions table;
    if (partitioned) {
      table.index_type = rocksdb::BlockBasedTableOptions::kTwoLevelIndexSearch;
      table.partition_filters = true;
      table.metadata_block_size = 256;
    }
    rocksdb::Options options =
        OptionsWith(PolicyNamed("bloomfilter:10"), table);
    // In no header before RocksDB 8.
    ASSERT_TRUE(rocksdb::Comparator::CreateFromString(
                    rocksdb::ConfigOptions(),
                    "leveldb.BytewiseComparator.u64ts", &options.comparator)
                    .ok());
    std::filesystem::remove_all(path_);
    const auto time = [](uint64_t t) {
      std::string bytes;
      for (int i = 0; i < 8; ++i) {
        bytes.push_back(static_cast<char>(t >> (8 * i)));
      }
      return bytes;
    };
    const auto get = [&](OpenedDatabase& db, int i, uint64_t t) {
      const std::string now = time(t);
      const rocksdb::Slice slice = now;
      rocksdb::ReadOptions read;
      read.timestamp = &slice;
      std::string value;
      const rocksdb::Status status =
          db.db->Get(read, db.handles[0], KeyAt(i), &value);
      EXPECT_TRUE(status.ok() || status.IsNotFound()) << status.ToString();
      return value;
    };
    {
      OpenedDatabase db = OpenParanoid(path_, options, {{"default", options}});
      for (int i = 0; i < kKeys; i += 2) {
        for (const uint64_t t : {1, 3}) {
          ASSERT_TRUE(
              db.db
                  ->Put({}, db.handles[0], KeyAt(i), time(t), std::to_string(t))
                  .ok());
        }
      }
      ASSERT_TRUE(db.db->Flush({}, db.handles[0]).ok());
    }
    const Finished run = Refilter(path_, "--filter_policy=oneline:10 --yes");
    ASSERT_EQ(run.exit_code, 0) << run.err;
    EXPECT_EQ(KindInFile(Tables()[0]), "ribbon");
    table.filter_policy = PolicyNamed("oneline:10");
    options.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
    OpenedDatabase db = OpenParanoid(path_, options, {{"default", options}});
    for (int i = 0; i < kKeys && !HasFailure(); ++i) {
      EXPECT_EQ(get(db, i, 2), i % 2 == 0 ? "1" : "");
      EXPECT_EQ(get(db, i, 4), i % 2 == 0 ? "3" : "");
    }
    EXPECT_GT(db.statistics->getTickerCount(rocksdb::BLOOM_FILTER_USEFUL),
              uint64_t{kKeys / 2});
  }
}

#if ONELINE_ROCKSDB_VERSION >= 90600
// The comparator has timestamps, and the tables do not.
TEST_F(RefilterOriginsTest, TimestampsInMemoryOnly) {
  for (const bool partitioned : {false, true}) {
    rocksdb::BlockBasedTableOptions table;
    if (partitioned) {
      table.index_type = rocksdb::BlockBasedTableOptions::kTwoLevelIndexSearch;
      table.partition_filters = true;
      table.metadata_block_size = 256;
    }
    const auto options_with = [&](const char* policy) {
      rocksdb::Options options = OptionsWith(PolicyNamed(policy), table);
      options.comparator = rocksdb::BytewiseComparatorWithU64Ts();
      options.persist_user_defined_timestamps = false;
      options.allow_concurrent_memtable_write = false;
      return options;
    };
    const auto time = [](uint64_t t) {
      std::string bytes;
      rocksdb::EncodeU64Ts(t, &bytes);
      return bytes;
    };
    std::filesystem::remove_all(path_);
    rocksdb::Options options = options_with("bloomfilter:10");
    {
      OpenedDatabase db = OpenParanoid(path_, options, {{"default", options}});
      for (int i = 0; i < kKeys; i += 2) {
        ASSERT_TRUE(
            db.db->Put({}, db.handles[0], KeyAt(i), time(1), ValueAt(i)).ok());
      }
      // Only older ones are flushed.
      ASSERT_TRUE(db.db->IncreaseFullHistoryTsLow(db.handles[0], time(2)).ok());
      ASSERT_TRUE(db.db->Flush({}, db.handles[0]).ok());
    }
    const Finished run = Refilter(path_, "--filter_policy=oneline:10 --yes");
    ASSERT_EQ(run.exit_code, 0) << run.err;
    ASSERT_EQ(Tables().size(), 1u);
    EXPECT_EQ(KindInFile(Tables()[0]), "ribbon");
    const Finished verify = RunOneline("verify " + path_);
    EXPECT_EQ(verify.exit_code, 0) << verify.out << verify.err;
    options = options_with("oneline:10");
    OpenedDatabase db = OpenParanoid(path_, options, {{"default", options}});
    const std::string now = time(2);
    const rocksdb::Slice slice = now;
    rocksdb::ReadOptions read;
    read.timestamp = &slice;
    for (int i = 0; i < kKeys && !HasFailure(); ++i) {
      std::string value;
      db.db->Get(read, db.handles[0], KeyAt(i), &value).PermitUncheckedError();
      EXPECT_EQ(value, i % 2 == 0 ? ValueAt(i) : "");
    }
    EXPECT_GT(db.statistics->getTickerCount(rocksdb::BLOOM_FILTER_USEFUL),
              uint64_t{kKeys * 9 / 20});
  }
}
#endif

// With options by which RocksDB would compact level 0 at once.
TEST_F(RefilterOriginsTest, NothingElseIsCompacted) {
  {
    OpenedDatabase db =
        OpenParanoid(path_, Options(), {{"default", Options()}});
    WriteTable(db, 0, 0, kKeys, "c");
    digest_ = Digest(db);
  }
  const std::string file = FileOf(path_, "OPTIONS-");
  std::string text = ReadWholeFile(file);
  for (const auto& [old, by] :
       {std::pair<std::string, std::string>{"disable_auto_compactions=true",
                                            "disable_auto_compactions=false"},
        {"level0_file_num_compaction_trigger=4",
         "level0_file_num_compaction_trigger=1"}}) {
    ASSERT_NE(text.find(old), std::string::npos) << text;
    text.replace(text.find(old), old.size(), by);
  }
  std::ofstream(file) << text;
  const Finished run =
      Refilter(path_, "--filter_policy=oneline:10 --yes --rate=100kB");
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(OptionsText(), text);
  OpenedDatabase db =
      OpenParanoid(path_, Options(), {{"default", Options("oneline:10")}});
  rocksdb::ColumnFamilyMetaData tree;
  db.db->GetColumnFamilyMetaData(db.handles[0], &tree);
  EXPECT_EQ(tree.levels[0].files.size(), 2u);
  EXPECT_EQ(tree.levels[2].files.size(), 1u);
  EXPECT_EQ(Digest(db), digest_);
}

// A process that keeps its block cache must not find old blocks there.
TEST_F(RefilterOriginsTest, AKeptBlockCacheHasNoOldBlocks) {
  rocksdb::BlockBasedTableOptions table;
  table.cache_index_and_filter_blocks = true;
  table.block_cache = rocksdb::NewLRUCache(64 << 20);
  const auto open = [&](const char* policy) {
    const rocksdb::Options options = OptionsWith(PolicyNamed(policy), table);
    return OpenParanoid(path_, options, {{"default", options}});
  };
  {
    OpenedDatabase db = open("bloomfilter:10");
    EXPECT_GT(UsefulAnswers(db, 0, kKeys), uint64_t{kKeys * 9 / 20});
  }
  ASSERT_EQ(Refilter(path_, "--filter_policy=oneline:10 --yes").exit_code, 0);
  OpenedDatabase db = open("oneline:10");
  EXPECT_GT(UsefulAnswers(db, 0, kKeys), uint64_t{kKeys * 9 / 20});
  EXPECT_EQ(Digest(db), digest_);
  // Each table's filter was read.
  EXPECT_GE(db.statistics->getTickerCount(rocksdb::BLOCK_CACHE_FILTER_MISS),
            2u);
}

// What was linked before still is the old database.
TEST_F(RefilterOriginsTest, CheckpointsStayAsTheyWere) {
  const std::string checkpoint = directory_.File("checkpoint");
  {
    OpenedDatabase db =
        OpenParanoid(path_, Options(), {{"default", Options()}});
    rocksdb::Checkpoint* maker = nullptr;
    ASSERT_TRUE(rocksdb::Checkpoint::Create(db.db.get(), &maker).ok());
    const std::unique_ptr<rocksdb::Checkpoint> owner(maker);
    ASSERT_TRUE(maker->CreateCheckpoint(checkpoint).ok());
  }
  const auto files = FilesIn(checkpoint);
  ASSERT_EQ(Refilter(path_, "--filter_policy=oneline:10 --yes").exit_code, 0);
  EXPECT_EQ(FilesIn(checkpoint), files);
  ExpectSame(Options("oneline:10"));
  OpenedDatabase old =
      OpenParanoid(checkpoint, Options(), {{"default", Options()}});
  EXPECT_EQ(Digest(old), digest_);
}

}  // namespace
}  // namespace oneline
