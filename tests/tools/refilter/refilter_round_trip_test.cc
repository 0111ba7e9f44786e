// `oneline refilter` there and back, on databases of many shapes: the same scan
// before and after, RocksDB opens them with all of its checks, and the filters
// asked for are there and answer.

#include <gtest/gtest.h>
#include <rocksdb/comparator.h>
#include <rocksdb/convenience.h>
#include <rocksdb/file_checksum.h>
#include <rocksdb/slice_transform.h>
#include <rocksdb/sst_file_writer.h>
#include <rocksdb/table.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <ostream>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "filter_policy/refilter/decoded_filter.h"
#include "filter_policy/rocksdb/rocksdb_filter_bits.h"
#include "tests/filter_policy/scratch_database.h"
#include "tests/sanitizers.h"
#include "tests/tools/filter_blocks.h"
#include "tests/tools/refilter/refilter_database.h"
#include "tests/tools/run_oneline.h"

namespace oneline {
namespace {

constexpr int kKeys = 6000;

struct Shape {
  const char* name;
  std::function<void(rocksdb::Options*, rocksdb::BlockBasedTableOptions*)> set;
  bool whole_keys = true;
};

std::ostream& operator<<(std::ostream& out, const Shape& shape) {
  return out << shape.name;
}

using rocksdb::BlockBasedTableOptions;
using rocksdb::Options;

void Partition(BlockBasedTableOptions* table) {
  table->index_type = BlockBasedTableOptions::kTwoLevelIndexSearch;
  table->partition_filters = true;
  table->metadata_block_size = 256;
}

std::vector<Shape> Shapes() {
  std::vector<Shape> shapes = {
      {"Plain", [](Options*, BlockBasedTableOptions*) {}},
      {"Partitioned",
       [](Options*, BlockBasedTableOptions* table) { Partition(table); }},
      {"PartitionedIndexOnly",
       [](Options*, BlockBasedTableOptions* table) {
         Partition(table);
         table->partition_filters = false;
       }},
      {"PartitionedDelta",
       [](Options*, BlockBasedTableOptions* table) {
         Partition(table);
         table->format_version = 3;
         table->index_block_restart_interval = 16;
         // Its Bloom filters have odd numbers of cache lines, which makes the
         // size of small partitions hard to tell.
         table->metadata_block_size = 2048;
       }},
      {"PrefixesToo",
       [](Options* options, BlockBasedTableOptions*) {
         options->prefix_extractor.reset(
             rocksdb::NewFixedPrefixTransform(kPrefixBytes));
       }},
      {"PrefixesOnly",
       [](Options* options, BlockBasedTableOptions* table) {
         table->whole_key_filtering = false;
         options->prefix_extractor.reset(
             rocksdb::NewFixedPrefixTransform(kPrefixBytes));
       },
       false},
      {"PartitionedPrefixes",
       [](Options* options, BlockBasedTableOptions* table) {
         Partition(table);
         options->prefix_extractor.reset(rocksdb::NewFixedPrefixTransform(5));
       }},
      {"PartitionedPrefixesOnly",
       [](Options* options, BlockBasedTableOptions* table) {
         Partition(table);
         table->metadata_block_size = 1024;
         table->whole_key_filtering = false;
         options->prefix_extractor.reset(
             rocksdb::NewFixedPrefixTransform(kPrefixBytes));
       },
       false},
      {"HashIndex",
       [](Options* options, BlockBasedTableOptions* table) {
         table->index_type = BlockBasedTableOptions::kHashSearch;
         options->prefix_extractor.reset(
             rocksdb::NewFixedPrefixTransform(kPrefixBytes));
       }},
      {"FirstKeyIndex",
       [](Options*, BlockBasedTableOptions* table) {
         table->index_type = BlockBasedTableOptions::kBinarySearchWithFirstKey;
       }},
      {"Reverse",
       [](Options* options, BlockBasedTableOptions*) {
         options->comparator = rocksdb::ReverseBytewiseComparator();
       }},
      {"Universal",
       [](Options* options, BlockBasedTableOptions*) {
         options->compaction_style = rocksdb::kCompactionStyleUniversal;
       }},
      {"FileChecksums",
       [](Options* options, BlockBasedTableOptions*) {
         options->file_checksum_gen_factory =
             rocksdb::GetFileChecksumGenCrc32cFactory();
       }},
      {"Blobs",
       [](Options* options, BlockBasedTableOptions*) {
         options->enable_blob_files = true;
         options->min_blob_size = 10;
       }},
      {"TrackedLogs",
       [](Options* options, BlockBasedTableOptions*) {
         options->track_and_verify_wals_in_manifest = true;
       }},
      {"AlignedBlocks",
       [](Options* options, BlockBasedTableOptions* table) {
         table->block_align = true;
         options->compression = rocksdb::kNoCompression;
       }},
      {"Dictionary",
       [](Options* options, BlockBasedTableOptions*) {
         options->compression = rocksdb::kZSTD;
         options->compression_opts.max_dict_bytes = 4096;
         options->compression_opts.zstd_max_train_bytes = 65536;
       }},
  };
  static const char* const kChecksums[] = {"NoChecksum", "Crc32c", "XxHash",
                                           "XxHash64", "Xxh3"};
  for (int type = 0; type < 5; ++type) {
    shapes.push_back(
        {kChecksums[type], [type](Options*, BlockBasedTableOptions* table) {
           table->checksum = static_cast<rocksdb::ChecksumType>(type);
         }});
  }
  static const char* const kVersions[] = {"",         "",         "Version2",
                                          "Version3", "Version4", "Version5",
                                          "Version6", "Version7"};
  for (int version = 2; version <= (ROCKSDB_MAJOR >= 11                ? 7
                                    : ONELINE_ROCKSDB_VERSION >= 80600 ? 6
                                                                       : 5);
       ++version) {
    shapes.push_back({kVersions[version],
                      [version](Options*, BlockBasedTableOptions* table) {
                        table->format_version = static_cast<uint32_t>(version);
                      }});
  }
  static std::vector<std::string>* const names = new std::vector<std::string>();
  for (const rocksdb::CompressionType type :
       rocksdb::GetSupportedCompressions()) {
    names->push_back("Compression" + std::to_string(type));
  }
  size_t next = 0;
  for (const rocksdb::CompressionType type :
       rocksdb::GetSupportedCompressions()) {
    shapes.push_back({(*names)[next++].c_str(),
                      [type](Options* options, BlockBasedTableOptions*) {
                        options->compression = type;
                      }});
  }
  return shapes;
}

class RefilterRoundTripTest : public testing::TestWithParam<Shape> {
 protected:
  RefilterRoundTripTest() : path_(directory_.File("db")) {
    BlockBasedTableOptions table;
    table.block_size = 512;
    options_.compression = rocksdb::kNoCompression;
    GetParam().set(&options_, &table);
    table_ = table;
    options_.disable_auto_compactions = true;
    options_.level_compaction_dynamic_level_bytes = false;
  }

