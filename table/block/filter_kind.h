// The table of kinds: what a filter block's builder and reader must know about
// a kind of filter. CONTRIBUTING.md says how to add one.

#ifndef ONELINE_TABLE_BLOCK_FILTER_KIND_H_
#define ONELINE_TABLE_BLOCK_FILTER_KIND_H_

#include <cstdint>
#include <string_view>

#include "table/block/fp_rates_table.h"
#include "table/simd/lookups.h"

namespace oneline {

// The number of a kind in the trailer of a block. 0 is reserved for ever.
inline constexpr uint8_t kBloomId = 1;
inline constexpr uint8_t kRibbonId = 2;

// A row of the table.
struct KindTraits {
  uint8_t id;

  // As in options and in the output of tools.
  const char* name;

  // The false-positive rate by bits per key, generated from the kind's model.
  const Halvings* halvings;

  const LineFormat* lines;
};

// The kind with this number or name, or null.
const KindTraits* FindKind(uint8_t id);
const KindTraits* FindKind(std::string_view name);

}  // namespace oneline

#endif  // ONELINE_TABLE_BLOCK_FILTER_KIND_H_
