// A kind's false-positive rate as a function of bits per key, as a line of
// points: what level_allocation.h chooses from.

#ifndef ONELINE_FILTER_POLICY_ALLOCATION_RATE_CURVE_H_
#define ONELINE_FILTER_POLICY_ALLOCATION_RATE_CURVE_H_

#include <vector>

#include "oneline/filter_options.h"

namespace oneline {

struct RatePoint {
  double bits_per_key;
  double fp_rate;
};

// {0, 1}, which is no filter, and then points from 1 to 100 bits per key, 1/2 %
// to 1 % apart. Between neighbours, but for the first two, the rate may be
// taken for a straight line; that is within 1 % of the model, and within 4 %
// below 3 bits per key. Bits rise and rates fall from point to point. The curve
// is not convex: there is nothing between 0 and 1, Ribbon leaps down where it
// takes over from Bloom (kLeastRibbonBitsPerKey), and there are small dents
// where a kind's parameter changes.
//
// Worked out from the kind's model when first asked for, some tens of
// milliseconds, and kept for as long as the process lives. Thread-safe.
const std::vector<RatePoint>& RateCurve(Kind kind, int effort);

}  // namespace oneline

#endif  // ONELINE_FILTER_POLICY_ALLOCATION_RATE_CURVE_H_
