// The kinds of filters that a table can have, ours and RocksDB's: size and
// false-positive rate of each before it is built.
//
// Of RocksDB's filters, Bloom since format_version 5 and Ribbon, sizes come
// from the builders of its policies, the number of probes from a filter that
// they built. Rates are models.

#ifndef ONELINE_TOOLS_SIZE_FILTER_MODELS_H_
#define ONELINE_TOOLS_SIZE_FILTER_MODELS_H_

#include <array>
#include <cstddef>

#include "filter_policy/options/kind_traits.h"
#include "oneline/filter_options.h"

namespace oneline {

// With more keys than this RocksDB writes a Bloom filter instead of a Ribbon.
inline constexpr size_t kMaxRibbonKeys = 950'000'000;

struct FilterRate {
  double fp_rate;
  int probes;  // of a Bloom filter; 0 for a Ribbon
};

// `asked` is the value of the policy's option, 1 to 100 in steps of 0.001: bits
// per key, or, for RocksDB's Ribbon, the bits per key of a Bloom filter with as
// many false positives. `keys` is the number of keys of one filter, 1 to
// kMaxRibbonKeys.
struct FilterModel {
  const char* name;
  Kind kind;
  bool asked_is_bits_per_key;  // `asked` is what a key gets

  // The value of "filter_policy" in an OPTIONS file, with $0 for `asked`.
  const char* policy;

  // The size of the block, with its trailer.
  size_t (*bytes)(double asked, size_t keys);

  FilterRate (*rate)(double asked, size_t keys);

  bool ours() const { return !IsRocksDBs(kind); }
};

// The size of RocksDB's Bloom filter, with its 5 bytes of metadata. Its Ribbon
// is smaller by 23 % at 1 bit per key, 29 % at 10 and 38 % at 26.
size_t RocksDBBloomBytes(double bits_per_key, size_t keys);

// Ours, then RocksDB's.
extern const std::array<FilterModel, 4> kFilterModels;

}  // namespace oneline

#endif  // ONELINE_TOOLS_SIZE_FILTER_MODELS_H_
