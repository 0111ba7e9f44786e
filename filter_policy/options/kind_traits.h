// From the Kind of the options to the row of the table of kinds, and back.
//
// Kind is in a header that users include, so it can name nothing of table/, and
// table/ knows no header of a policy. Here, and nowhere else, the enum meets
// the number in a block's trailer.

#ifndef ONELINE_FILTER_POLICY_OPTIONS_KIND_TRAITS_H_
#define ONELINE_FILTER_POLICY_OPTIONS_KIND_TRAITS_H_

#include "oneline/filter_options.h"
#include "table/block/filter_kind.h"

namespace oneline {

// Null only if `kind` is none of the enumerators.
const KindTraits* FindKind(Kind kind);

// The enumerator of a row.
Kind KindOf(const KindTraits& traits);

}  // namespace oneline

#endif  // ONELINE_FILTER_POLICY_OPTIONS_KIND_TRAITS_H_
