// A RocksDB database that is written and compacted as RocksDB does by itself,
// so that its levels have the bits per key that a policy gives while they grow.

#ifndef ONELINE_BENCH_DATABASES_GROWING_TREE_H_
#define ONELINE_BENCH_DATABASES_GROWING_TREE_H_

#include <rocksdb/db.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/options.h>
#include <rocksdb/statistics.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace oneline {

using Policy = std::shared_ptr<const rocksdb::FilterPolicy>;

// A different key for each number, in no order. Those of kFirstAbsent and above
// are never written.
std::string RandomKey(uint64_t index);
inline constexpr uint64_t kFirstAbsent = uint64_t{1} << 40;

// Filters, and what a lookup meets.
struct TreeFigures {
  double keys = 0, bits_per_key = 0;
  double queries = 0, false_positives = 0;  // of one lookup
};

// Errors end the program.
class GrowingTree {
 public:
  // At `path` there is nothing. Of the options, sizes are set here.
  GrowingTree(std::string path, std::function<Policy()> new_policy,
              const rocksdb::Options& options, uint64_t keys);

  // Opens it with a new policy, which knows nothing of the tree yet.
  void Open();

  // Shares of the keys, from 0 to 1: in random order, with old ones in between,
  // which are written again or deleted; all in order; in order, from a file.
  void WriteRandom(double from, double to);
  void WriteSorted();
  void Ingest(double from, double to);
  void CompactAll();

  // Returns when nothing is flushed or compacted.
  void Rest() const;

  // Lookups of absent keys.
  TreeFigures LookUp(uint64_t lookups);
  // The filters alone.
  TreeFigures OfTables() const;

 private:
  uint64_t Count(double share) const;
  std::string SortedKey(uint64_t index) const;
  void Put(const std::string& key);
  double Take(rocksdb::Tickers ticker);

  const std::string path_;
  const std::function<Policy()> new_policy_;
  rocksdb::Options options_;
  const uint64_t keys_;
  std::unique_ptr<rocksdb::DB> db_;
};

}  // namespace oneline

#endif  // ONELINE_BENCH_DATABASES_GROWING_TREE_H_
