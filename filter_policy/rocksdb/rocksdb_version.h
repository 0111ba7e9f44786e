// Whether the RocksDB that runs is the one this library was compiled against:
// the interface for filters differs between versions, see
// rocksdb_filter_bits.h.

#ifndef ONELINE_FILTER_POLICY_ROCKSDB_ROCKSDB_VERSION_H_
#define ONELINE_FILTER_POLICY_ROCKSDB_ROCKSDB_VERSION_H_

#include <rocksdb/status.h>

namespace oneline {

// OK, or NotSupported with both versions.
rocksdb::Status CheckRocksDBVersion();

}  // namespace oneline

#endif  // ONELINE_FILTER_POLICY_ROCKSDB_ROCKSDB_VERSION_H_
