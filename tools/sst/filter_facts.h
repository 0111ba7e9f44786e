// What the bytes of a filter block say: ours and RocksDB's own, intact or not.
//
// RocksDB's blocks end in five bytes that tell their kind (written down in
// GetBuiltinFilterBitsReader of its table/block_based/filter_policy.cc):
//
//   data | -1 | 0 | probes      | 0 0          Bloom in lines of 64 bytes
//   data | -2 | seed | number of blocks, 3     Ribbon, blocks of 128 rows
//   data | probes | number of lines, 4         the Bloom of before 6.6
//   0 | 0 0 0 0 ...                            "maybe" for every key
//
// The bytes that decide are read here; whether a key matches is asked of
// RocksDB itself (filter_walk.h).

#ifndef ONELINE_TOOLS_SST_FILTER_FACTS_H_
#define ONELINE_TOOLS_SST_FILTER_FACTS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "table/block/filter_block.h"

namespace oneline {

struct FilterFacts {
  // "ribbon" or "bloom" for ours, else "RocksDB Bloom", "RocksDB Ribbon",
  // "RocksDB old Bloom", "always maybe", "no keys".
  std::string kind;

  // The part of absent keys that pass: of ours and of Bloom filters the mean
  // over the lines of what their bits let pass, of RocksDB's Ribbon what
  // follows from its columns. For RocksDB's old Bloom too low, at 10 bits per
  // key by a sixth: its probes are not independent.
  double fp_rate = 0;

  std::optional<uint64_t> seed;    // where there is one
  std::optional<Trailer> trailer;  // of ours
};

// DataLoss if the block is damaged, or of a kind that nothing here knows, so
// that it answers "maybe" to every key and nobody hears of it.
absl::StatusOr<FilterFacts> FactsOf(std::string_view block);

}  // namespace oneline

#endif  // ONELINE_TOOLS_SST_FILTER_FACTS_H_
