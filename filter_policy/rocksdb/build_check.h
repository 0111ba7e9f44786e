// Checks that this build of the library fits the program that runs it.

#ifndef ONELINE_FILTER_POLICY_ROCKSDB_BUILD_CHECK_H_
#define ONELINE_FILTER_POLICY_ROCKSDB_BUILD_CHECK_H_

#include <rocksdb/status.h>

namespace oneline {

// NotSupported if the program runs another version of RocksDB than the library
// was compiled for, whose interface of filters may differ
// (rocksdb_filter_bits.h), or if keys are hashed otherwise than the format
// says. The message says what to do.
rocksdb::Status CheckBuild();

}  // namespace oneline

#endif  // ONELINE_FILTER_POLICY_ROCKSDB_BUILD_CHECK_H_
