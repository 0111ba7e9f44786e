// What identifies a table to RocksDB: the id of its database, the session that
// wrote it, and its number there. Keys of block caches are made of these, so a
// table whose blocks were moved must have others than before: a process with
// its old filter in the cache would go on using it.

#ifndef ONELINE_TOOLS_REWRITE_TABLE_IDENTITY_H_
#define ONELINE_TOOLS_REWRITE_TABLE_IDENTITY_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace oneline {

// A random one, as RocksDB has one for each DB::Open: 20 letters and digits.
std::string NewSessionId();

// What the MANIFEST has of a table (kUniqueIdField); nothing if RocksDB has
// none, as the table's properties lack something.
std::optional<std::string> UniqueIdOf(std::string_view database_id,
                                      std::string_view session_id,
                                      uint64_t original_number);

}  // namespace oneline

#endif  // ONELINE_TOOLS_REWRITE_TABLE_IDENTITY_H_
