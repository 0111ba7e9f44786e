// `bench/memory/resident_memory.sh`: how much resident memory filters take that
// pass the same share of absent keys, with the allocator of this process.
//
// Usage: resident_memory FILTER SHAPE ALLOCATOR ROUNDED
//
//   FILTER     rocksdb-bloom, bloom or ribbon
//   SHAPE      tables: full filters of 2,000 to 400,000 keys
//              partitions: of metadata_block_size 4096
//   ALLOCATOR  new, or aligned for oneline's allocator of the block cache
//   ROUNDED    1 with optimize_filters_for_memory, else 0
//
// Filters are built in a child process and written to a file. This process then
// reads them as RocksDB does, each with the five bytes behind it, into memory
// from the allocator, so that nothing else is in the heap. As in a cache, a
// tenth of them is out, and filters that are out take the place of others, five
// times as many as there are; in the end all are in. Prints a line: the bits
// per key that were asked for, those of the blocks, those of their allocations,
// which RocksDB charges to the cache, those that became resident, and the share
// of absent keys that pass.

#include <fcntl.h>
#include <malloc.h>
#include <rocksdb/cache.h>
#include <rocksdb/convenience.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/table.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "filter_policy/rocksdb/rocksdb_filter_bits.h"
#include "oneline/cache_line_allocator.h"

namespace oneline {
namespace {

constexpr double kFpRate = 0.01;
constexpr double kTolerance = 0.01;  // of that
constexpr size_t kBlockTrailerBytes = 5;
constexpr uint64_t kTotalKeys = 16 * 1000 * 1000;
constexpr uint64_t kMaxKeys = 400 * 1000;
constexpr uint64_t kMinKeys = 2000;
constexpr uint64_t kLookups = 4 * 1000 * 1000;
constexpr uint32_t kMaxFilters = 100 * 1000;

[[noreturn]] void Fail(const std::string& error) {
  std::fprintf(stderr, "error: %s\n", error.c_str());
  std::exit(2);
}

struct Setup {
  std::string filter;
  bool partitions = false;
  bool aligned = false;
  bool rounded = false;
};

// What the child process tells, in memory that both share.
struct Built {
  uint64_t keys = 0;
  double passed = 0;  // the mean of the filters' rates
  uint32_t num_filters = 0;
  uint32_t sizes[kMaxFilters];
};

std::shared_ptr<const rocksdb::FilterPolicy> PolicyOf(const Setup& setup,
                                                      double bits_per_key) {
  const std::string bits = std::to_string(bits_per_key);
  const std::string text =
      setup.filter == "rocksdb-bloom"
          ? "bloomfilter:" + bits + ":false"
          : "{id=oneline;hash_seed=7;kind=" + setup.filter +
                ";bits_per_key=" + bits + "}";
  std::shared_ptr<const rocksdb::FilterPolicy> policy;
  const rocksdb::Status status = rocksdb::FilterPolicy::CreateFromString(
      rocksdb::ConfigOptions(), text, &policy);
  if (!status.ok()) Fail(status.ToString());
  return policy;
}

rocksdb::BlockBasedTableOptions TableOptionsOf(const Setup& setup) {
  rocksdb::BlockBasedTableOptions table;
  table.format_version = 5;
  table.optimize_filters_for_memory = setup.rounded;
  if (setup.aligned) {
    rocksdb::LRUCacheOptions cache;
    cache.capacity = 1 << 20;
    cache.memory_allocator = NewCacheLineAlignedAllocator();
    table.block_cache = rocksdb::NewLRUCache(cache);
  }
  return table;
}

rocksdb::Slice SliceOf(const uint64_t& key) {
  return {reinterpret_cast<const char*>(&key), sizeof(key)};
}

double PassedBy(const rocksdb::FilterPolicy& policy,
                const rocksdb::Slice& block, uint64_t lookups,
                std::mt19937_64& random) {
  const std::unique_ptr<rocksdb::FilterBitsReader> reader(
      policy.GetFilterBitsReader(block));
  uint64_t passed = 0;
  for (uint64_t i = 0; i < lookups; ++i) {
    const uint64_t key = random();
    passed += reader->MayMatch(SliceOf(key));
  }
  return static_cast<double>(passed) / static_cast<double>(lookups);
}

// Builds all filters and writes them to `file`, each with the bytes behind it.
void Build(const Setup& setup, double bits_per_key, int file, Built* built) {
  const auto policy = PolicyOf(setup, bits_per_key);
  const rocksdb::BlockBasedTableOptions table = TableOptionsOf(setup);
  const rocksdb::FilterBuildingContext context(table);
  std::mt19937_64 random(1), absent(2);
  std::uniform_real_distribution<double> log_keys(std::log(double{kMinKeys}),
                                                  std::log(double{kMaxKeys}));
  // About as many lookups for each filter.
  const uint64_t lookups =
      kLookups / (setup.partitions ? kTotalKeys / 3300 : 200);
  double sum_passed = 0;
  while (built->keys < kTotalKeys) {
    const std::unique_ptr<rocksdb::FilterBitsBuilder> builder(
        policy->GetBuilderWithContext(context));
    const uint64_t keys =
        setup.partitions ? builder->ApproximateNumEntries(4096)
                         : static_cast<uint64_t>(std::exp(log_keys(random)));
    for (uint64_t i = 0; i < keys; ++i) {
      const uint64_t key = random();
      builder->AddKey(SliceOf(key));
    }
    std::unique_ptr<const char[]> owner;
    const rocksdb::Slice block = builder->Finish(&owner);
    const std::string written =
        block.ToString() + std::string(kBlockTrailerBytes, '\0');
    if (write(file, written.data(), written.size()) !=
        static_cast<ssize_t>(written.size())) {
      Fail("could not write the filters");
    }
    if (built->num_filters == kMaxFilters) Fail("too many filters");
    built->sizes[built->num_filters++] = static_cast<uint32_t>(written.size());
    built->keys += keys;
    sum_passed += PassedBy(*policy, block, lookups, absent);
  }
  built->passed = sum_passed / built->num_filters;
}

void BuildInChild(const Setup& setup, double bits_per_key, int file,
                  Built* built) {
  built->keys = 0;
  built->num_filters = 0;
  if (ftruncate(file, 0) != 0 || lseek(file, 0, SEEK_SET) != 0) {
    Fail("could not empty the file of filters");
  }
  const pid_t child = fork();
  if (child == 0) {
    Build(setup, bits_per_key, file, built);
    _exit(0);
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child || status != 0) {
    Fail("the process that builds filters failed");
  }
}

uint64_t ResidentBytes() {
  // Read without the heap, which is being measured.
  const int file = open("/proc/self/statm", O_RDONLY);
  char text[200] = {};
  if (file < 0 || read(file, text, sizeof(text) - 1) <= 0) {
    Fail("could not read /proc/self/statm");
  }
  close(file);
  char* end = nullptr;
  std::strtoull(text, &end, 10);
  return std::strtoull(end, nullptr, 10) *
         static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
}

// The filters that are in memory, and those that are out. Takes no memory from
// the heap while it is used.
class Cache {
 public:
  Cache(const Setup& setup, int file, const Built& built)
      : aligned_(setup.aligned ? NewCacheLineAlignedAllocator() : nullptr),
        file_(file),
        built_(built),
        blocks_(built.num_filters, nullptr) {
    off_t offset = 0;
    for (uint32_t i = 0; i < built.num_filters; ++i) {
      offsets_.push_back(offset);
      offset += built.sizes[i];
      out_.push_back(i);
    }
    in_.reserve(built.num_filters);
  }

