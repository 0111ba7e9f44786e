// A shared library that makes any RocksDB program run "another version of
// RocksDB", when preloaded: for tests of what liboneline.so does then.

#include <rocksdb/version.h>

#include <string>

namespace rocksdb {

std::string GetRocksVersionAsString(bool /*with_patch*/) { return "9.10.0"; }

}  // namespace rocksdb
