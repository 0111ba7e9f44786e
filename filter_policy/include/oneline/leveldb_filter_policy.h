// The filter policy for LevelDB.
//
//   leveldb::Options options;
//   oneline::FilterOptions filter;
//   filter.bits_per_key = 10;
//   leveldb::Status status =
//       oneline::NewLevelDBFilterPolicy(filter, &options.filter_policy);

#ifndef ONELINE_LEVELDB_FILTER_POLICY_H_
#define ONELINE_LEVELDB_FILTER_POLICY_H_

#include <leveldb/filter_policy.h>
#include <leveldb/status.h>

#include "oneline/filter_options.h"
#include "oneline/version.h"

namespace oneline {
inline namespace ONELINE_ABI {

// The caller deletes *policy after the databases that use it. An option that is
// out of bounds gives an InvalidArgument that names it, its value and its
// bounds; an xxHash that is not the format's gives NotSupported. *policy is
// then null.
//
// Filters can be read whatever their kind and size, but they have no room for
// the seed of the key hash. Without hash_seed the seed is 0. With hash_seed,
// the seed is part of the policy's name, which LevelDB keeps in each table. So
// LevelDB ignores filters written with another hash_seed or by another policy:
// lookups in those tables are correct, but not filtered.
//
// LevelDB does not tell a policy the level of a table, and has small filters:
// options that docs/options.md excludes for it must have their defaults.
//
// Thread-safe.
leveldb::Status NewLevelDBFilterPolicy(const FilterOptions& options,
                                       const leveldb::FilterPolicy** policy);

}  // namespace ONELINE_ABI
}  // namespace oneline

#endif  // ONELINE_LEVELDB_FILTER_POLICY_H_
