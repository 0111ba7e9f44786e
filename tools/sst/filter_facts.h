// What a filter block is (decoded_filter.h), with the tools' status.

#ifndef ONELINE_TOOLS_SST_FILTER_FACTS_H_
#define ONELINE_TOOLS_SST_FILTER_FACTS_H_

#include <string_view>

#include "absl/status/statusor.h"
#include "filter_policy/refilter/decoded_filter.h"

namespace oneline {

// DataLoss if the block is damaged or of an unknown kind.
absl::StatusOr<FilterFacts> FactsOf(std::string_view block);

}  // namespace oneline

#endif  // ONELINE_TOOLS_SST_FILTER_FACTS_H_
