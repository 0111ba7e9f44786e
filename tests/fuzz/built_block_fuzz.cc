// Fuzz target: keys through the builder of filter blocks to the reader. For
// every kind, bits per key, effort and seed, no key that was added is denied,
// the block parses to what was asked for, and building again gives the same
// bytes.
//
//   kind 1 | bits per key 2, in 512ths | effort 1 | seed 8 | level 1 |
//   numbered keys 2 | length 1, key | length 1, key | ...

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "table/block/filter_block.h"
#include "table/block/filter_block_builder.h"
#include "table/block/kind_choice.h"
#include "table/hash/key_hash.h"
#include "tests/fuzz/fuzz_input.h"
#include "tests/random_keys.h"
#include "tests/table/all_kinds.h"
#include "tests/table/supported_sets.h"

namespace oneline {
namespace {

// In the order of the input.
struct Asked {
  explicit Asked(FuzzInput& input)
      : kind(AllKinds()[input.TakeBelow(AllKinds().size())]),
        bits_per_key(input.TakeBitsPerKey()),
        effort(1 + static_cast<int>(input.TakeBelow(kMaxEffort))),
        seed(input.Take<uint64_t>()),
        level(input.TakeByte()) {}

  const KindTraits* kind;
  double bits_per_key;
  int effort;
  uint64_t seed;
  uint8_t level;
};

// Keys of the input; its length says which of them have a prefix added, too.
std::vector<std::string> TakeKeys(FuzzInput& input) {
  // Small numbers often, large ones at times: they cost.
  const uint16_t numbered = input.Take<uint16_t>();
  const size_t n = numbered % 16 == 0 ? numbered % 4096 : numbered % 256;
  std::vector<std::string> keys;
  for (size_t i = 0; i < n; ++i) {
    keys.emplace_back(
        std::string_view(IntegerKey(KeySet::kBigEndian, 0, i / 2 * 2)));
  }
  while (!input.empty()) keys.emplace_back(input.TakeString());
  return keys;
}

std::string_view PrefixOf(std::string_view key) { return key.substr(0, 3); }

void AddKeys(const std::vector<std::string>& keys, bool with_prefixes,
             FilterBlockBuilder* builder) {
  for (const std::string& key : keys) {
    with_prefixes ? builder->AddKeyAndPrefix(key, PrefixOf(key))
                  : builder->AddKey(key);
  }
}

void CheckTrailer(const Asked& asked, size_t num_keys, std::string_view block) {
  std::string error;
  const std::optional<Trailer> trailer = DecodeTrailer(block, &error);
  Require(trailer.has_value(), "the block parses", error);
  Require(trailer->num_keys == num_keys && trailer->seed == asked.seed &&
              trailer->level == asked.level &&
              std::abs(trailer->asked_bits_per_key - asked.bits_per_key) < 1e-9,
          "the trailer says what was asked for");
  const double rate = BlockFpRate(block);
  Require(rate >= 0 && rate <= 1, "a false-positive rate is in 0..1");
}

void CheckNoKeyIsDenied(std::string_view block,
                        const std::vector<std::string>& keys,
                        bool with_prefixes) {
  for (const InstructionSet set : SupportedSets()) {
    const FilterBlockReader reader(block, set);
    std::vector<uint64_t> hashes;
    for (const std::string& key : keys) {
      Require(reader.MayMatch(key), "no key is denied", NameOf(set));
      Require(!with_prefixes || reader.MayMatch(PrefixOf(key)),
              "no prefix is denied", NameOf(set));
      hashes.push_back(KeyHash(key, reader.seed()));
    }
    const std::unique_ptr<bool[]> batch(new bool[keys.size()]);
    reader.MayMatchHashes(hashes.data(), hashes.size(), batch.get());
    Require(std::count(batch.get(), batch.get() + keys.size(), false) == 0,
            "no key is denied in a batch", NameOf(set));
  }
}

}  // namespace
}  // namespace oneline

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace oneline;
  FuzzInput input(data, size);
  const Asked asked(input);
  const bool with_prefixes = size % 4 == 3;
  const std::vector<std::string> keys = TakeKeys(input);
  FilterBlockBuilder builder(*asked.kind, asked.bits_per_key, asked.seed,
                             asked.level, asked.effort);
  AddKeys(keys, with_prefixes, &builder);
  const size_t num_keys = builder.num_keys();
  const FilterBlock block = builder.Finish();
  CheckTrailer(asked, num_keys, block.view());
  Require(block.size == builder.BlockBytes(num_keys), "the size is foretold");
  Require(num_keys == 0 || builder.MaxKeys(block.size) >= num_keys,
          "MaxKeys counts the keys that there were room for");
  Require(builder.Verify(block.view()), "the block passes its own check");
  CheckNoKeyIsDenied(block.view(), keys, with_prefixes);

  Require(builder.Finish().view() == block.view(), "finished twice");
  builder.Reset();
  AddKeys(keys, with_prefixes, &builder);
  Require(builder.Finish().view() == block.view(), "built again");
  return 0;
}
