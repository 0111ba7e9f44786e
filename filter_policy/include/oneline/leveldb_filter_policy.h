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

// Never null; the caller deletes it after the databases that use it. LevelDB
// has no way to refuse options: those that are out of their bounds are reported
// on standard error, and the default is used instead of all of them.
//
// Filters are read whatever kind, size and effort they were written with. But
// there is no room in them for the seed of the key hash: without hash_seed it
// is 0, and with it the policy's name, which LevelDB keeps in each table, has
// the seed. So tables written with another hash_seed, or another policy, have
// no filter for this one, and all their keys are read.
//
// LevelDB tells a policy nothing of levels: bloom_before_level must be -1, and
// bits neither allocated over levels nor given for them by hand.
//
// Thread-safe.
const leveldb::FilterPolicy* NewLevelDBFilterPolicy(
    const FilterOptions& options);

// The same, but wrong options are an InvalidArgument that names the option, the
// value and what would be right; *policy is then null.
leveldb::Status NewLevelDBFilterPolicy(const FilterOptions& options,
                                       const leveldb::FilterPolicy** policy);

}  // namespace oneline

#endif  // ONELINE_LEVELDB_FILTER_POLICY_H_
