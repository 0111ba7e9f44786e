// Fuzz target: the short blocks of LevelDB. Any bytes are answered by every
// kernel as docs/internals/format.md says, with no byte read outside them; and
// of keys that were put into a block, at any bits per key and effort, none is
// denied.
//
//   choice 1 | block                                  if choice is even
//   choice 1 | bits per key 2, in 512ths | effort 1 | seed 8 |
//   length 1, key | length 1, key | ...               if it is odd

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "table/hash/key_hash.h"
#include "table/short_block/short_block.h"
#include "tests/fuzz/fuzz_input.h"
#include "tests/guarded_bytes.h"
#include "tests/table/all_kinds.h"
#include "tests/table/line_specification.h"
#include "tests/table/supported_sets.h"

namespace oneline {
namespace {

constexpr size_t kMaxBytes = 8192;

// Where a byte too many ends the program. Returns the answers.
std::vector<bool> CheckedAnswers(std::string_view block,
                                 const std::vector<uint64_t>& hashes) {
  static const GuardedBytes before(kMaxBytes, GuardedEdge::kEnd);
  static const GuardedBytes behind(kMaxBytes, GuardedEdge::kStart);
  std::vector<bool> answers;
  for (const uint64_t hash : hashes) {
    answers.push_back(ShortBlockBySpecification(block, hash));
  }
  for (uint8_t* const bytes :
       {before.data() + kMaxBytes - block.size(), behind.data()}) {
    std::copy(block.begin(), block.end(), bytes);
    const std::string_view copy(reinterpret_cast<char*>(bytes), block.size());
    for (const InstructionSet set : SupportedSets()) {
      const ShortBlockKernels kernels = ShortBlockKernelsFor(set);
      for (size_t i = 0; i < hashes.size(); ++i) {
        Require(ShortBlockMayMatch(copy, hashes[i], kernels) == answers[i],
                "every kernel answers as specified", NameOf(set));
      }
    }
  }
  return answers;
}

void CheckAnyBytes(std::string_view block) {
  block = block.substr(0, kMaxBytes);
  std::vector<uint64_t> hashes;
  for (const std::string_view key : KeysFrom(block)) {
    hashes.push_back(KeyHash(key, 0));
  }
  CheckedAnswers(block, hashes);
}

void CheckKeys(const KindTraits& kind, FuzzInput& input) {
  const double bits = input.TakeBitsPerKey();
  const int effort = 1 + static_cast<int>(input.TakeBelow(kMaxEffort));
  const auto seed = input.Take<uint64_t>();
  std::vector<uint64_t> hashes;
  while (!input.empty() && hashes.size() < 600) {
    hashes.push_back(KeyHash(input.TakeString(), seed));
  }
  std::vector<uint64_t> sorted = hashes;
  std::string block;
  AppendShortBlock(kind, bits, effort, &sorted, &block);
  Require(block.empty() == hashes.empty(), "keys have a block");
  if (block.empty()) return;
  std::sort(sorted.begin(), sorted.end());
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  Require(block.size() == ShortBlockShapeFor(sorted.size(), bits).block_bytes(),
          "the size is foretold");
  const std::vector<bool> answers = CheckedAnswers(block, hashes);
  Require(std::count(answers.begin(), answers.end(), false) == 0,
          "no key is denied");
}

}  // namespace
}  // namespace oneline

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace oneline;
  FuzzInput input(data, size);
  const uint8_t choice = input.TakeByte();
  if (choice % 2 == 0) {
    CheckAnyBytes(input.rest());
  } else {
    const std::vector<const KindTraits*> kinds = AllKinds();
    CheckKeys(*kinds[choice / 2 % kinds.size()], input);
  }
  return 0;
}
