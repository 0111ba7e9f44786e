// The table of kinds: what a filter block's builder and reader must know about
// a kind of filter. CONTRIBUTING.md says how to add one.

#ifndef ONELINE_TABLE_BLOCK_FILTER_KIND_H_
#define ONELINE_TABLE_BLOCK_FILTER_KIND_H_

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "table/block/fp_rates_table.h"
#include "table/hash/hash_list.h"
#include "table/simd/lookups.h"

namespace oneline {

// How many layouts of a line a builder tries, to keep the best; only kinds that
// solve equations use it, and readers need not know it. 1 builds fastest; at 10
// bits per key, 4 has 10 % fewer false positives, and 8 another 3 %.
inline constexpr int kMinEffort = 1;
inline constexpr int kMaxEffort = 8;
inline constexpr int kDefaultEffort = 8;

// The number of a kind in the trailer of a block. 0 is reserved for ever.
inline constexpr uint8_t kBloomId = 1;
inline constexpr uint8_t kRibbonId = 2;

// A row of the table.
struct KindTraits {
  uint8_t id;

  // As in options and in the output of tools.
  const char* name;

  // The kind's parameter, a byte of the trailer: chosen for the bits per key
  // requested, and the keys and lines that the filter turned out to have.
  // REQUIRES: num_lines > 0.
  uint8_t (*choose_parameter)(double bits_per_key, size_t num_keys,
                              uint32_t num_lines);
  // Whether a reader can use a filter with this parameter.
  bool (*valid_parameter)(uint8_t parameter);

  // The false-positive rate by bits per key, generated from the kind's model.
  const Halvings* halvings;

  // The share of absent keys that pass this one 64-byte line, whatever bytes it
  // holds.
  double (*line_fp_rate)(const uint8_t* line, uint8_t parameter);

  // Fills `lines`, num_lines * 64 zero bytes, so that each of the hashes
  // passes. May reorder the hashes. REQUIRES: num_lines > 0; effort in
  // kMinEffort..kMaxEffort.
  void (*build)(HashList& hashes, uint8_t parameter, int effort, uint8_t* lines,
                uint32_t num_lines);

  // What lookups in lines of `line_bytes` need. REQUIRES: valid_parameter;
  // line_bytes in 8..64.
  LineContext (*context)(uint8_t parameter, uint32_t line_bytes);

  const ProbeKernels* kernels;
};

// The kind with this number or name, or null.
const KindTraits* FindKind(uint8_t id);
const KindTraits* FindKind(std::string_view name);

}  // namespace oneline

#endif  // ONELINE_TABLE_BLOCK_FILTER_KIND_H_
