// Recognises block-based tables, the only SST format that has filter blocks, by
// the last eight bytes of the file, and checks where the footer before them
// says that blocks are:
//
//   end - 53   checksum type   1; not in tables before 2013
//   end - 52   handles         40: of the metaindex and of the index, each
//                              an offset and a size as varints; then zeros
//   end - 12   format version  4; the footer is another one from 6 on
//   end -  8   magic           8
//
// Tables before 2013 have no version, and their handles begin at end - 48.

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "table/hash/little_endian.h"
#include "tools/sst/sst_reader.h"

namespace oneline {
namespace {

constexpr uint64_t kBlockBased = 0x88e241b785f4cff7;
constexpr uint64_t kOldBlockBased = 0xdb4775248b80fb57;  // also LevelDB's
constexpr uint64_t kPlainTable = 0x8242229663bf9564;
constexpr uint64_t kOldPlainTable = 0x4f3418eb7a8f13b8;  // before 2014
constexpr uint64_t kCuckooTable = 0x926789d0c5f17873;
constexpr size_t kFooterBytes = 53, kHandlesBytes = 40;
constexpr size_t kHandlesAt = 1, kVersionAt = 41, kMagicAt = 45;
constexpr size_t kOldHandlesAt = 5;  // no checksum type, no version

// Seven bits a byte, the lowest first; the last byte has the top bit clear.
// False if it does not end within 64 bits and before `end`.
bool TakeVarint(const uint8_t** at, const uint8_t* end, uint64_t* number) {
  *number = 0;
  for (int shift = 0; shift < 64 && *at < end; shift += 7) {
    const uint8_t byte = *(*at)++;
    *number |= uint64_t{byte & 0x7fu} << shift;
    if (byte < 0x80) return true;
  }
  return false;
}

// Whether both handles are of blocks between the file's begin and its footer.
bool HandlesAreInside(const uint8_t* handles, uint64_t file_bytes) {
  const uint8_t* const end = handles + kHandlesBytes;
  for (int i = 0; i < 2; ++i) {
    uint64_t offset = 0, size = 0;
    if (!TakeVarint(&handles, end, &offset) ||
        !TakeVarint(&handles, end, &size) || offset > file_bytes ||
        size > file_bytes - offset) {
      return false;
    }
  }
  return true;
}

absl::Status CheckFooter(const uint8_t* footer, uint64_t file_bytes) {
  const auto magic = GetLittleEndian<uint64_t>(footer + kMagicAt);
  const auto version = GetLittleEndian<uint32_t>(footer + kVersionAt);
  switch (magic) {
    case kBlockBased:
    case kOldBlockBased:
      break;
    case kPlainTable:
    case kOldPlainTable:
    case kCuckooTable:
      return absl::UnimplementedError(
          "is a PlainTable or CuckooTable, not a block-based one");
    default:
      return absl::InvalidArgumentError(
          "is not an SST file, or its end is lost or damaged");
  }
  // RocksDB checks the footer from 6 on.
  if (magic == kBlockBased && version >= 6) return absl::OkStatus();
  const size_t at = magic == kBlockBased ? kHandlesAt : kOldHandlesAt;
  if (HandlesAreInside(footer + at, file_bytes)) return absl::OkStatus();
  return absl::DataLossError(
      "the footer is damaged: it tells of a block outside of the file");
}

}  // namespace

absl::Status CheckSstFormat(const std::string& path) {
  // Opening a FIFO does not wait for its writer.
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0 && errno == ENOENT) {
    return absl::NotFoundError("there is no such file");
  }
  if (fd < 0) {
    return absl::UnavailableError(absl::StrCat(
        "can't be opened: ", std::generic_category().message(errno)));
  }
  struct stat file;
  // Zeros where the file is too short.
  uint8_t footer[kFooterBytes] = {};
  const bool is_file = fstat(fd, &file) == 0 && S_ISREG(file.st_mode);
  const auto bytes = is_file ? static_cast<size_t>(file.st_size) : 0;
  const size_t n = std::min(bytes, kFooterBytes);
  const ssize_t read =
      pread(fd, footer + kFooterBytes - n, n, static_cast<off_t>(bytes - n));
  close(fd);
  if (!is_file) return absl::InvalidArgumentError("is not a regular file");
  if (read != static_cast<ssize_t>(n)) std::memset(footer, 0, sizeof(footer));
  return CheckFooter(footer, bytes);
}

}  // namespace oneline
