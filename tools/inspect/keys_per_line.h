// How many keys the lines of our filters have, beside how many they would have
// by chance.

#ifndef ONELINE_TOOLS_INSPECT_KEYS_PER_LINE_H_
#define ONELINE_TOOLS_INSPECT_KEYS_PER_LINE_H_

#include <cstddef>
#include <cstdint>
#include <vector>

namespace oneline {

// A histogram over the lines of any number of filters.
class KeysPerLine {
 public:
  // Adds one filter: the number of keys of each of its lines.
  void AddFilter(const std::vector<uint32_t>& keys_of_line);
  void Add(const KeysPerLine& other);

  // lines()[i] is the number of lines with i keys; expected()[i] is the number
  // to expect if keys fall on lines at random: the keys of a line then have a
  // Poisson distribution with the mean of its own filter. Both have the same
  // length.
  const std::vector<uint64_t>& lines() const { return lines_; }
  const std::vector<double>& expected() const { return expected_; }
  uint64_t num_lines() const { return num_lines_; }

 private:
  void Extend(size_t length);

  std::vector<uint64_t> lines_;
  std::vector<double> expected_;
  uint64_t num_lines_ = 0;
};

}  // namespace oneline

#endif  // ONELINE_TOOLS_INSPECT_KEYS_PER_LINE_H_
