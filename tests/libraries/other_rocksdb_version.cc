// A shared library that, when preloaded, makes a program believe that it runs
// another version of RocksDB: for tests of what liboneline.so does then.

#include <rocksdb/version.h>

#include <string>

namespace rocksdb {

std::string GetRocksVersionAsString(bool /*with_patch*/) { return "9.10.0"; }

}  // namespace rocksdb
