// The ways in which RocksDB can store and load filters, for tests that must
// pass with each of them.

#ifndef ONELINE_TESTS_FILTER_POLICY_TABLE_LAYOUTS_H_
#define ONELINE_TESTS_FILTER_POLICY_TABLE_LAYOUTS_H_

#include "tests/filter_policy/scratch_database.h"

namespace oneline {

// What its name says, as "PartitionedPrefixes".
struct TableLayout {
  constexpr TableLayout(const char* layout_name = "") : name(layout_name) {}

  constexpr bool Has(std::string_view part) const {
    return std::string_view(name).find(part) != std::string_view::npos;
  }

  const char* name;
  bool partitioned = Has("Partitioned");  // many small filters and an index
  bool pinned = Has("Pinned");  // in the block cache, and not to be evicted
  // The cache holds almost nothing; a compressed cache takes what it evicts.
  bool evicted = Has("Evicted");
  // In the block cache, not held by tables.
  bool cached = pinned || evicted || Has("Cached");
  bool prefixes = Has("Prefixes");
  bool whole_keys = !prefixes || Has("KeysAndPrefixes");
  bool mmap = Has("Mmap");          // filters are read from a mapped file
  bool parallel = Has("Parallel");  // another thread adds the keys
  // detect_filter_construct_corruption.
  bool verified = parallel || Has("Verified");
  bool bloom = Has("Bloom");  // our filters are Bloom, not Ribbon
};

inline std::ostream& operator<<(std::ostream& out, const TableLayout& layout) {
  return out << layout.name;
}

inline constexpr TableLayout kTableLayouts[] = {
    "Full",
    "FullCached",
    "FullMmap",
    "FullEvicted",
    "FullVerified",
    "FullParallel",
    "FullKeysAndPrefixes",
    "FullPrefixes",
    "Partitioned",
    "PartitionedPinned",
    "PartitionedEvicted",
    "PartitionedMmap",
    "PartitionedVerifiedParallel",
    "PartitionedKeysAndPrefixes",
    "PartitionedPrefixes",
    "FullBloom",
    "FullBloomKeysAndPrefixes",
    "PartitionedBloomVerifiedParallel"};

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
