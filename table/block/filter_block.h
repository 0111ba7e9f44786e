// A filter block, the bytes that stand in an SST file, and its reader.
//
//   0         lines       num_lines * 64 bytes; the kind says what is in them
//   end - 32  seed        8 bytes, of the key hash
//   end - 24  num_lines   4
//   end - 20  num_keys    4, 2^32 - 1 for that many or more
//   end - 16  kind        1, see filter_kind.h
//   end - 15  version     1, of the trailer; now 1
//   end - 14  parameter   1, the kind's own
//   end - 13  level       1, of the table when it was written; 255: unknown
//   end - 12  reserved    1, 0
//   end - 11  asked       2, bits per key requested, in 512ths; 0: unknown
//   end -  9  checksum    4, lower half of XXH3 of the trailer with 0 here
//   end -  5  zero        1, tells RocksDB's own readers to answer "maybe"
//   end -  4  magic       4: 6f 6e 65 ec
//
// Numbers are little-endian; docs/internals/format.md is the specification.
//
// The bytes alone decide how a block is read. Whatever they are, a reader
// neither crashes nor reads outside them, and answers "no" only if the trailer
// is valid in every respect.

#ifndef ONELINE_TABLE_BLOCK_FILTER_BLOCK_H_
#define ONELINE_TABLE_BLOCK_FILTER_BLOCK_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "table/block/filter_kind.h"
#include "table/hash/key_hash.h"
#include "table/simd/lookups.h"

namespace oneline {

inline constexpr size_t kTrailerBytes = 32;
// Another layout of lines is another kind.
inline constexpr uint8_t kTrailerVersion = 1;

inline constexpr uint8_t kUnknownLevel = 255;

struct Trailer {
  uint64_t seed = 0;
  uint32_t num_lines = 0;
  uint32_t num_keys = 0;
  uint8_t kind = 0;
  uint8_t version = kTrailerVersion;
  uint8_t parameter = 0;
  // Of the table when it was written, for tools. RocksDB can move it.
  uint8_t level = kUnknownLevel;
  // Bits per key requested, rounded to a 512th; 0: unknown.
  double asked_bits_per_key = 0;
};

// The size of a block of so many lines.
constexpr size_t BlockBytesOf(uint32_t num_lines) {
  return kLineBytes * num_lines + kTrailerBytes;
}

// Writes kTrailerBytes bytes.
void EncodeTrailer(const Trailer& trailer, uint8_t* out);

// The trailer of a block, checked in every respect; otherwise nothing, and
// *error, unless null, says what is wrong with the block.
std::optional<Trailer> DecodeTrailer(std::string_view block,
                                     std::string* error = nullptr);

// Whether a block ends like one of ours, intact or not. Filters of RocksDB
// itself never do.
bool HasMagic(std::string_view block);

// The false-positive rate of a block as it is: the mean of LineFormat::fp_rate
// of its lines. REQUIRES: DecodeTrailer accepts the block.
double BlockFpRate(std::string_view block);

// Answers lookups from a block. Borrows the block's bytes and nothing else;
// they may be unaligned. Thread-safe.
class FilterBlockReader {
 public:
  // Parses the trailer, the one and only time. A block that is damaged or of a
  // later version gives a reader that answers "maybe" to everything.
  // REQUIRES: set <= BestInstructionSet().
  explicit FilterBlockReader(std::string_view block,
                             InstructionSet set = ChosenInstructionSet());

  // False if the key is certainly not in the table.
  bool MayMatch(std::string_view key) const {
    return kernel_.key(lines_, key.data(), key.size());
  }

  // The same for `n` keys (any number, also 0), of which key_at(i) is the i-th.
  // Their cache misses overlap.
  template <typename KeyAt>
  void MayMatch(size_t n, KeyAt key_at, bool* may_match) const {
    MayMatchHashes(
        n, [&](size_t i) { return KeyHash(key_at(i), lines_.seed); },
        may_match);
  }

  // The same for keys whose hashes the caller made with KeyHash(key, seed()).
  bool MayMatchHash(uint64_t hash) const { return kernel_.hash(lines_, hash); }
  void MayMatchHashes(const uint64_t* hashes, size_t n, bool* may_match) const {
    MayMatchHashes(
        n, [&](size_t i) { return hashes[i]; }, may_match);
  }

  uint64_t seed() const { return lines_.seed; }

 private:
  template <typename HashAt>
  void MayMatchHashes(size_t n, HashAt hash_at, bool* may_match) const {
    uint64_t hashes[kBatchKeys];
    for (size_t begin = 0; begin < n; begin += kBatchKeys) {
      const size_t m = n - begin < kBatchKeys ? n - begin : kBatchKeys;
      for (size_t i = 0; i < m; ++i) hashes[i] = hash_at(begin + i);
      kernel_.batch(lines_, hashes, m, may_match + begin);
    }
  }

  ProbeKernel kernel_;
  FilterLines lines_;
};

}  // namespace oneline

#endif  // ONELINE_TABLE_BLOCK_FILTER_BLOCK_H_
