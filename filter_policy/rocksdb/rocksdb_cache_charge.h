// Memory that is charged to a block cache: the cache holds entries that stand
// for it, and so has the less room for blocks. RocksDB does the same for its
// own filters, with classes that are in none of its public headers.

#ifndef ONELINE_FILTER_POLICY_ROCKSDB_ROCKSDB_CACHE_CHARGE_H_
#define ONELINE_FILTER_POLICY_ROCKSDB_ROCKSDB_CACHE_CHARGE_H_

#include <rocksdb/cache.h>
#include <rocksdb/table.h>

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

// Since 8.0 cache.h only names the class Cache.
#if __has_include(<rocksdb/advanced_cache.h>)
#include <rocksdb/advanced_cache.h>
#endif

namespace oneline {

// The cache to which these options charge the memory of building filters
// (cache_usage_options for CacheEntryRole::kFilterConstruction); null, the
// default, if they don't. Before 7.3 another option did it, and null is
// returned.
std::shared_ptr<rocksdb::Cache> CacheChargedForBuilds(
    const rocksdb::BlockBasedTableOptions& options);

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
  bool Set(size_t bytes);

 private:
  bool AddUnit();

  const std::shared_ptr<rocksdb::Cache> cache_;
  std::vector<rocksdb::Cache::Handle*> units_;
};

}  // namespace oneline

#endif  // ONELINE_FILTER_POLICY_ROCKSDB_ROCKSDB_CACHE_CHARGE_H_
