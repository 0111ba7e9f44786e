#include "filter_policy/preload/builtin_function.h"

#include <dlfcn.h>

#include <cstdio>

namespace oneline {
namespace {

// Where the library or program that contains this address was loaded.
void* LoadedAt(void* address) {
  Dl_info info;
  return dladdr(address, &info) != 0 ? info.dli_fbase : nullptr;
}

}  // namespace

void* FindBuiltin(const char* mangled_name, const char* name) {
  // The database's library comes after this one in the search order if this one
  // is preloaded. In a program that is linked to both it may come before.
  void* found = dlsym(RTLD_NEXT, mangled_name);
  if (found == nullptr) {
    found = dlsym(RTLD_DEFAULT, mangled_name);
    if (LoadedAt(found) == LoadedAt(reinterpret_cast<void*>(&FindBuiltin))) {
      found = nullptr;
    }
  }
  if (found == nullptr) {
    std::fprintf(stderr,
                 "oneline: %s is in no shared library of this program: no "
                 "filter is used\n",
                 name);
  }
  return found;
}

}  // namespace oneline
