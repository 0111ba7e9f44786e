// Preloaded, it makes a program believe that it runs another RocksDB: of
// version 6.99.0, or of the one in OTHER_ROCKSDB_VERSION.

#include <cstdlib>
#include <string>

namespace rocksdb {

std::string GetRocksVersionAsString(bool /*with_patch*/) {
  const char* const version = std::getenv("OTHER_ROCKSDB_VERSION");
  return version == nullptr ? "6.99.0" : version;
}

}  // namespace rocksdb
