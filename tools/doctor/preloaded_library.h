// The shared library with our policy, for commands that run RocksDB's own
// programs.

#ifndef ONELINE_TOOLS_DOCTOR_PRELOADED_LIBRARY_H_
#define ONELINE_TOOLS_DOCTOR_PRELOADED_LIBRARY_H_

#include <string>

namespace oneline {

// A command of a shell that runs `command` with liboneline_preload.so
// preloaded. The library is the one that was built or installed with this
// program. If there is none, the variable LIBONELINE must name it. The dynamic
// linker ignores a library that does not exist, and RocksDB's programs would
// then remove filters: so this command fails.
std::string WithLibrary(const std::string& command);

}  // namespace oneline

#endif  // ONELINE_TOOLS_DOCTOR_PRELOADED_LIBRARY_H_
