#include "filter_policy/options/tree_bits.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "filter_policy/options/kind_traits.h"
#include "table/block/kind_choice.h"

namespace oneline {
namespace {

// By how much the logarithm of the Ribbon's rate falls with each bit at 10 bits
// per key (0.64 at 6, 0.50 at 16). Where levels differ by their number of keys,
// the best rates are in proportion to it.
constexpr double kSlope = 0.6;

// The same where it is steepest, between 3 and 8 bits per key: with hits no
// more bits are taken from the last level than its share of absent keys allows.
constexpr double kSteepestSlope = 0.67;

// The last level never pays more than this share of its bits for the others.
constexpr double kMostPaid = 0.1;

// Where more than half of the absent keys pass, the filter is not worth a look:
// Bloom filters of 1.4 bits per key, and Ribbon is written as Bloom there.
constexpr double kFewestWorth = 1.4;

}  // namespace

double RoundedBitsPerKey(double bits_per_key) {
  const double bits = std::round(bits_per_key * 1000) / 1000;
  if (bits < 0.5) return 0;
  return bits < 1 ? 1 : bits;
}

double RequestedBitsPerKey(const FilterOptions& options, Kind kind) {
  assert(options.level_bits_per_key.empty());
  return options.fp_rate.has_value()
             ? BitsPerKeyFor(*FindKind(kind), *options.fp_rate)
             : RoundedBitsPerKey(
                   options.bits_per_key.value_or(kDefaultBitsPerKey));
}

TreeBits::TreeBits(const FilterOptions& options, double requested,
                   const TreeSizes& sizes)
    : requested_(requested), step_(0) {
  if (sizes.size_ratio > 1 && requested < kMostBits) {
    step_ =
        std::min(std::log(sizes.size_ratio) / kSlope, kMostBits - requested);
    if (sizes.steps_paid > 0) {
      step_ = std::min(step_, kMostPaid * requested / sizes.steps_paid);
    }
  }
  base_ = options.fp_rate.has_value() ? requested
                                      : requested - step_ * sizes.steps_paid;
  last_ = RoundedBitsPerKey(base_);
  if (options.hits == 0) return;
  last_ =
      options.hits < 1 ? base_ + std::log1p(-options.hits) / kSteepestSlope : 0;
  last_ = last_ < kFewestWorth ? 0 : RoundedBitsPerKey(last_);
}

double TreeBits::Limited(double bits) const {
  return RoundedBitsPerKey(std::min(bits, std::max(requested_, kMostBits)));
}

double TreeBits::Above(double levels) const {
  return Limited(base_ + levels * step_);
}

double TreeBits::level0() const {
  return requested_ == 0 ? 0 : Limited(requested_ + kLevel0More);
}

}  // namespace oneline
