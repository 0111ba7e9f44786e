// The false-positive rates of kind 2, the blocked Ribbon filter, in advance.

#ifndef ONELINE_TOOLS_MODELS_RIBBON_MODEL_H_
#define ONELINE_TOOLS_MODELS_RIBBON_MODEL_H_

#include <cstdint>

namespace oneline {

// The false-positive rate of a blocked Ribbon filter with many lines, from the
// mathematics of random equations: the number of keys in a line is
// Poisson(512 / bits_per_key), and a line of w rows, r full columns and a
// partial column that is asked for a share t of the keys lets an absent key
// pass with probability 2^-r * (1 - t/2). `parameter`: the base from which
// lines count their rows. `effort`: seeds tried for each number of rows.
// REQUIRES: bits_per_key >= 0.01, effort in 1..8.
double BlockedRibbonFpRate(double bits_per_key, uint8_t parameter, int effort);

// The same of one line that holds so many keys. 1: no such line is solved.
// REQUIRES: line_bits in 64..512.
double RibbonLineFpRate(uint32_t num_keys, uint32_t line_bits,
                        uint8_t parameter, int effort);

}  // namespace oneline

#endif  // ONELINE_TOOLS_MODELS_RIBBON_MODEL_H_
