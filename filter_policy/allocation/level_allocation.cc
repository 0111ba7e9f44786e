#include "filter_policy/allocation/level_allocation.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "filter_policy/allocation/rate_curve.h"
#include "table/block/filter_kind.h"
#include "table/block/kind_choice.h"

namespace oneline {
namespace {

using Curve = std::vector<RatePoint>;

double KeysOf(const TreeLevel& level) {
  return level.keys > 0 && level.runs > 0 ? level.keys * level.runs : 0;
}

// A level that has keys, and the part of its curve that it may choose from.
struct Choice {
  size_t level;
  double keys;  // of all its runs
  double runs;
  const Curve* curve;
  size_t first, last;
};

double MemoryOf(const Choice& choice, double bits) {
  return choice.keys * bits;
}

// A side of the lower convex hull of a choice's points: memory for fewer false
// positives.
struct Side {
  size_t choice;
  size_t from, to;
  double memory;
  double gain;
};

void AppendHull(const Choice& choice, size_t index, std::vector<Side>* sides) {
  const Curve& curve = *choice.curve;
  const auto slope = [&curve](size_t a, size_t b) {
    return (curve[b].fp_rate - curve[a].fp_rate) /
           (curve[b].bits_per_key - curve[a].bits_per_key);
  };
  std::vector<size_t> hull;
  for (size_t i = choice.first; i <= choice.last; ++i) {
    while (hull.size() > 1 && slope(hull[hull.size() - 2], i) <=
                                  slope(hull[hull.size() - 2], hull.back())) {
      hull.pop_back();
    }
    hull.push_back(i);
  }
  for (size_t i = 1; i < hull.size(); ++i) {
    const RatePoint& a = curve[hull[i - 1]];
    const RatePoint& b = curve[hull[i]];
    sides->push_back({index, hull[i - 1], hull[i],
                      MemoryOf(choice, b.bits_per_key - a.bits_per_key),
                      choice.runs * (a.fp_rate - b.fp_rate)});
  }
}

// The best that hulls allow: every level on a corner of its hull but for one,
// which may be between two.
struct Relaxed {
  double false_positives = std::numeric_limits<double>::infinity();
  std::vector<double> bits;  // of each choice
  Side between = {};         // of the one, if memory ended there
  bool ended = false;
};

Relaxed Relax(const std::vector<Choice>& choices, double memory) {
  Relaxed relaxed;
  double false_positives = 0;
  std::vector<Side> sides;
  for (size_t i = 0; i < choices.size(); ++i) {
    const RatePoint& first = (*choices[i].curve)[choices[i].first];
    relaxed.bits.push_back(first.bits_per_key);
    false_positives += choices[i].runs * first.fp_rate;
    memory -= MemoryOf(choices[i], first.bits_per_key);
    AppendHull(choices[i], i, &sides);
  }
  if (memory < 0) return relaxed;
  relaxed.false_positives = false_positives;
  // Where memory buys most first. Of one level these are its sides in order.
  std::stable_sort(sides.begin(), sides.end(),
                   [](const Side& a, const Side& b) {
                     return a.gain * b.memory > b.gain * a.memory;
                   });
  for (const Side& side : sides) {
    const Choice& choice = choices[side.choice];
    const double share = std::min(1.0, memory / side.memory);
    relaxed.bits[side.choice] =
        share == 1 ? (*choice.curve)[side.to].bits_per_key
                   : relaxed.bits[side.choice] + memory / choice.keys;
    relaxed.false_positives -= share * side.gain;
    memory -= share * side.memory;
    if (share < 1) {
      relaxed.between = side;
      relaxed.ended = true;
      return relaxed;
    }
  }
  return relaxed;
}

// Branch and bound over what the hulls bridge: the one level that is between
// two corners may have to take the curve as it is.
class Search {
 public:
  explicit Search(double memory) : memory_(memory) {}

