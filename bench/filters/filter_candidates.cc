#include "bench/filters/filter_candidates.h"

#include <dlfcn.h>
#include <rocksdb/table.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "filter_policy/options/kind_traits.h"
#include "filter_policy/rocksdb/rocksdb_bits_reader.h"
#include "oneline/filter_options.h"
#include "oneline/rocksdb_filter_policy.h"
#include "table/simd/instruction_sets.h"
#include "table/simd/lookups.h"
#include "tools/models/bisection.h"

namespace oneline {
namespace {

using rocksdb::FilterPolicy;
using rocksdb::Slice;

constexpr Kind kKinds[] = {Kind::kBloom, Kind::kRibbon};

// Whether the set has a kernel of its own, not one of a set below it.
bool HasOwnKernel(const ProbeKernels& kernels, size_t set) {
  const auto own = kernels.begin() + set;
  return std::find(kernels.begin(), own, *own) == own;
}

// One for each kernel that this machine can run.
void AddOurs(Kind kind, double bits_per_key,
             std::vector<Candidate>* candidates) {
  FilterOptions options;
  options.kind = kind;
  options.bits_per_key = bits_per_key;
  options.hash_seed = 1;  // the same filter in every run
  std::shared_ptr<const FilterPolicy> policy;
  NewRocksDBFilterPolicy(options, &policy).PermitUncheckedError();
  const KindTraits& row = *FindKind(kind);
  const std::string block_name = std::string("oneline_") + row.name;
  const ProbeKernel& usual =
      KernelFor(*row.lines->kernels, BestInstructionSet());
  for (size_t i = 0; i < kNumInstructionSets; ++i) {
    const auto set = static_cast<InstructionSet>(i);
    if (!IsSupported(set) || !HasOwnKernel(*row.lines->kernels, i)) continue;
    candidates->push_back(
        {block_name + "_" + kInstructionSetNames[i], block_name, block_name,
         &KernelFor(*row.lines->kernels, set) == &usual, policy,
         [set](const Slice& block) {
           return NewBitsReader({block.data(), block.size()}, set);
         }});
  }
}

void AddForeign(const std::string& prefix, const std::string& filter,
                std::shared_ptr<const FilterPolicy> policy,
                std::vector<Candidate>* candidates) {
  candidates->push_back(
      {prefix + filter, "rocksdb" + filter, prefix + filter, true, policy,
       [policy](const Slice& b) { return policy->GetFilterBitsReader(b); }});
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
  using Policy = std::shared_ptr<const FilterPolicy>;
  AddForeign(prefix, "_bloom", Policy(bloom(bits_per_key)), candidates);
  AddForeign(prefix, "_ribbon", Policy(ribbon(BloomBitsOfRibbon(bits_per_key))),
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
  rocksdb::BlockBasedTableOptions table;
  // RocksDB's filters have the bits per key that are asked for.
  table.optimize_filters_for_memory = false;
  return std::unique_ptr<rocksdb::FilterBitsBuilder>(
      policy.GetBuilderWithContext(rocksdb::FilterBuildingContext(table)));
}

double BloomBitsOfRibbon(double bits_per_key) {
  const int low = static_cast<int>(100 * bits_per_key);
  return Bisect(low, 2 * low,
                [&](int hundredths) {
                  const std::unique_ptr<const FilterPolicy> policy(
                      DistributionRibbon(hundredths / 100.0));
                  return StoredBits(*policy) >= bits_per_key;
                }) /
         100.0;
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
