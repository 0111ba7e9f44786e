// `make measure-lines`: how many cache lines of the processor a lookup reads in
// our filters and in RocksDB's, if the filter begins at a cache line, and if it
// begins 16, 32 or 48 bytes after one, as with RocksDB's default allocator.
// Accesses are counted, not timed, so every run has the same result.
//
// Usage: lines_touched [LOOKUPS]
// With ONELINE_PEER it also counts RocksDB's filters with AVX2
// (filter_candidates.h).

#include <cstdio>
#include <cstdlib>
#include <vector>

#include "bench/filters/filter_candidates.h"
#include "bench/filters/lookup_lines.h"

namespace oneline {
namespace {

constexpr double kBitsPerKey = 10;
// A line that two keys of a batch share is counted once. With this many lines
// that is rare.
constexpr size_t kKeys = 200 * 1000;
constexpr size_t kMisalignments[] = {0, 16, 32, 48};

constexpr struct {
  LookupType type;
  const char* name;
} kLookups[] = {{LookupType::kAbsent, "absent"},
                {LookupType::kAbsentBatch, "absent, 32 at once"},
                {LookupType::kPresent, "present"}};

void PrintHeader() {
  std::printf(
      "Cache lines per key looked up: read / read or prefetched, in a filter\n"
      "that begins at 0, 16, 32 or 48 modulo 64.\n\n%-24s%8s  ",
      "filter", "bits/key");
  for (const size_t misalignment : kMisalignments) {
    std::printf("%15zu", misalignment);
  }
  std::printf("\n");
}

void PrintRows(const Candidate& candidate, size_t num_lookups) {
  std::vector<std::unique_ptr<PlacedFilter>> filters;
  for (const size_t misalignment : kMisalignments) {
    filters.push_back(
        std::make_unique<PlacedFilter>(candidate, kKeys, misalignment));
  }
  std::printf("%-24s%8.2f\n", candidate.name.c_str(),
              filters[0]->bits_per_key());
  for (const auto& lookup : kLookups) {
    std::printf("  %-32s", lookup.name);
    for (const auto& filter : filters) {
      const LookupLines lines = filter->Count(lookup.type, num_lookups);
      std::printf("  %6.3f/%6.3f", lines.read, lines.read_or_prefetched);
      std::fflush(stdout);
    }
    std::printf("\n");
  }
}

void Run(size_t num_lookups) {
  PrintHeader();
  for (const Candidate& candidate : CandidatesAt(kBitsPerKey)) {
    PrintRows(candidate, num_lookups);
  }
}

}  // namespace
}  // namespace oneline

int main(int argc, char** argv) {
  const long lookups = argc > 1 ? std::atol(argv[1]) : 500;
  if (argc > 2 || lookups < 1) {
    std::fprintf(stderr, "usage: lines_touched [LOOKUPS]\n");
    return 1;
  }
  oneline::Run(static_cast<size_t>(lookups));
}
