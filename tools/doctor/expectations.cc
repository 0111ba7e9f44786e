// --expect.

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "tools/doctor/database_snapshot.h"

namespace oneline {

absl::StatusOr<Expectations> Expectations::Parse(
    const std::vector<std::string>& texts) {
  Expectations all;
  for (const std::string& text : texts) {
    const size_t colon = text.rfind(':');
    const bool has_family = colon != std::string::npos;
    const std::string policy = has_family ? text.substr(colon + 1) : text;
    if (policy != "oneline" && policy != "none") {
      return absl::InvalidArgumentError(absl::StrCat(
          "--expect=", text,
          ": must be oneline or none, for all column families, or after the "
          "name of one and a colon, such as default:oneline"));
    }
    (has_family ? all.by_family_[text.substr(0, colon)] : all.of_others_) =
        policy == "oneline" ? ExpectedPolicy::kOneline : ExpectedPolicy::kNone;
  }
  return all;
}

ExpectedPolicy Expectations::For(const std::string& column_family) const {
  const auto found = by_family_.find(column_family);
  return found == by_family_.end() ? of_others_ : found->second;
}

}  // namespace oneline
