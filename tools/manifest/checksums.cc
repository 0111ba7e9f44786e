#include "tools/manifest/checksums.h"

#include <rocksdb/file_checksum.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <memory>
#include <string>

namespace oneline {
namespace {

// By the function that RocksDB offers for checksums of whole files, which uses
// the processor's instruction for it. Its text has the highest byte first.
uint32_t Crc32c(std::string_view bytes) {
  const std::unique_ptr<rocksdb::FileChecksumGenerator> generator =
      rocksdb::GetFileChecksumGenCrc32cFactory()->CreateFileChecksumGenerator(
          rocksdb::FileChecksumGenContext());
  generator->Update(bytes.data(), bytes.size());
  generator->Finalize();
  uint32_t crc = 0;
  for (const char byte : generator->GetChecksum()) {
    crc = crc << 8 | static_cast<uint8_t>(byte);
  }
  return crc;
}

}  // namespace

uint32_t MaskedCrc32c(std::string_view bytes) {
  const uint32_t crc = Crc32c(bytes);
  return (crc >> 15 | crc << 17) + 0xa282ead8u;
}

bool IsKnownChecksum(uint8_t type) { return type <= rocksdb::kXXH3; }

uint32_t TableChecksum(rocksdb::ChecksumType type, std::string_view bytes) {
  switch (type) {
    case rocksdb::kCRC32c:
      return MaskedCrc32c(bytes);
    case rocksdb::kxxHash:
      return XXH32(bytes.data(), bytes.size(), 0);
    case rocksdb::kxxHash64:
      return static_cast<uint32_t>(XXH64(bytes.data(), bytes.size(), 0));
    case rocksdb::kXXH3: {
      // The last byte is mixed in apart.
      constexpr uint32_t kPrime = 0x6b9083d9;
      const auto hash =
          static_cast<uint32_t>(XXH3_64bits(bytes.data(), bytes.size() - 1));
      return hash ^ static_cast<uint8_t>(bytes.back()) * kPrime;
    }
    case rocksdb::kNoChecksum:
      break;
  }
  return 0;
}

}  // namespace oneline
