// For programs that are linked to RocksDB statically: takes the calls of
// RocksDB's functions that make its own policies, for
// rocksdb_replacement.h. Such a program is linked with
//
//   -Wl,--wrap=_ZN7rocksdb20NewBloomFilterPolicyEdb
//   -Wl,--wrap=_ZN7rocksdb21NewRibbonFilterPolicyEdi
//
// With --wrap=f the linker calls __wrap_f instead of f, and f for __real_f.

#include <rocksdb/filter_policy.h>
#include <rocksdb/utilities/object_registry.h>

#include "filter_policy/replacement/rocksdb_replacement.h"

namespace oneline {

BloomPolicy* NewBuiltinBloom(double bits_per_key, bool ignored) asm(
    "__real__ZN7rocksdb20NewBloomFilterPolicyEdb");
RibbonPolicy* NewBuiltinRibbon(double bits_per_key, int bloom_before_level) asm(
    "__real__ZN7rocksdb21NewRibbonFilterPolicyEdi");
BloomPolicy* NewBloom(double bits_per_key, bool ignored) asm(
    "__wrap__ZN7rocksdb20NewBloomFilterPolicyEdb");
RibbonPolicy* NewRibbon(double bits_per_key, int bloom_before_level) asm(
    "__wrap__ZN7rocksdb21NewRibbonFilterPolicyEdi");

BloomPolicy* NewBloom(double bits_per_key, bool ignored) {
  return Replace(NewBuiltinBloom(bits_per_key, ignored));
}

RibbonPolicy* NewRibbon(double bits_per_key, int bloom_before_level) {
  return Replace(NewBuiltinRibbon(bits_per_key, bloom_before_level));
}

namespace {

[[maybe_unused]] const bool registered = [] {
  if (!ReplacesBuiltinFilters()) return false;
  // RocksDB adds its own names to this library later. It must not make its
  // registry yet: that takes the names of plugins, which static constructors
  // list.
  RegisterReplacements({&NewBuiltinBloom, &NewBuiltinRibbon},
                       rocksdb::ObjectLibrary::Default().get());
  return true;
}();

}  // namespace
}  // namespace oneline
