#include "filter_policy/rocksdb/rocksdb_version.h"

#include <rocksdb/version.h>

#include <string>

namespace oneline {

rocksdb::Status CheckRocksDBVersion() {
  const std::string compiled = std::to_string(ROCKSDB_MAJOR) + "." +
                               std::to_string(ROCKSDB_MINOR) + "." +
                               std::to_string(ROCKSDB_PATCH);
  const std::string running = rocksdb::GetRocksVersionAsString();
  if (running == compiled) return rocksdb::Status::OK();
  return rocksdb::Status::NotSupported(
      "oneline: compiled for RocksDB " + compiled + ", but this program runs " +
      running + ": build oneline against RocksDB " + running);
}

}  // namespace oneline
