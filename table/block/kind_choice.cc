#include "table/block/kind_choice.h"

#include "table/block/line_count.h"

namespace oneline {
const FilterKind& KindToWrite(const FilterKind& asked, double bits_per_key) {
  if (asked.id == kRibbonId && bits_per_key < kLeastRibbonBitsPerKey) {
    return *FindFilterKind(kBloomId);
  }
  return asked;
}

double LargeFilterFpRate(const FilterKind& kind, double bits_per_key,
                         int effort) {
  // As many lines as make the chance of more or fewer keys in all of them not
  // matter.
  constexpr uint32_t kManyLines = 1 << 20;
  const FilterKind& written = KindToWrite(kind, bits_per_key);
  const uint8_t parameter = written.choose_parameter(
      bits_per_key, KeysFor(kManyLines, bits_per_key), kManyLines);
  return written.fp_rate(bits_per_key, parameter, effort);
}

double BitsPerKeyFor(const FilterKind& kind, double fp_rate, int effort) {
  int low = 1000, high = 100000;  // thousandths
  while (low < high) {
    const int middle = (low + high) / 2;
    if (LargeFilterFpRate(kind, middle / 1000.0, effort) <= fp_rate) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low / 1000.0;
}

}  // namespace oneline
