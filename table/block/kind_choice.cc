#include "table/block/kind_choice.h"

#include "table/block/line_count.h"
#include "table/search/bisection.h"

namespace oneline {

const KindTraits& EffectiveKind(const KindTraits& asked, double bits_per_key) {
  if (asked.id == kRibbonId && bits_per_key < kMinRibbonBitsPerKey) {
    return *FindKind(kBloomId);
  }
  return asked;
}

double LargeFilterFpRate(const KindTraits& kind, double bits_per_key,
                         int effort) {
  // So many that the number of keys in a line averages out.
  constexpr uint32_t kManyLines = 1 << 20;
  const KindTraits& written = EffectiveKind(kind, bits_per_key);
  const uint8_t parameter = written.choose_parameter(
      bits_per_key, KeysFor(kManyLines, bits_per_key), kManyLines);
  return written.fp_rate(bits_per_key, parameter, effort);
}

double BitsPerKeyFor(const KindTraits& kind, double fp_rate, int effort) {
  return BisectThousandths(1, 100, [&](double bits_per_key) {
    return LargeFilterFpRate(kind, bits_per_key, effort) <= fp_rate;
  });
}

}  // namespace oneline
