// Filters alone, without a database: nanoseconds for a lookup and for each key
// built, false-positive rate with its theory, bits per key, of our filters on
// every kernel and of RocksDB's. All through the virtual interface by which
// RocksDB calls them, in one process; run it with
//   --benchmark_enable_random_interleaving --benchmark_repetitions=5
// so that the machine's moods fall on all alike. `make bench` does.

#include <benchmark/benchmark.h>
#include <dlfcn.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/table.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "filter_policy/filter_options.h"
#include "filter_policy/rocksdb_filter_bits.h"
#include "filter_policy/rocksdb_filter_policy.h"
#include "table/filter_block.h"
#include "table/filter_kind.h"
#include "table/key_hash.h"
#include "table/probe.h"

namespace oneline {
namespace {

using rocksdb::FilterBitsReader;
using rocksdb::FilterPolicy;
using rocksdb::Slice;

constexpr double kBitsPerKey = 10;
constexpr int kBatch = 32;

// The i-th of a sequence of 16-byte keys that looks random (SplitMix64: Steele,
// Lea, Flood, "Fast Splittable Pseudorandom Number Generators", 2014). Present
// keys have an even i, absent ones an odd i.
struct Key {
  explicit Key(uint64_t i) {
    for (int half = 0; half < 2; ++half) {
      uint64_t z = (2 * i + half + 1) * 0x9e3779b97f4a7c15u;
      z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
      z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
      z ^= z >> 31;
      std::memcpy(bytes + 8 * half, &z, sizeof(z));
    }
  }
  Slice slice() const { return Slice(bytes, sizeof(bytes)); }

  char bytes[16];
};

// A filter to measure: what builds it and what reads it.
struct Candidate {
  std::string name;
  std::shared_ptr<const FilterPolicy> policy;
  std::function<FilterBitsReader*(const Slice&)> open;
  std::function<double(double bits_per_key)> theory;  // may be empty
};

// Our reader with a given kernel, behind the same virtual functions.
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

std::vector<Candidate> OurCandidates() {
  std::vector<Candidate> candidates;
  FilterOptions options;
  options.bits_per_key = kBitsPerKey;
  const std::shared_ptr<const FilterPolicy> policy =
      NewRocksDBFilterPolicy(options);
  const FilterKind& kind = *FindFilterKind(static_cast<uint8_t>(options.kind));
  for (size_t i = 0; i <= static_cast<size_t>(BestInstructionSet()); ++i) {
    const auto set = static_cast<InstructionSet>(i);
    candidates.push_back(
        {std::string("oneline_") + kind.name + "_" + kInstructionSetNames[i],
         policy,
         [set](const Slice& block) { return new KernelReader(block, set); },
         [&kind](double bits_per_key) {
           return kind.fp_rate(bits_per_key,
                               kind.choose_parameter(bits_per_key));
         }});
  }
  return candidates;
}

Candidate Foreign(const std::string& name, const FilterPolicy* policy) {
  const std::shared_ptr<const FilterPolicy> owned(policy);
  return {name, owned,
          [owned](const Slice& b) { return owned->GetFilterBitsReader(b); },
          nullptr};
}

// The filters of the library that bench/peer/build.sh makes.
std::vector<Candidate> PeerCandidates(const char* library) {
  void* handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    std::fprintf(stderr, "error: ONELINE_PEER: %s\n", dlerror());
    std::exit(1);
  }
  using Maker = const FilterPolicy* (*)(double);
  const auto bloom = reinterpret_cast<Maker>(dlsym(handle, "PeerBloom"));
  if (bloom == nullptr) {
    std::fprintf(stderr, "error: ONELINE_PEER=%s is not made by build.sh\n",
                 library);
    std::exit(1);
  }
  return {Foreign("rocksdb_avx2_bloom", bloom(kBitsPerKey))};
}

struct Filter {
  std::unique_ptr<const char[]> owner;
  Slice block;
};

Filter BuildFilter(const FilterPolicy& policy, size_t num_keys) {
  const rocksdb::BlockBasedTableOptions table;
  const std::unique_ptr<rocksdb::FilterBitsBuilder> builder(
      policy.GetBuilderWithContext(rocksdb::FilterBuildingContext(table)));
  for (size_t i = 0; i < num_keys; ++i) builder->AddKey(Key(2 * i).slice());
  Filter filter;
  filter.block = builder->Finish(&filter.owner);
  return filter;
}

// Built once for each candidate and size; each line of the filter on a cache
// line of its own, which RocksDB's allocator does not promise.
class SharedFilter {
 public:
  SharedFilter(const Candidate& candidate, size_t num_keys) {
    const Filter filter = BuildFilter(*candidate.policy, num_keys);
    const size_t room = (filter.block.size() + 4095) / 4096 * 4096;
    aligned_.reset(static_cast<char*>(std::aligned_alloc(4096, room)));
    std::memcpy(aligned_.get(), filter.block.data(), filter.block.size());
    reader_.reset(candidate.open(Slice(aligned_.get(), filter.block.size())));
    bits_per_key_ = 8.0 * static_cast<double>(filter.block.size()) /
                    static_cast<double>(num_keys);
  }

