// Names that are nearly right.

#ifndef ONELINE_TABLE_ENVIRONMENT_EDIT_DISTANCE_H_
#define ONELINE_TABLE_ENVIRONMENT_EDIT_DISTANCE_H_

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <string_view>
#include <utility>
#include <vector>

namespace oneline {

// The least number of characters to insert, delete or replace that makes `b` of
// `a` (Levenshtein).
inline size_t EditDistance(std::string_view a, std::string_view b) {
  // The distances of the first i characters of `a` to each beginning of `b`.
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = std::exchange(row[0], i);
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}

// Whether `written` is probably `name` with a mistake.
inline bool IsMisspelled(std::string_view written, std::string_view name) {
  return written != name && EditDistance(written, name) <= 1 + name.size() / 5;
}

}  // namespace oneline

#endif  // ONELINE_TABLE_ENVIRONMENT_EDIT_DISTANCE_H_
