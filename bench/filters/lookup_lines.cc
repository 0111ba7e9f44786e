#include "bench/filters/lookup_lines.h"

#include <cstdint>
#include <cstring>
#include <set>
#include <string>
#include <vector>

#include "bench/measure/memory_trace.h"

namespace oneline {
namespace {

using rocksdb::Slice;

constexpr size_t kPhysicalLineBytes = 64;
constexpr size_t kBatch = 32;  // RocksDB's maximum

std::string PresentKey(size_t i) { return "present key " + std::to_string(i); }

std::string KeyFor(LookupType type, size_t i, size_t num_keys) {
  // The stride takes present keys from the whole filter.
  if (type == LookupType::kPresent) return PresentKey(i * 7919 % num_keys);
  return "absent key " + std::to_string(i);
}

void AddLines(const MemoryAccess& access, std::set<uintptr_t>* lines) {
  const uintptr_t last = access.address + access.bytes - 1;
  for (uintptr_t line = access.address / kPhysicalLineBytes;
       line <= last / kPhysicalLineBytes; ++line) {
    lines->insert(line);
  }
}

LookupLines LinesOf(const std::vector<MemoryAccess>& accesses) {
  std::set<uintptr_t> read, read_or_prefetched;
  for (const MemoryAccess& access : accesses) {
    if (access.type == MemoryAccess::kRead) AddLines(access, &read);
    AddLines(access, &read_or_prefetched);
  }
  return {static_cast<double>(read.size()),
          static_cast<double>(read_or_prefetched.size())};
}

}  // namespace

PlacedFilter::PlacedFilter(const Candidate& candidate, size_t num_keys,
                           size_t misalignment)
    : num_keys_(num_keys) {
  const auto builder = NewBuilder(*candidate.policy);
  for (size_t i = 0; i < num_keys; ++i) builder->AddKey(PresentKey(i));
  std::unique_ptr<const char[]> owner;
  const Slice built = builder->Finish(&owner);
  const size_t size = built.size();
  memory_.reset(new char[size + 2 * kPhysicalLineBytes]);
  char* begin = memory_.get();
  begin += kPhysicalLineBytes -
           reinterpret_cast<uintptr_t>(begin) % kPhysicalLineBytes;
  begin += misalignment % kPhysicalLineBytes;
  std::memcpy(begin, built.data(), size);
  block_ = Slice(begin, size);
  reader_.reset(candidate.open(block_));
}

PlacedFilter::~PlacedFilter() = default;

double PlacedFilter::bits_per_key() const {
  return 8.0 * static_cast<double>(block_.size()) /
         static_cast<double>(num_keys_);
}

LookupLines PlacedFilter::CountBatch(LookupType type, size_t first, size_t n) {
  std::vector<std::string> keys;
  for (size_t i = 0; i < n; ++i) {
    keys.push_back(KeyFor(type, first + i, num_keys_));
  }
  std::vector<Slice> slices(keys.begin(), keys.end());
  std::vector<Slice*> pointers;
  for (Slice& slice : slices) pointers.push_back(&slice);
  bool may_match[kBatch];
  return LinesOf(TraceReads(block_.data(), block_.size(), [&] {
    if (n == 1) {
      may_match[0] = reader_->MayMatch(slices[0]);
    } else {
      reader_->MayMatch(static_cast<int>(n), pointers.data(), may_match);
    }
  }));
}

LookupLines PlacedFilter::Count(LookupType type, size_t num_lookups) {
  const size_t batch = type == LookupType::kAbsentBatch ? kBatch : 1;
  LookupLines sum = {0, 0};
  size_t n = 0;
  for (; n < num_lookups; n += batch) {
    const LookupLines lines = CountBatch(type, n, batch);
    sum.read += lines.read;
    sum.read_or_prefetched += lines.read_or_prefetched;
  }
  const auto lookups = static_cast<double>(n);
  return {sum.read / lookups, sum.read_or_prefetched / lookups};
}

}  // namespace oneline
