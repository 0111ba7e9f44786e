#include "filter_policy/rocksdb/rocksdb_version.h"

#include <rocksdb/version.h>

#include <string>

#include "absl/strings/str_cat.h"

namespace oneline {

rocksdb::Status CheckRocksDBVersion() {
  const std::string compiled =
      absl::StrCat(ROCKSDB_MAJOR, ".", ROCKSDB_MINOR, ".", ROCKSDB_PATCH);
  const std::string running = rocksdb::GetRocksVersionAsString();
  if (running == compiled) return rocksdb::Status::OK();
  return rocksdb::Status::NotSupported(absl::StrCat(
      "oneline: compiled for RocksDB ", compiled, ", but this program runs ",
      running, ": build oneline against RocksDB ", running));
}

}  // namespace oneline
