#include "filter_policy/rocksdb/rocksdb_cache_charge.h"

#include <rocksdb/slice.h>
#include <rocksdb/status.h>

#include <cstdint>
#include <type_traits>

#include "filter_policy/rocksdb/rocksdb_version.h"

namespace oneline {
namespace {

using rocksdb::Cache;
using rocksdb::Slice;
using rocksdb::Status;

// Inserts an entry without a value. Caches had another interface before 8.0,
// where entries did not name their role.
#if ONELINE_HAS_CACHE_USAGE
template <typename AnyCache>
Status InsertUnit(const Slice& key, AnyCache* cache,
                  typename AnyCache::Handle** handle) {
  using Helper = typename AnyCache::CacheItemHelper;
  using rocksdb::CacheEntryRole;
  if constexpr (std::is_constructible_v<Helper, CacheEntryRole>) {
    static const Helper helper(CacheEntryRole::kFilterConstruction);
    return cache->Insert(key, nullptr, &helper, CacheCharge::kUnitBytes,
                         handle);
  } else {
    const typename AnyCache::DeleterFn delete_nothing = [](const Slice&,
                                                           void*) {};
    return cache->Insert(key, nullptr, CacheCharge::kUnitBytes, delete_nothing,
                         handle);
  }
}
#else
Status InsertUnit(const Slice&, Cache*, Cache::Handle**) {
  return Status::NotSupported();
}
#endif

}  // namespace

std::shared_ptr<Cache> CacheChargedForBuilds(
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

bool CacheCharge::AddUnit() {
  // RocksDB numbers its own entries of this kind in the same way: no block has
  // such a key, and the cache gives each number once.
  const uint64_t key[2] = {0, cache_->NewId() + 1};
  Cache::Handle* handle = nullptr;
  const Status status =
      InsertUnit(Slice(reinterpret_cast<const char*>(key), sizeof(key)),
                 cache_.get(), &handle);
  if (!status.ok()) return false;
  units_.push_back(handle);
  return true;
}

bool CacheCharge::Set(size_t bytes) {
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

}  // namespace oneline
