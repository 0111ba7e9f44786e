// Fuzz target: lines of the Ribbon, of any length. Every solver of this machine
// makes the same line of the same hashes; no hash is denied by any kernel; and
// when the fuzzer has changed bits of the line, the kernels still answer as
// docs/internals/format.md says. (filter_block_fuzz.cc has lines of any bytes.)
//
//   base 1 | effort 1 | bytes of the line 1 | equal high bits 1 |
//   hashes 1, how many | hash 8 | hash 8 | ... | bit 2 | bit 2 | ...

#include <algorithm>
#include <string>
#include <vector>

#include "table/block/filter_kind.h"
#include "table/hash/key_hash.h"
#include "table/ribbon_line/ribbon_line.h"
#include "tests/fuzz/fuzz_input.h"
#include "tests/random_keys.h"
#include "tests/table/line_specification.h"
#include "tests/table/ribbon_lines.h"
#include "tests/table/supported_sets.h"

namespace oneline {
namespace {

const KindTraits& Ribbon() { return *FindKind(kRibbonId); }

// Hashes as the input has them, then as many as it asks for.
std::vector<uint64_t> TakeHashes(FuzzInput& input) {
  const uint8_t given = input.TakeByte();
  std::vector<uint64_t> hashes;
  for (size_t i = 0; i < given % 16; ++i) {
    hashes.push_back(input.Take<uint64_t>());
  }
  const uint64_t seed = input.Take<uint16_t>();
  const size_t more = input.TakeByte();
  for (size_t i = 0; i < more; ++i) {
    hashes.push_back(Scramble(seed << 16 ^ i));
    // Some systems have little but equal coefficients.
    if (given >= 128) hashes.back() &= ~uint64_t{0} >> (given % 64);
  }
  return hashes;
}

void CheckKernels(const LineBytes& line, uint8_t base,
                  const std::vector<uint64_t>& hashes, bool must_pass) {
  const auto bytes = static_cast<uint32_t>(line.size());
  const LineContext context = Ribbon().context(base, bytes);
  for (const uint64_t hash : hashes) {
    const bool expected =
        SpecifiedRibbonLookup(line.data(), bytes, hash, base).MayMatch();
    Require(expected || !must_pass, "no hash of the line is denied");
    for (const InstructionSet set : SupportedSets()) {
      const ProbeKernel& kernel = KernelFor(*Ribbon().kernels, set);
      Require(
          kernel.short_line({line.data(), bytes}, hash, context) == expected &&
              (bytes < kLineBytes ||
               kernel.one(line.data(), hash, context) == expected),
          "every kernel answers as specified", NameOf(set));
    }
  }
}

}  // namespace
}  // namespace oneline

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace oneline;
  using namespace oneline::blocked_ribbon;
  FuzzInput input(data, size);
  const auto base = static_cast<uint8_t>(
      kBaseStep * input.TakeBelow(kMaxBase / kBaseStep + 1));
  const auto effort = static_cast<uint32_t>(1 + input.TakeBelow(kMaxEffort));
  const uint8_t length = input.TakeByte();
  const size_t bytes = length < 128 ? kLineBytes : 8 + length % 57;
  std::vector<uint64_t> hashes = TakeHashes(input);

  LineBytes line =
      SolvedRibbonLine(hashes, base, effort, bytes, InstructionSet::kPortable);
  for (const InstructionSet set : SupportedSets()) {
    Require(SolvedRibbonLine(hashes, base, effort, bytes, set) == line,
            "every solver makes the same line", NameOf(set));
  }
  CheckKernels(line, base, hashes, /*must_pass=*/true);

  if (input.empty()) return 0;
  while (!input.empty()) {
    FlipBit(input.Take<uint16_t>() % (8 * bytes), line.data());
  }
  hashes.push_back(size);
  CheckKernels(line, base, hashes, /*must_pass=*/false);
  return 0;
}
