// Kernels: the functions that look keys up in the lines of a filter, for each
// kind of filter and each instruction set, and the choice between instruction
// sets when the program runs.
//
// The portable kernel of a kind defines the answers; the others are held to it
// by tests/table/block/probe_test.cc.

#ifndef ONELINE_TABLE_SIMD_PROBE_H_
#define ONELINE_TABLE_SIMD_PROBE_H_

#include <array>
#include <cstddef>
#include <cstdint>

namespace oneline {

// Lookups prefetched together: RocksDB's MultiGet asks for at most as many.
inline constexpr size_t kBatchKeys = 32;

// How one kind of filter answers. `parameter` is the kind's own parameter from
// the trailer (for a blocked Bloom the number of probes). Lines may be
// unaligned; no byte outside the line is read. Thread-safe.
struct ProbeKernel {
  // Whether the key with this hash may be in the 64-byte line.
  bool (*one)(const uint8_t* line, uint64_t hash, uint8_t parameter);

  // The same for `n` hashes (any number) over an array of lines: first
  // prefetches every line, then reads them.
  void (*batch)(const uint8_t* lines, uint32_t num_lines,
                const uint64_t* hashes, size_t n, uint8_t parameter,
                bool* may_match);
};

// Instruction sets, each including the one before.
enum class InstructionSet : uint8_t {
  kPortable,
  kAvx2,
  // F, BW, DQ, VL, VBMI and VPOPCNTDQ: Intel since Ice Lake, AMD since Zen 4.
  // Older AVX-512 processors lower their clock for it: they use kAvx2.
  kAvx512,
};
inline constexpr size_t kNumInstructionSets = 3;
inline constexpr std::array<const char*, kNumInstructionSets>
    kInstructionSetNames = {"portable", "avx2", "avx512"};

// One kernel for each instruction set. A kind without one of its own for a set
// repeats the one before. Pointers, because their values are known to the
// linker: copies would only be there once the initialisers of static objects
// have run, too late for those among them that open a database.
using ProbeKernels = std::array<const ProbeKernel*, kNumInstructionSets>;

// The best set of this processor.
InstructionSet BestInstructionSet();

// The set that readers use: the best one, unless the environment variable
// ONELINE_KERNEL (portable, avx2 or avx512) names another when it is first
// asked for. A name that is unknown, or that this processor can't run, is
// reported on standard error, once, and ignored.
InstructionSet ChosenInstructionSet();

inline const ProbeKernel& KernelFor(const ProbeKernels& kernels,
                                    InstructionSet set) {
  return *kernels[static_cast<size_t>(set)];
}

}  // namespace oneline

#endif  // ONELINE_TABLE_SIMD_PROBE_H_
