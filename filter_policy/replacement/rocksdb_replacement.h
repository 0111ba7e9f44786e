// Our filters in place of RocksDB's own, in programs that were not written for
// this library, if the environment asks for it:
//
//   ONELINE_REPLACE_BUILTIN=1            our Ribbon, in the memory that the
//                                        filter asked for would take
//   ONELINE_REPLACE_BUILTIN=oneline:12   this policy, whatever is asked for
//   unset, empty or 0                    RocksDB's own filters
//
// A program asks for RocksDB's filters in two ways, and both are replaced:
// - It calls NewBloomFilterPolicy or NewRibbonFilterPolicy. Two files take such
//   calls: preload/rocksdb_preload.cc where RocksDB is a shared library,
//   builtin_wrap.cc in programs that are linked to it statically.
// - Its OPTIONS file has a name such as bloomfilter:10:false or
//   ribbonfilter:10:-1. RegisterReplacements takes these names.
// OPTIONS files that RocksDB writes name the filter that the program asked for,
// so they load with and without this library.

#ifndef ONELINE_FILTER_POLICY_REPLACEMENT_ROCKSDB_REPLACEMENT_H_
#define ONELINE_FILTER_POLICY_REPLACEMENT_ROCKSDB_REPLACEMENT_H_

#include <rocksdb/filter_policy.h>
#include <rocksdb/utilities/object_registry.h>

#include <memory>

#include "oneline/filter_options.h"

namespace oneline {

// RocksDB's own functions, behind those that replace them. They return null
// where RocksDB's cannot be found.
struct BuiltinFunctions {
  decltype(&rocksdb::NewBloomFilterPolicy) new_bloom;
  decltype(&rocksdb::NewRibbonFilterPolicy) new_ribbon;
};

// Whether the environment asks for replacements. It is read once. A wrong value
// is reported on standard error and replaces nothing.
bool ReplacesBuiltinFilters();

struct BuiltinReplacement {
  // Null if `builtin` is none of those that are replaced.
  std::unique_ptr<const rocksdb::FilterPolicy> policy;
  // Of the policy. Tables before bloom_before_level get Bloom filters with the
  // bits per key that `builtin` has there, not with options.bits_per_key.
  FilterOptions options;
};

// What takes the place of one of RocksDB's own policies.
// REQUIRES: ReplacesBuiltinFilters().
BuiltinReplacement ReplacementOf(const rocksdb::FilterPolicy& builtin);

// The same for the caller to own, of a policy just made; null for null.
rocksdb::FilterPolicy* Replace(
    std::unique_ptr<const rocksdb::FilterPolicy> builtin);

// Adds factories for the names of RocksDB's own policies. RocksDB searches the
// library added last first, and in a library the factory added first.
// REQUIRES: ReplacesBuiltinFilters().
void RegisterReplacements(const BuiltinFunctions& builtin,
                          rocksdb::ObjectLibrary* library);

}  // namespace oneline

#endif  // ONELINE_FILTER_POLICY_REPLACEMENT_ROCKSDB_REPLACEMENT_H_
