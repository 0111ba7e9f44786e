// Where the memory of filters is, for all column families together, as they may
// share a cache.

#include "tools/doctor/doctor_memory.h"

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

class MemoryDoctor {
 public:
  MemoryDoctor(const Patient& patient, Diagnosis* diagnosis)
      : patient_(patient), diagnosis_(diagnosis) {}

  void Look() {
    for (const ColumnFamilySummary& family :
         patient_.database.column_families) {
      Count(family);
    }
    for (const auto& [name, cache] : caches_) Judge(cache);
  }

 private:
  struct Share {
    std::optional<double> capacity;
    double inside = 0;   // filters and indexes
    double outside = 0;  // filters
    uint64_t tables_outside = 0;
    std::set<std::string> families;
  };

  // The cache of a column family, under a name that those who share it share.
  Share& CacheOf(const ColumnFamilySummary& family) {
    if (patient_.block_cache_bytes.has_value()) {
      Share& share = caches_[""];
      share.capacity = patient_.block_cache_bytes;
      return share;
    }
    const auto found = patient_.log.block_caches.find(family.name);
    if (found == patient_.log.block_caches.end()) {
      return caches_[absl::StrCat("of ", family.name)];
    }
    Share& share = caches_[found->second.address];
    share.capacity = static_cast<double>(found->second.capacity);
    return share;
  }

  void Count(const ColumnFamilySummary& family) {
    const rocksdb::BlockBasedTableOptions* const table = family.table_options();
    if (table == nullptr) return;
    double filters = 0, indexes = 0;
    for (const TableSummary& one : family.tables) {
      filters += static_cast<double>(one.filter_bytes);
      indexes += static_cast<double>(one.index_bytes);
    }
    const bool used =
        PolicyInOptions(
            patient_.options.Get(kTableSection, family.name, "filter_policy")
                .value_or("nullptr"))
            .wanted();
    if (!used || filters == 0) return;
    Share& share = CacheOf(family);
    share.families.insert(family.name);
    // Partitions are always read through the cache.
    if (table->cache_index_and_filter_blocks || table->partition_filters) {
      share.inside +=
          filters + (table->cache_index_and_filter_blocks ? indexes : 0);
    } else {
      share.outside += filters;
      share.tables_outside += family.tables.size();
    }
  }

  std::string Families(const Share& share) const {
    return absl::StrCat(
        "(column families: ", absl::StrJoin(share.families, ", "), ")");
  }

  void Add(const std::string& kind, const std::string& what,
           const std::string& remedy) {
    diagnosis_->findings.push_back({kind, "", what, remedy, {}, {}});
    diagnosis_->findings.back().commands = {
        absl::StrCat("oneline advise ", ShellWord(patient_.database.path))};
  }

  void Judge(const Share& share) {
    if (share.families.empty()) return;
    if (!share.capacity.has_value()) {
      diagnosis_->notes.push_back(absl::StrCat(
          "How large the block cache is can't be found in the LOG ",
          Families(share), "; say --block_cache to have it compared with the ",
          BytesText(share.inside + share.outside), " of filters."));
      return;
    }
    if (share.inside > *share.capacity) {
      Add("filters-exceed-cache",
          absl::StrCat("Filters and indexes take ", BytesText(share.inside),
                       " and the block cache has ", BytesText(*share.capacity),
                       " ", Families(share),
                       ": they drive each other and all data out of it, and "
                       "are read again and again."),
          "Give the block cache more, or the filters fewer bits; `oneline "
          "advise` says which.");
    }
    const double open = OpenShare(share);
    if (open * share.outside > *share.capacity) {
      Add("filters-outside-cache",
          absl::StrCat(BytesText(open * share.outside), " of filters ",
                       Families(share),
                       " are held outside the block cache, more than "
                       "the ",
                       BytesText(*share.capacity),
                       " that it has: no budget limits them "
                       "(cache_index_and_filter_blocks=false, max_open_files=",
                       patient_.db_options.max_open_files, ")."),
          "If memory matters, set cache_index_and_filter_blocks=true with a "
          "block cache that holds them, or a lower max_open_files, or fewer "
          "bits per key; `oneline advise` says which.");
    }
  }

  // The part of the tables that may be open at once. RocksDB keeps ten of
  // max_open_files for other files.
  double OpenShare(const Share& share) const {
    const int most = patient_.db_options.max_open_files;
    if (most < 0 || share.tables_outside == 0) return 1;
    return std::min(1.0, std::max(most - 10, 0) /
                             static_cast<double>(share.tables_outside));
  }

  const Patient& patient_;
  Diagnosis* const diagnosis_;
  std::map<std::string, Share> caches_;
};

}  // namespace

void LookAtMemory(const Patient& patient, Diagnosis* diagnosis) {
  MemoryDoctor(patient, diagnosis).Look();
}

}  // namespace oneline
