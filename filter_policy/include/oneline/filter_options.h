// The options of a filter policy, the same for RocksDB and LevelDB.

#ifndef ONELINE_FILTER_OPTIONS_H_
#define ONELINE_FILTER_OPTIONS_H_

#include <cstdint>
#include <optional>
#include <vector>

namespace oneline {

// What is in the lines of a filter. The numbers are those of the format.
enum class Kind : uint8_t {
  kBloom = 1,   // a few bits for each key; cheap to build
  kRibbon = 2,  // equations, solved for each line; fewest false positives
};

// Which tables get how many bits per key.
enum class Allocation : uint8_t {
  kUniform,  // all the same
  kMonkey,   // those of small levels more, so that lookups of absent keys meet
             // the fewest false positives; see docs/allocation.md
};

inline constexpr double kDefaultBitsPerKey = 10;

struct FilterOptions {
  Kind kind = Kind::kRibbon;

  // How large filters are, by one of three measures; giving two is an error.
  // Without any: kDefaultBitsPerKey.
  //
  // Memory: bits of filter for each key of a table, 1 to 100, counted in
  // thousandths. As in RocksDB, below 0.5 means "no filter", and from there up
  // to 1 is taken for 1. With kMonkey the average over all keys of the tree,
  // 0 to 100, and not rounded: 0.3 may well be filters for the small levels.
  std::optional<double> bits_per_key;
  // The false-positive rate: the share of absent keys that pass, 1e-9 to 0.5,
  // counted to six digits. Each kind gets the bits per key that it needs. With
  // kMonkey the average over the sorted runs of the tree: as many false
  // positives for each lookup as with kUniform, with the least memory.
  std::optional<double> fp_rate;
  // By hand: bits per key for level 0, 1, ...; the last one is for all deeper
  // levels, and for tables whose level is not known. At most 1000 of them, each
  // like bits_per_key. In the place of an allocation, too.
  std::vector<double> level_bits_per_key;

  // Level compaction only: for tables of all others it is kUniform.
  Allocation allocation = Allocation::kUniform;

  // kMonkey only: the shape of the tree where it is not what RocksDB tells and
  // tables show. How many times as large as the level above it a level is, 1 to
  // 100, in thousandths; and the levels with data below level 0, 1 to 100.
  std::optional<double> size_ratio;
  std::optional<int> levels;

  // Ribbon only: the ways to lay out a line that are tried, 1, 2, 4 or 8. The
  // best is kept: more of them take longer and pass fewer absent keys.
  int effort = 4;

  // Ribbon only: tables of the levels below this one get Bloom filters, which
  // is NewRibbonFilterPolicy's option of that name. A flush counts as level -1,
  // and so at -1 no table does; at 0 those of flushes do, at 1 those of level 0
  // as well. Level and universal compaction of RocksDB only, -1 to 1000.
  int bloom_before_level = -1;

  // Seed of the key hash. Without a value each process draws one at random, so
  // that nobody outside can prepare keys that all match. A fixed one makes
  // files reproducible. Any seed reads every filter: it stands in the block.
  // Not so in LevelDB: see leveldb_filter_policy.h.
  std::optional<uint64_t> hash_seed;
};

}  // namespace oneline

#endif  // ONELINE_FILTER_OPTIONS_H_
