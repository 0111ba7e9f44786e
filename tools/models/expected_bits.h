// How good multipliers of expected bits (ribbon_line.h) are.
//
// A line's columns are solved for the expected bits of its keys, and an absent
// key passes if the bits that its coefficients give are the ones it expects. If
// a window's expected bits take their 2^n values with probabilities p, and
// those of the line's keys do so too, then up to sum p^2 of the absent keys
// pass, where 2^-n would with independent bits. The inflation is the quotient
// of both.
//
// The four 16-bit words of a key's bits are independent of each other and so
// are the expected bits made of them: the sums are exact, over all 2^16 words.

#ifndef ONELINE_TOOLS_MODELS_EXPECTED_BITS_H_
#define ONELINE_TOOLS_MODELS_EXPECTED_BITS_H_

#include <cstdint>

namespace oneline {
namespace blocked_ribbon {

struct ExpectedBitsMultipliers {
  uint16_t low[32];
  uint16_t high[32];
};

// The inflation for columns of so many rows, w, in a window that begins at
// `start`. REQUIRES: rows in 1..kMaxRows; start that of a window.
double Inflation(const ExpectedBitsMultipliers& multipliers, uint32_t rows,
                 uint32_t start);

// The largest for any window of any number of rows that have up to 20 columns:
// with more, no filter is large enough to show it. Takes seconds.
double WorstInflation(const ExpectedBitsMultipliers& multipliers);

}  // namespace blocked_ribbon
}  // namespace oneline

#endif  // ONELINE_TOOLS_MODELS_EXPECTED_BITS_H_
