// What filter a table should have, by the options: asked of the policy itself,
// whichever it is, with the words in which RocksDB asks it.

#ifndef ONELINE_TOOLS_DATABASE_EXPECTED_FILTER_H_
#define ONELINE_TOOLS_DATABASE_EXPECTED_FILTER_H_

#include <rocksdb/filter_policy.h>
#include <rocksdb/options.h>
#include <rocksdb/table.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tools/database/configured_policy.h"
#include "tools/database/database_summary.h"

namespace oneline {

// What a filter of some keys is, or would be.
struct ExpectedFilter {
  std::string kind;  // as in TableSummary
  double bytes = 0;
};

enum class Verdict {
  kAsExpected,
  kMissing,   // there should be a filter
  kUnwanted,  // there should be none
  kOtherKind,
  kOtherSize,
};

// The filters of one column family. From one thread at a time.
class FilterExpectations {
 public:
  // REQUIRES: there is a policy. Borrows the options.
  FilterExpectations(const ConfiguredPolicy& configured,
                     const std::string& column_family,
                     const rocksdb::ColumnFamilyOptions& options,
                     const rocksdb::BlockBasedTableOptions& table_options);

  // Whether the policy may have written a table's filter: for the level that it
  // is on, or for any above from which it may have been moved down as it is, or
  // for a file that was ingested. REQUIRES: the table could be read.
  Verdict Judge(const TableSummary& table);

  // What the policy writes for `keys` keys on this level.
  ExpectedFilter At(int level, uint64_t keys);

 private:
  // Where a table comes from, as RocksDB tells the policy.
  using Origin = std::pair<rocksdb::TableFileCreationReason, int>;

  ExpectedFilter Expect(const Origin& origin, uint64_t keys);
  ExpectedFilter Build(const Origin& origin, uint64_t keys) const;
  Verdict Compare(const TableSummary& table,
                  const ExpectedFilter& expected) const;

  const std::shared_ptr<const rocksdb::FilterPolicy> policy_;
  // Allocation::kMonkey: how many bits a table gets depends on how the tree was
  // when it was written, which nobody can tell afterwards.
  const bool sizes_vary_;
  const std::string column_family_;
  const rocksdb::ColumnFamilyOptions& options_;
  const rocksdb::BlockBasedTableOptions& table_options_;
  std::map<std::pair<Origin, uint64_t>, ExpectedFilter> built_;
};

}  // namespace oneline

#endif  // ONELINE_TOOLS_DATABASE_EXPECTED_FILTER_H_
