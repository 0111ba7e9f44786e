#include "table/short_block/short_block_sizing.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "table/block/kind_choice.h"
#include "table/block/line_count.h"
#include "table/bloom/bloom_model.h"
#include "table/hash/key_hash.h"
#include "table/ribbon/ribbon_model.h"
#include "table/search/bisection.h"
#include "table/search/poisson.h"
namespace oneline {
namespace {

// Calls visit(keys, probability) for the numbers of keys that a line may have.
template <typename Visit>
void ForEachLoad(size_t num_keys, uint32_t num_lines, Visit visit) {
  const auto n = static_cast<double>(num_keys);
  const double share = 1.0 / num_lines;
  const double mean = n * share;
  const double reach = 6 * std::sqrt(mean * (1 - share));
  const auto first =
      static_cast<size_t>(std::ceil(std::max(0.0, mean - reach)));
  const auto last = static_cast<size_t>(std::min(n, mean + reach));
  for (size_t keys = first; keys <= last; ++keys) {
    const auto k = static_cast<double>(keys);
    const double log_choices =
        LogFactorial(n) - LogFactorial(k) - LogFactorial(n - k);
    visit(keys, num_lines == 1 ? 1
                               : std::exp(log_choices + k * std::log(share) +
                                          (n - k) * std::log1p(-share)));
  }
}

double BitsThere(size_t num_keys, const ShortBlockShape& shape) {
  return 8.0 * static_cast<double>(shape.lines_bytes()) /
         static_cast<double>(num_keys);
}

double RibbonFpRate(size_t num_keys, const ShortBlockShape& shape, uint8_t base,
                    int effort) {
  double rate = 0;
  ForEachLoad(num_keys, shape.num_lines, [&](size_t keys, double weight) {
    if (weight < 1e-7) return;
    rate += weight * RibbonLineFpRate(static_cast<uint32_t>(keys),
                                      8 * shape.line_bytes, base, effort);
  });
  return rate;
}

double BloomFpRate(size_t num_keys, const ShortBlockShape& shape,
                   uint8_t num_probes) {
  BloomLineModel line(8 * shape.line_bytes, num_probes);
  double rate = 0;
  size_t added = 0;
  ForEachLoad(num_keys, shape.num_lines, [&](size_t keys, double weight) {
    for (; added < keys; ++added) line.AddKey();
    rate += weight * line.FpRate();
  });
  return rate;
}

}  // namespace

ShortBlockShape ShortBlockShapeFor(size_t num_keys, double bits_per_key) {
  assert(num_keys > 0 && bits_per_key >= 1 && bits_per_key <= 100);
  constexpr double kMaxBytes = double{kMaxLines} * kLineBytes;
  const double bytes =
      std::floor(static_cast<double>(num_keys) * bits_per_key / 8 + 0.5);
  const auto lines_bytes = static_cast<size_t>(
      std::clamp(bytes - 1, double{kMinLineBytes}, kMaxBytes));
  const size_t num_lines = (lines_bytes + kLineBytes - 1) / kLineBytes;
  // Never so few bytes that one line less would do: that is what a reader would
  // take it for.
  const size_t least =
      kLineBytes + 1 - (kLineBytes + num_lines - 1) / num_lines;
  const size_t line_bytes =
      std::max((lines_bytes + num_lines / 2) / num_lines, least);
  return {static_cast<uint32_t>(num_lines), static_cast<uint32_t>(line_bytes)};
}

ShortBlockContent ShortBlockContentFor(const KindTraits& asked, size_t num_keys,
                                       const ShortBlockShape& shape) {
  const double bits_there = BitsThere(num_keys, shape);
  const KindTraits& kind = EffectiveKind(asked, bits_there);
  return {kind, kind.choose_parameter(bits_there, num_keys, shape.num_lines)};
}

double ShortBlockFpRate(const KindTraits& asked, size_t num_keys,
                        double bits_per_key, int effort) {
  const ShortBlockShape shape = ShortBlockShapeFor(num_keys, bits_per_key);
  const ShortBlockContent content =
      ShortBlockContentFor(asked, num_keys, shape);
  return content.kind.id == kRibbonId
             ? RibbonFpRate(num_keys, shape, content.parameter, effort)
             : BloomFpRate(num_keys, shape, content.parameter);
}

double ShortBlockBitsPerKeyFor(const KindTraits& asked, size_t num_keys,
                               double fp_rate, int effort) {
  const size_t modelled_keys = std::min(num_keys, kManyShortBlockKeys);
  const double bits = BisectThousandths(1, 100, [&](double bits_per_key) {
    return ShortBlockFpRate(asked, modelled_keys, bits_per_key, effort) <=
           fp_rate;
  });
  return num_keys < kManyShortBlockKeys
             ? bits
             : std::max(bits, BitsPerKeyFor(asked, fp_rate, effort));
}

}  // namespace oneline
