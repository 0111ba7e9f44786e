// The column families that --column_family names.

#ifndef ONELINE_TOOLS_DATABASE_CHOSEN_FAMILIES_H_
#define ONELINE_TOOLS_DATABASE_CHOSEN_FAMILIES_H_

#include <set>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace oneline {

// Of `all` names those in `names`, which commas separate; all if it is empty. A
// single name may have commas in it. NotFound for a name that is not there.
absl::StatusOr<std::set<std::string>> ChosenNames(
    const std::set<std::string>& all, const std::string& names);

// The same for anything that has a `name`.
template <typename Family>
absl::StatusOr<std::set<std::string>> ChosenFamilies(
    const std::vector<Family>& families, const std::string& names) {
  std::set<std::string> all;
  for (const Family& family : families) all.insert(family.name);
  return ChosenNames(all, names);
}

}  // namespace oneline

#endif  // ONELINE_TOOLS_DATABASE_CHOSEN_FAMILIES_H_
