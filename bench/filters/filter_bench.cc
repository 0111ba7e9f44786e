// Measures filters alone, without a database: nanoseconds per lookup and per
// key of a build, the false-positive rate beside its theory, stored bits per
// key, and peak memory of a build. Compares ours with every kernel and
// RocksDB's, in one process and through the virtual functions by which RocksDB
// calls them. bench/report/run_benchmarks.sh runs it with repetitions in random
// order, so that other work of the machine affects all filters alike.
//
// The name of a benchmark is
//   what / bits per key / kilobytes of the filter / offset modulo 64 / filter
// where "what" is
//   absent, present    single lookups, none of which needs another's answer
//   batch32            lookups of 32 absent keys at once
//   dependent_absent,
//   dependent_present  single lookups, each of which waits for the answer
//                      before, as a database asks one filter after the other
//   build              from the first key to the block
//   load               what RocksDB does with a block that it has read: makes a
//                      reader, and destroys it. The item is a block
// With "in parallel" for the offset, the same on one thread and on two, which
// must not wait for each other. And
//   independent / making a key / none     what lookups of absent and present
//                      keys, single and in batches, contain
//   dependent / making a key / none       the same if each key waits for the
//                      key before, which dependent lookups contain
// All times are per key.
//
// Each filter is built when it is first needed, and kept. Without
// --benchmark_filter they take 14 GB. All are looked up at the same place.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "bench/filters/filter_candidates.h"
#include "bench/measure/peak_memory.h"
#include "bench/measure/random_key.h"

