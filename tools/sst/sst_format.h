// Whether a file is an SST file of the format that has filter blocks. RocksDB
// has several; each ends in eight bytes of its own:
//
//   f7 cf f4 85 b7 41 e2 88    block-based
//   57 fb 80 8b 24 75 47 db    the same of before 2013, and LevelDB
//   64 95 bf 63 96 22 42 82    PlainTable; before 2014 b8 13 8f 7a eb 18 34 4f
//   73 78 c1 f5 d0 89 67 92    CuckooTable

#ifndef ONELINE_TOOLS_SST_SST_FORMAT_H_
#define ONELINE_TOOLS_SST_SST_FORMAT_H_

#include <string>

#include "absl/status/status.h"

namespace oneline {

// OK if the file ends like a block-based table. NotFound if there is none,
// DataLoss if it can't be read, Unimplemented if it is of another format,
// InvalidArgument if it does not end like any. Messages do not name the file.
absl::Status CheckSstFormat(const std::string& path);

}  // namespace oneline

#endif  // ONELINE_TOOLS_SST_SST_FORMAT_H_
