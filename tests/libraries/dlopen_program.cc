// Loads the library that it is given, unloads it, and then has RocksDB make our
// policy, whose name the library registered. Prints the policy's name.

#include <dlfcn.h>
#include <rocksdb/convenience.h>
#include <rocksdb/filter_policy.h>

#include <cstdio>
#include <memory>

int main(int, char** argv) {
  void* const library = dlopen(argv[1], RTLD_NOW);
  if (library == nullptr || dlclose(library) != 0) {
    std::fprintf(stderr, "%s\n", dlerror());
    return 1;
  }
  std::shared_ptr<const rocksdb::FilterPolicy> policy;
  const rocksdb::Status status = rocksdb::FilterPolicy::CreateFromString(
      rocksdb::ConfigOptions(), "oneline:10", &policy);
  std::printf("%s\n",
              policy == nullptr ? status.ToString().c_str() : policy->Name());
  return 0;
}
