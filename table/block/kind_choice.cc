#include "table/block/kind_choice.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace oneline {
namespace {

constexpr double kMostBitsPerKey = 100;

// The fewest bits per key with so many halvings of the rate.
double BitsFor(const Halvings& halvings, double wanted) {
  const auto* const enough =
      std::lower_bound(halvings.begin(), halvings.end(), wanted);
  if (enough == halvings.begin()) return 1;
  if (enough == halvings.end()) return kMostBitsPerKey;
  const double before = *(enough - 1);
  const double step = static_cast<double>(enough - 1 - halvings.begin()) +
                      (wanted - before) / (*enough - before);
  return std::min(std::exp2(step / kHalvingsSteps), kMostBitsPerKey);
}

}  // namespace

const KindTraits& EffectiveKind(const KindTraits& kind, double bits_per_key) {
  if (kind.id == kRibbonId && bits_per_key < kMinRibbonBitsPerKey) {
    return *FindKind(kBloomId);
  }
  return kind;
}

double LargeFilterFpRate(const KindTraits& kind, double bits_per_key) {
  assert(bits_per_key > 0);
  const Halvings& halvings = *EffectiveKind(kind, bits_per_key).halvings;
  // With fewer bits than the table has, a Bloom filter of one probe is written:
  // Poisson(1 / bits_per_key) keys set a bit.
  if (bits_per_key < 1) return -std::expm1(-1 / bits_per_key);
  const double step =
      kHalvingsSteps * std::log2(std::min(bits_per_key, kMostBitsPerKey));
  const auto i = static_cast<size_t>(step);
  const double share = step - static_cast<double>(i);
  return std::exp2(-(halvings[i] + share * (halvings[i + 1] - halvings[i])));
}

double BitsPerKeyFor(const KindTraits& kind, double fp_rate) {
  if (!(fp_rate > 0)) return kMostBitsPerKey;
  const double wanted = -std::log2(fp_rate);
  double bits = BitsFor(*kind.halvings, wanted);
  const KindTraits& kind_of_few = EffectiveKind(kind, 1);
  if (kind_of_few.id != kind.id) {
    const double few = BitsFor(*kind_of_few.halvings, wanted);
    bits =
        few < kMinRibbonBitsPerKey ? few : std::max(bits, kMinRibbonBitsPerKey);
  }
  return std::ceil(1000 * bits - 1e-6) / 1000;
}

}  // namespace oneline
