// The histogram of keys per line.

#include <algorithm>
#include <cmath>
#include <numeric>

#include "tools/inspect/inspect_table.h"
#include "tools/models/poisson.h"

namespace oneline {

void KeysPerLine::Extend(size_t length) {
  if (lines_.size() >= length) return;
  lines_.resize(length);
  expected_.resize(length);
}

void KeysPerLine::AddFilter(const std::vector<uint32_t>& keys_of_line) {
  if (keys_of_line.empty()) return;
  const auto num_lines = static_cast<double>(keys_of_line.size());
  const double mean =
      std::accumulate(keys_of_line.begin(), keys_of_line.end(), 0.0) /
      num_lines;
  // Six standard deviations above the mean no more lines are expected.
  const auto max_keys = static_cast<size_t>(mean + 6 * std::sqrt(mean) + 6);
  Extend(std::max<size_t>(
      max_keys,
      *std::max_element(keys_of_line.begin(), keys_of_line.end()) + 1));
  for (const uint32_t keys : keys_of_line) ++lines_[keys];
  for (size_t keys = 0; keys < max_keys; ++keys) {
    expected_[keys] += num_lines * (mean > 0 ? Poisson(keys, mean) : keys == 0);
  }
  num_lines_ += keys_of_line.size();
}

void KeysPerLine::Add(const KeysPerLine& other) {
  Extend(other.lines_.size());
  for (size_t i = 0; i < other.lines_.size(); ++i) {
    lines_[i] += other.lines_[i];
    expected_[i] += other.expected_[i];
  }
  num_lines_ += other.num_lines_;
}

}  // namespace oneline
