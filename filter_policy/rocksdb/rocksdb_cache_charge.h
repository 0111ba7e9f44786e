// Memory that is charged to a block cache: the cache holds entries that stand
// for it, and so has the less room for blocks. RocksDB does the same for its
// own filters, with classes that are in none of its public headers.

#ifndef ONELINE_FILTER_POLICY_ROCKSDB_ROCKSDB_CACHE_CHARGE_H_
#define ONELINE_FILTER_POLICY_ROCKSDB_ROCKSDB_CACHE_CHARGE_H_

#include <rocksdb/cache.h>
#include <rocksdb/slice.h>
#include <rocksdb/status.h>
#include <rocksdb/table.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "filter_policy/rocksdb/rocksdb_version.h"

// Since 8.0 cache.h only names the class Cache.
#if __has_include(<rocksdb/advanced_cache.h>)
#include <rocksdb/advanced_cache.h>
#endif

namespace oneline {

// The cache to which these options charge the memory of building filters
// (cache_usage_options for CacheEntryRole::kFilterConstruction); null, the
// default, if they don't. Before 7.3 another option did it, and null is
// returned.
inline std::shared_ptr<rocksdb::Cache> CacheChargedForBuilds(
    const rocksdb::BlockBasedTableOptions& options) {
#if ONELINE_HAS_CACHE_USAGE
  using Decision = rocksdb::CacheEntryRoleOptions::Decision;
  Decision decision = options.cache_usage_options.options.charged;
  const auto& overrides = options.cache_usage_options.options_overrides;
  const auto found =
      overrides.find(rocksdb::CacheEntryRole::kFilterConstruction);
  if (found != overrides.end() &&
      found->second.charged != Decision::kFallback) {
    decision = found->second.charged;
  }
  if (decision == Decision::kEnabled && !options.no_block_cache) {
    return options.block_cache;
  }
#else
  (void)options;
#endif
  return nullptr;
}

// Not thread-safe; the cache is.
class CacheCharge {
 public:
  // As in RocksDB, so that a charge costs little beside what it stands for.
  static constexpr size_t kUnitBytes = 256 << 10;

  // Charges nothing if the cache is null.
  explicit CacheCharge(std::shared_ptr<rocksdb::Cache> cache)
      : cache_(std::move(cache)) {}
  // Gives everything back.
  ~CacheCharge() { Set(0); }
  CacheCharge(const CacheCharge&) = delete;
  CacheCharge& operator=(const CacheCharge&) = delete;

  bool is_on() const { return cache_ != nullptr; }

  // Charges this many bytes, rounded up to units, in place of what is charged.
  // False if the cache has a strict capacity limit and no room: as much is
  // charged as there is room for.
  bool Set(size_t bytes) {
    if (cache_ == nullptr) return true;
    const size_t units = bytes / kUnitBytes + (bytes % kUnitBytes != 0);
    while (units_.size() > units) {
      cache_->Release(units_.back(), /*erase_if_last_ref=*/true);
      units_.pop_back();
    }
    // A unit that could not be kept would stay in the cache for ever.
    units_.reserve(units);
    while (units_.size() < units) {
      if (!AddUnit()) return false;
    }
    return true;
  }

 private:
  // Inserts an entry without a value. Caches had another interface before 8.0,
  // where entries did not name their role.
#if ONELINE_HAS_CACHE_USAGE
  template <typename AnyCache>
  static rocksdb::Status InsertUnit(const rocksdb::Slice& key, AnyCache* cache,
                                    typename AnyCache::Handle** handle) {
    using Helper = typename AnyCache::CacheItemHelper;
    using rocksdb::CacheEntryRole;
    if constexpr (std::is_constructible_v<Helper, CacheEntryRole>) {
      static const Helper helper(CacheEntryRole::kFilterConstruction);
      return cache->Insert(key, nullptr, &helper, kUnitBytes, handle);
    } else {
      const typename AnyCache::DeleterFn delete_nothing =
          [](const rocksdb::Slice&, void*) {};
      return cache->Insert(key, nullptr, kUnitBytes, delete_nothing, handle);
    }
  }
#else
  static rocksdb::Status InsertUnit(const rocksdb::Slice&, rocksdb::Cache*,
                                    rocksdb::Cache::Handle**) {
    return rocksdb::Status::NotSupported();
  }
#endif

  bool AddUnit() {
    // RocksDB numbers its own entries of this kind in the same way: no block
    // has such a key, and the cache gives each number once.
    const uint64_t key[2] = {0, cache_->NewId() + 1};
    rocksdb::Cache::Handle* handle = nullptr;
    const rocksdb::Status status = InsertUnit(
        rocksdb::Slice(reinterpret_cast<const char*>(key), sizeof(key)),
        cache_.get(), &handle);
    if (!status.ok()) return false;
    units_.push_back(handle);
    return true;
  }

  const std::shared_ptr<rocksdb::Cache> cache_;
  std::vector<rocksdb::Cache::Handle*> units_;
};

}  // namespace oneline

#endif  // ONELINE_FILTER_POLICY_ROCKSDB_ROCKSDB_CACHE_CHARGE_H_
