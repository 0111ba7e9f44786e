#include "filter_policy/rocksdb/rocksdb_bits_reader.h"

#include <algorithm>
#include <cstddef>

#include "table/block/filter_block.h"
#include "table/bloom/blocked_bloom.h"
#include "table/hash/key_hash.h"
#include "table/ribbon/blocked_ribbon.h"

namespace oneline {
namespace {

using rocksdb::Slice;

using MayMatchInLine = bool (*)(const uint8_t* line, uint64_t hash,
                                LineContext context);

// For blocks that are not probed, and the batches of all.
class BitsReader : public rocksdb::FilterBitsReader {
 public:
  explicit BitsReader(const FilterBlockReader& reader) : reader_(reader) {}

  bool MayMatch(const Slice& key) override {
    return reader_.MayMatch(key.ToStringView());
  }

  void MayMatch(int num_keys, Slice** keys, bool* may_match) final {
    uint64_t hashes[kBatchKeys];
    for (size_t left = static_cast<size_t>(num_keys), n; left > 0; left -= n) {
      n = std::min(left, kBatchKeys);
      for (size_t i = 0; i < n; ++i) {
        hashes[i] = KeyHash(keys[i]->ToStringView(), reader_.seed());
      }
      reader_.MayMatchHashes(hashes, n, may_match);
      keys += n;
      may_match += n;
    }
  }

  // Of Speedb's interface: by a hash that is not ours.
  bool HashMayMatch(uint64_t) { return true; }

 protected:
  const FilterBlockReader reader_;
};

// A class for each kernel: RocksDB's virtual call is then the only one through
// a pointer.
template <MayMatchInLine kMayMatch>
class KernelReader final : public BitsReader {
 public:
  using BitsReader::BitsReader;
  using BitsReader::MayMatch;

  bool MayMatch(const Slice& key) override {
    const uint64_t hash = KeyHash(key.ToStringView(), reader_.seed());
    return kMayMatch(reader_.LineOf(hash), hash, reader_.context());
  }
};

struct ReaderOfKernel {
  MayMatchInLine may_match;
  rocksdb::FilterBitsReader* (*make)(const FilterBlockReader& reader);
};

template <MayMatchInLine kMayMatch>
constexpr ReaderOfKernel ReaderOf() {
  return {kMayMatch,
          [](const FilterBlockReader& reader) -> rocksdb::FilterBitsReader* {
            return new KernelReader<kMayMatch>(reader);
          }};
}

constexpr ReaderOfKernel kReaders[] = {
    ReaderOf<&blocked_bloom::MayMatchPortable>(),
    ReaderOf<&blocked_ribbon::MayMatchPortable>(),
#if defined(__x86_64__)
    ReaderOf<&blocked_bloom::MayMatchHaswell>(),
    ReaderOf<&blocked_bloom::MayMatchAvx512>(),
    ReaderOf<&blocked_ribbon::MayMatchPclmul>(),
    ReaderOf<&blocked_ribbon::MayMatchHaswell>(),
    ReaderOf<&blocked_ribbon::MayMatchAvx2>(),
    ReaderOf<&blocked_ribbon::MayMatchAvx512>(),
#elif defined(__aarch64__)
    ReaderOf<&blocked_bloom::MayMatchNeon>(),
    ReaderOf<&blocked_ribbon::MayMatchNeon>(),
#endif
};

}  // namespace

rocksdb::FilterBitsReader* NewBitsReader(std::string_view block,
                                         InstructionSet set) {
  const FilterBlockReader reader(block, set);
  for (const ReaderOfKernel& row : kReaders) {
    if (row.may_match == reader.kernel().one) return row.make(reader);
  }
  return new BitsReader(reader);
}

}  // namespace oneline