  // With this policy; "other" is a second column family.
  Families With(const char* policy) {
    BlockBasedTableOptions table = table_;
    table.filter_policy =
        policy == std::string("nullptr") ? nullptr : PolicyNamed(policy);
    options_.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
    const rocksdb::ColumnFamilyOptions family(options_);
    return {{"default", family}, {"other", family}};
  }

  OpenedDatabase Open(const char* policy) {
    return OpenParanoid(path_, options_, With(policy));
  }

  rocksdb::ReadOptions ScanOptions() const {
    rocksdb::ReadOptions scan;
    scan.total_order_seek = true;
    return scan;
  }

  // Three levels, several versions of keys, deletions, merged ranges, and keys
  // that are only in the log.
  void Fill(const char* policy) {
    OpenedDatabase db = Open(policy);
    for (size_t family = 0; family < 2; ++family) {
      WriteTable(db, family, 0, kKeys, "a");
      CompactTo(db, family, 3);
      WriteTable(db, family, 1000, 3000, "b");
      CompactTo(db, family, 1);
      ASSERT_TRUE(db.db
                      ->DeleteRange({}, db.handles[family], Begin(kKeys, 100),
                                    End(kKeys, 100))
                      .ok());
      WriteTable(db, family, 2000, 4000, "c");
      const rocksdb::Snapshot* snapshot = db.db->GetSnapshot();
      WriteTable(db, family, 2000, 2100, "d", false);
      WriteTable(db, family, 2000, 2100, "e");
      db.db->ReleaseSnapshot(snapshot);
      WriteTable(db, family, 0, 200, "only in the log", false);
    }
    digest_ = Digest(db, ScanOptions());
  }
  // Of a range behind all keys, in the comparator's order.
  std::string Begin(int key, int length) const {
    return std::min(KeyAt(key), KeyAt(key + length), Less());
  }
  std::string End(int key, int length) const {
    return std::max(KeyAt(key), KeyAt(key + length), Less());
  }
  std::function<bool(const std::string&, const std::string&)> Less() const {
    return [this](const std::string& a, const std::string& b) {
      return options_.comparator->Compare(a, b) < 0;
    };
  }

  // A second run finds nothing to do, and the OPTIONS stay.
  void Refilter(const std::string& policy) {
    const auto options = [&] {
      return ReadWholeFile(FileOf(path_, "OPTIONS-"));
    };
    const std::string before = options();
    const Finished program =
        RunOneline("refilter " + path_ + " --yes --jobs=2 --filter_policy='" +
                   policy + "'");
    ASSERT_EQ(program.exit_code, 0) << program.out << program.err;
    const Finished again =
        RunOneline("refilter " + path_ + " --filter_policy='" + policy + "'");
    EXPECT_TRUE(Contains(again.out, ": 0 tables to rewrite")) << again.out;
    EXPECT_EQ(options(), before);
  }

  // The kinds of the filters of all tables, each once.
  std::set<std::string> Kinds() const {
    std::set<std::string> kinds;
    for (const auto& entry : std::filesystem::directory_iterator(path_)) {
      if (entry.path().extension() != ".sst") continue;
      const std::vector<std::string> blocks = BlocksOf(entry.path().string());
      const auto facts = DecodeFilter(blocks.empty() ? "" : blocks[0]);
      kinds.insert(blocks.empty() ? "none" : NameOf(facts->kind));
    }
    return kinds;
  }

