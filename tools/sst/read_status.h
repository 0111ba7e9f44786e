// Why a table could not be read: because it is damaged, or because the system
// did not let it be read, so that nothing is known of it.

#ifndef ONELINE_TOOLS_SST_READ_STATUS_H_
#define ONELINE_TOOLS_SST_READ_STATUS_H_

#include <rocksdb/status.h>

#include "absl/status/status.h"

namespace oneline {

// From an error of RocksDB's: Unavailable for lack of permission, descriptors
// or memory, otherwise DataLoss.
absl::Status ReadStatus(const rocksdb::Status& status);

}  // namespace oneline

#endif  // ONELINE_TOOLS_SST_READ_STATUS_H_
