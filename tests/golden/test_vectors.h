// The vectors of tests/golden/0.1.0/vectors.txt: blocks whose bytes are pinned,
// with the answers that a reader must give. The file says what its words mean.

#ifndef ONELINE_TESTS_GOLDEN_TEST_VECTORS_H_
#define ONELINE_TESTS_GOLDEN_TEST_VECTORS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace oneline {

struct TestVector {
  std::string form;  // "block", "short" or "saved"
  std::string name;
  std::string keys;  // the rule for its keys: "text" or "bytes"
  size_t num_added = 0;
  uint64_t seed = 0;
  // What a writer was asked for. No kind: no writer makes this block.
  std::string kind;
  double bits_per_key = 0;
  std::optional<uint8_t> parameter;
  std::optional<uint8_t> level;
  // To keys num_added, num_added + 1, ...: '1' is "maybe", '0' is "no".
  std::string answers;
  std::string what;  // is special about it
  std::string bytes;
  bool spells_keys = false;

  // Any number of keys.
  std::string Key(size_t i) const;

  // Those that have an answer.
  size_t num_keys() const { return num_added + answers.size(); }
  // REQUIRES: i < num_keys().
  bool MayMatch(size_t i) const {
    return i < num_added || answers[i - num_added] == '1';
  }

  // A filter block that is none: a reader says "maybe".
  bool IsRefused() const { return name.rfind("refused_", 0) == 0; }
};

// A later release that writes other bytes gets a folder of its own. This file
// stays, with its answers.
inline constexpr char kVectorsFile[] = "tests/golden/0.1.0/vectors.txt";

// What the file has, in its order.
const std::vector<TestVector>& PinnedVectors();

// The one with this name, which must be there.
const TestVector& PinnedVector(std::string_view name);

// Of the filter blocks with keys of many lengths.
std::vector<std::string> NamesOfPinnedBlocks();

}  // namespace oneline

#endif  // ONELINE_TESTS_GOLDEN_TEST_VECTORS_H_