  // Reads filters and throws others out; in the end all are in.
  void Run() {
    std::mt19937_64 random(3);
    while (out_.size() > built_.num_filters / 10) Read(random);
    for (size_t i = 0; i < 5 * blocks_.size(); ++i) {
      ThrowOut(random);
      Read(random);
    }
    while (!out_.empty()) Read(random);
  }

  uint64_t allocated_bytes() const {
    uint64_t sum = 0;
    for (const uint32_t i : in_) {
      sum += aligned_ == nullptr
                 ? malloc_usable_size(blocks_[i])
                 : aligned_->UsableSize(blocks_[i], built_.sizes[i]);
    }
    return sum;
  }

 private:
  static uint32_t Take(std::vector<uint32_t>& filters,
                       std::mt19937_64& random) {
    std::swap(filters[random() % filters.size()], filters.back());
    const uint32_t filter = filters.back();
    filters.pop_back();
    return filter;
  }

  void Read(std::mt19937_64& random) {
    const uint32_t i = Take(out_, random);
    const size_t size = built_.sizes[i];
    blocks_[i] =
        aligned_ == nullptr ? new char[size] : aligned_->Allocate(size);
    if (pread(file_, blocks_[i], size, offsets_[i]) !=
        static_cast<ssize_t>(size)) {
      Fail("could not read the filters");
    }
    in_.push_back(i);
  }

  void ThrowOut(std::mt19937_64& random) {
    const uint32_t i = Take(in_, random);
    if (aligned_ == nullptr) {
      delete[] static_cast<char*>(blocks_[i]);
    } else {
      aligned_->Deallocate(blocks_[i]);
    }
    out_.push_back(i);
  }

  const std::shared_ptr<rocksdb::MemoryAllocator> aligned_;
  const int file_;
  const Built& built_;
  std::vector<void*> blocks_;
  std::vector<off_t> offsets_;
  std::vector<uint32_t> in_, out_;
};

void Run(const Setup& setup) {
  std::FILE* const file = std::tmpfile();
  void* const shared = mmap(nullptr, sizeof(Built), PROT_READ | PROT_WRITE,
                            MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (file == nullptr || shared == MAP_FAILED) Fail("no memory or no file");
  Built* const built = new (shared) Built;
  // The rate falls by this factor's logarithm for each bit.
  const double slope = setup.filter == "ribbon" ? 0.62 : 0.4;
  double bits_per_key = setup.filter == "ribbon" ? 7 : 9.9;
  for (int trial = 0;; ++trial) {
    BuildInChild(setup, bits_per_key, fileno(file), built);
    const double error = std::log(built->passed / kFpRate);
    if (std::abs(error) < kTolerance) break;
    if (trial == 10) Fail("found no bits per key for the rate");
    bits_per_key += error / slope;
  }
  uint64_t bytes = 0;
  for (uint32_t i = 0; i < built->num_filters; ++i) bytes += built->sizes[i];
  Cache cache(setup, fileno(file), *built);
  const uint64_t before = ResidentBytes();
  cache.Run();
  const uint64_t resident = ResidentBytes() - before;
  const auto per_key = [&](uint64_t sum) {
    return 8 * static_cast<double>(sum) / static_cast<double>(built->keys);
  };
  std::printf("%.2f\t%.2f\t%.2f\t%.2f\t%.3f\n", bits_per_key, per_key(bytes),
              per_key(cache.allocated_bytes()), per_key(resident),
              100 * built->passed);
}

Setup SetupFrom(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (words.size() != 4) Fail("usage: see resident_memory.cc");
  return {words[0], words[1] == "partitions", words[2] == "aligned",
          words[3] == "1"};
}

}  // namespace
}  // namespace oneline

int main(int argc, char** argv) {
  oneline::Run(oneline::SetupFrom(argc, argv));
  return 0;
}
