// Sizes and false-positive rates of RocksDB's own filters before they are
// built: its Bloom filter since format_version 5, and its Ribbon filter.
//
// Sizes come from the builders of RocksDB's policies, the number of probes from
// a filter that they built. RocksDB does not report false-positive rates; those
// are models, which tests/tools/size/filter_models_test.cc compares with
// filters that RocksDB built.
//
// Bits per key are 1 to 100, in steps of 0.001; `keys` is the number of keys of
// one filter, 1 to kMaxRibbonKeys.

#ifndef ONELINE_TOOLS_SIZE_ROCKSDB_MODELS_H_
#define ONELINE_TOOLS_SIZE_ROCKSDB_MODELS_H_

#include <cstddef>

namespace oneline {

// With more keys than this RocksDB writes a Bloom filter instead of a Ribbon.
inline constexpr size_t kMaxRibbonKeys = 950'000'000;

// The size of a filter block, including its 5 bytes of metadata.
size_t RocksDBBloomBytes(double bits_per_key, size_t keys);

// The number of probes for each key, 1 to 24.
int RocksDBBloomProbes(double bits_per_key);

// All probes of a key are in one line of 512 bits, each derived from the hash
// times another power of the golden ratio. The rate is that of the model for
// independent probes in table/bloom/bloom_model.h; measured rates are up to 2 %
// below it.
double RocksDBBloomFpRate(double bits_per_key, size_t keys);

// The option of RocksDB's Ribbon is the bits per key of a Bloom filter that has
// as many false positives; the Ribbon is smaller than that by 23 % at 1 bit per
// key, 29 % at 10 and 38 % at 26. For few keys, where a Bloom filter is
// smaller, RocksDB writes a Bloom filter.
size_t RocksDBRibbonBytes(double bloom_bits_per_key, size_t keys);

// Whether RocksDB writes a Bloom filter instead of the Ribbon.
bool RocksDBRibbonIsBloom(double bloom_bits_per_key, size_t keys);

// A Ribbon with c columns has the rate 2^-c, whatever its keys. RocksDB mixes c
// and c + 1 columns to meet its own estimate for the Bloom filter, but never
// below 2^-32, as 32 columns are its maximum. The estimate for k probes is the
// mean of (1 - e^(-k n / 512))^k at two numbers n of keys per line: one
// standard deviation, sqrt(512 / bits), above and below the mean, 512 / bits.
double RocksDBRibbonFpRate(double bloom_bits_per_key, size_t keys);

}  // namespace oneline

#endif  // ONELINE_TOOLS_SIZE_ROCKSDB_MODELS_H_
