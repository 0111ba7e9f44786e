// Checks that the program runs the version of RocksDB that this library was
// compiled for: the interface of filters differs between versions, see
// rocksdb_filter_bits.h.

#ifndef ONELINE_FILTER_POLICY_ROCKSDB_ROCKSDB_VERSION_H_
#define ONELINE_FILTER_POLICY_ROCKSDB_ROCKSDB_VERSION_H_

#include <rocksdb/status.h>

namespace oneline {

// OK, or NotSupported with a message that names both versions.
rocksdb::Status CheckRocksDBVersion();

}  // namespace oneline

#endif  // ONELINE_FILTER_POLICY_ROCKSDB_ROCKSDB_VERSION_H_