  void Try(const std::vector<Choice>& choices) {
    // Within this share of the least it is good enough: models are not better.
    constexpr double kTolerance = 1e-3;
    Relaxed relaxed = Relax(choices, memory_);
    const double bound = relaxed.false_positives;
    if (!(bound < least_ * (1 - kTolerance))) return;
    if (!relaxed.ended) return Take(bound, relaxed.bits);

    const Choice& choice = choices[relaxed.between.choice];
    const Curve& curve = *choice.curve;
    double& bits = relaxed.bits[relaxed.between.choice];
    size_t below = relaxed.between.from;
    while (curve[below + 1].bits_per_key <= bits) ++below;
    const RatePoint& a = curve[below];
    const RatePoint& b = curve[below + 1];
    const RatePoint& from = curve[relaxed.between.from];
    const RatePoint& to = curve[relaxed.between.to];
    const double real = below == 0 ? 1 : Between(a, b, bits);
    const double found = bound + choice.runs * (real - Between(from, to, bits));
    if (below == 0) bits = 0;
    Take(found, relaxed.bits);
    if (found - bound <= kTolerance * found) return;

    std::vector<Choice> narrowed = choices;
    narrowed[relaxed.between.choice].first = below + 1;
    Try(narrowed);
    narrowed = choices;
    narrowed[relaxed.between.choice].last = below;
    Try(narrowed);
  }

  // Of each choice.
  const std::vector<double>& bits() const { return bits_; }

 private:
  static double Between(const RatePoint& a, const RatePoint& b, double bits) {
    return a.fp_rate + (b.fp_rate - a.fp_rate) * (bits - a.bits_per_key) /
                           (b.bits_per_key - a.bits_per_key);
  }

  void Take(double false_positives, const std::vector<double>& bits) {
    if (false_positives >= least_) return;
    least_ = false_positives;
    bits_ = bits;
  }

  const double memory_;
  double least_ = std::numeric_limits<double>::infinity();
  std::vector<double> bits_;
};

// Down, so that the memory is kept; but what is a thousandth but for the errors
// of floating-point numbers stays one.
double DownToThousandths(double bits) {
  return std::floor(bits * 1000 + 1e-5) / 1000;
}

}  // namespace

std::vector<double> AllocateBits(const std::vector<TreeLevel>& tree,
                                 double bits_per_key, int effort) {
  assert(bits_per_key >= 0);
  std::vector<Choice> choices;
  double keys = 0;
  for (size_t i = 0; i < tree.size(); ++i) {
    if (KeysOf(tree[i]) == 0) continue;
    const Curve& curve = RateCurve(tree[i].kind, effort);
    choices.push_back({i, KeysOf(tree[i]), static_cast<double>(tree[i].runs),
                       &curve, 0, curve.size() - 1});
    keys += KeysOf(tree[i]);
  }
  Search search(keys * bits_per_key);
  search.Try(choices);
  std::vector<double> bits(tree.size(), 0.0);
  for (size_t i = 0; i < choices.size(); ++i) {
    bits[choices[i].level] = DownToThousandths(search.bits()[i]);
  }
  return bits;
}

double ExpectedFalsePositives(const std::vector<TreeLevel>& tree,
                              const std::vector<double>& bits_per_key,
                              int effort) {
  assert(bits_per_key.size() == tree.size());
  double sum = 0;
  for (size_t i = 0; i < tree.size(); ++i) {
    if (KeysOf(tree[i]) == 0) continue;
    const FilterKind& kind =
        *FindFilterKind(static_cast<uint8_t>(tree[i].kind));
    const double rate = bits_per_key[i] == 0
                            ? 1
                            : LargeFilterFpRate(kind, bits_per_key[i], effort);
    sum += tree[i].runs * rate;
  }
  return sum;
}

double AverageBitsPerKey(const std::vector<TreeLevel>& tree,
                         const std::vector<double>& bits_per_key) {
  assert(bits_per_key.size() == tree.size());
  double bits = 0, keys = 0;
  for (size_t i = 0; i < tree.size(); ++i) {
    keys += KeysOf(tree[i]);
    bits += KeysOf(tree[i]) * bits_per_key[i];
  }
  return keys == 0 ? 0 : bits / keys;
}

double LeastBitsPerKey(const std::vector<TreeLevel>& tree,
                       double false_positives, int effort) {
  assert(false_positives >= 0);
  int low = 0, high = 100000;  // thousandths
  while (low < high) {
    const int middle = (low + high) / 2;
    const std::vector<double> bits =
        AllocateBits(tree, middle / 1000.0, effort);
    if (ExpectedFalsePositives(tree, bits, effort) <= false_positives) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low / 1000.0;
}

}  // namespace oneline
