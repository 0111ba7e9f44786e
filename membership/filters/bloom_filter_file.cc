// Saves and loads Bloom filters. membership/README.md specifies the file.

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <initializer_list>
#include <memory>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "membership/filters/bloom_filter.h"
#include "table/hash/key_hash.h"
#include "table/hash/little_endian.h"

namespace oneline {
namespace {

constexpr size_t kVersionAt = 8;
constexpr size_t kHasherAt = 9;
constexpr size_t kNumHashesAt = 10;
constexpr size_t kKeyFormAt = 11;
constexpr size_t kZeroAt = 12;
constexpr size_t kSeedAt = 16;
constexpr size_t kNumBitsAt = 24;
constexpr size_t kBitsSetAt = 32;
constexpr size_t kChecksumAt = 40;
constexpr size_t kHeaderBytes = 48;
constexpr size_t kChecksumBytes = 8;

constexpr uint8_t kVersion = 1;
// As in PNG files: it is not text, and a transfer that converts line ends or
// clears the highest bits changes it.
constexpr uint8_t kMagic[kVersionAt] = {0x89, 'o', 'n',  'e',
                                        'B',  'F', '\r', '\n'};

using Header = std::array<uint8_t, kHeaderBytes>;

std::string_view View(const uint8_t* bytes, size_t n) {
  return {reinterpret_cast<const char*>(bytes), n};
}

Header EncodeHeader(const FilterShape& shape, uint64_t bits_set) {
  Header header = {};
  std::memcpy(header.data(), kMagic, sizeof(kMagic));
  header[kVersionAt] = kVersion;
  header[kHasherAt] = static_cast<uint8_t>(shape.hasher);
  header[kNumHashesAt] = static_cast<uint8_t>(shape.num_hashes);
  header[kKeyFormAt] = shape.key_form;
  PutLittleEndian(shape.seed, &header[kSeedAt]);
  PutLittleEndian(shape.num_positions, &header[kNumBitsAt]);
  PutLittleEndian(bits_set, &header[kBitsSetAt]);
  PutLittleEndian(KeyHash(View(header.data(), kChecksumAt), 0),
                  &header[kChecksumAt]);
  return header;
}

absl::StatusOr<FilterShape> DecodeHeader(const Header& header) {
  const uint64_t checksum = GetLittleEndian<uint64_t>(&header[kChecksumAt]);
  if (checksum != KeyHash(View(header.data(), kChecksumAt), 0)) {
    return absl::DataLossError("the checksum of the header is wrong");
  }
  if (header[kVersionAt] != kVersion) {
    return absl::UnimplementedError(absl::StrCat(
        "this program does not know version ", header[kVersionAt]));
  }
  if (std::any_of(&header[kZeroAt], &header[kSeedAt],
                  [](uint8_t byte) { return byte != 0; })) {
    return absl::DataLossError("bytes 12 to 15 of the header must be 0");
  }
  FilterShape shape;
  shape.hasher = static_cast<Hasher>(header[kHasherAt]);
  shape.num_hashes = header[kNumHashesAt];
  shape.key_form = header[kKeyFormAt];
  shape.seed = GetLittleEndian<uint64_t>(&header[kSeedAt]);
  shape.num_positions = GetLittleEndian<uint64_t>(&header[kNumBitsAt]);
  const absl::Status checked = CheckShape(shape);
  if (!checked.ok()) return checked;
  return shape;
}

struct CloseFile {
  void operator()(FILE* file) const { std::fclose(file); }
};
using OpenFile = std::unique_ptr<FILE, CloseFile>;

absl::Status Read(FILE* file, uint8_t* out, size_t n) {
  if (std::fread(out, 1, n, file) == n) return absl::OkStatus();
  return std::ferror(file) != 0 ? absl::ErrnoToStatus(errno, "can't be read")
                                : absl::DataLossError("ends too early");
}

// Reads and checks the header, and the size of the file by it: a header with a
// wrong number of bits must not make Load allocate that much.
absl::StatusOr<FilterShape> ReadHeader(FILE* file, uint64_t size,
                                       Header* header) {
  const absl::Status read = Read(file, header->data(), kHeaderBytes);
  const size_t compared = std::min<uint64_t>(size, sizeof(kMagic));
  if (std::memcmp(header->data(), kMagic, compared) != 0) {
    return absl::DataLossError("is not a saved filter: wrong magic");
  }
  if (!read.ok()) return read;
  const absl::StatusOr<FilterShape> shape = DecodeHeader(*header);
  if (!shape.ok()) return shape.status();
  const uint64_t expected =
      kHeaderBytes + (shape->num_positions + 7) / 8 + kChecksumBytes;
  if (size == expected) return shape;
  return absl::DataLossError(absl::StrCat(
      "has ", size, " bytes instead of ", expected,
      size < expected ? ": it was truncated" : ": something was appended"));
}

// With the permissions of the file `old`, if there is one. False: see errno.
bool WriteAndSync(const std::string& path, const std::string& old,
                  std::initializer_list<std::string_view> parts) {
  unlink(path.c_str());  // that of a killed program
  FILE* const file = std::fopen(path.c_str(), "wxe");
  if (file == nullptr) return false;
  struct stat replaced = {};
  bool ok = stat(old.c_str(), &replaced) != 0 ||
            fchmod(fileno(file), replaced.st_mode & 0777) == 0;
  for (std::string_view part : parts) {
    ok = ok && std::fwrite(part.data(), 1, part.size(), file) == part.size();
  }
  ok = ok && std::fflush(file) == 0;
  ok = ok && fsync(fileno(file)) == 0;
  return std::fclose(file) == 0 && ok;
}

// Syncs a directory, so that the new name of a file is on the disk.
absl::Status SyncDirectory(const std::string& path) {
  const int fd = open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  // EINVAL: a file system that cannot sync directories, and need not.
  const bool synced = fd >= 0 && (fsync(fd) == 0 || errno == EINVAL);
  const int error = errno;
  if (fd >= 0) close(fd);
  return synced ? absl::OkStatus() : absl::ErrnoToStatus(error, path);
}

}  // namespace

// Writes another file, syncs it to the disk and gives it the name.
absl::Status BloomFilter::Save(const std::string& name) const {
  const Header header = EncodeHeader(shape_, bits_set());
  const std::string_view bits = View(bits_.data(), bits_.size());
  uint8_t checksum[kChecksumBytes];
  PutLittleEndian(
      KeyHash(bits, GetLittleEndian<uint64_t>(&header[kChecksumAt])), checksum);
  // A symbolic link stays one.
  std::error_code is_new;
  const std::filesystem::path real = std::filesystem::canonical(name, is_new);
  const std::string path = is_new ? name : real.string();
  const std::string temporary = absl::StrCat(path, ".tmp.", getpid());
  if (!WriteAndSync(temporary, path,
                    {View(header.data(), header.size()), bits,
                     View(checksum, sizeof(checksum))}) ||
      std::rename(temporary.c_str(), path.c_str()) != 0) {
    const absl::Status status = absl::ErrnoToStatus(errno, path);
    unlink(temporary.c_str());
    return status;
  }
  const std::string directory = std::filesystem::path(path).parent_path();
  return SyncDirectory(directory.empty() ? "." : directory);
}

absl::StatusOr<BloomFilter> BloomFilter::Load(const std::string& path) {
  const auto load = [&path]() -> absl::StatusOr<BloomFilter> {
    // Opening a FIFO does not wait for its writer.
    const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat opened = {};
    if (fd < 0 || fstat(fd, &opened) != 0) {
      return absl::ErrnoToStatus(errno, "can't be read");
    }
    const OpenFile file(fdopen(fd, "r"));
    if (!S_ISREG(opened.st_mode)) {
      return absl::InvalidArgumentError("is not a regular file");
    }
    Header header = {};
    const absl::StatusOr<FilterShape> shape =
        ReadHeader(file.get(), static_cast<uint64_t>(opened.st_size), &header);
    if (!shape.ok()) return shape.status();
    absl::StatusOr<BloomFilter> filter = ForShape(*shape);
    if (!filter.ok()) return filter;
    const size_t num_bytes = filter->bits_.size();
    uint8_t checksum[kChecksumBytes];
    absl::Status status = Read(file.get(), filter->bits_.data(), num_bytes);
    if (status.ok()) status = Read(file.get(), checksum, sizeof(checksum));
    if (!status.ok()) return status;
    const std::string_view bits = View(filter->bits_.data(), num_bytes);
    if (GetLittleEndian<uint64_t>(checksum) !=
        KeyHash(bits, GetLittleEndian<uint64_t>(&header[kChecksumAt]))) {
      return absl::DataLossError("the checksum of the bits is wrong");
    }
    filter->bits_set_ = filter->CountBits();
    const size_t used = shape->num_positions % 8;
    if (GetLittleEndian<uint64_t>(&header[kBitsSetAt]) != filter->bits_set_ ||
        (used != 0 && static_cast<uint8_t>(bits.back()) >> used != 0)) {
      return absl::DataLossError("the header does not match the bits");
    }
    return filter;
  };
  absl::StatusOr<BloomFilter> filter = load();
  if (filter.ok()) return filter;
  return absl::Status(filter.status().code(),
                      absl::StrCat(path, ": ", filter.status().message()));
}

}  // namespace oneline
