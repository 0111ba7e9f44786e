// Registers our names in every program that this library is linked to or
// preloaded into. If it does not fit the program (build_check.h), nothing is
// registered and a message on standard error says so.
//
// Not part of the plugin, which RocksDB's own list of plugins registers.

#include <rocksdb/utilities/object_registry.h>

#include <cstdio>

#include "filter_policy/rocksdb/build_check.h"
#include "filter_policy/rocksdb/rocksdb_registration.h"

namespace oneline {
namespace {

[[maybe_unused]] const bool registered = [] {
  const rocksdb::Status build = CheckBuild();
  if (!build.ok()) {
    std::fprintf(stderr, "%s; nothing is registered\n", build.getState());
    return false;
  }
  rocksdb::ObjectLibrary& library = *rocksdb::ObjectLibrary::Default();
  RegisterPolicyName(library);
  RegisterAllocatorName(library);
  return true;
}();

}  // namespace
}  // namespace oneline

extern "C" void oneline_keep_registration() {}
