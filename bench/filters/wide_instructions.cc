// What one vector instruction now and then costs the code around it: why the
// AVX-512 kernels do not multiply 512 bits at a time. Measures scalar
// multiplications without any such instruction, and with one every 100
// multiplications or every 100,000:
//
//   bench/report/run_benchmarks.sh bench/filters/wide_instructions
//       --benchmark_repetitions=21

#include <cstdio>

#if defined(__x86_64__)

// GCC 12's own intrinsics start from an undefined register on purpose, and it
// warns of them (GCC bug 105593).
#if !defined(__clang__)
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

#include <benchmark/benchmark.h>
#include <immintrin.h>

#include <cstdint>
#include <string>

#include "table/simd/instruction_sets.h"

namespace oneline {
namespace {

using Words = uint32_t[16];
alignas(64) Words words = {1, 2, 3, 4, 5, 6, 7, 8};

ONELINE_AVX512 __m512i Get() { return _mm512_load_si512(words); }
ONELINE_AVX512 void Put(__m512i x) { _mm512_store_si512(words, x); }

void Nothing() {}
ONELINE_AVX512 void Copy() { Put(Get()); }
ONELINE_AVX512 void Permute() { Put(_mm512_permutexvar_epi32(Get(), Get())); }
ONELINE_AVX512 void Clmul() { Put(_mm512_clmulepi64_epi128(Get(), Get(), 1)); }
ONELINE_AVX512 void Multiply32() { Put(_mm512_mullo_epi32(Get(), Get())); }
ONELINE_AVX512 void Multiply16() { Put(_mm512_mullo_epi16(Get(), Get())); }
ONELINE_VPCLMUL void Multiply256() {
  auto* const half = reinterpret_cast<__m256i*>(words);
  const __m256i x = _mm256_load_si256(half);
  _mm256_store_si256(half, _mm256_mullo_epi32(x, x));
}

constexpr struct {
  const char* name;
  void (*run)();
} kInstructions[] = {
    {"none", &Nothing},
    {"512 bits: load and store", &Copy},
    {"512 bits: vpermd", &Permute},
    {"512 bits: vpclmulqdq", &Clmul},
    {"512 bits: vpmulld", &Multiply32},
    {"512 bits: vpmullw", &Multiply16},
    {"256 bits: vpmulld", &Multiply256},
};

// Each multiplication waits for the one before.
__attribute__((noinline)) uint64_t Scalar(uint64_t x, int multiplications) {
  for (int i = 0; i < multiplications; ++i) x = x * 6364136223846793005u + 1;
  return x;
}

void Run(benchmark::State& state, void (*instruction)(), int every) {
  uint64_t x = 1;
  while (state.KeepRunningBatch(every)) {
    x = Scalar(x, every);
    instruction();
  }
  benchmark::DoNotOptimize(x);
  state.SetItemsProcessed(state.iterations());
}

}  // namespace
}  // namespace oneline

int main(int argc, char** argv) {
  if (oneline::BestInstructionSet() < oneline::InstructionSet::kAvx512) {
    std::fprintf(stderr, "error: this processor has no AVX-512\n");
    return 1;
  }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  for (const int every : {100, 100 * 1000}) {
    for (const auto& [name, instruction] : oneline::kInstructions) {
      const std::string full =
          "every " + std::to_string(every) + "/scalar multiplications/" + name;
      benchmark::RegisterBenchmark(full.c_str(), &oneline::Run, instruction,
                                   every);
    }
  }
  benchmark::RunSpecifiedBenchmarks();
}

#else

int main() {
  std::fprintf(stderr, "error: this processor has no AVX-512\n");
  return 1;
}

#endif  // defined(__x86_64__)
