// The function that a RocksDB built with the plugin calls as it makes its
// registry of objects. Every program of that build then knows our names.

#include <rocksdb/utilities/object_registry.h>

#include <string>

#include "filter_policy/rocksdb/rocksdb_registration.h"

// RocksDB's own list of plugins refers to this file.
extern "C" void oneline_keep_registration() {}

// RocksDB's build declares this function, by the name in oneline.mk, with C
// linkage. Returns the number of factories in `library`.
extern "C" int oneline_register(rocksdb::ObjectLibrary& library,
                                const std::string& /*name*/) {
  oneline::RegisterNames(library);
  size_t num_types = 0;
  return static_cast<int>(library.GetFactoryCount(&num_types));
}
