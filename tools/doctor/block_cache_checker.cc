#include "tools/doctor/block_cache_checker.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "tools/database/configured_policy.h"
#include "tools/text/byte_size.h"
#include "tools/text/shell_words.h"

namespace oneline {
namespace {

// What the column families that share one block cache need of it.
struct CacheUse {
  std::optional<double> capacity;  // bytes; nothing if it is not known
  double cached_bytes = 0;         // filters, and indexes that are cached
  double uncached_bytes = 0;       // filters that open tables hold themselves
  uint64_t uncached_tables = 0;
  std::set<std::string> families;
};

std::string Families(const CacheUse& use) {
  return absl::StrCat("(column families: ", absl::StrJoin(use.families, ", "),
                      ")");
}

class BlockCacheChecker {
 public:
  BlockCacheChecker(const DatabaseSnapshot& snapshot, Diagnosis* diagnosis)
      : snapshot_(snapshot), diagnosis_(diagnosis) {}

  void Run() {
    for (const ColumnFamilySummary& family :
         snapshot_.database.column_families) {
      Add(family);
    }
    for (const auto& [name, use] : caches_) Check(use);
  }

 private:
  // The cache of a column family. The key in `caches_` is the same for column
  // families that share a cache.
  CacheUse& CacheOf(const ColumnFamilySummary& family) {
    if (snapshot_.block_cache_bytes.has_value()) {
      CacheUse& use = caches_[""];
      use.capacity = snapshot_.block_cache_bytes;
      return use;
    }
    const auto found = snapshot_.log.block_caches.find(family.name);
    if (found == snapshot_.log.block_caches.end()) {
      return caches_[absl::StrCat("of ", family.name)];
    }
    CacheUse& use = caches_[found->second.address];
    use.capacity = static_cast<double>(found->second.capacity);
    return use;
  }

  void Add(const ColumnFamilySummary& family) {
    const rocksdb::BlockBasedTableOptions* const table = family.table_options();
    if (table == nullptr) return;
    double filters = 0, indexes = 0;
    for (const TableSummary& one : family.tables) {
      filters += static_cast<double>(one.filter_bytes);
      indexes += static_cast<double>(one.index_bytes);
    }
    const bool used =
        PolicyInOptions(snapshot_.options.FilterPolicy(family.name)).wanted();
    if (!used || filters == 0) return;
    CacheUse& use = CacheOf(family);
    use.families.insert(family.name);
    // RocksDB always reads partitions through the cache.
    if (table->cache_index_and_filter_blocks || table->partition_filters) {
      use.cached_bytes +=
          filters + (table->cache_index_and_filter_blocks ? indexes : 0);
    } else {
      use.uncached_bytes += filters;
      use.uncached_tables += family.tables.size();
    }
  }

  void Report(const std::string& kind, const std::string& what,
              const std::string& remedy) {
    diagnosis_->findings.push_back({kind, "", what, remedy, {}, {}});
    diagnosis_->findings.back().commands = {
        absl::StrCat("oneline advise ", ShellWord(snapshot_.database.path))};
  }

  void Check(const CacheUse& use) {
    if (use.families.empty()) return;
    if (!use.capacity.has_value()) {
      diagnosis_->notes.push_back(absl::StrCat(
          "The LOG does not say how large the block cache is ", Families(use),
          ". Give its size with --block_cache to compare it with the ",
          BytesText(use.cached_bytes + use.uncached_bytes), " of filters."));
      return;
    }
    if (use.cached_bytes > *use.capacity) ReportCached(use);
    const double open_bytes = OpenShare(use) * use.uncached_bytes;
    if (open_bytes > *use.capacity) ReportUncached(use, open_bytes);
  }

  void ReportCached(const CacheUse& use) {
    Report(
        "filters-exceed-cache",
        absl::StrCat("Filters and indexes take ", BytesText(use.cached_bytes),
                     ", more than the ", BytesText(*use.capacity),
                     " of the block cache ", Families(use),
                     ". They evict each other and all data blocks, so "
                     "lookups read them from disk again and again."),
        "Make the block cache larger, or give the filters fewer bits per "
        "key; `oneline advise` says how many.");
  }

  void ReportUncached(const CacheUse& use, double open_bytes) {
    Report("filters-outside-cache",
           absl::StrCat("Open tables hold ", BytesText(open_bytes),
                        " of filters outside the block cache ", Families(use),
                        ", more than its own ", BytesText(*use.capacity),
                        ". That does not slow reads down, but nothing limits "
                        "this memory (cache_index_and_filter_blocks=false, "
                        "max_open_files=",
                        snapshot_.database.db_options.max_open_files, ")."),
           "If memory matters, set cache_index_and_filter_blocks=true with a "
           "block cache that holds the filters, lower max_open_files, or give "
           "the filters fewer bits per key; `oneline advise` says how many.");
  }

  // The share of the tables that may be open at once. RocksDB reserves ten of
  // max_open_files for other files.
  double OpenShare(const CacheUse& use) const {
    const int max_files = snapshot_.database.db_options.max_open_files;
    if (max_files < 0 || use.uncached_tables == 0) return 1;
    return std::min(1.0, std::max(max_files - 10, 0) /
                             static_cast<double>(use.uncached_tables));
  }

  const DatabaseSnapshot& snapshot_;
  Diagnosis* const diagnosis_;
  std::map<std::string, CacheUse> caches_;
};

}  // namespace

void CheckBlockCaches(const DatabaseSnapshot& snapshot, Diagnosis* diagnosis) {
  BlockCacheChecker(snapshot, diagnosis).Run();
}

}  // namespace oneline
