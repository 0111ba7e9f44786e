// How many keys the lines of our filters have, and how many they should have.

#ifndef ONELINE_TOOLS_INSPECT_KEYS_PER_LINE_H_
#define ONELINE_TOOLS_INSPECT_KEYS_PER_LINE_H_

#include <cstddef>
#include <cstdint>
#include <vector>

namespace oneline {

// Over the lines of any number of filters.
class KeysPerLine {
 public:
  // One filter: the number of keys of each of its lines.
  void AddFilter(const std::vector<uint32_t>& keys_of_line);
  void Add(const KeysPerLine& other);

  // [i]: the lines that have i keys; and those that would be expected to have
  // as many, by chance: the keys of a line are Poisson, with the mean of its
  // own filter. Both have the same length.
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
