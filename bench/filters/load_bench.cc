// What a filter costs when RocksDB reads its block: making the reader and
// destroying it, as with each miss of the block cache. On one thread and on two,
// which must not wait for each other.
//
//   bazel run //bench/filters:load_bench

#include <benchmark/benchmark.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/slice.h>

#include <cstdint>
#include <memory>
#include <string>

#include "bench/filters/filter_candidates.h"

namespace oneline {
namespace {

std::string BlockOf(const rocksdb::FilterPolicy& policy) {
  const auto builder = NewBuilder(policy);
  for (uint64_t key = 0; key < 10000; ++key) {
    builder->AddKey({reinterpret_cast<const char*>(&key), sizeof(key)});
  }
  std::unique_ptr<const char[]> owner;
  return builder->Finish(&owner).ToString();
}

// The block stays in the processor's cache: what is measured is our code.
void Load(benchmark::State& state, const rocksdb::FilterPolicy* policy,
          const std::string& block) {
  for (auto _ : state) {
    const std::unique_ptr<rocksdb::FilterBitsReader> reader(
        policy->GetFilterBitsReader(block));
    benchmark::DoNotOptimize(reader.get());
  }
}

}  // namespace
}  // namespace oneline

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  const auto candidates = oneline::CandidatesAt(10);
  std::string last;
  for (const oneline::Candidate& candidate : candidates) {
    if (candidate.block_name == last) continue;
    last = candidate.block_name;
    benchmark::RegisterBenchmark(last.c_str(), oneline::Load,
                                 candidate.policy.get(),
                                 oneline::BlockOf(*candidate.policy))
        ->Threads(1)
        ->Threads(2);
  }
  benchmark::RunSpecifiedBenchmarks();
}
