#include "filter_policy/rocksdb/build_check.h"

#include <rocksdb/version.h>

#include <string>

#include "filter_policy/rocksdb/rocksdb_version.h"
#include "table/hash/key_hash.h"

namespace oneline {

rocksdb::Status CheckBuild() {
  const std::string compiled = RocksDBVersionText();
  const std::string running = rocksdb::GetRocksVersionAsString();
  if (running != compiled) {
    return rocksdb::Status::NotSupported(
        "oneline: compiled for RocksDB " + compiled +
        ", but this program runs " + running +
        ": build oneline against RocksDB " + running);
  }
  static const bool hash_is_right = IsTheKeyHash(&KeyHash);
  return hash_is_right ? rocksdb::Status::OK()
                       : rocksdb::Status::NotSupported(kWrongHash);
}

}  // namespace oneline
