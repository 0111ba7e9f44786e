// The options of a filter policy, the same for RocksDB and LevelDB.
// docs/options.md explains each of them.

#ifndef ONELINE_FILTER_OPTIONS_H_
#define ONELINE_FILTER_OPTIONS_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "oneline/version.h"

namespace oneline {
inline namespace ONELINE_ABI {

// The kind of filter. The numbers of the first two are those of the block
// format.
enum class Kind : uint8_t {
  kBloom = 1,   // a few bits set for each key; cheapest to build
  kRibbon = 2,  // equations solved in each line; fewest false positives

  // RocksDB's own filters, with our bits by level, which programs without this
  // library read and go on writing: OPTIONS files name RocksDB's policy. Not
  // with fp_rate, max_filter_bytes or hash_seed; for RocksDB only.
  kRocksDBBloom = 3,
  kRocksDBRibbon = 4,
};

// Options that are out of bounds are an error, and so are two that exclude each
// other; each function that makes a policy says how it reports them.
struct FilterOptions {
  Kind kind = Kind::kRibbon;

  // Give one of bits_per_key, fp_rate and level_bits_per_key, or none for 10
  // bits per key. Two of them are an error.

  // Memory: bits of filter for each key of a table, 1 to 100 in thousandths. As
  // in RocksDB, less than 0.5 means "no filter", and 0.5 to 1 means 1.
  std::optional<double> bits_per_key;

  // The false-positive rate, the fraction of absent keys that a filter matches:
  // 1e-9 to 0.5, in six digits. Each kind gets the bits per key that it needs
  // for this rate.
  std::optional<double> fp_rate;

  // Bits per key of level 0, 1, ...: at most 1000 numbers, each as
  // bits_per_key. The last one is for all deeper levels, and for tables whose
  // level is not known.
  std::vector<double> level_bits_per_key;

  // Small levels get more bits than the last one, which has nearly all keys, so
  // that a lookup of an absent key has far fewer false positives. The filters
  // of a full tree together take what bits_per_key says; with fp_rate the last
  // level has that rate, and the others a lower one. docs/options.md has the
  // numbers. For RocksDB's leveled and universal compaction only.
  bool bits_by_level = true;

  // The fraction of the lookups coming to the last level that find their key
  // there, 0 to 1. The filter saves these lookups no read. So that level gets
  // fewer bits, as many fewer as leave the false positives per lookup
  // unchanged, and no filter where it would match more than half of the absent
  // keys. If fewer lookups find their key, there are more false positives; no
  // lookup is wrong. Only with bits_by_level, and not with level_bits_per_key.
  double hits = 0;

  // Ribbons only: tables of levels below this one get Bloom filters, as with
  // the option of NewRibbonFilterPolicy of that name; -1 to 1000. A flush
  // counts as level -1. So -1 means no table, 0 tables of flushes, 1 tables of
  // level 0 as well. For RocksDB's leveled and universal compaction only.
  int bloom_before_level = -1;

  // The most bytes of one filter, 4096 to 2^32: of a table, or of a partition.
  // A filter of more keys gets fewer bits per key. If less than 1 bit per key
  // would fit, a single line that matches every key is written instead. For
  // RocksDB only. Without a value there is no limit.
  std::optional<uint64_t> max_filter_bytes;

  // The seed of the key hash. Without a value each process draws one at random,
  // so that no outsider can choose keys that all match. A fixed seed makes
  // files reproducible. A policy reads filters of any seed, because each filter
  // block stores its own; LevelDB's filters do not: see
  // leveldb_filter_policy.h.
  std::optional<uint64_t> hash_seed;
};

}  // namespace ONELINE_ABI
}  // namespace oneline

#endif  // ONELINE_FILTER_OPTIONS_H_
