// The checksums of RocksDB's files.

#ifndef ONELINE_TOOLS_MANIFEST_CHECKSUMS_H_
#define ONELINE_TOOLS_MANIFEST_CHECKSUMS_H_

#include <rocksdb/table.h>

#include <cstdint>
#include <string_view>

namespace oneline {

// CRC-32C of the bytes, masked as RocksDB stores it: a CRC of data that
// contains CRCs is weak.
uint32_t MaskedCrc32c(std::string_view bytes);

// What RocksDB computes of `bytes`, of which the last may be the compression
// type of a block; 0 for kNoChecksum. REQUIRES: IsKnownChecksum(type), bytes
// are not empty.
uint32_t TableChecksum(rocksdb::ChecksumType type, std::string_view bytes);

bool IsKnownChecksum(uint8_t type);

// What tables from format version 6 on add to the checksum of the block at
// `offset`; `base` is the number in their footer, 0 before.
inline uint32_t ChecksumContext(uint32_t base, uint64_t offset) {
  if (base == 0) return 0;
  return base ^
         (static_cast<uint32_t>(offset) + static_cast<uint32_t>(offset >> 32));
}

}  // namespace oneline

#endif  // ONELINE_TOOLS_MANIFEST_CHECKSUMS_H_
