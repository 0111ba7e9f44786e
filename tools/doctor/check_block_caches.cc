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
#include "tools/doctor/family.h"
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
  double filter_bytes = 0;
  double cached_bytes = 0;  // of them, and of indexes, those that are cached
  std::set<std::string> families;

  std::string Families() const {
    return families.size() > 5  // there can be thousands
               ? absl::StrCat("(", families.size(), " column families)")
               : absl::StrCat(
                     "(column families: ", absl::StrJoin(families, ", "), ")");
  }
};

// By what is the same for column families that share a cache.
using Caches = std::map<std::string, CacheUse>;

CacheUse& CacheOf(const Family& family, Caches* caches) {
  const DatabaseSnapshot& snapshot = family.snapshot;
  const auto logged = snapshot.log.block_caches.find(family.name);
  if (snapshot.block_cache_bytes.has_value()) {
    CacheUse& use = (*caches)[""];
    use.capacity = snapshot.block_cache_bytes;
    return use;
  }
  if (logged == snapshot.log.block_caches.end()) return (*caches)["unknown"];
  CacheUse& use = (*caches)[logged->second.address];
  use.capacity = logged->second.capacity;
  use.shard_bits = logged->second.shard_bits;
  return use;
}

// Of the filter and the index that a lookup of this table needs whole from the
// cache, the larger. As the table has them: the options may have changed since.
double LargestBlock(const Family& family, const TableSummary& summary) {
  using rocksdb::PinningTier;
  const rocksdb::BlockBasedTableOptions& table = *family.table_options();
  // RocksDB takes a table of level 0 for one that a flush has just written if
  // it is not larger.
  const bool is_flushed =
      summary.file.level == 0 &&
      summary.file.bytes <= 1.5 * family.options.write_buffer_size;
  const PinningTier tier = table.metadata_cache_options.unpartitioned_pinning;
  const bool are_flushed_pinned =
      tier == PinningTier::kFallback
          ? table.pin_l0_filter_and_index_blocks_in_cache
          : tier == PinningTier::kFlushedAndSimilar;
  const bool is_pinned =
      tier == PinningTier::kAll || (are_flushed_pinned && is_flushed);
  if (!table.cache_index_and_filter_blocks || is_pinned) return 0;
  const bool is_index_whole = summary.index_blocks == 1;
  // How many blocks a filter of another library has is not known. Partitions of
  // it need those of the index.
  const bool is_filter_whole = summary.kind == FoundKind::kForeign
                                   ? is_index_whole
                                   : summary.blocks == 1;
  return std::max(is_filter_whole ? summary.filter_bytes : 0,
                  is_index_whole ? summary.index_bytes : 0);
}

void AddUse(const Family& family, Caches* caches) {
  double filters = 0, indexes = 0;
  for (const TableSummary& table : family.tables) {
    filters += table.filter_bytes;
    indexes += table.index_bytes;
  }
  if (filters == 0 || !family.wants_filters()) return;
  CacheUse& use = CacheOf(family, caches);
  use.families.insert(family.name);
  use.filter_bytes += filters;
  for (const TableSummary& table : family.tables) {
    use.blocks.emplace_back(LargestBlock(family, table), table.file.path);
  }
  const rocksdb::BlockBasedTableOptions& table = *family.table_options();
  if (table.cache_index_and_filter_blocks) {
    use.cached_bytes += filters + indexes;
  } else if (table.partition_filters) {
    use.cached_bytes += filters;  // RocksDB always reads them through the cache
  }
}

Findings Check(const CacheUse& use, bool has_log) {
  if (!use.capacity.has_value()) {
    if (!has_log) return {};  // CheckLog says it
    return {Found(kNote, "",
                  absl::StrCat("The LOG does not say how large the block cache "
                               "is. Give its size with --block_cache to "
                               "compare it with the ",
                               BytesText(use.filter_bytes), " of filters."))};
  }
  if (use.cached_bytes > *use.capacity) {
    return {Found(kFiltersExceedCache, "", BytesText(use.cached_bytes),
                  BytesText(*use.capacity), use.Families())};
  }
  if (!use.shard_bits.has_value()) return {};
  // A shard frees a block of more than its own size as soon as nobody reads it.
  const double shards = std::exp2(*use.shard_bits);
  const double shard = *use.capacity / shards;
  const auto exceeds = [&](const auto& block) { return block.first > shard; };
  const auto tables =
      std::count_if(use.blocks.begin(), use.blocks.end(), exceeds);
  if (tables == 0) return {};
  const auto& [bytes, path] =
      *std::max_element(use.blocks.begin(), use.blocks.end());
  return {Found(kExceedsShard, "", Tables(static_cast<uint64_t>(tables)),
                BytesText(bytes), path, use.Families(), BytesText(shard),
                BytesText(*use.capacity), shards)};
}

}  // namespace

Findings CheckBlockCaches(const Families& families) {
  Caches caches;
  for (const Family& family : families) AddUse(family, &caches);
  const bool has_log = families.front().snapshot.log.status.ok();
  Findings all;
  for (const auto& [name, use] : caches) Append(Check(use, has_log), &all);
  return all;
}

}  // namespace oneline
