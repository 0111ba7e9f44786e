// What the block's encoder and decoder must know of a kind of filter. Adding a
// kind is adding its files and one row in filter_kind.cc.

#ifndef ONELINE_TABLE_BLOCK_FILTER_KIND_H_
#define ONELINE_TABLE_BLOCK_FILTER_KIND_H_

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "table/hash/hash_list.h"
#include "table/simd/probe.h"

namespace oneline {

// How hard a builder tries to save bits: the seeds of which a kind that solves
// equations chooses the best. Reading is not concerned. 1 builds fastest; 4 has
// 10 % fewer false positives at 10 bits per key, and 8 another 3 %.
inline constexpr int kMinEffort = 1;
inline constexpr int kMaxEffort = 8;
inline constexpr int kDefaultEffort = 4;

inline constexpr uint8_t kBloomId = 1;
inline constexpr uint8_t kRibbonId = 2;

struct FilterKind {
  // The number in the trailer. 0 is reserved for ever.
  uint8_t id;

  // The name in options and tools.
  const char* name;

  // The kind's parameter, a byte of the trailer: chosen when a filter is built,
  // for the bits per key asked for and the numbers that came of it, and whether
  // a reader knows what to do with it. REQUIRES: num_lines > 0.
  uint8_t (*choose_parameter)(double bits_per_key, size_t num_keys,
                              uint32_t num_lines);
  bool (*valid_parameter)(uint8_t parameter);

  // The false-positive rate that the kind's model gives for such a filter, of
  // many lines.
  double (*fp_rate)(double bits_per_key, uint8_t parameter, int effort);

  // The part of all absent keys of one 64-byte line that pass, whatever is in
  // it.
  double (*line_fp_rate)(const uint8_t* line, uint8_t parameter);

  // Fills `lines`, num_lines * 64 zero bytes, so that each of the hashes
  // passes. May reorder the hashes. REQUIRES: num_lines > 0; effort in
  // kMinEffort..kMaxEffort.
  void (*build)(HashList& hashes, uint8_t parameter, int effort, uint8_t* lines,
                uint32_t num_lines);

  const ProbeKernels* kernels;
};

// Null if there is none with that number or name.
const FilterKind* FindFilterKind(uint8_t id);
const FilterKind* FindFilterKind(std::string_view name);

}  // namespace oneline

#endif  // ONELINE_TABLE_BLOCK_FILTER_KIND_H_
