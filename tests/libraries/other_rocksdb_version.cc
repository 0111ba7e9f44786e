// Preloaded, it makes a program believe that it runs another RocksDB.

#include <string>

namespace rocksdb {

std::string GetRocksVersionAsString(bool /*with_patch*/) { return "6.99.0"; }

}  // namespace rocksdb
