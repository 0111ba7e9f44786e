// A shared library that, when preloaded, makes a program believe that it runs
// another version of RocksDB: for tests of what liboneline_preload.so does
// then.

#include <string>

namespace rocksdb {

std::string GetRocksVersionAsString(bool /*with_patch*/) { return "6.99.0"; }

}  // namespace rocksdb
