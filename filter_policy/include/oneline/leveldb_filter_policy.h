// The filter policy for LevelDB.
//
//   leveldb::Options options;
//   oneline::FilterOptions filter;
//   filter.bits_per_key = 10;
//   options.filter_policy = oneline::NewLevelDBFilterPolicy(filter);

#ifndef ONELINE_LEVELDB_FILTER_POLICY_H_
#define ONELINE_LEVELDB_FILTER_POLICY_H_

#include <leveldb/filter_policy.h>
#include <leveldb/status.h>

#include "oneline/filter_options.h"

namespace oneline {

// Never null. The caller deletes it after the databases that use it. If an
// option is out of bounds, a message on standard error says so and the default
// options are used: LevelDB gives a policy no way to report errors.
//
// Filters can be read whatever their kind and size, but they have no room for
// the seed of the key hash. Without hash_seed the seed is 0. With hash_seed,
// the seed is part of the policy's name, which LevelDB keeps in each table. So
// LevelDB ignores filters written with another hash_seed or by another policy:
// lookups in those tables are correct, but not filtered.
//
// LevelDB does not tell a policy the level of a table: bloom_before_level must
// be -1, bits_by_level true (it has no effect), and level_bits_per_key empty.
// Nor can max_filter_bytes be given.
//
// Thread-safe.
const leveldb::FilterPolicy* NewLevelDBFilterPolicy(
    const FilterOptions& options);

// The same, but options out of bounds give an InvalidArgument that names the
// option, its value and its bounds; *policy is then null.
leveldb::Status NewLevelDBFilterPolicy(const FilterOptions& options,
                                       const leveldb::FilterPolicy** policy);

}  // namespace oneline

#endif  // ONELINE_LEVELDB_FILTER_POLICY_H_
