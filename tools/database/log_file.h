// Reads from the LOG of a database what no other file has: how large its block
// caches are, the filter policies that it really had, and which options were
// refused.
//
// RocksDB writes the options of each column family when it opens the database:
//
//   ... --------------- Options for column family [default]:
//     block_cache: 0x5586b547e6e0
//     block_cache_options:
//       capacity : 8388608
//       num_shard_bits : 4
//     filter_policy: oneline
//
// Our policy writes what it refused of SetOptions, for which RocksDB may have
// returned OK:
//
//   ... [ERROR] [default] oneline: bits_per_key=101: must be ...: refused,
//   filters are written with {id=oneline;bits_per_key=12;}

#ifndef ONELINE_TOOLS_DATABASE_LOG_FILE_H_
#define ONELINE_TOOLS_DATABASE_LOG_FILE_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"

namespace oneline {

struct BlockCache {
  std::string address;    // column families that share a cache have the same
  uint64_t capacity = 0;  // bytes
  std::optional<int> shard_bits;  // it has two to this power of shards
};

struct RefusedOptions {
  std::string mistake;  // what was refused, and why
  std::string policy;   // what filters are written with
};

struct LogFile {
  // Unavailable if the system does not let LOG be read. OK without any.
  absl::Status status;

  // By column family, all from the newest LOG that shows any.
  std::map<std::string, BlockCache> block_caches;

  // By column family, the name of the policy that it had when the newest LOG
  // was begun, if it had one. The OPTIONS file may name another, in whose place
  // it was.
  std::map<std::string, std::optional<std::string>> filter_policies;

  // By column family, the last of the newest LOG.
  std::map<std::string, RefusedOptions> refused;
};

// Paths of LOG and of each LOG.old.<microseconds> of the database at `path`,
// the newest first.
std::vector<std::string> LogPaths(const std::string& path);

// By column family, what the newest LOG.old.* that shows a filter policy shows,
// and its name: "oneline in LOG.old.1795519224000002".
// Reads of each only its beginning, in which RocksDB opens the database.
std::map<std::string, std::string> PoliciesInOldLogs(const std::string& path);

// Reads LOG and LOG.old.* of the database at `path`. Leaves out what is missing
// or can't be parsed.
LogFile ReadLogs(const std::string& path);

}  // namespace oneline

#endif  // ONELINE_TOOLS_DATABASE_LOG_FILE_H_
