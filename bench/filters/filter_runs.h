// What is measured of one filter, as the body of a benchmark of Google's
// library: builds, loads and lookups, for the programs of this folder that
// compare filters. Each filter is built when it is first needed, and kept; all
// are looked up at the same place.

#ifndef ONELINE_BENCH_FILTERS_FILTER_RUNS_H_
#define ONELINE_BENCH_FILTERS_FILTER_RUNS_H_

#include <benchmark/benchmark.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "bench/filters/filter_candidates.h"
#include "bench/measure/random_key.h"

namespace oneline {

inline constexpr int kBatch = 32;

inline std::string Plain(double number) {
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

inline constexpr size_t kMegabyte = 1024;  // in kilobytes

struct Block {
  std::unique_ptr<const char[]> owner;
  rocksdb::Slice bytes;
};

inline Block BuildBlock(const Candidate& candidate, size_t num_keys) {
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
  // The block, copied. It stays until the next call.
  rocksdb::Slice Place(const Block& block) {
    constexpr size_t kPage = 4096;
    const size_t size = block.bytes.size();
    const size_t room = (size + kPage - 1) / kPage * kPage;
    if (room > room_) {
      memory_.reset();
      memory_.reset(static_cast<char*>(std::aligned_alloc(kPage, room)));
      room_ = room;
    }
    if (placed_ != &block) std::memcpy(memory_.get(), block.bytes.data(), size);
    placed_ = &block;
    return rocksdb::Slice(memory_.get(), size);
  }

 private:
  struct Free {
    void operator()(char* p) const { std::free(p); }
  };
  std::unique_ptr<char[], Free> memory_;
  size_t room_ = 0;
  const Block* placed_ = nullptr;
};

// Builds the block at the first call, and keeps it.
inline const Block& BlockOf(const Candidate& candidate,
                            const Setting& setting) {
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
    block = stage->Place(BlockOf(candidate, setting));
    reader.reset(candidate.open(block));
  }

  rocksdb::Slice block;
  std::unique_ptr<rocksdb::FilterBitsReader> reader;
};

// Each thread of a benchmark looks up keys of its own.
inline Random RandomOf(const benchmark::State& state) {
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
  rocksdb::FilterBitsReader& reader = *filter.reader;
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
  state.SetItemsProcessed(state.iterations());
  if (!absent && matches != static_cast<uint64_t>(state.iterations())) {
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

inline void LookupBatch(benchmark::State& state, const Candidate& candidate,
                        const Setting& setting) {
  const Filter filter(candidate, setting);
  rocksdb::FilterBitsReader& reader = *filter.reader;
  Random random = RandomOf(state);
  std::vector<Key> keys(kBatch, Key(0));
  rocksdb::Slice slices[kBatch];
  rocksdb::Slice* pointers[kBatch];
  bool may_match[kBatch];
  while (state.KeepRunningBatch(kBatch)) {
    for (int i = 0; i < kBatch; ++i) {
      keys[static_cast<size_t>(i)] = Key(2 * random.Next() + 1);
      slices[i] = keys[static_cast<size_t>(i)];
      pointers[i] = &slices[i];
    }
    reader.MayMatch(kBatch, pointers, may_match);
    benchmark::DoNotOptimize(may_match);
  }
  state.SetItemsProcessed(state.iterations());
}

// The whole build, from the first key to the block.
inline void Build(benchmark::State& state, const Candidate& candidate,
                  size_t num_keys) {
  while (state.KeepRunningBatch(static_cast<int64_t>(num_keys))) {
    const Block block = BuildBlock(candidate, num_keys);
    benchmark::DoNotOptimize(block.bytes.data());
  }
  state.SetItemsProcessed(state.iterations());
}

// The block is in the processor's cache: what is measured is our code.
inline void Load(benchmark::State& state, const Candidate& candidate,
                 const Setting& setting) {
  const Filter filter(candidate, setting);
  for (auto _ : state) {
    const std::unique_ptr<rocksdb::FilterBitsReader> reader(
        candidate.policy->GetFilterBitsReader(filter.block));
    benchmark::DoNotOptimize(reader.get());
  }
  state.SetItemsProcessed(state.iterations());
}

}  // namespace oneline

#endif  // ONELINE_BENCH_FILTERS_FILTER_RUNS_H_
