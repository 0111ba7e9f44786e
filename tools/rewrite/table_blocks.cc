#include "tools/rewrite/table_blocks.h"

#include "tools/manifest/coding.h"

namespace oneline {
namespace {

// Larger numbers have flags of features in their top bits.
constexpr uint32_t kMaxRestarts = (1u << 28) - 1;

bool TakeEntry(bool has_value_bytes, ByteParser* parser, BlockEntry* entry) {
  uint32_t shared = 0, rest = 0, value_bytes = 0;
  std::string_view name;
  if (!parser->TakeVarint(&shared) || !parser->TakeVarint(&rest) ||
      (has_value_bytes && !parser->TakeVarint(&value_bytes)) ||
      shared > entry->name.size() || !parser->TakeBytes(rest, &name)) {
    return false;
  }
  entry->name.resize(shared);
  entry->name += name;
  if (has_value_bytes) return parser->TakeBytes(value_bytes, &entry->value);
  const std::string_view value = parser->rest();
  uint64_t offset = 0, size = 0;
  if (shared != 0 || !parser->TakeVarint(&offset) ||
      !parser->TakeVarint(&size)) {
    return false;
  }
  entry->value = value.substr(0, value.size() - parser->rest().size());
  return true;
}

}  // namespace

std::string EncodeHandle(const BlockHandle& handle) {
  return Varint(handle.offset) + Varint(handle.size);
}

std::optional<BlockHandle> ParseHandle(std::string_view bytes) {
  ByteParser parser(bytes);
  BlockHandle handle;
  if (!parser.TakeVarint(&handle.offset) || !parser.TakeVarint(&handle.size)) {
    return std::nullopt;
  }
  return handle;
}

std::optional<std::vector<BlockEntry>> ParseBlock(std::string_view block,
                                                  bool has_value_bytes) {
  uint32_t restarts = 0;
  if (block.size() < sizeof(restarts)) return std::nullopt;
  ByteParser end(block.substr(block.size() - sizeof(restarts)));
  if (!end.TakeFixed(&restarts) || restarts > kMaxRestarts) return std::nullopt;
  const uint64_t end_bytes = sizeof(restarts) * (uint64_t{restarts} + 1);
  if (end_bytes > block.size()) return std::nullopt;
  ByteParser parser(block.substr(0, block.size() - end_bytes));
  std::vector<BlockEntry> entries;
  for (BlockEntry entry; !parser.empty();) {
    if (!TakeEntry(has_value_bytes, &parser, &entry)) return std::nullopt;
    entries.push_back(entry);
  }
  return entries;
}

std::string EncodeBlock(
    const std::vector<std::pair<std::string, std::string>>& entries,
    bool with_value_bytes) {
  std::string block, restarts;
  for (const auto& [name, value] : entries) {
    PutFixed(static_cast<uint32_t>(block.size()), &restarts);
    PutVarint(0, &block);
    PutVarint(name.size(), &block);
    if (with_value_bytes) PutVarint(value.size(), &block);
    block += name;
    block += value;
  }
  // RocksDB wants one even in an empty block.
  if (entries.empty()) PutFixed(uint32_t{0}, &restarts);
  block += restarts;
  PutFixed(static_cast<uint32_t>(restarts.size() / sizeof(uint32_t)), &block);
  return block;
}

}  // namespace oneline
