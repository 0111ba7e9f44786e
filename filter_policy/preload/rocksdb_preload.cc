// In liboneline_preload.so only: takes the calls of RocksDB's functions that
// make its own policies, for rocksdb_replacement.h. If this library is
// preloaded, a program finds the definitions below before RocksDB's, and so
// does RocksDB itself.

#include <rocksdb/filter_policy.h>
#include <rocksdb/utilities/object_registry.h>

#include "filter_policy/preload/builtin_function.h"
#include "filter_policy/replacement/rocksdb_replacement.h"

namespace oneline {
namespace {

BloomPolicy* NewBuiltinBloom(double bits_per_key, bool ignored) {
  static const auto function = reinterpret_cast<decltype(&NewBuiltinBloom)>(
      FindBuiltin("_ZN7rocksdb20NewBloomFilterPolicyEdb",
                  "rocksdb::NewBloomFilterPolicy"));
  return function == nullptr ? nullptr : function(bits_per_key, ignored);
}

RibbonPolicy* NewBuiltinRibbon(double bits_per_key, int bloom_before_level) {
  static const auto function = reinterpret_cast<decltype(&NewBuiltinRibbon)>(
      FindBuiltin("_ZN7rocksdb21NewRibbonFilterPolicyEdi",
                  "rocksdb::NewRibbonFilterPolicy"));
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

oneline::BloomPolicy* NewBloomFilterPolicy(double bits_per_key, bool ignored) {
  return oneline::Replace(oneline::NewBuiltinBloom(bits_per_key, ignored));
}

oneline::RibbonPolicy* NewRibbonFilterPolicy(double bits_per_key,
                                             int bloom_before_level) {
  return oneline::Replace(
      oneline::NewBuiltinRibbon(bits_per_key, bloom_before_level));
}

}  // namespace rocksdb
