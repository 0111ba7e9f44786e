#include "bench/measure/memory_trace.h"

#include <Zydis/Zydis.h>
#include <cpuid.h>
#include <signal.h>
#include <ucontext.h>
#include <x86intrin.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace oneline {
namespace {

constexpr unsigned long long kTrapFlag = 1u << 8;
// Allocated beforehand, because the signal handler may interrupt malloc.
constexpr size_t kMaxAccesses = 1 << 16;

// In the order of their numbers in instructions.
constexpr std::array<int, 16> kGeneralRegisters = {
    REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI, REG_RDI,
    REG_R8,  REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15};

// The registers of the interrupted program, from the signal frame.
class Registers {
 public:
  explicit Registers(const ucontext_t& context) : context_(context) {}

  uint64_t instruction() const {
    return static_cast<uint64_t>(context_.uc_mcontext.gregs[REG_RIP]);
  }

  uint64_t general(size_t number) const {
    return static_cast<uint64_t>(
        context_.uc_mcontext.gregs[kGeneralRegisters[number]]);
  }

  std::array<uint8_t, 64> vector(size_t number) const {
    std::array<uint8_t, 64> bytes = {};
    if (number >= 16) {
      Copy(kUpperZmm, 64 * (number - 16), 64, &bytes[0]);
    } else {
      Copy(kXmm, 16 * number, 16, &bytes[0]);
      Copy(kYmm, 16 * number, 16, &bytes[16]);
      Copy(kZmm, 32 * number, 32, &bytes[32]);
    }
    return bytes;
  }

  uint64_t mask(size_t number) const {
    uint64_t bits = 0;
    Copy(kMasks, 8 * number, 8, &bits);
    return bits;
  }

 private:
  // The components of XSAVE's area: Intel's manual, volume 1, chapter 13.
  enum Component { kXmm = 1, kYmm = 2, kMasks = 5, kZmm = 6, kUpperZmm = 7 };

  void Copy(Component component, size_t offset, size_t n, void* to) const {
    const auto* area =
        reinterpret_cast<const uint8_t*>(context_.uc_mcontext.fpregs);
    uint64_t in_use;
    std::memcpy(&in_use, area + 512, sizeof(in_use));
    if ((in_use >> component & 1) == 0) return;  // zero, and not stored
    unsigned start = 160, size, unused[2];
    if (component != kXmm) {
      __cpuid_count(0xd, component, size, start, unused[0], unused[1]);
    }
    std::memcpy(to, area + start + offset, n);
  }

