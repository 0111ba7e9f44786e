// Compares two commits' builders and readers, for commits.sh: with each
// instruction set, the old commit, the new one, the old one again and RocksDB's
// Bloom take turns in one process, 4096 lookups or one build at a time: what
// slows the machine for a while slows them all. Prints the ratios of the times
// of a round, new to old, and of the old one to itself, which is what chance
// alone does; both as quartiles of all rounds.
//
// Usage: commits_bench OLD_LIBRARY NEW_LIBRARY ROUNDS [ROWS]
//   ROUNDS  of lookups; of builds and large filters 1/20 as many, 3 at least
//   ROWS    a regular expression: only rows that it is found in
//
// With ONELINE_PEER, as in filter_candidates.h, the last column is the new time
// by that of RocksDB's Bloom with AVX2, else by that of the installed one.

#include <dlfcn.h>
#include <sys/mman.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>
#include <memory>
#include <regex>
#include <string>
#include <vector>

#include "bench/filters/filter_candidates.h"
#include "bench/filters/filter_runs.h"
#include "bench/measure/random_key.h"
#include "bench/measure/spread.h"
#include "table/simd/instruction_sets.h"

namespace oneline {
namespace {

constexpr size_t kLookups = 4096;  // in a row, before it is another's turn

enum class What { kAbsent, kPresent, kBatch, kBuild };
constexpr const char* kWhatNames[] = {"absent", "present", "batch32", "build"};

struct Row {
  What what;
  const char* kind;
  Setting setting;
  size_t instruction_set;

