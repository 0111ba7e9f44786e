// Which filter a table should have according to the options. The policy itself,
// ours or RocksDB's, builds it in the context that RocksDB would give it.

#ifndef ONELINE_TOOLS_DATABASE_EXPECTED_FILTER_H_
#define ONELINE_TOOLS_DATABASE_EXPECTED_FILTER_H_

#include <rocksdb/filter_policy.h>
#include <rocksdb/options.h>
#include <rocksdb/table.h>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tools/database/configured_policy.h"
#include "tools/database/database_summary.h"

namespace oneline {

struct ExpectedFilter {
  std::string kind;  // as in TableSummary

  // Before optimize_filters_for_memory rounds them. With bits_by_level a table
  // has `bytes` in the last level, and more in others, up to `most_bytes`.
  double bytes = 0, most_bytes = 0;
  double asked_bits_per_key = 0;  // as in TableSummary; for `bytes`
};

enum class Verdict {
  kAsExpected,
  kMissing,   // there is no filter, and there should be one
  kUnwanted,  // there is a filter, and there should be none
  kOtherKind,
  kOtherSize,
};

// The filters that one column family should have. Not thread-safe.
class FilterExpectations {
 public:
  // REQUIRES: configured.policy is not null. Borrows the column family's
  // options.
  FilterExpectations(const ConfiguredPolicy& configured,
                     const std::string& column_family,
                     const rocksdb::ColumnFamilyOptions& options,
                     const rocksdb::BlockBasedTableOptions& table_options);

  // Whether the policy may have written the table's filter. RocksDB can move a
  // table down without rewriting it, or ingest it, so it is kAsExpected if it
  // has the filter for its level, for any level above, or for an ingested file.
  // Otherwise the verdict for its level. REQUIRES: table.status.ok().
  Verdict Judge(const TableSummary& table);

  // The filter that the policy writes for `keys` keys in a compaction to
  // `level`. REQUIRES: level >= 0, keys > 0.
  ExpectedFilter At(int level, uint64_t keys);

 private:
  // Why RocksDB wrote a table, and to which level.
  using Origin = std::pair<rocksdb::TableFileCreationReason, int>;

  ExpectedFilter Expect(const Origin& origin, uint64_t keys);
  ExpectedFilter Build(const Origin& origin, uint64_t keys) const;
  // The most bits per key of a table where these are asked for.
  double MostBits(double asked) const;
  // What max_filter_bytes leaves of the size of a filter of `keys` keys.
  double Limited(double bytes, uint64_t keys) const;
  Verdict Compare(const TableSummary& table,
                  const ExpectedFilter& expected) const;

  const std::shared_ptr<const rocksdb::FilterPolicy> policy_;
  // bits_by_level: a table has the bits asked for or, as it was written in a
  // small level, more.
  const bool may_have_more_;
  const std::string column_family_;
  const rocksdb::ColumnFamilyOptions& options_;
  const rocksdb::BlockBasedTableOptions table_options_;  // without rounding
  const bool is_rounded_;  // optimize_filters_for_memory
  // The option of our policy; null if there is no limit.
  const std::optional<uint64_t> max_filter_bytes_;
  std::map<std::pair<Origin, uint64_t>, ExpectedFilter> built_;
};

}  // namespace oneline

#endif  // ONELINE_TOOLS_DATABASE_EXPECTED_FILTER_H_
