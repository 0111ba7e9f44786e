#include "filter_policy/rocksdb/rocksdb_bits_reader.h"

#include <algorithm>
#include <cstddef>

#include "table/block/filter_block.h"
#include "table/hash/key_hash.h"

namespace oneline {
namespace {

using rocksdb::Slice;

class BitsReader final : public rocksdb::FilterBitsReader {
 public:
  BitsReader(std::string_view block, InstructionSet set)
      : reader_(block, set) {}

  bool MayMatch(const Slice& key) override {
    return reader_.MayMatch(key.ToStringView());
  }

  void MayMatch(int num_keys, Slice** keys, bool* may_match) override {
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

 private:
  const FilterBlockReader reader_;
};

}  // namespace

rocksdb::FilterBitsReader* NewBitsReader(std::string_view block,
                                         InstructionSet set) {
  return new BitsReader(block, set);
}

}  // namespace oneline
