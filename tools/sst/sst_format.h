// Recognises block-based tables, the only SST format that has filter blocks, by
// the last eight bytes of the file, and checks where the footer before them
// says that blocks are:
//
//   end - 53   checksum type   1; not in tables before 2013
//   end - 52   handles         40: of the metaindex and of the index, each
//                              an offset and a size as varints; then zeros
//   end - 12   format version  4; the footer is another one from 6 on
//   end -  8   magic           8
//
// Tables before 2013 have no version, and their handles begin at end - 48.

#ifndef ONELINE_TOOLS_SST_SST_FORMAT_H_
#define ONELINE_TOOLS_SST_SST_FORMAT_H_

#include <string>

#include "absl/status/status.h"

namespace oneline {

// NotFound if there is no file, Unavailable if it can't be opened,
// Unimplemented if it ends as another format, InvalidArgument if it ends as
// none or is not a regular file, DataLoss if the footer tells of a block
// outside of the file: RocksDB, which has no checksum of it before version 6,
// would ask for as much memory. Messages do not name the file.
absl::Status CheckSstFormat(const std::string& path);

}  // namespace oneline

#endif  // ONELINE_TOOLS_SST_SST_FORMAT_H_
