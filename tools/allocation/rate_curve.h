// A kind's false-positive rate as a function of the bits per key, as a list of
// points, from which level_allocation.h chooses.

#ifndef ONELINE_TOOLS_ALLOCATION_RATE_CURVE_H_
#define ONELINE_TOOLS_ALLOCATION_RATE_CURVE_H_

#include <vector>

#include "oneline/filter_options.h"

namespace oneline {

struct RatePoint {
  double bits_per_key;
  double fp_rate;
};

// The first point is {0, 1}: no filter. Then come points from 1 to 100 bits per
// key, at most 1 % apart. From point to point bits rise and rates fall. Linear
// interpolation between neighbours, except the first two, is within 2 % of the
// model for bits in thousandths.
//
// The curve is not convex: there is no filter between 0 and 1 bits per key,
// Ribbon's rate drops where it takes over from Bloom (kMinRibbonBitsPerKey),
// and there are small dents where a kind's parameter changes.
//
// The first call computes a curve from the kind's model, which takes some tens
// of milliseconds, and keeps it for the life of the process. Thread-safe.
const std::vector<RatePoint>& RateCurve(Kind kind);

}  // namespace oneline

#endif  // ONELINE_TOOLS_ALLOCATION_RATE_CURVE_H_