  FilterBitsReader& reader() { return *reader_; }
  double bits_per_key() const { return bits_per_key_; }

 private:
  struct Free {
    void operator()(char* p) const { std::free(p); }
  };
  std::unique_ptr<char[], Free> aligned_;
  std::unique_ptr<FilterBitsReader> reader_;
  double bits_per_key_;
};

SharedFilter& FilterOf(const Candidate& candidate, size_t num_keys) {
  static auto* const filters = new std::map<std::pair<std::string, size_t>,
                                            std::unique_ptr<SharedFilter>>;
  auto& filter = (*filters)[{candidate.name, num_keys}];
  if (filter == nullptr) {
    filter = std::make_unique<SharedFilter>(candidate, num_keys);
  }
  return *filter;
}

void Report(benchmark::State& state, const Candidate& candidate,
            const SharedFilter& filter, uint64_t matches, uint64_t lookups) {
  state.counters["bits/key"] = filter.bits_per_key();
  state.counters["match%"] =
      100.0 * static_cast<double>(matches) / static_cast<double>(lookups);
  if (candidate.theory) {
    state.counters["theory%"] = 100 * candidate.theory(filter.bits_per_key());
  }
  state.SetItemsProcessed(static_cast<int64_t>(lookups));
}

// Single lookups.
void Lookup(benchmark::State& state, const Candidate& candidate,
            size_t num_keys, bool absent) {
  SharedFilter& filter = FilterOf(candidate, num_keys);
  FilterBitsReader& reader = filter.reader();
  uint64_t matches = 0, lookups = 0, random = 88172645463325252u;
  for (auto _ : state) {
    random ^= random << 13;  // xorshift64 (Marsaglia, 2003)
    random ^= random >> 7;
    random ^= random << 17;
    const Key key(absent ? 2 * random + 1 : 2 * (random % num_keys));
    matches += reader.MayMatch(key.slice());
    ++lookups;
  }
  Report(state, candidate, filter, matches, lookups);
}

// Batches of 32 absent keys; time is for each key.
void LookupBatch(benchmark::State& state, const Candidate& candidate,
                 size_t num_keys) {
  SharedFilter& filter = FilterOf(candidate, num_keys);
  FilterBitsReader& reader = filter.reader();
  uint64_t matches = 0, lookups = 0, random = 88172645463325252u;
  std::vector<Key> keys(kBatch, Key(0));
  Slice slices[kBatch];
  Slice* pointers[kBatch];
  bool may_match[kBatch];
  while (state.KeepRunningBatch(kBatch)) {
    for (int i = 0; i < kBatch; ++i) {
      random ^= random << 13;
      random ^= random >> 7;
      random ^= random << 17;
      keys[i] = Key(2 * random + 1);
      slices[i] = keys[i].slice();
      pointers[i] = &slices[i];
    }
    reader.MayMatch(kBatch, pointers, may_match);
    for (const bool match : may_match) matches += match;
    lookups += kBatch;
  }
  Report(state, candidate, filter, matches, lookups);
}

// Everything from the first key to the block; time is for each key.
void Build(benchmark::State& state, const Candidate& candidate,
           size_t num_keys) {
  while (state.KeepRunningBatch(static_cast<int64_t>(num_keys))) {
    const Filter filter = BuildFilter(*candidate.policy, num_keys);
    benchmark::DoNotOptimize(filter.block.data());
  }
}

void RegisterAll(const std::vector<Candidate>& candidates) {
  constexpr size_t kKeysPerMegabyte = size_t{8} * 1000 * 1000 / 10;
  for (const size_t megabytes : {1, 100}) {
    const size_t num_keys = megabytes * kKeysPerMegabyte;
    for (const Candidate& c : candidates) {
      const std::string suffix =
          "/" + c.name + "/" + std::to_string(megabytes) + "MB";
      benchmark::RegisterBenchmark(
          ("absent" + suffix).c_str(),
          [=](benchmark::State& s) { Lookup(s, c, num_keys, true); });
      benchmark::RegisterBenchmark(
          ("present" + suffix).c_str(),
          [=](benchmark::State& s) { Lookup(s, c, num_keys, false); });
      benchmark::RegisterBenchmark(
          ("batch32" + suffix).c_str(),
          [=](benchmark::State& s) { LookupBatch(s, c, num_keys); });
      benchmark::RegisterBenchmark(
          ("build" + suffix).c_str(),
          [=](benchmark::State& s) { Build(s, c, num_keys); });
    }
  }
}

}  // namespace
}  // namespace oneline

int main(int argc, char** argv) {
  std::vector<oneline::Candidate> candidates = oneline::OurCandidates();
  candidates.push_back(oneline::Foreign(
      "rocksdb_bloom", rocksdb::NewBloomFilterPolicy(oneline::kBitsPerKey)));
  if (const char* library = std::getenv("ONELINE_PEER")) {
    for (oneline::Candidate& peer : oneline::PeerCandidates(library)) {
      candidates.push_back(std::move(peer));
    }
  }
  oneline::RegisterAll(candidates);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
}
