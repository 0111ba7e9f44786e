#include "tools/database/chosen_families.h"

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"

namespace oneline {

absl::StatusOr<std::set<std::string>> ChosenNames(
    const std::set<std::string>& all, const std::string& names) {
  if (names.empty()) return all;
  if (all.count(names) > 0) return std::set<std::string>{names};
  const std::set<std::string> chosen = absl::StrSplit(names, ',');
  for (const std::string& name : chosen) {
    if (all.count(name) > 0) continue;
    return absl::NotFoundError(
        absl::StrCat("there is no column family '", name, "'"));
  }
  return chosen;
}

}  // namespace oneline
