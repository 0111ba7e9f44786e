// The kinds of filters that a table can have, ours and RocksDB's: size and
// false-positive rate of each before it is built.

#ifndef ONELINE_TOOLS_SIZE_FILTER_MODELS_H_
#define ONELINE_TOOLS_SIZE_FILTER_MODELS_H_

#include <array>
#include <cstddef>
#include <optional>
#include <string>

#include "oneline/filter_options.h"

namespace oneline {

// `asked` is the value of the policy's option, 1 to 100 in steps of 0.001: bits
// per key, or, for RocksDB's Ribbon, the bits per key of a Bloom filter with as
// many false positives. `keys` is the number of keys of one filter, 1 to
// kMaxRibbonKeys.
struct FilterModel {
  const char* name;

  // None if it is RocksDB's own.
  std::optional<Kind> kind;

  // Whether `asked` is the number of bits that a key gets.
  bool asked_is_bits_per_key;

  // The value of "filter_policy" in an OPTIONS file.
  std::string (*policy)(double asked);

  // The size of the block, with its trailer.
  size_t (*bytes)(double asked, size_t keys);

  double (*fp_rate)(double asked, size_t keys);

  // The probes of a Bloom filter; 0 for a Ribbon.
  int (*probes)(double asked, size_t keys);
};

// Ours, then RocksDB's.
extern const std::array<FilterModel, 4> kFilterModels;

}  // namespace oneline

#endif  // ONELINE_TOOLS_SIZE_FILTER_MODELS_H_
