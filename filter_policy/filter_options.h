// The options of a filter policy, the same for RocksDB and LevelDB.

#ifndef ONELINE_FILTER_POLICY_FILTER_OPTIONS_H_
#define ONELINE_FILTER_POLICY_FILTER_OPTIONS_H_

#include <cstdint>
#include <optional>

namespace oneline {

// What is in the lines of a filter. The numbers are those of the format.
enum class Kind : uint8_t {
  kBloom = 1,   // a few bits for each key; cheap to build
  kRibbon = 2,  // equations; fewer false positives with the same memory
};

struct FilterOptions {
  Kind kind = Kind::kBloom;

  // Memory: bits of filter for each key of a table, 1 to 100, counted in
  // thousandths. As in RocksDB, below 0.5 means "no filter", and from there up
  // to 1 is taken for 1.
  double bits_per_key = 10;

  // Seed of the key hash. Without a value each process draws one at random, so
  // that nobody outside can prepare keys that all match. A fixed one makes
  // files reproducible. Any seed reads every filter: it stands in the block.
  std::optional<uint64_t> hash_seed;
};

}  // namespace oneline

#endif  // ONELINE_FILTER_POLICY_FILTER_OPTIONS_H_