  const ucontext_t& context_;
};

// The memory area, and its accesses so far.
struct Trace {
  uintptr_t begin;
  uintptr_t end;
  ZydisDecoder decoder;
  std::vector<MemoryAccess> accesses;
  size_t steps = 0;
  const char* problem = nullptr;
};

struct Instruction {
  ZydisDecodedInstruction info;
  ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
};

Trace* current = nullptr;

void Add(MemoryAccess::Type type, uint64_t address, size_t bytes) {
  if (address >= current->end || address + bytes <= current->begin) return;
  if (current->accesses.size() == kMaxAccesses) {
    current->problem = "there are too many accesses";
    return;
  }
  current->accesses.push_back({type, address, bytes});
}

bool IsPrefetch(ZydisMnemonic mnemonic) {
  switch (mnemonic) {
    case ZYDIS_MNEMONIC_PREFETCH:
    case ZYDIS_MNEMONIC_PREFETCHNTA:
    case ZYDIS_MNEMONIC_PREFETCHT0:
    case ZYDIS_MNEMONIC_PREFETCHT1:
    case ZYDIS_MNEMONIC_PREFETCHT2:
    case ZYDIS_MNEMONIC_PREFETCHW:
    case ZYDIS_MNEMONIC_PREFETCHWT1:
      return true;
    default:
      return false;
  }
}

// Adds the access of an operand that has one address.
void AddPlain(const Instruction& instruction,
              const ZydisDecodedOperand& operand, const Registers& registers) {
  // static, because it is large for the stack of a signal handler.
  static ZydisRegisterContext context;
  for (size_t i = 0; i < kGeneralRegisters.size(); ++i) {
    context.values[ZYDIS_REGISTER_RAX + i] = registers.general(i);
    context.values[ZYDIS_REGISTER_EAX + i] = registers.general(i) & 0xffffffff;
  }
  ZyanU64 address;
  if (!ZYAN_SUCCESS(ZydisCalcAbsoluteAddressEx(&instruction.info, &operand,
                                               registers.instruction(),
                                               &context, &address))) {
    current->problem = "the address of an operand cannot be computed";
    return;
  }
  if (IsPrefetch(instruction.info.mnemonic)) {
    Add(MemoryAccess::kPrefetch, address, 1);
  } else if (operand.actions & ZYDIS_OPERAND_ACTION_MASK_READ) {
    Add(MemoryAccess::kRead, address, operand.size / 8);
  }
}

bool HasWideIndex(ZydisMnemonic mnemonic) {
  switch (mnemonic) {
    case ZYDIS_MNEMONIC_VPGATHERQD:
    case ZYDIS_MNEMONIC_VPGATHERQQ:
    case ZYDIS_MNEMONIC_VGATHERQPS:
    case ZYDIS_MNEMONIC_VGATHERQPD:
      return true;
    default:
      return false;
  }
}

size_t Number(ZydisRegister reg) {
  return static_cast<size_t>(ZydisRegisterGetId(reg));
}

// Element `i` of a vector of elements of 4 or 8 bytes, sign-extended.
int64_t Element(const std::array<uint8_t, 64>& vector, size_t i, size_t bytes) {
  int32_t narrow;
  int64_t wide;
  if (bytes == 8) {
    std::memcpy(&wide, &vector[8 * i], 8);
    return wide;
  }
  std::memcpy(&narrow, &vector[4 * i], 4);
  return narrow;
}

// Adds the accesses of a gather: one for each element that its mask selects.
void AddGather(const Instruction& instruction,
               const ZydisDecodedOperand& operand, const Registers& registers) {
  if ((operand.actions & ZYDIS_OPERAND_ACTION_MASK_READ) == 0) return;
  const ZydisDecodedOperandMem& mem = operand.mem;
  const size_t index_bytes = HasWideIndex(instruction.info.mnemonic) ? 8 : 4;
  const size_t data_bytes = operand.element_size / 8;
  const size_t widest = index_bytes > data_bytes ? index_bytes : data_bytes;
  const size_t register_bytes =
      ZydisRegisterGetWidth(ZYDIS_MACHINE_MODE_LONG_64, mem.index) / 8;
  const size_t target_bytes = instruction.operands[0].size / 8;
  const size_t n =
      (register_bytes > target_bytes ? register_bytes : target_bytes) / widest;
  const bool evex =
      instruction.info.encoding == ZYDIS_INSTRUCTION_ENCODING_EVEX;
  const uint64_t mask =
      evex ? registers.mask(Number(instruction.info.avx.mask.reg)) : 0;
  // With AVX2 the mask is the signs of the elements of the third operand.
  const auto signs =
      registers.vector(evex ? 0 : Number(instruction.operands[2].reg.value));
  const auto indices = registers.vector(Number(mem.index));
  const uint64_t base =
      mem.base == ZYDIS_REGISTER_NONE ? 0 : registers.general(Number(mem.base));
  for (size_t i = 0; i < n; ++i) {
    if (evex ? (mask >> i & 1) == 0 : Element(signs, i, data_bytes) >= 0) {
      continue;
    }
    const int64_t index = Element(indices, i, index_bytes);
    Add(MemoryAccess::kRead,
        base + static_cast<uint64_t>(index * mem.scale + mem.disp.value),
        data_bytes);
  }
}

// The signal handler, called before each instruction.
void OnTrap(int, siginfo_t*, void* context) {
  if (current == nullptr) return;
  ++current->steps;
  const Registers registers(*static_cast<const ucontext_t*>(context));
  static Instruction instruction;
  if (!ZYAN_SUCCESS(ZydisDecoderDecodeFull(
          &current->decoder,
          reinterpret_cast<const void*>(registers.instruction()),
          ZYDIS_MAX_INSTRUCTION_LENGTH, &instruction.info,
          instruction.operands))) {
    current->problem = "there is an unknown instruction";
    return;
  }
  // Compilers align loops with NOPs that have an address as operand, from which
  // nothing is read.
  if (instruction.info.mnemonic == ZYDIS_MNEMONIC_NOP) return;
  for (size_t i = 0; i < instruction.info.operand_count; ++i) {
    const ZydisDecodedOperand& operand = instruction.operands[i];
    if (operand.type != ZYDIS_OPERAND_TYPE_MEMORY) continue;
    if (operand.mem.type == ZYDIS_MEMOP_TYPE_MEM) {
      AddPlain(instruction, operand, registers);
    } else if (operand.mem.type == ZYDIS_MEMOP_TYPE_VSIB) {
      AddGather(instruction, operand, registers);
    }
  }
}

[[noreturn]] void Fail(const char* problem) {
  std::fprintf(stderr, "error: single steps: %s\n", problem);
  std::exit(1);
}

}  // namespace

std::vector<MemoryAccess> TraceReads(const void* begin, size_t bytes,
                                     const std::function<void()>& f) {
  Trace trace;
  trace.begin = reinterpret_cast<uintptr_t>(begin);
  trace.end = trace.begin + bytes;
  trace.accesses.reserve(kMaxAccesses);
  ZydisDecoderInit(&trace.decoder, ZYDIS_MACHINE_MODE_LONG_64,
                   ZYDIS_STACK_WIDTH_64);

  struct sigaction action = {}, before;
  action.sa_sigaction = &OnTrap;
  action.sa_flags = SA_SIGINFO;
  if (sigaction(SIGTRAP, &action, &before) != 0) {
    Fail("the signal handler cannot be installed");
  }
  current = &trace;
  __writeeflags(__readeflags() | kTrapFlag);
  f();
  __writeeflags(__readeflags() & ~kTrapFlag);
  current = nullptr;
  sigaction(SIGTRAP, &before, nullptr);

  if (trace.steps == 0) Fail("this machine does not run them");
  if (trace.problem != nullptr) Fail(trace.problem);
  return std::move(trace.accesses);
}

}  // namespace oneline
