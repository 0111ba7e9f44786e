// Parses a filter block, ours or RocksDB's: its kind, and whether it is
// damaged. RocksDB's blocks end in five bytes that tell their kind (documented
// in GetBuiltinFilterBitsReader of its table/block_based/filter_policy.cc):
//
//   data | -1 | 0 | probes | 0 | 0           Bloom, lines of 64 bytes
//   data | -2 | seed | number of blocks      Ribbon, blocks of 128 rows;
//                                            the number has 3 bytes
//   data | probes | number of lines          Bloom of RocksDB before 6.6;
//                                            the number has 4 bytes
//   data | 0 | 0 | 0 | 0 | 0                 "maybe" for every key
//
// Whether a key matches is left to RocksDB's own reader.

#ifndef ONELINE_FILTER_POLICY_REFILTER_DECODED_FILTER_H_
#define ONELINE_FILTER_POLICY_REFILTER_DECODED_FILTER_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "oneline/filter_options.h"
#include "table/block/filter_block.h"

namespace oneline {

// What a table has for a filter.
enum class FoundKind {
  kNone,
  kBloom,  // these two are ours
  kRibbon,
  kRocksDBBloom,
  kRocksDBRibbon,
  kRocksDBOldBloom,
  kAlwaysMaybe,
  kNoKeys,
  kDamaged,
  kForeign,  // "unknown": neither RocksDB nor this library can read it
};

const char* NameOf(FoundKind kind);  // "bloom", "RocksDB Bloom", "none"

// Whether blocks of this kind have our trailer, which records the options.
bool IsOurs(FoundKind kind);

// What our policy writes where its options ask for `kind`.
FoundKind FoundKindOf(Kind kind);

// At the end of RocksDB's blocks; and a column of a block of its Ribbon.
inline constexpr size_t kRocksDBTrailerBytes = 5, kSegmentBytes = 16;

struct FilterFacts {
  FoundKind kind = FoundKind::kNoKeys;
  size_t line_bytes = 0;  // Bloom
  int probes = 0;         // RocksDB's Bloom
  uint32_t blocks = 0;    // RocksDB's Ribbon

  std::optional<uint64_t> seed;    // our blocks and RocksDB's Ribbon
  std::optional<Trailer> trailer;  // our blocks only
};

// Nothing if the block is damaged or of an unknown kind, and *error, unless
// null, says why. RocksDB reports neither: its reader answers "maybe" to every
// key.
std::optional<FilterFacts> DecodeFilter(std::string_view block,
                                        std::string* error = nullptr);

}  // namespace oneline

#endif  // ONELINE_FILTER_POLICY_REFILTER_DECODED_FILTER_H_
