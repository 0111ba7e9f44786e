// The entry points of the library that build.sh builds. They are C functions,
// because the program that opens it has the same C++ names from the installed
// RocksDB.

#include <rocksdb/filter_policy.h>

extern "C" const rocksdb::FilterPolicy* PeerBloom(double bits_per_key) {
  return rocksdb::NewBloomFilterPolicy(bits_per_key);
}

// `bits_per_key` is that of a Bloom filter with the same false positives.
extern "C" const rocksdb::FilterPolicy* PeerRibbon(double bits_per_key) {
  return rocksdb::NewRibbonFilterPolicy(bits_per_key, -1);
}
