#include "table/block/filter_block_builder.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <utility>

#include "table/block/kind_choice.h"
#include "table/block/line_count.h"

namespace oneline {

FilterBlockBuilder::FilterBlockBuilder(const KindTraits& kind,
                                       double bits_per_key, uint64_t seed,
                                       uint8_t level)
    : kind_(kind), bits_per_key_(bits_per_key), seed_(seed), level_(level) {
  assert(bits_per_key >= 1 && bits_per_key <= 100);
}

double FilterBlockBuilder::BitsPerKey(size_t num_keys, uint32_t num_lines) {
  return static_cast<double>(uint64_t{num_lines} * kLineBits) /
         static_cast<double>(num_keys);
}

void FilterBlockBuilder::AddKeyAndPrefix(std::string_view key,
                                         std::string_view prefix) {
  // The prefix first, so that the last hash of the list is the last key's.
  const uint64_t hash = KeyHash(prefix, seed_);
  if (hash != prefix_hash_) {
    if (hashes_.empty() || hash != hashes_.back()) AddHash(hash);
    prefix_hash_ = hash;
  }
  // A key that equals its prefix is in the list then.
  if (key != prefix) AddKey(key);
}

size_t FilterBlockBuilder::BlockBytes(size_t num_keys) const {
  return BlockBytesOf(LinesFor(num_keys, bits_per_key_));
}

double FilterBlockBuilder::FpRate(size_t num_keys, size_t bytes) const {
  if (num_keys == 0) return 0;
  const uint32_t num_lines = LinesWithin(bytes);
  if (num_lines == 0) return 1;
  return LargeFilterFpRate(kind_, BitsPerKey(num_keys, num_lines));
}

size_t FilterBlockBuilder::MaxKeys(size_t bytes) const {
  return KeysFor(LinesWithin(bytes), bits_per_key_);
}

uint32_t FilterBlockBuilder::NumLines() const {
  return LinesFor(hashes_.size(), bits_per_key_);
}

const KindTraits& FilterBlockBuilder::ChooseKind(size_t num_keys,
                                                 uint32_t num_lines,
                                                 uint8_t* parameter) const {
  if (num_lines == 0) {
    *parameter = kind_.lines->choose_parameter(bits_per_key_, 0, 1);
    return kind_;
  }
  const double bits_per_key = BitsPerKey(num_keys, num_lines);
  const KindTraits& kind = EffectiveKind(kind_, bits_per_key);
  // A block of the usual size has the bits that were requested, apart from what
  // rounding to whole lines adds.
  const bool usual_size = num_lines == LinesFor(num_keys, bits_per_key_);
  *parameter = kind.lines->choose_parameter(
      usual_size ? bits_per_key_ : bits_per_key, num_keys, num_lines);
  return kind;
}

FilterBlock FilterBlockBuilder::Finish(uint32_t num_lines) {
  assert((num_lines == 0) == hashes_.empty() && num_lines <= kMaxLines);
  Trailer trailer;
  trailer.seed = seed_;
  trailer.num_lines = num_lines;
  trailer.num_keys = static_cast<uint32_t>(
      std::min<size_t>(hashes_.size(), std::numeric_limits<uint32_t>::max()));
  const KindTraits& kind =
      ChooseKind(hashes_.size(), num_lines, &trailer.parameter);
  trailer.kind = kind.id;
  trailer.level = level_;
  trailer.asked_bits_per_key = bits_per_key_;

  const size_t size = BlockBytesOf(num_lines);
  std::unique_ptr<char[]> bytes(new char[size]());
  auto* out = reinterpret_cast<uint8_t*>(bytes.get());
  if (num_lines > 0) {
    kind.lines->build(hashes_, trailer.parameter, out, num_lines);
  }
  EncodeTrailer(trailer, out + size - kTrailerBytes);
  return {std::move(bytes), size};
}

bool FilterBlockBuilder::Verify(std::string_view block) const {
  const FilterBlockReader reader(block);
  uint64_t hashes_xor = 0;
  bool all_match = true;
  hashes_.ForEach([&](uint64_t hash) {
    hashes_xor ^= hash;
    all_match &= reader.MayMatchHash(hash);
  });
  // Not any valid trailer: hashes pass or not whatever seed it holds.
  return all_match && hashes_xor == hashes_xor_ &&
         DecodeTrailer(block).has_value() && reader.seed() == seed_;
}

void FilterBlockBuilder::Reset() {
  hashes_.Clear();
  hashes_xor_ = 0;
  prefix_hash_.reset();
}

}  // namespace oneline
