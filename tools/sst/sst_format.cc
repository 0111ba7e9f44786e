#include "tools/sst/sst_format.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>

#include "tools/sst/read_status.h"

namespace oneline {

absl::Status CheckSstFormat(const std::string& path) {
  // Opening a FIFO does not wait for its writer.
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return OpenStatus(errno);
  struct stat file;
  uint8_t end[8] = {};
  const bool is_file = fstat(fd, &file) == 0 && S_ISREG(file.st_mode);
  const bool read = is_file && pread(fd, end, sizeof(end), file.st_size - 8) ==
                                   ssize_t{sizeof(end)};
  close(fd);
  if (!is_file) return absl::InvalidArgumentError("is not a regular file");
  if (!read) std::memset(end, 0, sizeof(end));
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
