// An environment for looking at databases.

#ifndef ONELINE_TOOLS_DATABASE_READ_ONLY_ENV_H_
#define ONELINE_TOOLS_DATABASE_READ_ONLY_ENV_H_

#include <rocksdb/env.h>

namespace oneline {

// For DB::OpenForReadOnly, which otherwise reads all write-ahead logs into
// memory and deletes *.trash files: logs are empty here, and nothing is
// deleted. Never null; lives until the program ends.
rocksdb::Env* ReadOnlyEnv();

}  // namespace oneline

#endif  // ONELINE_TOOLS_DATABASE_READ_ONLY_ENV_H_
