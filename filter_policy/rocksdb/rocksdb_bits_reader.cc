#include "filter_policy/rocksdb/rocksdb_bits_reader.h"

#include <cstddef>

#include "table/block/filter_block.h"

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
    reader_.MayMatch(
        static_cast<size_t>(num_keys),
        [keys](size_t i) { return keys[i]->ToStringView(); }, may_match);
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
