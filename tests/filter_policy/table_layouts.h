// The ways in which RocksDB can store and load filters, for tests that must
// pass with each of them.

#ifndef ONELINE_TESTS_FILTER_POLICY_TABLE_LAYOUTS_H_
#define ONELINE_TESTS_FILTER_POLICY_TABLE_LAYOUTS_H_

#include <gtest/gtest.h>
#include <rocksdb/cache.h>
#include <rocksdb/convenience.h>
#include <rocksdb/options.h>
#include <rocksdb/slice_transform.h>
#include <rocksdb/table.h>

#include <initializer_list>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "tests/filter_policy/scratch_database.h"

namespace oneline {

struct TableLayout {
  const char* name;
  bool partitioned = false;  // many small filters and an index over them
  bool cached = false;       // filters in the block cache, not held by tables
  bool pinned = false;       // in the block cache, and not to be evicted
  bool evicted = false;      // the cache holds almost nothing; a secondary,
                             // compressed cache takes what it evicts
  bool prefixes = false;     // prefixes are in the filter
  bool whole_keys = true;    // whole keys are in the filter
  bool mmap = false;         // filters are read from a mapped file
  bool verified = false;     // detect_filter_construct_corruption
  bool parallel = false;     // another thread adds the keys to the filter
  bool bloom = false;        // our filters are Bloom, not Ribbon
};

inline std::ostream& operator<<(std::ostream& out, const TableLayout& layout) {
  return out << layout.name;
}

inline constexpr TableLayout MakeLayout(
    const char* name, std::initializer_list<bool TableLayout::*> set,
    bool whole_keys = true) {
  TableLayout layout = {name};
  for (bool TableLayout::*member : set) layout.*member = true;
  layout.whole_keys = whole_keys;
  return layout;
}

inline constexpr TableLayout kTableLayouts[] = {
    MakeLayout("Full", {}),
    MakeLayout("FullCached", {&TableLayout::cached}),
    MakeLayout("FullMmap", {&TableLayout::mmap}),
    MakeLayout("FullEvicted", {&TableLayout::cached, &TableLayout::evicted}),
    MakeLayout("FullVerified", {&TableLayout::verified}),
    MakeLayout("FullParallel",
               {&TableLayout::parallel, &TableLayout::verified}),
    MakeLayout("FullKeysAndPrefixes", {&TableLayout::prefixes}),
    MakeLayout("FullPrefixes", {&TableLayout::prefixes}, false),
    MakeLayout("Partitioned", {&TableLayout::partitioned}),
    MakeLayout("PartitionedPinned",
               {&TableLayout::partitioned, &TableLayout::cached,
                &TableLayout::pinned}),
    MakeLayout("PartitionedEvicted",
               {&TableLayout::partitioned, &TableLayout::cached,
                &TableLayout::evicted}),
    MakeLayout("PartitionedMmap",
               {&TableLayout::partitioned, &TableLayout::mmap}),
    MakeLayout("PartitionedVerifiedParallel",
               {&TableLayout::partitioned, &TableLayout::verified,
                &TableLayout::parallel}),
    MakeLayout("PartitionedKeysAndPrefixes",
               {&TableLayout::partitioned, &TableLayout::prefixes}),
    MakeLayout("PartitionedPrefixes",
               {&TableLayout::partitioned, &TableLayout::prefixes}, false),
    MakeLayout("FullBloom", {&TableLayout::bloom}),
    MakeLayout("FullBloomKeysAndPrefixes",
               {&TableLayout::bloom, &TableLayout::prefixes}),
    MakeLayout("PartitionedBloomVerifiedParallel",
               {&TableLayout::bloom, &TableLayout::partitioned,
                &TableLayout::verified, &TableLayout::parallel}),
};

// Our policy, with the kind of filter that the layout has.
inline PolicyPtr PolicyFor(const TableLayout& layout,
                           double bits_per_key = 10) {
  return OurPolicy(bits_per_key, layout.bloom ? Kind::kBloom : Kind::kRibbon);
}

// The layouts that make different files. The others only change how RocksDB
// holds filters in memory, or whether it checks them before it writes them.
inline std::vector<TableLayout> LayoutsOnDisk() {
  std::vector<TableLayout> layouts;
  for (const TableLayout& layout : kTableLayouts) {
    const bool only_checked = layout.verified && !layout.parallel;
    if (layout.cached || layout.mmap || only_checked) continue;
    layouts.push_back(layout);
  }
  return layouts;
}

// For INSTANTIATE_TEST_SUITE_P.
inline std::string LayoutName(const testing::TestParamInfo<TableLayout>& test) {
  return test.param.name;
}

// LZ4, or nothing if RocksDB was built without it.
inline rocksdb::CompressionType Compression() {
  for (rocksdb::CompressionType type : rocksdb::GetSupportedCompressions()) {
    if (type == rocksdb::kLZ4Compression) return type;
  }
  return rocksdb::kNoCompression;
}

// Options for a table of this layout.
inline rocksdb::Options OptionsFor(const TableLayout& layout,
                                   const PolicyPtr& policy) {
  rocksdb::BlockBasedTableOptions table;
  table.block_size = 512;  // many blocks, so also many partitions
  if (layout.partitioned) {
    table.index_type = rocksdb::BlockBasedTableOptions::kTwoLevelIndexSearch;
    table.partition_filters = true;
    table.metadata_block_size = 512;
  }
  table.cache_index_and_filter_blocks = layout.cached;
  if (layout.pinned) {
    table.pin_l0_filter_and_index_blocks_in_cache = true;
    table.pin_top_level_index_and_filter = true;
    table.metadata_cache_options.partition_pinning = rocksdb::PinningTier::kAll;
    table.metadata_cache_options.unpartitioned_pinning =
        rocksdb::PinningTier::kAll;
  }
  if (layout.evicted) {
    rocksdb::LRUCacheOptions cache(8 << 10, 0, true, 0.0);
    cache.strict_capacity_limit = false;
    rocksdb::CompressedSecondaryCacheOptions secondary;
    secondary.capacity = 64 << 20;
    secondary.compression_type = Compression();
    cache.secondary_cache = rocksdb::NewCompressedSecondaryCache(secondary);
    table.block_cache = rocksdb::NewLRUCache(cache);
  }
  table.whole_key_filtering = layout.whole_keys;
  table.detect_filter_construct_corruption = layout.verified;
  rocksdb::Options options = OptionsWith(policy, table);
  if (layout.prefixes) {
    options.prefix_extractor.reset(
        rocksdb::NewFixedPrefixTransform(kPrefixBytes));
  }
  options.allow_mmap_reads = layout.mmap;
  options.compression = rocksdb::kNoCompression;
  if (layout.parallel) {
    options.compression = Compression();
    options.compression_opts.parallel_threads = 4;
  }
  return options;
}

}  // namespace oneline

#endif  // ONELINE_TESTS_FILTER_POLICY_TABLE_LAYOUTS_H_
