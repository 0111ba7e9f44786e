// The names by which OPTIONS files, ldb and db_bench know our policy:
//
//   filter_policy=oneline:10                     10 bits per key, else defaults
//   filter_policy={id=oneline;fp_rate=0.01;...}  options by name
//
// They are registered before main by every program that this library is linked
// to or preloaded into (register_before_main.cc), and by a RocksDB that has it
// as a plugin (filter_policy/plugin/).

#ifndef ONELINE_FILTER_POLICY_ROCKSDB_ROCKSDB_REGISTRATION_H_
#define ONELINE_FILTER_POLICY_ROCKSDB_ROCKSDB_REGISTRATION_H_

#include <rocksdb/filter_policy.h>
#include <rocksdb/utilities/object_registry.h>

#include <string>

#include "oneline/filter_options.h"

namespace oneline {

// RocksDB appends this to "fullfilter." or "partitionedfilter." for the name of
// a table's filter block. It is the name of RocksDB's own filters, so that
// their policies and ours find each other's blocks.
inline constexpr char kCompatibilityName[] = "rocksdb.BuiltinBloomFilter";

// Of the allocator of oneline/cache_line_allocator.h.
inline constexpr char kCacheLineAllocatorName[] =
    "oneline.CacheLineAlignedAllocator";

// Makes the names known to `library`: "oneline" for filter policies, and that
// of the allocator. If CheckVersion() refuses the program's RocksDB, nothing
// is registered, a message on standard error says so, and false is returned.
bool RegisterNames(rocksdb::ObjectLibrary& library);

// The part of it that is in cache_line_allocator.cc.
void RegisterAllocatorName(rocksdb::ObjectLibrary& library);

// Does nothing. It is defined in the file that registers the names, and a
// program that makes a policy calls it: from a static library a linker takes
// only files to which something refers. A program that only knows our names
// refers to it by an option of the linker, so its name is the same in every
// version.
extern "C" void oneline_keep_registration();

// While one is alive, RocksDB's functions that make its policies do so in this
// thread, whatever replaces them elsewhere (rocksdb_replacement.h).
struct BuiltinsStay {
  static inline thread_local bool active = false;
  BuiltinsStay() { active = true; }
  ~BuiltinsStay() { active = false; }
};

// A policy made from a name, as by NewRocksDBFilterPolicy but for two things:
// - OPTIONS files name it `saved_as`. Unless that is "oneline", its options are
//   neither saved nor changeable: it stands in for another policy.
// - It is made whatever is wrong with the options: DB::Open returns the error,
//   and where that is not asked, the default options are used and the LOG has
//   the error. `mistake`: what is wrong with the name; empty if nothing is.
// Defined in rocksdb_filter_policy.cc. The caller owns the result.
rocksdb::FilterPolicy* MakeRocksDBFilterPolicy(const FilterOptions& options,
                                               const std::string& saved_as,
                                               const std::string& mistake = "");

}  // namespace oneline

#endif  // ONELINE_FILTER_POLICY_ROCKSDB_ROCKSDB_REGISTRATION_H_
