// The filters that are compared, all of the same size: ours, one for each kind
// and kernel, and RocksDB's, of the library that the program is linked to and,
// if ONELINE_PEER names the library that bench/filters/peer/build.sh builds,
// with AVX2 and without assertions.

#ifndef ONELINE_BENCH_FILTERS_FILTER_CANDIDATES_H_
#define ONELINE_BENCH_FILTERS_FILTER_CANDIDATES_H_

#include <rocksdb/filter_policy.h>
#include <rocksdb/slice.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "filter_policy/rocksdb/rocksdb_filter_bits.h"

namespace oneline {

struct Candidate {
  std::string name;
  // Candidates with the same block_name build the same blocks.
  std::string block_name;
  // Candidates with the same builder_name are built by the same code.
  std::string builder_name;
  // False for our filters with a kernel that this machine would not choose.
  bool usual;
  // Builds filters of the size asked for.
  std::shared_ptr<const rocksdb::FilterPolicy> policy;
  // Makes a reader with the virtual functions by which RocksDB reads filters.
  std::function<rocksdb::FilterBitsReader*(const rocksdb::Slice& block)> open;
};

// All of them, each as near to `bits_per_key` as it can be. Ends the program
// with a message if ONELINE_PEER names no such library.
std::vector<Candidate> CandidatesAt(double bits_per_key);

// A builder of the policy, created as RocksDB does.
std::unique_ptr<rocksdb::FilterBitsBuilder> NewBuilder(
    const rocksdb::FilterPolicy& policy);

// RocksDB's Ribbon policy takes the bits per key of a Bloom filter with the
// same false positives. Returns those with which it stores `bits_per_key`.
double BloomBitsOfRibbon(double bits_per_key);

}  // namespace oneline

#endif  // ONELINE_BENCH_FILTERS_FILTER_CANDIDATES_H_
