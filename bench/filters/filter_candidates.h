// The filters that filter_bench compares, each at a given memory: ours, one for
// each kind and kernel, and RocksDB's, as the distribution built them and, if
// the environment names the library that bench/filters/peer/build.sh made
// (ONELINE_PEER), with AVX2 and without assertions.

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
  // Candidates with the same name here build the same blocks: one will do.
  std::string block_name;
  // The same code builds for all candidates with the same name here.
  std::string builder_name;
  // Not ours with a kernel that this machine would not choose.
  bool usual;
  // Builds filters of the memory asked for.
  std::shared_ptr<const rocksdb::FilterPolicy> policy;
  // Reads them, through the virtual functions by which RocksDB does.
  std::function<rocksdb::FilterBitsReader*(const rocksdb::Slice& block)> open;
  // The false-positive rate that is to be expected at the bits per key that the
  // block really has; empty if there is no model.
  std::function<double(double bits_per_key)> theory;
};

// All of them at `bits_per_key`, as near as each comes. Ends the program with a
// message if ONELINE_PEER names no such library.
std::vector<Candidate> CandidatesAt(double bits_per_key);

// A builder of the policy, as RocksDB asks for it.
std::unique_ptr<rocksdb::FilterBitsBuilder> NewBuilder(
    const rocksdb::FilterPolicy& policy);

// RocksDB's Ribbon is asked for by the bits per key of a Bloom filter with the
// same false positives. This finds those with which it stores `bits_per_key`.
double BloomBitsOfRibbon(double bits_per_key);

}  // namespace oneline

#endif  // ONELINE_BENCH_FILTERS_FILTER_CANDIDATES_H_
