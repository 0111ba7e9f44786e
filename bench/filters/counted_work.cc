// One kind of work with one filter, and nothing else that grows with the number
// of keys: for bench/filters/instructions.sh, which counts instructions.
//
// Usage: counted_work POLICY keys|build|absent|present|batch KEYS
//
//   POLICY   as in RocksDB's options, such as oneline:10 or ribbonfilter:10
//   keys     makes so many keys, which all other work contains
//   build    builds filters of 32,000 keys each, of so many keys in all
//   absent, present, batch
//            looks up so many in a filter of 2,000 keys: single ones, or absent
//            ones 32 at once

#include <rocksdb/convenience.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/table.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "bench/measure/random_key.h"
#include "filter_policy/rocksdb/rocksdb_filter_bits.h"

namespace oneline {
namespace {

using rocksdb::FilterBitsReader;
using rocksdb::FilterPolicy;
using rocksdb::Slice;

constexpr size_t kFilterKeys = 2000, kBuiltKeys = 32000;
constexpr size_t kBatch = 32;

Key Present(size_t i) { return Key(2 * (i % kFilterKeys)); }
Key Absent(size_t i) { return Key(2 * i + 1); }

// Each function returns what depends on all that it did, so that a compiler
// leaves nothing out.
size_t MakeKeys(size_t num_keys) {
  size_t sum = 0;
  for (size_t i = 0; i < num_keys; ++i) {
    const Key key = Absent(i);
    for (const char byte : key.bytes) sum += static_cast<uint8_t>(byte);
  }
  return sum;
}

// A filter of keys of even numbers, from 2 * begin on.
Slice Build(const FilterPolicy& policy, size_t begin, size_t num_keys,
            std::unique_ptr<const char[]>* owner) {
  const rocksdb::BlockBasedTableOptions table;
  const std::unique_ptr<rocksdb::FilterBitsBuilder> builder(
      policy.GetBuilderWithContext(rocksdb::FilterBuildingContext(table)));
  for (size_t i = 0; i < num_keys; ++i) {
    builder->AddKey(Key(2 * (begin + i)));
  }
  return builder->Finish(owner);
}

size_t LookUp(FilterBitsReader* reader, size_t num_keys,
              Key (*key_at)(size_t)) {
  size_t found = 0;
  for (size_t i = 0; i < num_keys; ++i) {
    const Key key = key_at(i);
    found += reader->MayMatch(key);
  }
  return found;
}

size_t LookUpBatches(FilterBitsReader* reader, size_t num_keys) {
  std::vector<Key> keys(kBatch, Key(0));
  Slice slices[kBatch];
  Slice* pointers[kBatch];
  bool may_match[kBatch];
  size_t found = 0;
  for (size_t begin = 0; begin < num_keys; begin += kBatch) {
    for (size_t i = 0; i < kBatch; ++i) {
      keys[i] = Absent(begin + i);
      slices[i] = keys[i];
      pointers[i] = &slices[i];
    }
    reader->MayMatch(kBatch, pointers, may_match);
    for (const bool match : may_match) found += match;
  }
  return found;
}

// -1 if there is no such work.
long Run(const FilterPolicy& policy, const std::string& work, size_t num_keys) {
  std::unique_ptr<const char[]> owner;
  if (work == "keys") return static_cast<long>(MakeKeys(num_keys));
  if (work == "build") {
    size_t bytes = 0;
    for (size_t i = 0; i < num_keys; i += kBuiltKeys) {
      bytes += Build(policy, i, kBuiltKeys, &owner).size();
    }
    return static_cast<long>(bytes);
  }
  const Slice block = Build(policy, 0, kFilterKeys, &owner);
  const std::unique_ptr<FilterBitsReader> reader(
      policy.GetFilterBitsReader(block));
  if (work == "batch") {
    return static_cast<long>(LookUpBatches(reader.get(), num_keys));
  }
  if (work != "absent" && work != "present") return -1;
  return static_cast<long>(
      LookUp(reader.get(), num_keys, work == "absent" ? &Absent : &Present));
}

int Main(int argc, char** argv) {
  std::shared_ptr<const FilterPolicy> policy;
  long result = -1;
  if (argc == 4 &&
      FilterPolicy::CreateFromString(rocksdb::ConfigOptions(), argv[1], &policy)
          .ok()) {
    result = Run(*policy, argv[2], std::strtoul(argv[3], nullptr, 10));
  }
  if (result < 0) {
    std::fprintf(
        stderr,
        "usage: counted_work POLICY keys|build|absent|present|batch KEYS\n");
    return 2;
  }
  std::printf("%ld\n", result);
  return 0;
}

}  // namespace
}  // namespace oneline

int main(int argc, char** argv) { return oneline::Main(argc, argv); }
