// Fuzz target: any bytes as a short block of LevelDB. Every kernel answers as
// docs/internals/format.md says, with no byte read outside of the block.
//
// The input is the block.

#include "table/hash/key_hash.h"
#include "table/short_block/short_block.h"
#include "tests/fuzz/fuzz_input.h"
#include "tests/guarded_bytes.h"
#include "tests/table/line_specification.h"
#include "tests/table/supported_sets.h"

namespace oneline {
namespace {

constexpr size_t kMaxBytes = 8192;

// Where a byte too many ends the program.
void CheckAnswers(std::string_view block) {
  static const GuardedBytes before(kMaxBytes, GuardedEdge::kEnd);
  static const GuardedBytes behind(kMaxBytes, GuardedEdge::kStart);
  for (uint8_t* const bytes :
       {before.data() + kMaxBytes - block.size(), behind.data()}) {
    std::copy(block.begin(), block.end(), bytes);
    const std::string_view copy(reinterpret_cast<char*>(bytes), block.size());
    for (const InstructionSet set : SupportedSets()) {
      const ShortBlockKernels kernels = ShortBlockKernelsFor(set);
      for (const std::string_view key : KeysFrom(block)) {
        const uint64_t hash = KeyHash(key, 0);
        Require(ShortBlockMayMatch(copy, hash, kernels) ==
                    ShortBlockBySpecification(block, hash),
                "every kernel answers as specified", NameOf(set));
      }
    }
  }
}

}  // namespace
}  // namespace oneline

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view block(reinterpret_cast<const char*>(data), size);
  oneline::CheckAnswers(block.substr(0, oneline::kMaxBytes));
  return 0;
}
