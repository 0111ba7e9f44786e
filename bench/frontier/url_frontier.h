// A crawler's frontier in RocksDB: the keys, the options and the order of calls
// of the store of URLFrontier 2.6 (crawler-commons, RocksDBService), which uses
// RocksJava 9.7.3. What differs: one thread, so no locks; the crawler chooses
// the queues; and nothing is parsed.

#ifndef ONELINE_BENCH_FRONTIER_URL_FRONTIER_H_
#define ONELINE_BENCH_FRONTIER_URL_FRONTIER_H_

#include <rocksdb/db.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/statistics.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace oneline {

// A URL begins with https:// and a host, which has a queue. Times are seconds.
// Errors end the program with a message. Not thread-safe.
class UrlFrontier {
 public:
  // With `cache_bytes`, filters and indexes are in a block cache of this size,
  // in 2^cache_shard_bits shards (-1: RocksDB decides); with 0 in memory,
  // beside the block cache of 8 MB that RocksJava makes. `memtable_bytes` is
  // URLFrontier's memtable_memory_budget.
  UrlFrontier(const std::string& path,
              std::shared_ptr<const rocksdb::FilterPolicy> filter_policy,
              size_t cache_bytes, int cache_shard_bits, size_t memtable_bytes);
  ~UrlFrontier();
  UrlFrontier(const UrlFrontier&) = delete;
  UrlFrontier& operator=(const UrlFrontier&) = delete;

  // Adds the links of a page that are not known, and returns their number.
  size_t PutDiscovered(const std::vector<std::string>& links, uint64_t now);

  // The first of the host's queue that may be fetched now; empty if none may.
  std::string Next(const std::string& host, uint64_t now);

  // Puts a fetched URL back into its queue. REQUIRES: it is known.
  void PutFetched(const std::string& url, uint64_t fetch_again);

  uint64_t Count(rocksdb::Tickers ticker) const;
  struct Sizes {
    uint64_t filters = 0, indexes = 0, largest_index = 0;  // bytes
  };
  // Of all tables. An error if one has no filter, or one of another policy.
  Sizes SizesOfTables();

 private:
  enum Family { kKnown, kQueues, kQueueInfos, kCreationDates };

  rocksdb::Options options_;
  const std::string policy_;
  std::vector<rocksdb::ColumnFamilyHandle*> families_;
  std::unique_ptr<rocksdb::DB> db_;
};

}  // namespace oneline

#endif  // ONELINE_BENCH_FRONTIER_URL_FRONTIER_H_
