// Random choices of which each comes: a test that draws freely leaves some out,
// in one run of many.

#ifndef ONELINE_TESTS_RANDOM_ROUNDS_H_
#define ONELINE_TESTS_RANDOM_ROUNDS_H_

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <random>
#include <vector>

namespace oneline {

// Returns the numbers below `n` in random order, then again in another one.
class RandomRounds {
 public:
  // `random` must outlive it.
  RandomRounds(size_t n, std::mt19937_64 &random) : n_(n), random_(random) {}

  size_t Next() {
    if (left_.empty()) {
      left_.resize(n_);
      std::iota(left_.begin(), left_.end(), size_t{0});
      std::shuffle(left_.begin(), left_.end(), random_);
    }
    const size_t next = left_.back();
    left_.pop_back();
    return next;
  }

 private:
  const size_t n_;
  std::mt19937_64 &random_;
  std::vector<size_t> left_;
};

}  // namespace oneline

#endif  // ONELINE_TESTS_RANDOM_ROUNDS_H_
