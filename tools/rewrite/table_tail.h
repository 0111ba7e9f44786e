// The end of a table: what follows the data blocks. RocksDB writes
//
//   filter | index | compression dictionary | range deletions | properties |
//   metaindex | footer, 53 bytes
//
// where a partitioned filter or index is its partitions, then their index. The
// footer, of which sst_format.h has the part that all versions share, has in
// its 40 bytes from format version 6 on
//
//   3e 00 7a 00 | checksum of the footer, 4 | base of the checksums' context, 4
//   | size of the metaindex, 4 | zeros, 24
//
// and the index is then in the metaindex.

#ifndef ONELINE_TOOLS_REWRITE_TABLE_TAIL_H_
#define ONELINE_TOOLS_REWRITE_TABLE_TAIL_H_

#include <rocksdb/table.h>

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "tools/rewrite/disk.h"
#include "tools/rewrite/table_blocks.h"

namespace oneline {

inline constexpr char kIndexName[] = "rocksdb.index";
inline constexpr char kPropertiesName[] = "rocksdb.properties";

// What all blocks of one table share.
struct TableFormat {
  uint32_t version = 0;
  rocksdb::ChecksumType checksum = rocksdb::kNoChecksum;
  uint32_t context_base = 0;  // 0 before version 6

  bool index_is_in_footer() const { return version < 6; }

  // The bytes that follow `block` at `offset`; `type` is that of its
  // compression, 0 for none.
  std::string Trailer(std::string_view block, char type, uint64_t offset) const;
  // The footer at `offset`. REQUIRES: the metaindex ends there.
  std::string Footer(const BlockHandle& metaindex, const BlockHandle& index,
                     uint64_t offset) const;
};

struct TableTail {
  TableFormat format;
  uint64_t file_bytes = 0;

  // The blocks of the metaindex by name, without filters and properties; the
  // index is among them in every version.
  std::map<std::string, BlockHandle> blocks;
  // Raw values by name.
  std::map<std::string, std::string> properties;
  bool has_partitioned_filter = false;

  // From here on the file has nothing but filters that can be dropped,
  // properties, metaindex, footer, and those of `blocks` that are behind it.
  // All that is before stays where it is.
  uint64_t cut = 0;

  bool has_partitioned_index() const;
};

// Errors: DataLoss if the tail is damaged, Unimplemented if it is not as
// RocksDB 7.8 to 11.8 write it, those of Disk.
absl::StatusOr<TableTail> ReadTableTail(const Disk::Input& file);

}  // namespace oneline

#endif  // ONELINE_TOOLS_REWRITE_TABLE_TAIL_H_
