// The end of a table (LevelDB's doc/table_format.md; numbers are varints unless
// a size is given):
//
//   metaindex block:  entry*  restarts
//     entry:          shared  name bytes  value bytes  name  offset  size
//   ...
//   footer, 48 bytes: metaindex offset  size   index offset  size
//                     zeros   magic (8)

#include "bench/databases/leveldb_table_filter.h"

#include <fstream>
#include <optional>
#include <sstream>
#include <string_view>

namespace oneline {
namespace {

constexpr size_t kFooterBytes = 48;
constexpr std::string_view kMagic = "\x57\xfb\x80\x8b\x24\x75\x47\xdb";
constexpr std::string_view kFilterPrefix = "filter.";

std::optional<uint64_t> TakeVarint(std::string_view* bytes) {
  uint64_t number = 0;
  for (int shift = 0; shift < 64 && !bytes->empty(); shift += 7) {
    const auto byte = static_cast<uint8_t>(bytes->front());
    bytes->remove_prefix(1);
    number |= static_cast<uint64_t>(byte & 0x7f) << shift;
    if (byte < 0x80) return number;
  }
  return std::nullopt;
}

absl::Status NotATable(const std::string& path) {
  return absl::InvalidArgumentError(path + " is not a LevelDB table");
}

std::string ReadWhole(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

}  // namespace

absl::StatusOr<LevelDBTableFilter> ReadTableFilter(const std::string& path) {
  const std::string file = ReadWhole(path);
  if (file.size() < kFooterBytes ||
      std::string_view(file).substr(file.size() - kMagic.size()) != kMagic) {
    return NotATable(path);
  }
  std::string_view footer(file);
  footer.remove_prefix(file.size() - kFooterBytes);
  const auto offset = TakeVarint(&footer);
  const auto size = TakeVarint(&footer);
  if (!offset || !size || *offset > file.size() ||
      *size > file.size() - *offset) {
    return NotATable(path);
  }
  // LevelDB writes no other entry than the filter's.
  std::string_view entry = std::string_view(file).substr(*offset, *size);
  const auto shared = TakeVarint(&entry);
  const auto name_bytes = TakeVarint(&entry);
  const auto value_bytes = TakeVarint(&entry);
  LevelDBTableFilter filter;
  if (!shared || !name_bytes || !value_bytes || *name_bytes > entry.size() ||
      entry.substr(0, kFilterPrefix.size()) != kFilterPrefix) {
    return filter;
  }
  filter.policy = std::string(
      entry.substr(kFilterPrefix.size(), *name_bytes - kFilterPrefix.size()));
  entry.remove_prefix(*name_bytes);
  const auto filter_offset = TakeVarint(&entry);
  const auto filter_bytes = TakeVarint(&entry);
  if (!filter_offset || !filter_bytes) return NotATable(path);
  filter.bytes = *filter_bytes;
  return filter;
}

}  // namespace oneline
