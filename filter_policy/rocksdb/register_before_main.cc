// Registers our names in every program that this library is linked to or
// preloaded into.
//
// Not part of the plugin, which RocksDB's own list of plugins registers. With
// -DONELINE_REGISTER_BEFORE_MAIN=0 nothing is registered.

#include <dlfcn.h>
#include <rocksdb/utilities/object_registry.h>

#include "filter_policy/rocksdb/rocksdb_registration.h"

namespace oneline {
namespace {

// RocksDB keeps what is registered, and readers of filters in block caches, for
// longer than a program may keep a plugin that this code is linked into. So
// dlclose() must not unload it. Does nothing in a program's own code, which no
// dlopen() finds.
void StayLoaded() {
  Dl_info us;
  if (dladdr(reinterpret_cast<void*>(&StayLoaded), &us) == 0) return;
  dlopen(us.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE);
}

#ifndef ONELINE_REGISTER_BEFORE_MAIN
#define ONELINE_REGISTER_BEFORE_MAIN 1
#endif

[[maybe_unused]] const bool registered = [] {
  if (!ONELINE_REGISTER_BEFORE_MAIN) return false;
  if (!RegisterNames(*rocksdb::ObjectLibrary::Default())) return false;
  StayLoaded();
  return true;
}();

}  // namespace
}  // namespace oneline

extern "C" void oneline_keep_registration() {}