  std::string name() const {
    return std::string(kWhatNames[static_cast<size_t>(what)]) + "/" +
           setting.name() + "/offset " + std::to_string(setting.offset) + "/" +
           kind + "/" + kInstructionSetNames[instruction_set];
  }
};

struct Contender {
  const char* builder;  // those of one name build the same
  std::shared_ptr<const rocksdb::FilterPolicy> policy;
  rocksdb::Slice block = {};
  std::unique_ptr<rocksdb::FilterBitsReader> reader = nullptr;
  std::vector<double> times = {};  // ns per key, one for each round
};

[[noreturn]] void Fail(const std::string& problem) {
  std::fprintf(stderr, "error: %s\n", problem.c_str());
  std::exit(1);
}

// The policy of a library with one instruction set; null if it can't be run. A
// copy of the library for each, as its first call decides for the set.
std::shared_ptr<const rocksdb::FilterPolicy> PolicyOf(
    const std::string& library, const char* role, const Row& row) {
  using Maker = const rocksdb::FilterPolicy* (*)(size_t, const char*, double);
  static auto* const makers = new std::map<std::string, Maker>;
  const std::string copy =
      library + "." + role + "." + kInstructionSetNames[row.instruction_set];
  Maker& maker = (*makers)[copy];
  if (maker == nullptr) {
    std::filesystem::copy_file(library, copy);
    void* const handle = dlopen(copy.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr) Fail(dlerror());
    maker = reinterpret_cast<Maker>(dlsym(handle, "NewCommitPolicy"));
    if (maker == nullptr) Fail(dlerror());
    std::filesystem::remove(copy);
  }
  return std::shared_ptr<const rocksdb::FilterPolicy>(
      maker(row.instruction_set, row.kind, row.setting.bits_per_key));
}

std::shared_ptr<const rocksdb::FilterPolicy> Bloom(double bits_per_key) {
  std::shared_ptr<const rocksdb::FilterPolicy> found;
  for (const Candidate& c : CandidatesAt(bits_per_key)) {
    if (c.name == "rocksdb_bloom" || c.name == "rocksdb_avx2_bloom") {
      found = c.policy;
    }
  }
  return found;
}

Block BuildBlock(const rocksdb::FilterPolicy& policy, size_t num_keys) {
  Candidate candidate;
  candidate.policy = {std::shared_ptr<void>(), &policy};
  return BuildBlock(candidate, num_keys);
}

// The filter that a contender reads, which stays: all instruction sets build
// the same.
rocksdb::Slice BlockOf(const Contender& contender, const Row& row) {
  static auto* const blocks = new std::map<std::string, Block>;
  Block& block =
      (*blocks)[row.setting.name() + "/" + row.kind + "/" + contender.builder];
  if (block.owner == nullptr) {
    block = BuildBlock(*contender.policy, row.setting.num_keys());
  }
  return block.bytes;
}

// Memory that all filters are copied to in turn: no contender has better pages,
// or finds more of its filter in the processor's cache.
char* Stage(const Setting& setting) {
  constexpr size_t kPage = size_t{2} << 20;
  constexpr size_t kRoom = size_t{256} << 20;
  static char* const memory = [] {
    void* const pages = std::aligned_alloc(kPage, kRoom);
    madvise(pages, kRoom, MADV_HUGEPAGE);
    return static_cast<char*>(pages);
  }();
  return memory + setting.offset;
}

std::vector<Key> KeysFor(const Row& row, size_t count, Random* random) {
  std::vector<Key> keys;
  for (size_t i = 0; i < count; ++i) {
    const uint64_t number = random->Next();
    keys.emplace_back(row.what == What::kPresent
                          ? 2 * (number % (row.setting.num_keys() - 1))
                          : 2 * number + 1);
  }
  return keys;
}

size_t LookUp(rocksdb::FilterBitsReader& reader, const std::vector<Key>& keys) {
  size_t matches = 0;
  for (const Key& key : keys) matches += reader.MayMatch(key);
  return matches;
}

size_t LookUpBatches(rocksdb::FilterBitsReader& reader,
                     const std::vector<Key>& keys) {
  size_t matches = 0;
  rocksdb::Slice slices[kBatch];
  rocksdb::Slice* pointers[kBatch];
  bool may_match[kBatch];
  for (size_t begin = 0; begin < keys.size(); begin += kBatch) {
    for (size_t i = 0; i < kBatch; ++i) {
      slices[i] = keys[begin + i];
      pointers[i] = &slices[i];
    }
    reader.MayMatch(kBatch, pointers, may_match);
    for (const bool match : may_match) matches += match;
  }
  return matches;
}

// One turn of a contender.
double NanosecondsPerKey(const Row& row, const Contender& contender,
                         const std::vector<Key>& keys) {
  const size_t count =
      row.what == What::kBuild ? row.setting.num_keys() : keys.size();
  const auto run = [&] {
    switch (row.what) {
      case What::kBuild:
        return BuildBlock(*contender.policy, count).bytes.size();
      case What::kBatch:
        return LookUpBatches(*contender.reader, keys);
      default:
        return LookUp(*contender.reader, keys);
    }
  };
  using Clock = std::chrono::steady_clock;
  const Clock::time_point begin = Clock::now();
  const size_t matches = run();
  const std::chrono::duration<double, std::nano> time = Clock::now() - begin;
  if (row.what == What::kPresent && matches != count) {
    Fail("the filter lost a key");
  }
  return time.count() / static_cast<double>(count);
}

std::string Ratios(std::vector<double> times, const std::vector<double>& old) {
  for (size_t i = 0; i < times.size(); ++i) times[i] /= old[i];
  char text[32];
  std::snprintf(text, sizeof(text), "%6.3f%7.3f%7.3f", Quantile(0.25, times),
                Quantile(0.5, times), Quantile(0.75, times));
  return text;
}

struct Arguments {
  std::string old_library, new_library;
  size_t rounds;
  std::regex rows;
};

void Measure(const Row& row, const Arguments& arguments) {
  std::vector<Contender> all;
  all.push_back({"old", PolicyOf(arguments.old_library, "old", row)});
  all.push_back({"new", PolicyOf(arguments.new_library, "new", row)});
  all.push_back({"old", PolicyOf(arguments.old_library, "again", row)});
  all.push_back({"bloom", Bloom(row.setting.bits_per_key)});
  if (all[0].policy == nullptr) return;
  char* const stage = Stage(row.setting);
  if (row.what != What::kBuild) {
    for (Contender& c : all) {
      c.block = BlockOf(c, row);
      std::memcpy(stage, c.block.data(), c.block.size());
      c.reader.reset(c.policy->GetFilterBitsReader({stage, c.block.size()}));
    }
  }
  Random random;
  const bool is_long =
      row.what == What::kBuild || row.setting.kilobytes > kMegabyte;
  const size_t rounds =
      is_long ? std::max(arguments.rounds / 20, size_t{3}) : arguments.rounds;
  for (size_t round = 0; round < rounds; ++round) {
    for (size_t i = 0; i < all.size(); ++i) {
      Contender& c = all[(i + round) % all.size()];
      std::memcpy(stage, c.block.data(), c.block.size());
      const std::vector<Key> keys =
          KeysFor(row, is_long ? 20 * kLookups : kLookups, &random);
      c.times.push_back(NanosecondsPerKey(row, c, keys));
    }
  }
  const std::vector<double>& old = all[0].times;
  std::printf("%-52s %8.2f %s %s %6.2f\n", row.name().c_str(),
              Quantile(0.5, old), Ratios(all[1].times, old).c_str(),
              Ratios(all[2].times, old).c_str(),
              Quantile(0.5, all[1].times) / Quantile(0.5, all[3].times));
  std::fflush(stdout);
}

void MeasureAll(const Arguments& arguments) {
  // With each instruction set.
  const auto measure = [&](What what, const char* kind, Setting setting) {
    for (size_t set = kNumInstructionSets; set-- > 0;) {
      const Row row = {what, kind, setting, set};
      if (std::regex_search(row.name(), arguments.rows)) {
        Measure(row, arguments);
      }
    }
  };
  for (const size_t offset : {0, 16}) {
    for (const What what : {What::kAbsent, What::kPresent, What::kBatch}) {
      for (const double bits_per_key : {5.0, 7.0, 10.0, 16.0}) {
        measure(what, "ribbon", {bits_per_key, kMegabyte, offset});
      }
      measure(what, "ribbon", {10, 200 * kMegabyte, offset});
      measure(what, "bloom", {10, kMegabyte, offset});
    }
  }
  for (const double bits_per_key : {3.0, 5.0, 7.0, 10.0, 16.0}) {
    measure(What::kBuild, "ribbon", {bits_per_key, kMegabyte, 0});
  }
}

}  // namespace
}  // namespace oneline

int main(int argc, char** argv) {
  const int rounds = argc >= 4 && argc <= 5 ? std::atoi(argv[3]) : 0;
  if (rounds < 1) {
    std::fprintf(stderr,
                 "usage: commits_bench OLD_LIBRARY NEW_LIBRARY ROUNDS "
                 "[ROWS]\n");
    return 2;
  }
  std::printf("%-52s %8s %20s %20s %6s\n", "", "old, ns", "new / old",
              "old again / old", "/Bloom");
  oneline::MeasureAll({argv[1], argv[2], static_cast<size_t>(rounds),
                       std::regex(argc == 5 ? argv[4] : "")});
}
