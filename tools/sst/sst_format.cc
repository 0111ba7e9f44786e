#include "tools/sst/sst_format.h"

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fstream>

#include "absl/strings/str_cat.h"

namespace oneline {

absl::Status CheckSstFormat(const std::string& path) {
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file && errno == ENOENT) {
    return absl::NotFoundError("there is no such file");
  }
  if (!file) {
    return absl::DataLossError(
        absl::StrCat("can't be opened: ", std::strerror(errno)));
  }
  uint8_t end[8] = {};
  file.seekg(-8, std::ios::end);
  file.read(reinterpret_cast<char*>(end), sizeof(end));
  uint64_t magic = 0;  // little-endian, as in RocksDB's sources
  for (int i = 7; i >= 0; --i) magic = magic << 8 | end[i];
  switch (magic) {
    case 0x88e241b785f4cff7:
    case 0xdb4775248b80fb57:
      return absl::OkStatus();
    case 0x8242229663bf9564:
    case 0x4f3418eb7a8f13b8:
      return absl::UnimplementedError("is a PlainTable, not a block-based one");
    case 0x926789d0c5f17873:
      return absl::UnimplementedError(
          "is a CuckooTable, not a block-based one");
    default:
      return absl::InvalidArgumentError(
          "is not an SST file, or its end is lost or damaged");
  }
}

}  // namespace oneline
