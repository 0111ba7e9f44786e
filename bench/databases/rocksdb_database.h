// A RocksDB database with a given filter policy, for comparisons.

#ifndef ONELINE_BENCH_DATABASES_ROCKSDB_DATABASE_H_
#define ONELINE_BENCH_DATABASES_ROCKSDB_DATABASE_H_

#include <rocksdb/db.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/options.h>
#include <rocksdb/statistics.h>

#include <cstddef>
#include <memory>
#include <string>

#include "bench/comparison/database.h"

namespace oneline {

// Once it is open for lookups, several threads may look up.
class RocksDBDatabase final : public Database {
 public:
  struct Settings {
    std::string directory;                                // is created
    std::shared_ptr<const rocksdb::FilterPolicy> filter;  // null for none
    size_t prefix_bytes = 0;  // of keys, which filters also have; 0: none
  };

  RocksDBDatabase(std::string name, Settings settings);

  bool has_filter() const override { return settings_.filter != nullptr; }
  absl::StatusOr<WriteCost> Load(const Records& records, const LoadPlan& plan,
                                 Progress* progress) override;
  absl::Status OpenForLookups(const Reads& reads) override;
  void Close() override { db_.reset(); }

  absl::Status Get(const Lookup& lookup) override;
  absl::Status MultiGet(const Lookup* lookups, size_t count) override;
  absl::Status SeekPrefix(const Lookup& lookup) override;
  LookupCounts TakeCounts() override;

 private:
  void Describe(const FixedTree& tree);
  absl::Status Open(const Reads& reads);
  absl::Status WriteFlush(const Records& records, const LoadPlan& plan,
                          size_t flush, Progress* progress);
  absl::Status CompactInto(int level, uint64_t table_bytes, Progress* progress);
  absl::Status ReadAllBlocks();
  void ReadShape();
  absl::Status CheckFilters();
  absl::Status Error(const rocksdb::Status& status) const;
  using Database::Error;

  const Settings settings_;
  rocksdb::Options options_;
  std::unique_ptr<rocksdb::DB> db_;
};

}  // namespace oneline

#endif  // ONELINE_BENCH_DATABASES_ROCKSDB_DATABASE_H_
