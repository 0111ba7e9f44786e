// What RocksDB's own filters take and let pass, before they are built: its
// Bloom filter of format_version 5 and its Ribbon filter.
//
// What RocksDB can be asked, it is asked: sizes come from the builders of its
// own policies, the number of probes from a filter that they built. It can't be
// asked for false-positive rates; those are models, held to filters that
// RocksDB built by tests/rocksdb_models_test.cc.
//
// Bits per key are 1 to 100, in thousandths; `keys` are those of one filter, at
// least 1, and at most kMostRibbonKeys.

#ifndef ONELINE_TOOLS_SIZE_ROCKSDB_MODELS_H_
#define ONELINE_TOOLS_SIZE_ROCKSDB_MODELS_H_

#include <cstddef>

namespace oneline {

// With more keys RocksDB writes a Bloom filter where a Ribbon was asked for.
inline constexpr size_t kMostRibbonKeys = 950'000'000;

// Of a filter block, its 5 bytes of metadata included.
size_t RocksDBBloomBytes(double bits_per_key, size_t keys);

// Probes of each key, 1 to 24.
int RocksDBBloomProbes(double bits_per_key);

// Its probes are all in one line of 512 bits, each by the hash times another
// power of the golden ratio. For such a filter with independent probes there is
// the model of table/bloom/bloom_model.h; measured rates are up to 2 % below
// it.
double RocksDBBloomFpRate(double bits_per_key, size_t keys);

// The option of RocksDB's Ribbon are the bits per key of a Bloom filter that
// has as many false positives; it takes 23 % less at 1 of them, 29 % at 10 and
// 38 % at 26. Filters of few keys, for which a Bloom filter is smaller, are
// Bloom filters.
size_t RocksDBRibbonBytes(double bloom_bits_per_key, size_t keys);

// Whether that is such a Bloom filter.
bool RocksDBRibbonIsBloom(double bloom_bits_per_key, size_t keys);

// A Ribbon of c columns passes 2^-c of all absent keys, whatever its keys are;
// RocksDB mixes c and c + 1 columns so that it passes what RocksDB's estimate
// for the Bloom filter is, but never less than 2^-32, the most columns. The
// estimate: the mean of the rates of (1 - e^(-k n / 512))^k for lines of n
// keys, n one standard deviation, sqrt(512 / bits), more and less than the
// mean, 512 / bits.
double RocksDBRibbonFpRate(double bloom_bits_per_key, size_t keys);

}  // namespace oneline

#endif  // ONELINE_TOOLS_SIZE_ROCKSDB_MODELS_H_
