// What the block's encoder and decoder must know of a kind of filter. Adding a
// kind is adding its files and one row in filter_kind.cc.

#ifndef ONELINE_TABLE_FILTER_KIND_H_
#define ONELINE_TABLE_FILTER_KIND_H_

#include <cstdint>
#include <string_view>

#include "table/hash_list.h"
#include "table/probe.h"

namespace oneline {

struct FilterKind {
  // The number in the trailer. 0 is reserved for ever.
  uint8_t id;

  // The name in options and tools.
  const char* name;

  // The kind's parameter, a byte of the trailer: chosen when a filter is
  // built, and whether a reader knows what to do with it.
  uint8_t (*choose_parameter)(double bits_per_key);
  bool (*valid_parameter)(uint8_t parameter);

  // The false-positive rate that the kind's model gives for such a filter.
  double (*fp_rate)(double bits_per_key, uint8_t parameter);

  // Fills `lines`, num_lines * 64 zero bytes, so that each of the hashes
  // passes. May reorder the hashes. REQUIRES: num_lines > 0.
  void (*build)(HashList& hashes, uint8_t parameter, uint8_t* lines,
                uint32_t num_lines);

  const ProbeKernels* kernels;
};

// Null if there is none with that number or name.
const FilterKind* FindFilterKind(uint8_t id);
const FilterKind* FindFilterKind(std::string_view name);

}  // namespace oneline

#endif  // ONELINE_TABLE_FILTER_KIND_H_
