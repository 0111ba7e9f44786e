#include "tools/allocation/rate_curve.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>

#include "filter_policy/options/kind_traits.h"
#include "table/block/kind_choice.h"

namespace oneline {
namespace {

// The bits per key for which the model is computed. Between neighbours the
// logarithm of the rate is linear within 1.2 %. From 2 to 3 bits per key it is
// so only within 1.7 %, although the points are closer: Ribbon's rate falls in
// steps there, because the base of its rows is a multiple of 4.
std::vector<double> ModelledBits() {
  std::vector<double> bits = {kMinRibbonBitsPerKey - 0.001,
                              kMinRibbonBitsPerKey};
  for (int b = 20; b < 60; ++b) bits.push_back(b / 20.0);
  for (double b = 3; b < 100; b *= 1.05) bits.push_back(b);
  bits.push_back(100);
  std::sort(bits.begin(), bits.end());
  return bits;
}

std::vector<RatePoint> MakeCurve(Kind kind) {
  constexpr int kSteps = 10;  // between modelled points
  const KindTraits& row = *FindKind(kind);
  std::vector<RatePoint> curve = {{0, 1}};
  RatePoint last = {0, 1};
  for (const double bits : ModelledBits()) {
    const RatePoint next = {bits, LargeFilterFpRate(row, bits)};
    const int first_step = last.bits_per_key == 0 ? kSteps : 1;
    for (int step = first_step; step <= kSteps; ++step) {
      const double share = static_cast<double>(step) / kSteps;
      const RatePoint point = {
          last.bits_per_key + share * (bits - last.bits_per_key),
          last.fp_rate * std::pow(next.fp_rate / last.fp_rate, share)};
      if (point.fp_rate < curve.back().fp_rate) curve.push_back(point);
    }
    last = next;
  }
  return curve;
}

}  // namespace

const std::vector<RatePoint>& RateCurve(Kind kind) {
  static std::mutex mutex;
  // References to a map's elements stay valid. Never freed: a thread may still
  // build tables while the process ends.
  static auto* const curves = new std::map<Kind, std::vector<RatePoint>>;
  std::lock_guard<std::mutex> lock(mutex);
  std::vector<RatePoint>& curve = (*curves)[kind];
  if (curve.empty()) curve = MakeCurve(kind);
  return curve;
}

}  // namespace oneline
