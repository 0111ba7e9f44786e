// A database's own function behind the one of the same name that a library to
// preload defines.

#ifndef ONELINE_FILTER_POLICY_PRELOAD_BUILTIN_FUNCTION_H_
#define ONELINE_FILTER_POLICY_PRELOAD_BUILTIN_FUNCTION_H_

#include <dlfcn.h>

#include <cstdio>

namespace oneline {

// Where the library or program that contains this address was loaded.
inline void* LoadedAt(void* address) {
  Dl_info info;
  return dladdr(address, &info) != 0 ? info.dli_fbase : nullptr;
}

// The function with this mangled name. Null, with a message on standard error
// that calls it `name`, if it is in no shared library of the program: the
// caller returns null then, which databases take for "no filter".
inline void* FindBuiltin(const char* mangled_name, const char* name) {
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

#endif  // ONELINE_FILTER_POLICY_PRELOAD_BUILTIN_FUNCTION_H_
