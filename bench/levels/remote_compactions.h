// Compactions by a worker, as programs have them that compact on another
// machine: DB::OpenAndCompact with a filter policy of its own each time, which
// sees one compaction and no options. Here the worker is the same process.

#ifndef ONELINE_BENCH_LEVELS_REMOTE_COMPACTIONS_H_
#define ONELINE_BENCH_LEVELS_REMOTE_COMPACTIONS_H_

#include <rocksdb/filter_policy.h>
#include <rocksdb/options.h>

#include <functional>
#include <memory>
#include <string>

namespace oneline {

// For options.compaction_service of the database at `path`.
std::shared_ptr<rocksdb::CompactionService> NewRemoteCompactions(
    const std::string& path,
    std::function<std::shared_ptr<const rocksdb::FilterPolicy>()> new_policy);

}  // namespace oneline

#endif  // ONELINE_BENCH_LEVELS_REMOTE_COMPACTIONS_H_
