#include "tools/sst/filter_facts.h"

#include <optional>
#include <string>

#include "absl/status/status.h"

namespace oneline {

absl::StatusOr<FilterFacts> FactsOf(std::string_view block) {
  std::string error;
  std::optional<FilterFacts> facts = DecodeFilter(block, &error);
  if (!facts.has_value()) return absl::DataLossError(error);
  return *std::move(facts);
}

}  // namespace oneline
