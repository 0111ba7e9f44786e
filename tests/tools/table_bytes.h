// The filter blocks of table files, and damage to files, for tests that it is
// found.
//
//   block | compression type, 1 | checksum of both, 4

#ifndef ONELINE_TESTS_TOOLS_TABLE_BYTES_H_
#define ONELINE_TESTS_TOOLS_TABLE_BYTES_H_

#include "tests/testing.h"
#include "tools/sst/sst_reader.h"

namespace oneline {

inline constexpr size_t kBlockTrailerBytes = 5;

// The filter's blocks in key order. Fails the test if the file can't be read.
inline std::vector<std::string> BlocksOf(const std::string& file) {
  const auto table = SstReader::Open(file);
  EXPECT_TRUE(table.ok()) << table.status();
  return table.ok() ? (*table)->filter_blocks() : std::vector<std::string>();
}

// The offset of `bytes` in the file; fails the test if they are not there.
inline size_t OffsetIn(const std::string& file, std::string_view bytes) {
  const size_t offset = ReadWholeFile(file).find(bytes);
  EXPECT_NE(offset, std::string::npos) << file;
  return offset;
}

inline void Overwrite(const std::string& file, size_t offset,
                      std::string_view bytes) {
  std::fstream out(file, std::ios::in | std::ios::out | std::ios::binary);
  out.seekp(static_cast<std::streamoff>(offset));
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  out.close();
  ASSERT_TRUE(out.good()) << file;
}

inline void FlipByte(const std::string& file, size_t offset) {
  const std::string contents = ReadWholeFile(file);
  ASSERT_LT(offset, contents.size()) << file;
  const auto flipped = static_cast<char>(contents[offset] ^ 0x10);
  Overwrite(file, offset, std::string_view(&flipped, 1));
}

// CRC-32C, bit by bit, of these bytes after others with the CRC `before`.
inline uint32_t Crc32c(std::string_view bytes, uint32_t before = 0) {
  uint32_t crc = ~before;
  for (const char byte : bytes) {
    crc ^= static_cast<uint8_t>(byte);
    for (int bit = 0; bit < 8; ++bit) {
      crc = crc >> 1 ^ ((crc & 1) != 0 ? 0x82f63b78u : 0);
    }
  }
  return ~crc;
}

// The checksum of an uncompressed block in a table with ChecksumType::kCRC32c,
// from the block's CRC. RocksDB adds the byte of the compression, and masks the
// result, since a CRC of data that contains CRCs is weak.
inline uint32_t ChecksumOfCrc(uint32_t block_crc) {
  const uint32_t crc = Crc32c(std::string_view("", 1), block_crc);
  return (crc >> 15 | crc << 17) + 0xa282ead8u;
}
inline uint32_t BlockChecksum(std::string_view block) {
  return ChecksumOfCrc(Crc32c(block));
}

// Replaces an uncompressed block of a table with ChecksumType::kCRC32c by
// another of the same size, and corrects the checksum: only its contents show
// that it is another block.
inline void ReplaceBlock(const std::string& file, std::string_view block,
                         std::string_view by) {
  ASSERT_EQ(by.size(), block.size());
  const size_t offset = OffsetIn(file, block);
  const size_t stored_at = offset + block.size() + 1;
  std::string stored = ReadWholeFile(file).substr(stored_at, 4);
  ASSERT_EQ(stored.size(), 4u);
  // From format version 6 on, a number that depends on the file and the offset
  // is added to the checksum: it stays the same.
  uint32_t checksum = BlockChecksum(by) - BlockChecksum(block);
  for (size_t i = 0; i < 4; ++i) {
    checksum += uint32_t{static_cast<uint8_t>(stored[i])} << (8 * i);
  }
  for (size_t i = 0; i < 4; ++i) {
    stored[i] = static_cast<char>(checksum >> (8 * i) & 0xff);
  }
  Overwrite(file, offset, by);
  Overwrite(file, stored_at, stored);
}

}  // namespace oneline

#endif  // ONELINE_TESTS_TOOLS_TABLE_BYTES_H_
