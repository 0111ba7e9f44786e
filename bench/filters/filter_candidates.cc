#include "bench/filters/filter_candidates.h"

#include <dlfcn.h>
#include <rocksdb/table.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "filter_policy/options/kind_traits.h"
#include "oneline/filter_options.h"
#include "oneline/rocksdb_filter_policy.h"
#include "table/block/filter_block.h"
#include "table/block/kind_choice.h"
#include "table/hash/key_hash.h"
#include "table/search/bisection.h"
#include "table/simd/probe.h"

namespace oneline {
namespace {

using rocksdb::FilterBitsReader;
using rocksdb::FilterPolicy;
using rocksdb::Slice;

constexpr Kind kKinds[] = {Kind::kBloom, Kind::kRibbon};

// Our reader with a given kernel and RocksDB's virtual functions.
class KernelReader final : public FilterBitsReader {
 public:
  KernelReader(const Slice& block, InstructionSet set)
      : reader_({block.data(), block.size()}, set) {}

  bool MayMatch(const Slice& key) override {
    return reader_.MayMatch({key.data(), key.size()});
  }
  void MayMatch(int n, Slice** keys, bool* may_match) override {
    uint64_t hashes[kBatchKeys];
    for (int i = 0; i < n; ++i) {
      hashes[i] = KeyHash({keys[i]->data(), keys[i]->size()}, reader_.seed());
    }
    reader_.MayMatchHashes(hashes, static_cast<size_t>(n), may_match);
  }

 private:
  const FilterBlockReader reader_;
};

void AddOurs(Kind kind, double bits_per_key,
             std::vector<Candidate>* candidates) {
  FilterOptions options;
  options.kind = kind;
  options.bits_per_key = bits_per_key;
  options.hash_seed = 1;  // the same filter in every run
  const auto policy = NewRocksDBFilterPolicy(options);
  const KindTraits& row = *FindKind(kind);
  const std::string block_name = std::string("oneline_") + row.name;
  for (size_t i = 0; i <= static_cast<size_t>(BestInstructionSet()); ++i) {
    const auto set = static_cast<InstructionSet>(i);
    candidates->push_back(
        {block_name + "_" + kInstructionSetNames[i], block_name, block_name,
         set == BestInstructionSet(), policy,
         [set](const Slice& block) { return new KernelReader(block, set); },
         [&row](double bits) { return LargeFilterFpRate(row, bits); }});
  }
}

void AddForeign(const std::string& prefix, const std::string& filter,
                const FilterPolicy* policy,
                std::vector<Candidate>* candidates) {
  const std::shared_ptr<const FilterPolicy> owned(policy);
  candidates->push_back(
      {prefix + filter, "rocksdb" + filter, prefix + filter, true, owned,
       [owned](const Slice& b) { return owned->GetFilterBitsReader(b); },
       nullptr});
}

using Maker = const FilterPolicy* (*)(double bits_per_key);

// The bits per key that a built filter really has.
double StoredBits(const FilterPolicy& policy) {
  constexpr size_t kKeys = 100000;
  const auto builder = NewBuilder(policy);
  for (size_t i = 0; i < kKeys; ++i) {
    builder->AddKey(Slice(reinterpret_cast<const char*>(&i), sizeof(i)));
  }
  std::unique_ptr<const char[]> owner;
  return 8.0 * static_cast<double>(builder->Finish(&owner).size()) / kKeys;
}

const FilterPolicy* DistributionBloom(double bits_per_key) {
  return rocksdb::NewBloomFilterPolicy(bits_per_key);
}
const FilterPolicy* DistributionRibbon(double bits_per_key) {
  return rocksdb::NewRibbonFilterPolicy(bits_per_key, -1);
}

void AddRocksDB(const std::string& prefix, Maker bloom, Maker ribbon,
                double bits_per_key, std::vector<Candidate>* candidates) {
  AddForeign(prefix, "_bloom", bloom(bits_per_key), candidates);
  AddForeign(prefix, "_ribbon", ribbon(BloomBitsOfRibbon(bits_per_key)),
             candidates);
}

Maker PeerFunction(const char* library, const char* name) {
  void* handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  void* function = handle == nullptr ? nullptr : dlsym(handle, name);
  if (function == nullptr) {
    std::fprintf(stderr,
                 "error: ONELINE_PEER must be the library that "
                 "bench/filters/peer/build.sh prints: %s\n",
                 dlerror());
    std::exit(1);
  }
  return reinterpret_cast<Maker>(function);
}

}  // namespace

std::unique_ptr<rocksdb::FilterBitsBuilder> NewBuilder(
    const FilterPolicy& policy) {
  const rocksdb::BlockBasedTableOptions table;
  return std::unique_ptr<rocksdb::FilterBitsBuilder>(
      policy.GetBuilderWithContext(rocksdb::FilterBuildingContext(table)));
}

double BloomBitsOfRibbon(double bits_per_key) {
  return BisectReal(bits_per_key, 2 * bits_per_key, 0.01, [&](double bits) {
    const std::unique_ptr<const FilterPolicy> policy(DistributionRibbon(bits));
    return StoredBits(*policy) >= bits_per_key;
  });
}

std::vector<Candidate> CandidatesAt(double bits_per_key) {
  std::vector<Candidate> candidates;
  for (const Kind kind : kKinds) AddOurs(kind, bits_per_key, &candidates);
  AddRocksDB("rocksdb", &DistributionBloom, &DistributionRibbon, bits_per_key,
             &candidates);
  if (const char* library = std::getenv("ONELINE_PEER")) {
    AddRocksDB("rocksdb_avx2", PeerFunction(library, "PeerBloom"),
               PeerFunction(library, "PeerRibbon"), bits_per_key, &candidates);
  }
  return candidates;
}

}  // namespace oneline