namespace oneline {
namespace {

using rocksdb::FilterBitsReader;
using rocksdb::Slice;

constexpr int kBatch = 32;

std::string Plain(double number) {
  std::string text = std::to_string(number);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

// The size and the place of a filter.
struct Setting {
  double bits_per_key;
  size_t kilobytes;
  size_t offset;  // of the block from a multiple of 64 bytes

  // "10 bits/1024 KB"
  std::string name() const {
    return Plain(bits_per_key) + " bits/" + std::to_string(kilobytes) + " KB";
  }

  size_t num_keys() const {
    return static_cast<size_t>(8 * 1024 * static_cast<double>(kilobytes) /
                               bits_per_key);
  }
};

constexpr size_t kMegabyte = 1024;  // in kilobytes

// RocksDB's Ribbon takes 30 bytes per key while it is built.
constexpr size_t kMaxRocksDBRibbonKilobytes = 64 * kMegabyte;

struct Block {
  std::unique_ptr<const char[]> owner;
  Slice bytes;
};

Block BuildBlock(const Candidate& candidate, size_t num_keys) {
  const auto builder = NewBuilder(*candidate.policy);
  for (size_t i = 0; i < num_keys; ++i) builder->AddKey(Key(2 * i));
  Block block;
  block.bytes = builder->Finish(&block.owner);
  return block;
}

// Memory that all blocks are copied to in turn. Lookups in large filters depend
// on the pages that the system happens to give: these are the same for all.
class Stage {
 public:
  // The block, copied to this offset modulo 64. It stays until the next call.
  Slice Place(const Block& block, size_t offset) {
    if (placed_ == &block && offset_ == offset) return bytes_;
    constexpr size_t kPage = 4096;
    const size_t room =
        (block.bytes.size() + offset + kPage - 1) / kPage * kPage;
    if (room > room_) {
      memory_.reset();
      memory_.reset(static_cast<char*>(std::aligned_alloc(kPage, room)));
      room_ = room;
    }
    std::memcpy(memory_.get() + offset, block.bytes.data(), block.bytes.size());
    placed_ = &block;
    offset_ = offset;
    bytes_ = Slice(memory_.get() + offset, block.bytes.size());
    return bytes_;
  }

 private:
  struct Free {
    void operator()(char* p) const { std::free(p); }
  };
  std::unique_ptr<char[], Free> memory_;
  size_t room_ = 0;
  const Block* placed_ = nullptr;
  size_t offset_ = 0;
  Slice bytes_;
};

// Builds the block at the first call, and keeps it.
const Block& BlockOf(const Candidate& candidate, const Setting& setting) {
  static auto* const blocks = new std::map<std::string, std::unique_ptr<Block>>;
  auto& block =
      (*blocks)[Plain(setting.bits_per_key) + "/" +
                std::to_string(setting.kilobytes) + "/" + candidate.block_name];
  if (block == nullptr) {
    block = std::make_unique<Block>(BuildBlock(candidate, setting.num_keys()));
  }
  return *block;
}

// A candidate's filter, ready for lookups until one of another candidate or
// setting is made. All threads of a benchmark may make the same one.
struct Filter {
  Filter(const Candidate& candidate, const Setting& setting) {
    static auto* const stage = new Stage;
    static auto* const mutex = new std::mutex;
    const std::lock_guard<std::mutex> lock(*mutex);
    block = stage->Place(BlockOf(candidate, setting), setting.offset);
    reader.reset(candidate.open(block));
    bits_per_key = 8.0 * static_cast<double>(block.size()) /
                   static_cast<double>(setting.num_keys());
  }

  Slice block;
  std::unique_ptr<FilterBitsReader> reader;
  double bits_per_key;
};

// What the lookups of absent keys found.
void Report(benchmark::State& state, const Candidate& candidate,
            const Filter& filter, uint64_t matches) {
  const int64_t lookups = state.iterations();
  state.SetItemsProcessed(lookups);
  state.counters["bits/key"] = filter.bits_per_key;
  state.counters["match%"] =
      100.0 * static_cast<double>(matches) / static_cast<double>(lookups);
  if (candidate.theory) {
    state.counters["theory%"] = 100 * candidate.theory(filter.bits_per_key);
  }
}

// Each thread of a benchmark looks up keys of its own.
Random RandomOf(const benchmark::State& state) {
  return Random(static_cast<uint64_t>(state.thread_index()));
}

enum class Presence { kAbsent, kPresent };
// Whether the next key is made from the last answer. A template argument, so
// that the loop that need not wait for the answer can't do so.
enum class Order { kIndependent, kDependent };

// Waits for all instructions before it. A key made from the answer is not
// enough: where a reader branches on its answer, the processor guesses it and
// goes on with the next lookup. In a database the work between two filters is
// longer than what a processor runs ahead.
inline void WaitForInstructions() {
#if defined(__x86_64__)
  __builtin_ia32_lfence();
#elif defined(__aarch64__)
  asm volatile("dsb sy\n\tisb" ::: "memory");
#endif
}

template <Order kOrder>
void Lookup(benchmark::State& state, const Candidate& candidate,
            const Setting& setting, Presence presence) {
  const Filter filter(candidate, setting);
  FilterBitsReader& reader = *filter.reader;
  const bool absent = presence == Presence::kAbsent;
  const size_t num_present = setting.num_keys();
  Random random = RandomOf(state);
  uint64_t matches = 0;
  bool match = false;
  for (auto _ : state) {
    uint64_t i = random.Next();
    if (!absent) i %= num_present - 1;
    if constexpr (kOrder == Order::kDependent) i += match;
    const Key key(2 * i + absent);
    match = reader.MayMatch(key);
    if constexpr (kOrder == Order::kDependent) WaitForInstructions();
    matches += match;
  }
  if (absent) return Report(state, candidate, filter, matches);
  state.SetItemsProcessed(state.iterations());
  if (matches != static_cast<uint64_t>(state.iterations())) {
    state.SkipWithError("the filter lost a key");
  }
}

template <Order kOrder>
void KeysAlone(benchmark::State& state) {
  Random random;
  uint64_t last_bit = 0;
  for (auto _ : state) {
    Key key(2 * (random.Next() + last_bit) + 1);
    benchmark::DoNotOptimize(key.bytes);
    if constexpr (kOrder == Order::kDependent) {
      last_bit = key.bytes[0] & 1;
      WaitForInstructions();
    }
  }
  state.SetItemsProcessed(state.iterations());
}

void LookupBatch(benchmark::State& state, const Candidate& candidate,
                 const Setting& setting) {
  const Filter filter(candidate, setting);
  FilterBitsReader& reader = *filter.reader;
  Random random = RandomOf(state);
  uint64_t matches = 0;
  std::vector<Key> keys(kBatch, Key(0));
  Slice slices[kBatch];
  Slice* pointers[kBatch];
  bool may_match[kBatch];
  while (state.KeepRunningBatch(kBatch)) {
    for (int i = 0; i < kBatch; ++i) {
      keys[static_cast<size_t>(i)] = Key(2 * random.Next() + 1);
      slices[i] = keys[static_cast<size_t>(i)];
      pointers[i] = &slices[i];
    }
    reader.MayMatch(kBatch, pointers, may_match);
    for (const bool match : may_match) matches += match;
  }
  Report(state, candidate, filter, matches);
}

// The whole build, from the first key to the block.
void Build(benchmark::State& state, const Candidate& candidate,
           size_t num_keys) {
  ResetPeakMemory();
  while (state.KeepRunningBatch(static_cast<int64_t>(num_keys))) {
    const Block block = BuildBlock(candidate, num_keys);
    benchmark::DoNotOptimize(block.bytes.data());
  }
  state.SetItemsProcessed(state.iterations());
  state.counters["peak_bytes/key"] =
      static_cast<double>(PeakMemory()) / static_cast<double>(num_keys);
}

// The block is in the processor's cache: what is measured is our code.
void Load(benchmark::State& state, const Candidate& candidate,
          const Setting& setting) {
  const Filter filter(candidate, setting);
  for (auto _ : state) {
    const std::unique_ptr<FilterBitsReader> reader(
        candidate.policy->GetFilterBitsReader(filter.block));
    benchmark::DoNotOptimize(reader.get());
  }
  state.SetItemsProcessed(state.iterations());
}

bool Feasible(const Candidate& candidate, const Setting& setting) {
  return candidate.block_name != "rocksdb_ribbon" ||
         setting.kilobytes <= kMaxRocksDBRibbonKilobytes;
}

using Body = std::function<void(benchmark::State&)>;

benchmark::internal::Benchmark* Add(const std::string& what,
                                    const std::string& setting,
                                    const std::string& filter,
                                    const Body& run) {
  const std::string name = what + "/" + setting + "/" + filter;
  return benchmark::RegisterBenchmark(name.c_str(), run);
}

enum class Kernels { kAll, kUsual };

// Kept, because CandidatesAt builds filters to fit the size of RocksDB's
// Ribbon.
const std::vector<Candidate>& Candidates(double bits_per_key) {
  static auto* const candidates = new std::map<double, std::vector<Candidate>>;
  auto& found = (*candidates)[bits_per_key];
  if (found.empty()) found = CandidatesAt(bits_per_key);
  return found;
}

void RegisterLookups(const Setting& setting, Kernels kernels) {
  const std::string name =
      setting.name() + "/offset " + std::to_string(setting.offset);
  for (const Candidate& c : Candidates(setting.bits_per_key)) {
    if (kernels == Kernels::kUsual && !c.usual) continue;
    if (!Feasible(c, setting)) continue;
    using benchmark::State;
    for (const Presence p : {Presence::kAbsent, Presence::kPresent}) {
      const char* const what = p == Presence::kAbsent ? "absent" : "present";
      Add(what, name, c.name,
          [=](State& s) { Lookup<Order::kIndependent>(s, c, setting, p); });
      Add(std::string("dependent_") + what, name, c.name,
          [=](State& s) { Lookup<Order::kDependent>(s, c, setting, p); });
    }
    Add("batch32", name, c.name, [=](State& s) { LookupBatch(s, c, setting); });
  }
}

// Builds use the instruction set that the machine or ONELINE_KERNEL chooses.
void RegisterBuilds(const Setting& setting) {
  std::set<std::string> built;
  for (const Candidate& c : Candidates(setting.bits_per_key)) {
    if (!Feasible(c, setting) || !built.insert(c.builder_name).second) continue;
    Add("build", setting.name(), c.builder_name,
        [=](benchmark::State& s) { Build(s, c, setting.num_keys()); });
  }
}

void RegisterParallel(const Setting& setting) {
  for (const Candidate& c : Candidates(setting.bits_per_key)) {
    if (!c.usual) continue;
    using benchmark::State;
    const auto add = [&](const char* what, const Body& run) {
      // Counters are in the tables of one thread.
      const Body timed = [=](State& s) {
        run(s);
        s.counters.clear();
        s.SetItemsProcessed(s.iterations());
      };
      Add(what, setting.name() + "/in parallel", c.builder_name, timed)
          ->UseRealTime()
          ->Threads(1)
          ->Threads(2);
    };
    add("absent", [=](State& s) {
      Lookup<Order::kIndependent>(s, c, setting, Presence::kAbsent);
    });
    add("batch32", [=](State& s) { LookupBatch(s, c, setting); });
    add("load", [=](State& s) { Load(s, c, setting); });
    add("build", [=](State& s) { Build(s, c, setting.num_keys()); });
  }
}

void RegisterAll() {
  Add("independent", "making a key", "none", &KeysAlone<Order::kIndependent>);
  Add("dependent", "making a key", "none", &KeysAlone<Order::kDependent>);
  for (const double bits_per_key : {5.0, 7.0, 10.0, 16.0}) {
    for (const size_t megabytes : {1, 20, 400}) {
      for (const size_t offset : {0, 16}) {
        RegisterLookups({bits_per_key, megabytes * kMegabyte, offset},
                        Kernels::kAll);
      }
    }
  }
  for (const size_t kilobytes : {size_t{16}, size_t{128}, 1024 * kMegabyte}) {
    RegisterLookups({10, kilobytes, 0}, Kernels::kUsual);
  }
  for (const double bits_per_key :
       {4.0, 5.0, 6.0, 7.0, 7.1, 8.0, 10.0, 12.0, 14.0, 16.0, 20.0}) {
    RegisterBuilds({bits_per_key, kMegabyte, 0});
  }
  RegisterBuilds({10, 20 * kMegabyte, 0});
  for (const size_t kilobytes : {size_t{16}, kMegabyte, 20 * kMegabyte}) {
    RegisterParallel({10, kilobytes, 0});
  }
}

}  // namespace
}  // namespace oneline

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  oneline::RegisterAll();
  benchmark::RunSpecifiedBenchmarks();
}
