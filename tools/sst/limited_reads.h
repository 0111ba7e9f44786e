// Reads of files at a limited rate, for programs beside a busy database.

#ifndef ONELINE_TOOLS_SST_LIMITED_READS_H_
#define ONELINE_TOOLS_SST_LIMITED_READS_H_

#include <rocksdb/env.h>
#include <rocksdb/rate_limiter.h>

#include <memory>

namespace oneline {

// The default Env. All bytes that are read of its tables take their turn in the
// limiter. Thread-safe.
std::unique_ptr<rocksdb::Env> NewEnvWithLimitedReads(
    std::shared_ptr<rocksdb::RateLimiter> limiter);

}  // namespace oneline

#endif  // ONELINE_TOOLS_SST_LIMITED_READS_H_
