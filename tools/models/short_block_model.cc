#include "tools/models/short_block_model.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "tools/models/bloom_model.h"
#include "tools/models/poisson.h"
#include "tools/models/ribbon_model.h"

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

double ShortBlockFpRate(const ShortBlockContent& content, size_t num_keys,
                        const ShortBlockShape& shape, int effort) {
  return content.kind.id == kRibbonId
             ? RibbonFpRate(num_keys, shape, content.parameter, effort)
             : BloomFpRate(num_keys, shape, content.parameter);
}

}  // namespace oneline
