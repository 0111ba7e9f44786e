// Checks that this build of the library fits the program that runs it.

#ifndef ONELINE_FILTER_POLICY_ROCKSDB_BUILD_CHECK_H_
#define ONELINE_FILTER_POLICY_ROCKSDB_BUILD_CHECK_H_

#include <rocksdb/status.h>
#include <rocksdb/version.h>

#include <string>

#include "filter_policy/rocksdb/rocksdb_version.h"
#include "table/hash/key_hash.h"

namespace oneline {

// NotSupported if the program runs another version of RocksDB than the library
// was compiled for, whose interface of filters may differ
// (rocksdb_filter_bits.h), or if keys are hashed otherwise than the format
// says. The message says what to do.
inline rocksdb::Status CheckBuild() {
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

#endif  // ONELINE_FILTER_POLICY_ROCKSDB_BUILD_CHECK_H_
