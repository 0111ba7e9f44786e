// The policy that takes the place of RocksDB's Ribbon policy
// (rocksdb_replacement.h). It is one of ours, under the name of RocksDB's, with
// the one option that RocksDB's has: bloom_before_level.

#ifndef ONELINE_FILTER_POLICY_REPLACEMENT_ROCKSDB_RIBBON_REPLACEMENT_H_
#define ONELINE_FILTER_POLICY_REPLACEMENT_ROCKSDB_RIBBON_REPLACEMENT_H_

#include <rocksdb/filter_policy.h>

#include <memory>

#include "oneline/filter_options.h"

namespace oneline {

// As FilterOptions have it: RocksDB's largest level, which RocksDB takes for
// "Bloom in every table", becomes one that no table has.
int LevelInBounds(int bloom_before_level);

// `builtin`: RocksDB's policy, which goes on telling the name for OPTIONS files
// and the level. If `obeys_level`, `options` have the level, too, and follow
// where RocksDB changes it.
std::unique_ptr<const rocksdb::FilterPolicy> NewRibbonReplacement(
    std::shared_ptr<const rocksdb::FilterPolicy> builtin,
    const FilterOptions& options, bool obeys_level);

}  // namespace oneline

#endif  // ONELINE_FILTER_POLICY_REPLACEMENT_ROCKSDB_RIBBON_REPLACEMENT_H_
