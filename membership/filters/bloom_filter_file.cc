// Saves and loads Bloom filters in the layout that bloom_filter.h describes.

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "membership/filters/bloom_filter.h"
#include "membership/storage/atomic_file.h"
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

// A file open for reading. Opening a FIFO does not wait for its writer.
class InputFile {
 public:
  explicit InputFile(const std::string& path)
      : fd_(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {}
  ~InputFile() {
    if (fd_ >= 0) close(fd_);
  }
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  absl::StatusOr<uint64_t> Size() const {
    struct stat status;
    if (fd_ < 0 || fstat(fd_, &status) != 0) {
      return absl::ErrnoToStatus(errno, "can't be read");
    }
    if (!S_ISREG(status.st_mode)) {
      return absl::InvalidArgumentError("is not a regular file");
    }
    return static_cast<uint64_t>(status.st_size);
  }

  absl::Status Read(uint8_t* out, size_t n) {
    while (n > 0) {
      // Linux reads at most 2 GiB at once.
      const ssize_t got = read(fd_, out, std::min(n, size_t{1} << 30));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) return absl::ErrnoToStatus(errno, "can't be read");
      if (got == 0) return absl::DataLossError("the file ends too early");
      out += got;
      n -= static_cast<size_t>(got);
    }
    return absl::OkStatus();
  }

 private:
  const int fd_;
};

// Reads and checks the header, and the size of the file by it: a header with a
// wrong number of bits must not make Load allocate that much.
absl::StatusOr<FilterShape> ReadHeader(InputFile& file, Header& header) {
  const absl::StatusOr<uint64_t> size = file.Size();
  if (!size.ok()) return size.status();
  if (*size < sizeof(kMagic)) {
    return absl::DataLossError("is too short for a saved filter");
  }
  const size_t readable = std::min<uint64_t>(*size, kHeaderBytes);
  absl::Status status = file.Read(header.data(), readable);
  if (!status.ok()) return status;
  if (std::memcmp(header.data(), kMagic, sizeof(kMagic)) != 0) {
    return absl::DataLossError("is not a saved filter: wrong magic");
  }
  if (readable < kHeaderBytes) {
    return absl::DataLossError("ends within the header");
  }
  const absl::StatusOr<FilterShape> shape = DecodeHeader(header);
  if (!shape.ok()) return shape.status();
  const uint64_t expected =
      kHeaderBytes + (shape->num_positions + 7) / 8 + kChecksumBytes;
  if (*size != expected) {
    return absl::DataLossError(absl::StrCat(
        "has ", *size, " bytes instead of ", expected,
        *size < expected ? ": it was truncated" : ": something was appended"));
  }
  return shape;
}

absl::Status InFile(const std::string& path, const absl::Status& status) {
  return absl::Status(status.code(),
                      absl::StrCat(path, ": ", status.message()));
}

}  // namespace

absl::Status BloomFilter::Save(const std::string& path) const {
  const Header header = EncodeHeader(shape_, bits_set());
  const std::string_view bits = View(bits_.data(), bits_.size());
  std::array<uint8_t, kChecksumBytes> checksum;
  PutLittleEndian(
      KeyHash(bits, GetLittleEndian<uint64_t>(&header[kChecksumAt])),
      checksum.data());
  return WriteFileAtomically(path, {View(header.data(), header.size()), bits,
                                    View(checksum.data(), checksum.size())});
}

absl::StatusOr<BloomFilter> BloomFilter::Load(const std::string& path) {
  InputFile file(path);
  Header header;
  const absl::StatusOr<FilterShape> shape = ReadHeader(file, header);
  if (!shape.ok()) return InFile(path, shape.status());
  absl::StatusOr<BloomFilter> filter = ForShape(*shape);
  if (!filter.ok()) return InFile(path, filter.status());
  std::array<uint8_t, kChecksumBytes> checksum;
  absl::Status status = file.Read(filter->bits_.data(), filter->bits_.size());
  if (status.ok()) status = file.Read(checksum.data(), checksum.size());
  if (!status.ok()) return InFile(path, status);
  const std::string_view bits =
      View(filter->bits_.data(), filter->bits_.size());
  const auto seed = GetLittleEndian<uint64_t>(&header[kChecksumAt]);
  if (GetLittleEndian<uint64_t>(checksum.data()) != KeyHash(bits, seed)) {
    return InFile(path,
                  absl::DataLossError("the checksum of the bits is wrong"));
  }
  filter->bits_set_ = filter->CountBits();
  const size_t used = shape->num_positions % 8;
  if (GetLittleEndian<uint64_t>(&header[kBitsSetAt]) != filter->bits_set_ ||
      (used != 0 && static_cast<uint8_t>(bits.back()) >> used != 0)) {
    return InFile(path,
                  absl::DataLossError("the header does not match the bits"));
  }
  return filter;
}

}  // namespace oneline
