// Environments for looking at databases.

#ifndef ONELINE_TOOLS_SST_ENVIRONMENTS_H_
#define ONELINE_TOOLS_SST_ENVIRONMENTS_H_

#include <rocksdb/env.h>
#include <rocksdb/rate_limiter.h>

#include <memory>

namespace oneline {

// The default Env, for programs beside a busy database: all bytes that are read
// of its tables take their turn in the limiter. Thread-safe.
std::unique_ptr<rocksdb::Env> NewEnvWithLimitedReads(
    std::shared_ptr<rocksdb::RateLimiter> limiter);

// For DB::OpenForReadOnly, which otherwise reads all write-ahead logs into
// memory and deletes *.trash files: logs are empty here, and nothing is
// deleted. Never null; lives until the program ends.
rocksdb::Env* ReadOnlyEnv();

}  // namespace oneline

#endif  // ONELINE_TOOLS_SST_ENVIRONMENTS_H_
