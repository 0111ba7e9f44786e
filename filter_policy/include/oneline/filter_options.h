// The options of a filter policy, the same for RocksDB and LevelDB.
// docs/options.md explains each of them.

#ifndef ONELINE_FILTER_OPTIONS_H_
#define ONELINE_FILTER_OPTIONS_H_

#include <cstdint>
#include <optional>
#include <vector>

namespace oneline {

// The kind of filter. The numbers are those of the block format.
enum class Kind : uint8_t {
  kBloom = 1,   // a few bits set for each key; cheapest to build
  kRibbon = 2,  // equations solved in each line; fewest false positives
};

// How many bits per key the filters of each level get.
enum class Allocation : uint8_t {
  kUniform,  // all levels the same
  kMonkey,   // small levels more, so that a lookup of an absent key meets the
             // fewest false positives; see docs/allocation.md
  kAuto,  // kMonkey where that leaves a filter to every level: for 4 bits per
          // key and more, given as bits_per_key, and tables that have a
          // level; else kUniform
};

inline constexpr double kDefaultBitsPerKey = 10;

// Options that are out of bounds are an error, and so are two that exclude each
// other; each function that makes a policy says how it reports them.
struct FilterOptions {
  Kind kind = Kind::kRibbon;

  // The size of filters is given as one of bits_per_key, fp_rate and
  // level_bits_per_key; two of them are an error. If none is given, it is
  // kDefaultBitsPerKey.

  // Memory: bits of filter for each key of a table, 1 to 100 in thousandths. As
  // in RocksDB, less than 0.5 means "no filter", and 0.5 to 1 means 1. With
  // kMonkey this is the average over all keys of the tree, 0 to 100, and is not
  // rounded: 0.3 can mean filters for the small levels only.
  std::optional<double> bits_per_key;

  // The false-positive rate, the share of absent keys that pass a filter: 1e-9
  // to 0.5, in six digits. Each kind gets the bits per key that it needs for
  // it. With kMonkey this is the average over the sorted runs of the tree: a
  // lookup meets as many false positives as with kUniform, and filters take the
  // least memory for it.
  std::optional<double> fp_rate;

  // Bits per key of level 0, 1, ...: at most 1000 numbers, each as
  // bits_per_key. The last one is for all deeper levels, and for tables whose
  // level is not known. Cannot be given together with kMonkey or kUniform.
  std::vector<double> level_bits_per_key;

  // kMonkey is for leveled compaction, and for universal compaction where the
  // policy knows all tables (docs/allocation.md says when). Tables of other
  // compaction styles get kUniform. LevelDB tells no level, so it takes kAuto
  // alone.
  Allocation allocation = Allocation::kAuto;

  // The shape of the tree, for kMonkey and kAuto; without a value it is taken
  // from RocksDB's options and from the tables that are read and written. The
  // size ratio of a level to the one above it, 1 to 100 in thousandths; and the
  // number of levels below level 0 that have data, 1 to 100.
  std::optional<double> size_ratio;
  std::optional<int> levels;

  // For kMonkey and kAuto: what a wasted read of the last level costs, divided
  // by what one of the levels above it costs; 0.01 to 1000 in six digits. It is
  // more than 1 where blocks of the last level come from a disk and the others
  // from a cache: then the last level gets more bits and the others fewer. The
  // last level is the one with the most keys. With fp_rate, lookups waste as
  // much as with kUniform by this cost. Excludes level_bits_per_key.
  double last_level_cost = 1;

  // Ribbon only: how many layouts of each line are tried, 1, 2, 4 or 8, to keep
  // the best. More take longer to build and have fewer false positives.
  int effort = 8;

  // Ribbon only: tables of levels below this one get Bloom filters, as with the
  // option of NewRibbonFilterPolicy of that name; -1 to 1000. A flush counts as
  // level -1. So -1 means no table, 0 those of flushes, 1 those of level 0 as
  // well. For RocksDB's leveled and universal compaction only.
  int bloom_before_level = -1;

  // The most bytes of one filter, 4096 to 2^32: of a table, or of a partition.
  // A filter of more keys gets fewer bits for each. With less than 1 bit per
  // key it would be of no use, and a single line stands in its place, which
  // passes every key. For RocksDB only. Without a value there is no limit.
  std::optional<uint64_t> max_filter_bytes;

  // The seed of the key hash. Without a value each process draws one at random,
  // so that no outsider can choose keys that all pass. A fixed seed makes files
  // reproducible. A policy reads filters of any seed, since each block stores
  // its own; LevelDB's filters don't: see leveldb_filter_policy.h.
  std::optional<uint64_t> hash_seed;
};

}  // namespace oneline

#endif  // ONELINE_FILTER_OPTIONS_H_
