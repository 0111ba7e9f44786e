// The false-positive rates of large filters of any kind, in advance, by the
// model of the kind. Takes up to a millisecond: policies look rates up in
// table/block/fp_rates_table.h, which fp_rates_gen.cc makes of this model.

#ifndef ONELINE_TOOLS_MODELS_KIND_MODEL_H_
#define ONELINE_TOOLS_MODELS_KIND_MODEL_H_

#include <cstdint>

#include "table/block/filter_kind.h"

namespace oneline {

// Of a filter of many lines of this kind, whichever kind would be written (see
// EffectiveKind). REQUIRES: bits_per_key >= 0.01, a valid parameter, effort in
// kMinEffort..kMaxEffort.
double ModelledFpRate(const KindTraits& kind, double bits_per_key,
                      uint8_t parameter, int effort);

// The same with the parameter that a large filter gets.
double ModelledFpRate(const KindTraits& kind, double bits_per_key,
                      int effort = kDefaultEffort);

}  // namespace oneline

#endif  // ONELINE_TOOLS_MODELS_KIND_MODEL_H_
