// In liboneline_preload.so only: takes the calls of RocksDB's functions that
// make its own policies, for rocksdb_replacement.h. If this library is
// preloaded, a program finds the definitions below before RocksDB's.

#include <dlfcn.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/utilities/object_registry.h>

#include <cstdio>
#include <memory>

#include "filter_policy/rocksdb/rocksdb_replacement.h"

namespace oneline {
namespace {

// Const in some versions of RocksDB, not in others.
using BloomPolicy = decltype(rocksdb::NewBloomFilterPolicy(0, false));
using RibbonPolicy = decltype(rocksdb::NewRibbonFilterPolicy(0, 0));

// Where the library or program that contains this address was loaded.
void* LoadedAt(void* address) {
  Dl_info info;
  return dladdr(address, &info) != 0 ? info.dli_fbase : nullptr;
}

// RocksDB's own definition of a function that this file defines below. If this
// library is preloaded, RocksDB's comes after it in the search order; in a
// program that is linked to both it may come before.
void* FindBuiltin(const char* symbol, const char* name) {
  void* found = dlsym(RTLD_NEXT, symbol);
  if (found == nullptr) {
    found = dlsym(RTLD_DEFAULT, symbol);
    if (LoadedAt(found) == LoadedAt(reinterpret_cast<void*>(&LoadedAt))) {
      found = nullptr;
    }
  }
  if (found == nullptr) {
    // RocksDB takes null for "no filter".
    std::fprintf(stderr,
                 "oneline: RocksDB's %s is in no shared library of this "
                 "program: no filter is used\n",
                 name);
  }
  return found;
}

BloomPolicy NewBuiltinBloom(double bits_per_key, bool ignored) {
  static const auto function =
      reinterpret_cast<BloomPolicy (*)(double, bool)>(FindBuiltin(
          "_ZN7rocksdb20NewBloomFilterPolicyEdb", "NewBloomFilterPolicy"));
  return function == nullptr ? nullptr : function(bits_per_key, ignored);
}

RibbonPolicy NewBuiltinRibbon(double bits_per_key, int bloom_before_level) {
  static const auto function =
      reinterpret_cast<RibbonPolicy (*)(double, int)>(FindBuiltin(
          "_ZN7rocksdb21NewRibbonFilterPolicyEdi", "NewRibbonFilterPolicy"));
  return function == nullptr ? nullptr
                             : function(bits_per_key, bloom_before_level);
}

[[maybe_unused]] const bool registered = [] {
  if (!ReplacesBuiltinFilters()) return false;
  // A library of its own is searched before the one with RocksDB's filters,
  // whose names may have been registered before this library was loaded.
  RegisterReplacements({&NewBuiltinBloom, &NewBuiltinRibbon},
                       rocksdb::ObjectRegistry::Default()
                           ->AddLibrary("oneline.replace_builtin")
                           .get());
  return true;
}();

}  // namespace
}  // namespace oneline

namespace rocksdb {

oneline::BloomPolicy NewBloomFilterPolicy(double bits_per_key, bool ignored) {
  const auto policy = oneline::NewBuiltinBloom(bits_per_key, ignored);
  if (!oneline::ReplacesBuiltinFilters()) return policy;
  return oneline::Replace(std::unique_ptr<const FilterPolicy>(policy));
}

oneline::RibbonPolicy NewRibbonFilterPolicy(double bits_per_key,
                                            int bloom_before_level) {
  const auto policy =
      oneline::NewBuiltinRibbon(bits_per_key, bloom_before_level);
  if (!oneline::ReplacesBuiltinFilters()) return policy;
  return oneline::Replace(std::unique_ptr<const FilterPolicy>(policy));
}

}  // namespace rocksdb