  // After a run: RocksDB is content, the keys are the same, and the filters are
  // used if they are there.
  void Check(const char* policy) {
    const Finished verify = RunOneline("verify " + path_);
    EXPECT_EQ(verify.exit_code, 0) << verify.out << verify.err;
    OpenedDatabase db = Open(policy);
    ASSERT_FALSE(HasFailure());
    EXPECT_EQ(Digest(db, ScanOptions()), digest_);
    const rocksdb::Status checksums = db.db->VerifyChecksum();
    EXPECT_TRUE(checksums.ok()) << checksums.ToString();
    if (options_.file_checksum_gen_factory != nullptr) {
      EXPECT_TRUE(db.db->VerifyFileChecksums({}).ok());
    }
    for (size_t family = 0; family < 2; ++family) {
      const uint64_t useful = UsefulAnswers(db, family, kKeys);
      if (GetParam().whole_keys) {
        EXPECT_GT(useful, uint64_t{kKeys * 9 / 20});
      }
      if (options_.prefix_extractor != nullptr) ExpectSeeks(db, family);
    }
  }

  // Seeks that filters may answer find what seeks in total order find, in both
  // directions and from both sides of each key, as far as the prefix is that
  // of the key that is sought.
  void ExpectSeeks(const OpenedDatabase& db, size_t family) {
    const auto iterator = [&](bool total_order) {
      rocksdb::ReadOptions read;
      read.total_order_seek = total_order;
      return std::unique_ptr<rocksdb::Iterator>(
          db.db->NewIterator(read, db.handles[family]));
    };
    const auto filtered = iterator(false), total = iterator(true);
    const auto expect_same = [&](const std::string& target) {
      if (!total->Valid()) return;
      const auto prefix = [&](const rocksdb::Slice& key) {
        return options_.prefix_extractor->Transform(key).ToString();
      };
      if (prefix(total->key()) != prefix(target)) return;
      ASSERT_TRUE(filtered->Valid()) << target;
      EXPECT_EQ(filtered->key().ToString(), total->key().ToString()) << target;
    };
    for (int i = 0; i < kKeys && !HasFailure(); i += 2) {
      for (const std::string& target :
           {KeyAt(i).substr(0, kPrefixBytes), KeyAt(i), KeyAt(i) + "~"}) {
        filtered->Seek(target);
        total->Seek(target);
        expect_same(target);
        filtered->SeekForPrev(target);
        total->SeekForPrev(target);
        expect_same(target);
      }
    }
    EXPECT_TRUE(filtered->status().ok() && total->status().ok());
  }

  const TemporaryDirectory directory_;
  const std::string path_;
  Options options_;
  BlockBasedTableOptions table_;
  uint64_t digest_ = 0;
};

INSTANTIATE_TEST_SUITE_P(All, RefilterRoundTripTest,
                         testing::ValuesIn(Shapes()), [](const auto& test) {
                           return std::string(test.param.name);
                         });

TEST_P(RefilterRoundTripTest, ThereAndBack) {
  Fill("bloomfilter:10:false");
  std::vector<std::pair<const char*, const char*>> ways = {
      {"oneline:10", "ribbon"},
      {"{id=oneline;kind=bloom;fp_rate=0.01}", "bloom"},
      {"nullptr", "none"},
      {"ribbonfilter:10", "RocksDB Ribbon"},
      {"bloomfilter:10:false", "RocksDB Bloom"}};
  if (kSanitized) ways = {ways.front(), ways.back()};
  for (const auto& [policy, kind] : ways) {
    SCOPED_TRACE(policy);
    Refilter(policy);
    if (HasFatalFailure()) return;
    std::set<std::string> kinds = Kinds();
    const bool is_old =
        kind == std::string("RocksDB Bloom") && table_.format_version < 5;
    // RocksDB writes small Ribbon filters as Bloom, such as partitions here.
    if (kind != std::string("RocksDB Ribbon") || !table_.partition_filters) {
      EXPECT_EQ(kinds.count(is_old ? "RocksDB old Bloom" : kind), 1u);
    }
    kinds.erase("RocksDB Bloom");
    if (table_.format_version < 5) kinds.erase("RocksDB old Bloom");
    kinds.erase(kind);
    EXPECT_TRUE(kinds.empty()) << *kinds.begin();
    // A copy, since opening the database flushes its log.
    const std::string copy = directory_.File("copy");
    std::filesystem::copy(path_, copy);
    OpenedDatabase db = OpenParanoid(copy, options_, With(policy));
    if (HasFailure()) return;
    EXPECT_EQ(Digest(db, ScanOptions()), digest_);
    db.Close();
    std::filesystem::remove_all(copy);
    const Finished verify = RunOneline("verify " + path_);
    EXPECT_EQ(verify.exit_code, 0) << verify.out << verify.err;
    if (HasFailure()) return;
  }
  Refilter("oneline:10");
  Check("oneline:10");
}

}  // namespace
}  // namespace oneline
