// Which filter a table should have according to the options. Goes by facts: the
// kind and size of the table's filter, and what its policy can give to a table
// that was written there. No filter is built, and no counter of the policy
// changes.

#ifndef ONELINE_FILTER_POLICY_REFILTER_EXPECTED_FILTER_H_
#define ONELINE_FILTER_POLICY_REFILTER_EXPECTED_FILTER_H_

#include <rocksdb/filter_policy.h>
#include <rocksdb/options.h>
#include <rocksdb/table.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "filter_policy/refilter/table_filter.h"
#include "filter_policy/rocksdb/rocksdb_level_bits.h"
#include "oneline/filter_options.h"

namespace oneline {

// As in TableFilter, before optimize_filters_for_memory rounds it.
struct ExpectedFilter {
  FoundKind kind = FoundKind::kNone;
  double bytes = 0;
  double most_bytes = 0;  // with bits_by_level, in any level
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

// The filters that one column family should have.
class FilterExpectations {
 public:
  // A null policy writes no filters. Borrows the column family's options.
  FilterExpectations(std::shared_ptr<const rocksdb::FilterPolicy> policy,
                     const rocksdb::ColumnFamilyOptions& options,
                     const rocksdb::BlockBasedTableOptions& table_options);

  // Whether the policy may have written the filter of a table that is in
  // `level`: RocksDB can move a table down without rewriting it, ingest it, or
  // leave its filter out. What is not clear is kAsExpected.
  // `last_level`: as from LastLevel.
  Verdict Judge(const TableFilter& table, int level, int last_level) const;

  // The filter that the table gets in a compaction to `level`; as it is if the
  // policy is neither ours nor RocksDB's. REQUIRES: level >= 0.
  ExpectedFilter At(int level, const TableFilter& table,
                    bool is_bottommost = true) const;

 private:
  // What a policy writes for one table; 0 bits for no filter. For RocksDB's
  // Ribbon they are those of a Bloom filter as good as it.
  struct Written {
    FoundKind kind = FoundKind::kNone;
    double bits_per_key = 0;
  };
  using List = std::vector<Written>;

  // Adds what the policy can write if RocksDB tells it so.
  void Add(rocksdb::TableFileCreationReason reason, int level,
           bool is_bottommost, List* list) const;
  // As Written has the bits per key, or memory, of a filter.
  double WrittenBits(FoundKind kind, double bits_per_key) const;
  // What a table that is in `level` can have, with this filter or without one.
  List PossibleFor(const TableFilter& table, int level, int last_level) const;

  bool KindFits(const TableFilter& table, const Written& written) const;
  bool SizeFits(const TableFilter& table, const Written& written) const;
  // Of filters of so many keys in so many partitions; 0: they are not
  // partitioned.
  double BytesOf(const Written& written, uint64_t keys,
                 uint64_t partitions) const;

  const std::shared_ptr<const rocksdb::FilterPolicy> policy_;
  // By which it writes: our policy's, or as ours would have them those of
  // RocksDB's and of oneline/level_filters.h. None of a policy of others.
  std::optional<FilterOptions> rule_;
  bool is_ours_ = false;  // or the header's: bits are memory
  // What it gives by level follows from the column families that it has seen.
  // Those of the next opening may be this one alone; and a family that was
  // created since the last one was not seen.
  const LevelBits* level_bits_ = nullptr;
  LevelBits by_these_options_, by_default_;
  const rocksdb::ColumnFamilyOptions& options_;
  const rocksdb::BlockBasedTableOptions table_options_;
};

}  // namespace oneline

#endif  // ONELINE_FILTER_POLICY_REFILTER_EXPECTED_FILTER_H_
