// A LevelDB database with a given filter policy, for comparisons.

#ifndef ONELINE_BENCH_DATABASES_LEVELDB_DATABASE_H_
#define ONELINE_BENCH_DATABASES_LEVELDB_DATABASE_H_

#include <leveldb/cache.h>
#include <leveldb/db.h>
#include <leveldb/filter_policy.h>

#include <memory>
#include <string>

#include "bench/comparison/database.h"
#include "bench/databases/leveldb_env.h"

namespace oneline {

// A tree that LevelDB can be made to build. Its compactions can't be turned
// off, but while nothing is written they depend only on the data. The first
// generation is moved down to a level that has room for it, four flushes then
// make LevelDB compact level 0 by itself, and the last three stay there.
FixedTree LevelDBTree();

class LevelDBDatabase final : public Database {
 public:
  // `directory` is created. `filter` is null for none.
  LevelDBDatabase(std::string name, std::string directory,
                  std::shared_ptr<const leveldb::FilterPolicy> filter);
  ~LevelDBDatabase() override;

  bool has_filter() const override { return filter_ != nullptr; }
  // REQUIRES: the plan is for LevelDBTree().
  absl::StatusOr<WriteCost> Load(const Records& records, const LoadPlan& plan,
                                 Progress* progress) override;
  absl::Status OpenForLookups(const Reads& reads) override;
  void Close() override;

  absl::Status Get(const Lookup& lookup) override;
  LookupCounts TakeCounts() override;

 private:
  class CountedFilter;

  absl::Status Open(const Reads& reads);
  absl::Status WriteFlush(const Records& records, const LoadPlan& plan,
                          size_t flush, Progress* progress);
  void PushDown();
  absl::Status ReadAllBlocks(bool keep);
  absl::Status ReadShape();
  absl::Status CheckFilters();
  absl::Status Error(const leveldb::Status& status) const;
  using Database::Error;

  const std::string directory_;
  const std::shared_ptr<const leveldb::FilterPolicy> filter_;
  std::unique_ptr<CountedFilter> counted_filter_;
  LevelDBEnv env_;
  std::unique_ptr<leveldb::Cache> block_cache_;
  std::unique_ptr<leveldb::DB> db_;
  uint64_t found_ = 0;
};

}  // namespace oneline

#endif  // ONELINE_BENCH_DATABASES_LEVELDB_DATABASE_H_
