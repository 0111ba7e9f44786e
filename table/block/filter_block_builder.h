// Builds filter blocks: collects the hashes of a table's keys and, when all
// are there and so their number is known, lays them out in lines.
//
//   (AddKey* (Finish Verify*)* Reset)*

#ifndef ONELINE_TABLE_BLOCK_FILTER_BLOCK_BUILDER_H_
#define ONELINE_TABLE_BLOCK_FILTER_BLOCK_BUILDER_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "table/block/filter_block.h"
#include "table/block/filter_kind.h"
#include "table/hash/hash_list.h"
#include "table/hash/key_hash.h"

namespace oneline {

// The bytes of a block and their owner.
struct FilterBlock {
  std::unique_ptr<const char[]> bytes;
  size_t size = 0;

  std::string_view view() const { return {bytes.get(), size}; }
};

// Memory: kBytesPerKey for each key, and the block; while it is built, up to
// kMaxScratchBytes besides. Not thread-safe.
class FilterBlockBuilder {
 public:
  static constexpr size_t kBytesPerKey = 8;
  static constexpr size_t kMaxScratchBytes = size_t{1} << 20;

  // `level`: as in the trailer. REQUIRES: bits_per_key in 1..100.
  FilterBlockBuilder(const KindTraits& kind, double bits_per_key, uint64_t seed,
                     uint8_t level = kUnknownLevel);

  // Any number of keys in any order; may repeat.
  void AddKey(std::string_view key) {
    const uint64_t hash = KeyHash(key, seed_);
    // Prefixes repeat, and they come sorted.
    if (hashes_.empty() || hash != hashes_.back()) AddHash(hash);
  }

  // A prefix and a key of it, each as by AddKey, which also recognises the last
  // prefix again: for keys in sorted order.
  void AddKeyAndPrefix(std::string_view key, std::string_view prefix);

  // Keys added since the last Reset, repetitions next to each other counted
  // once.
  size_t num_keys() const { return hashes_.size(); }

  // The size of a block of that many keys.
  size_t BlockBytes(size_t num_keys) const;

  // The false-positive rate to expect of a block of `bytes` for `num_keys`.
  double FpRate(size_t num_keys, size_t bytes) const;

  // The most keys whose block is not larger than `bytes`.
  size_t MaxKeys(size_t bytes) const;

  // The lines of a block of the keys added: 0 if there are none.
  uint32_t NumLines() const;

  // The block of the keys added, which are kept until Reset. Of another kind
  // than the one requested if that is better: see EffectiveKind.
  FilterBlock Finish() { return Finish(NumLines()); }

  // The same with another number of lines. REQUIRES: num_lines <= kMaxLines; it
  // is 0 if and only if NumLines() is.
  FilterBlock Finish(uint32_t num_lines);

  // Whether each key added passes the block, and the collected hashes are
  // still what AddKey made of the keys: false means that memory was damaged.
  bool Verify(std::string_view block) const;

  // Drops the keys added, for the next block.
  void Reset();

 private:
  // The bits that each of `num_keys` keys really has in `num_lines` lines.
  static double BitsPerKey(size_t num_keys, uint32_t num_lines);

  // The kind of a block of so many keys and lines, and its parameter.
  const KindTraits& ChooseKind(size_t num_keys, uint32_t num_lines,
                               uint8_t* parameter) const;

  void AddHash(uint64_t hash) {
    hashes_.Append(hash);
    hashes_xor_ ^= hash;
  }

  const KindTraits& kind_;
  const double bits_per_key_;
  const uint64_t seed_;
  const uint8_t level_;
  HashList hashes_;
  // Of the last prefix, if there was one.
  std::optional<uint64_t> prefix_hash_;
  // The exclusive or of all hashes: what Verify holds them to.
  uint64_t hashes_xor_ = 0;
};

}  // namespace oneline

#endif  // ONELINE_TABLE_BLOCK_FILTER_BLOCK_BUILDER_H_
