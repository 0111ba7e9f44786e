// The kinds of filters that a table can have, ours and RocksDB's side by side,
// and what each takes and lets pass before it is built.

#ifndef ONELINE_TOOLS_SIZE_FILTER_MODELS_H_
#define ONELINE_TOOLS_SIZE_FILTER_MODELS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace oneline {

// `asked` is what the policy's option says, 1 to 100 in thousandths: bits per
// key, but for RocksDB's Ribbon those of a Bloom filter with as many false
// positives. `keys` are those of one filter, 1 to kMostRibbonKeys.
struct FilterModel {
  const char* name;

  // Its number in table/block/filter_kind.h; 0: RocksDB's own.
  uint8_t kind;

  // Whether `asked` are the bits that a key gets.
  bool asked_by_memory;

  // As it stands in an OPTIONS file, after "filter_policy=".
  std::string (*policy)(double asked);

  // Of the block, with its trailer.
  size_t (*bytes)(double asked, size_t keys);

  double (*fp_rate)(double asked, size_t keys);

  // Of a Bloom filter; 0 for a Ribbon.
  int (*probes)(double asked, size_t keys);
};

// Ours, then RocksDB's.
extern const std::array<FilterModel, 4> kFilterModels;

}  // namespace oneline

#endif  // ONELINE_TOOLS_SIZE_FILTER_MODELS_H_
