// Which filter a table should have according to the options. The policy itself,
// ours or any other, builds it in the context that RocksDB would give it.

#ifndef ONELINE_FILTER_POLICY_REFILTER_EXPECTED_FILTER_H_
#define ONELINE_FILTER_POLICY_REFILTER_EXPECTED_FILTER_H_

#include <rocksdb/filter_policy.h>
#include <rocksdb/options.h>
#include <rocksdb/table.h>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "filter_policy/refilter/table_filter.h"
#include "oneline/filter_options.h"

namespace oneline {

struct ExpectedFilter {
  FoundKind kind = FoundKind::kNone;  // as in TableFilter

  // Before optimize_filters_for_memory rounds them. With bits_by_level a table
  // has `bytes` in the last level, and more in others, up to `most_bytes`.
  double bytes = 0, most_bytes = 0;
  // As in TableFilter; for `bytes` and `most_bytes`.
  double asked_bits_per_key = 0, most_bits_per_key = 0;
};

enum class Verdict {
  kAsExpected,
  kMissing,   // there is no filter, and there should be one
  kUnwanted,  // there is a filter, and there should be none
  kOtherKind,
  kOtherSize,
};

// The level whose tables RocksDB writes as those of the last one: the deepest
// that has tables or, if files may still be ingested below it, the last that
// there can be.
int LastLevel(const rocksdb::DBOptions& db_options,
              const rocksdb::ColumnFamilyOptions& options, int deepest);

// The filters that one column family should have. Not thread-safe.
class FilterExpectations {
 public:
  // A null policy writes no filters. Borrows the column family's options.
  FilterExpectations(std::shared_ptr<const rocksdb::FilterPolicy> policy,
                     const std::string& column_family,
                     const rocksdb::ColumnFamilyOptions& options,
                     const rocksdb::BlockBasedTableOptions& table_options);

  // Whether the policy may have written the filter of a table that is in
  // `level`. RocksDB can move a table down without rewriting it, or ingest it,
  // so it is kAsExpected if it has the filter for its level, for any level
  // above, or for an ingested file; or no filter, where RocksDB leaves it out.
  // Otherwise the verdict for its level.
  // `last_level`: as from LastLevel.
  Verdict Judge(const TableFilter& table, int level, int last_level);

  // The filter that the policy writes for `keys` keys in a compaction to
  // `level`. REQUIRES: level >= 0, keys > 0.
  ExpectedFilter At(int level, uint64_t keys);

 private:
  // Why RocksDB wrote a table, and to which level.
  using Origin = std::pair<rocksdb::TableFileCreationReason, int>;

  // `may_have_more`: with bits_by_level, and not only what tables of the last
  // level have. With hits these may have no filter.
  // `is_bottommost`: as RocksDB tells the policy.
  ExpectedFilter Expect(const Origin& origin, uint64_t keys, bool may_have_more,
                        bool is_bottommost = true);
  ExpectedFilter Build(const Origin& origin, uint64_t keys,
                       bool is_bottommost) const;
  // The bits per key that our policy was asked for, for the kind of such
  // tables; 0 for no filter. REQUIRES: is_by_level_.
  double AskedBits(const Origin& origin) const;
  // Whether our policy has max_filter_bytes.
  bool is_limited() const {
    return ours_.has_value() && ours_->max_filter_bytes.has_value();
  }
  // What max_filter_bytes leaves of the size of a filter of `keys` keys.
  double Limited(double bytes, uint64_t keys) const;
  bool IsMixed(const TableFilter& table, const ExpectedFilter& expected) const;
  bool MayBeOfOtherKind(const TableFilter& table,
                        const ExpectedFilter& expected,
                        bool may_have_more) const;
  bool SizeFits(const TableFilter& table, const ExpectedFilter& expected,
                bool may_have_more) const;
  Verdict Compare(const TableFilter& table, const ExpectedFilter& expected,
                  bool may_have_more) const;
  bool MayLackFilter(const TableFilter& table, int level, int last_level) const;

  const std::shared_ptr<const rocksdb::FilterPolicy> policy_;
  const std::optional<FilterOptions> ours_;  // of our policy
  // bits_by_level: a table that was written above the last level can have more
  // than the bits asked for.
  const bool is_by_level_;
  const std::string column_family_;
  const rocksdb::ColumnFamilyOptions& options_;
  const rocksdb::BlockBasedTableOptions table_options_;  // without rounding
  const bool is_rounded_;  // optimize_filters_for_memory
  // By origin, keys and whether it is bottommost.
  std::map<std::tuple<Origin, uint64_t, bool>, ExpectedFilter> built_;
};

}  // namespace oneline

#endif  // ONELINE_FILTER_POLICY_REFILTER_EXPECTED_FILTER_H_
