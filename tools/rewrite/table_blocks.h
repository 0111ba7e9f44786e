// Blocks of names and values in a table: the metaindex, the properties, the
// index of a filter's partitions.
//
//   shared, varint | rest, varint | bytes of the value, varint | rest of the
//   name | value      for each entry; `shared` bytes are those of the name
//                     before
//   offsets of entries with shared = 0, 4 bytes each | their number, 4
//
// A handle says where a block is: offset and size, two varints. Behind each
// block are its compression type, one byte, and a checksum, four.

#ifndef ONELINE_TOOLS_REWRITE_TABLE_BLOCKS_H_
#define ONELINE_TOOLS_REWRITE_TABLE_BLOCKS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace oneline {

inline constexpr uint64_t kBlockTrailer = 5;

struct BlockHandle {
  uint64_t offset = 0;
  uint64_t size = 0;  // without the trailer

  // Behind the trailer. REQUIRES: the block is inside of a file.
  uint64_t end() const { return offset + size + kBlockTrailer; }
};

std::string EncodeHandle(const BlockHandle& handle);
// Nothing if `bytes` do not begin with a handle.
std::optional<BlockHandle> ParseHandle(std::string_view bytes);

struct BlockEntry {
  std::string name;
  std::string_view value;  // of the block
};

// Nothing if the block is damaged. `has_value_bytes` is false for an index with
// delta encoding, where values are handles. Of these only full ones are parsed,
// those of names that share no bytes with the one before.
std::optional<std::vector<BlockEntry>> ParseBlock(std::string_view block,
                                                  bool has_value_bytes = true);

// A block in which no name is abbreviated.
std::string EncodeBlock(
    const std::vector<std::pair<std::string, std::string>>& entries,
    bool with_value_bytes = true);

}  // namespace oneline

#endif  // ONELINE_TOOLS_REWRITE_TABLE_BLOCKS_H_
