// --expect.

#include "absl/status/status.h"
#include "absl/strings/substitute.h"
#include "tools/doctor/database_snapshot.h"

namespace oneline {

absl::StatusOr<Expectations> ParseExpectations(
    const std::vector<std::string>& texts) {
  Expectations all;
  for (const std::string& text : texts) {
    const size_t colon = text.rfind(':');
    const bool has_name = colon != std::string::npos;
    const std::string policy = has_name ? text.substr(colon + 1) : text;
    if (policy != "oneline" && policy != "none") {
      return absl::InvalidArgumentError(absl::Substitute(
          "--expect=$0: must be oneline or none, for all column families, or "
          "after the name of one and a colon, such as default:oneline",
          text));
    }
    all[has_name ? text.substr(0, colon) : ""] =
        policy == "oneline" ? ExpectedPolicy::kOneline : ExpectedPolicy::kNone;
  }
  return all;
}

ExpectedPolicy ExpectedFor(const std::string& column_family,
                           const Expectations& expectations) {
  for (const std::string& name : {column_family, std::string()}) {
    const auto found = expectations.find(name);
    if (found != expectations.end()) return found->second;
  }
  return ExpectedPolicy::kUnknown;
}

}  // namespace oneline
