// Can the block caches of a database hold its filters?

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "tools/doctor/diagnosis.h"
#include "tools/text/byte_size.h"
#include "tools/text/number_text.h"

namespace oneline {
namespace {

// What the column families that share one block cache need of it.
struct CacheUse {
  std::optional<double> capacity;  // bytes; nothing if it is not known
  std::optional<int> shard_bits;
  // The filter or the index of each table, whichever is larger, if lookups
  // need it whole from the cache.
  std::vector<std::pair<double, std::string>> blocks;  // bytes, and its path
  double cached_bytes = 0;    // filters, and indexes that are cached
  double uncached_bytes = 0;  // filters that open tables hold themselves
  uint64_t uncached_tables = 0;
  std::set<std::string> families;
};

// By what is the same for column families that share a cache.
using Caches = std::map<std::string, CacheUse>;

CacheUse& CacheOf(const ColumnFamilySummary& family,
                  const DatabaseSnapshot& snapshot, Caches* caches) {
  if (snapshot.block_cache_bytes.has_value()) {
    CacheUse& use = (*caches)[""];
    use.capacity = snapshot.block_cache_bytes;
    return use;
  }
  const auto found = snapshot.log.block_caches.find(family.name);
  if (found == snapshot.log.block_caches.end()) {
    return (*caches)["unknown"];
  }
  CacheUse& use = (*caches)[found->second.address];
  use.capacity = static_cast<double>(found->second.capacity);
  if (found->second.shard_bits >= 0) use.shard_bits = found->second.shard_bits;
  return use;
}

// RocksDB takes a table of level 0 for one that a flush has just written if it
// is not larger.
bool IsFlushed(const ColumnFamilySummary& family, const TableSummary& summary) {
  const double most =
      1.5 * static_cast<double>(family.options.write_buffer_size);
  return summary.file.level == 0 &&
         static_cast<double>(summary.file.bytes) <= most;
}

// Of the filter and the index that a lookup of this table needs whole from the
// cache, the larger. As the table has them: the options may have changed since.
double LargestBlock(const ColumnFamilySummary& family,
                    const TableSummary& summary) {
  using rocksdb::PinningTier;
  const rocksdb::BlockBasedTableOptions& table = *family.table_options();
  const PinningTier tier = table.metadata_cache_options.unpartitioned_pinning;
  const bool are_flushed_pinned =
      tier == PinningTier::kFallback
          ? table.pin_l0_filter_and_index_blocks_in_cache
          : tier == PinningTier::kFlushedAndSimilar;
  const bool is_pinned = tier == PinningTier::kAll ||
                         (are_flushed_pinned && IsFlushed(family, summary));
  if (!table.cache_index_and_filter_blocks || is_pinned) return 0;
  const bool is_index_whole = summary.index_blocks == 1;
  // How many blocks a filter of another library has is not known. Partitions of
  // it need those of the index.
  const bool is_filter_whole = summary.kind == FoundKind::kForeign
                                   ? is_index_whole
                                   : summary.blocks == 1;
  return static_cast<double>(
      std::max(is_filter_whole ? summary.filter_bytes : 0,
               is_index_whole ? summary.index_bytes : 0));
}

void AddUse(const ColumnFamilySummary& family, const DatabaseSnapshot& snapshot,
            Caches* caches) {
  double filters = 0, indexes = 0;
  for (const TableSummary& table : family.tables) {
    filters += static_cast<double>(table.filter_bytes);
    indexes += static_cast<double>(table.index_bytes);
  }
  if (filters == 0 || !snapshot.HasUsableFilters(family)) return;
  CacheUse& use = CacheOf(family, snapshot, caches);
  use.families.insert(family.name);
  // RocksDB always reads partitions through the cache.
  const rocksdb::BlockBasedTableOptions& table = *family.table_options();
  for (const TableSummary& summary : family.tables) {
    use.blocks.emplace_back(LargestBlock(family, summary), summary.file.path);
  }
  if (table.cache_index_and_filter_blocks || table.partition_filters) {
    use.cached_bytes +=
        filters + (table.cache_index_and_filter_blocks ? indexes : 0);
  } else {
    use.uncached_bytes += filters;
    use.uncached_tables += family.tables.size();
  }
}

// The share of the tables that may be open at once. RocksDB reserves ten of
// max_open_files for other files.
double OpenShare(const CacheUse& use, int max_files) {
  if (max_files < 0 || use.uncached_tables == 0) return 1;
  return std::min(1.0, std::max(max_files - 10, 0) /
                           static_cast<double>(use.uncached_tables));
}

// A shard frees a block of more than its own size as soon as nobody reads it.
void CheckShards(const CacheUse& use, const std::string& families,
                 Diagnosis* diagnosis) {
  if (!use.shard_bits.has_value()) return;
  const double shards = std::exp2(*use.shard_bits);
  const double shard = *use.capacity / shards;
  const auto& [bytes, path] =
      *std::max_element(use.blocks.begin(), use.blocks.end());
  if (bytes <= shard) return;
  const auto tables =
      std::count_if(use.blocks.begin(), use.blocks.end(),
                    [shard](const auto& block) { return block.first > shard; });
  diagnosis->Add(
      "exceeds-shard", "",
      absl::StrCat("In ", Tables(static_cast<uint64_t>(tables)),
                   " the filter or the index has up to ", BytesText(bytes),
                   " (", path, "), but a shard of the block cache ", families,
                   " keeps no more than ", BytesText(shard), ": the cache has ",
                   BytesText(*use.capacity), " in ", shards,
                   " shards. Each lookup in such a table reads the "
                   "block anew."),
      "Give the block cache fewer shards (num_shard_bits), or make it larger; "
      "or set partition_filters=true with index_type=kTwoLevelIndexSearch, and "
      "rewrite the tables.");
}

void Check(const CacheUse& use, const DatabaseSnapshot& snapshot,
           Diagnosis* diagnosis) {
  if (!use.capacity.has_value()) {
    diagnosis->notes.push_back(absl::StrCat(
        "The LOG does not say how large the block cache is. Give its size with "
        "--block_cache to compare it with the ",
        BytesText(use.cached_bytes + use.uncached_bytes), " of filters."));
    return;
  }
  const size_t count = use.families.size();  // can be thousands
  const std::string families =
      count > 5
          ? absl::StrCat("(", count, " column families)")
          : absl::StrCat(
                "(column families: ", absl::StrJoin(use.families, ", "), ")");
  if (use.cached_bytes > *use.capacity) {
    diagnosis->Add(
        "filters-exceed-cache", "",
        absl::StrCat("Filters and indexes take ", BytesText(use.cached_bytes),
                     ", more than the ", BytesText(*use.capacity),
                     " of the block cache ", families,
                     ". They evict each other and all data blocks, so lookups "
                     "read them from disk again and again."),
        absl::StrCat("Make the block cache larger, or give the filters fewer "
                     "bits per key; ",
                     kSizeSaysHowMany));
  } else {
    CheckShards(use, families, diagnosis);
  }
  const int max_files = snapshot.database.db_options.max_open_files;
  const double open_bytes = OpenShare(use, max_files) * use.uncached_bytes;
  if (open_bytes > *use.capacity) {
    diagnosis->Add(
        "filters-outside-cache", "",
        absl::StrCat("Open tables hold ", BytesText(open_bytes),
                     " of filters outside the block cache ", families,
                     ", more than its own ", BytesText(*use.capacity),
                     ". That does not slow reads down, but nothing limits this "
                     "memory (cache_index_and_filter_blocks=false, "
                     "max_open_files=",
                     max_files, ")."),
        absl::StrCat("If memory matters, set "
                     "cache_index_and_filter_blocks=true with a block cache "
                     "that holds the filters, lower max_open_files, or give "
                     "the filters fewer bits per key; ",
                     kSizeSaysHowMany));
  }
}

}  // namespace

void CheckBlockCaches(const DatabaseSnapshot& snapshot, Diagnosis* diagnosis) {
  Caches caches;
  for (const ColumnFamilySummary& family : snapshot.database.column_families) {
    AddUse(family, snapshot, &caches);
  }
  for (const auto& [name, use] : caches) Check(use, snapshot, diagnosis);
}

}  // namespace oneline
