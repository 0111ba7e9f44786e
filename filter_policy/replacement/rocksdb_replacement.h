// Our filters in place of RocksDB's own, in programs that were not written for
// this library, if the environment asks for it:
//
//   ONELINE_REPLACE_BUILTIN=1            our Ribbon: for Bloom filters in their
//                                        memory, for Ribbon filters with their
//                                        false-positive rate
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
#include <type_traits>

namespace oneline {

// What RocksDB's functions return pointers to: const in some versions, not in
// others.
using BloomPolicy =
    std::remove_pointer_t<decltype(rocksdb::NewBloomFilterPolicy(0, false))>;
using RibbonPolicy =
    std::remove_pointer_t<decltype(rocksdb::NewRibbonFilterPolicy(0, 0))>;

// RocksDB's own functions, behind those that replace them. They return null
// where RocksDB's cannot be found.
struct BuiltinFunctions {
  BloomPolicy* (*new_bloom)(double bits_per_key, bool ignored);
  RibbonPolicy* (*new_ribbon)(double bits_per_key, int bloom_before_level);
};

// Whether the environment asks for replacements. It is read once. A wrong value
// is reported on standard error and replaces nothing.
bool ReplacesBuiltinFilters();

// What takes the place of one of RocksDB's own policies; null if nothing does:
// if it is none of those that are replaced, or if !ReplacesBuiltinFilters().
std::unique_ptr<const rocksdb::FilterPolicy> ReplacementOf(
    const std::shared_ptr<const rocksdb::FilterPolicy>& builtin);

// Takes a policy just made, or null, and returns what takes its place, or else
// itself. The caller owns the result.
rocksdb::FilterPolicy* Replace(const rocksdb::FilterPolicy* builtin);

// Adds factories for the names of RocksDB's own policies. RocksDB searches the
// library added last first, and in a library the factory added first.
// REQUIRES: ReplacesBuiltinFilters().
void RegisterReplacements(const BuiltinFunctions& builtin,
                          rocksdb::ObjectLibrary* library);

}  // namespace oneline

#endif  // ONELINE_FILTER_POLICY_REPLACEMENT_ROCKSDB_REPLACEMENT_H_
