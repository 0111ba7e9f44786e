#include "tools/allocation/level_allocation.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <limits>

#include "filter_policy/options/kind_traits.h"
#include "table/block/kind_choice.h"
#include "tools/allocation/rate_curve.h"
#include "tools/models/bisection.h"

namespace oneline {
namespace {

using Curve = std::vector<RatePoint>;

double KeysOf(const TreeLevel& level) {
  return level.keys > 0 && level.runs > 0 ? level.keys * level.runs : 0;
}

// A level with keys, and the part of its curve from which its bits are chosen.
struct Choice {
  size_t level;
  double keys;  // of all runs
  double runs;
  const Curve* curve;
  size_t first, last;  // indices in *curve
};

double MemoryOf(const Choice& choice, double bits) {
  return choice.keys * bits;
}

// A side of the lower convex hull of a choice's points. Going along it costs
// memory and saves false positives.
struct Side {
  size_t choice;
  size_t from, to;  // indices in the choice's curve
  double memory;    // in bits
  double gain;      // false positives saved for each lookup
};

// Appends the sides of the hull of choice number `index`.
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

// The minimum if levels could have any point of their hulls: a lower bound. All
// levels are at a corner of their hull, except the one at which the memory ran
// out.
struct Relaxed {
  double cost = std::numeric_limits<double>::infinity();
  std::vector<double> bits;  // per key, of each choice
  bool ran_out = false;
  Side between = {};  // if ran_out: on this side, between two corners
};

Relaxed Relax(const std::vector<Choice>& choices, double memory) {
  Relaxed relaxed;
  double cost = 0;
  std::vector<Side> sides;
  for (size_t i = 0; i < choices.size(); ++i) {
    const RatePoint& first = (*choices[i].curve)[choices[i].first];
    relaxed.bits.push_back(first.bits_per_key);
    cost += choices[i].runs * first.fp_rate;
    memory -= MemoryOf(choices[i], first.bits_per_key);
    AppendHull(choices[i], i, &sides);
  }
  if (memory < 0) return relaxed;
  relaxed.cost = cost;
  // Largest gain for the memory first. The sides of one hull stay in order.
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
    relaxed.cost -= share * side.gain;
    memory -= share * side.memory;
    if (share < 1) {
      relaxed.between = side;
      relaxed.ran_out = true;
      return relaxed;
    }
  }
  return relaxed;
}

// Branch and bound. Where a curve is above its hull, no filter has the rate
// that the hull says. This matters only for the level between two corners: its
// curve is split there into two parts, and both are tried.
class Search {
 public:
  explicit Search(double memory) : memory_(memory) {}

  // Looks for an allocation better than bits() among those that `choices`
  // allow.
  void Try(const std::vector<Choice>& choices) {
    // A smaller difference means nothing: the models are no more exact.
    constexpr double kTolerance = 1e-3;
    if (left_ == 0) return;
    --left_;
    Relaxed relaxed = Relax(choices, memory_);
    const double bound = relaxed.cost;
    if (!(bound < best_ * (1 - kTolerance))) return;
    if (!relaxed.ran_out) return Take(bound, relaxed.bits);

    const Choice& choice = choices[relaxed.between.choice];
    const Curve& curve = *choice.curve;
    double& bits = relaxed.bits[relaxed.between.choice];
    // Rounding errors may take it past the end of the side.
    bits = std::min(bits, curve[relaxed.between.to].bits_per_key);
    size_t below = relaxed.between.from;
    while (below + 1 < relaxed.between.to &&
           curve[below + 1].bits_per_key <= bits) {
      ++below;
    }
    const RatePoint& a = curve[below];
    const RatePoint& b = curve[below + 1];
    const RatePoint& from = curve[relaxed.between.from];
    const RatePoint& to = curve[relaxed.between.to];
    // There is no filter of less than 1 bit per key, the second point.
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

  // The best bits per key found, of each choice.
  const std::vector<double>& bits() const { return bits_; }

 private:
  static double Between(const RatePoint& a, const RatePoint& b, double bits) {
    return a.fp_rate + (b.fp_rate - a.fp_rate) * (bits - a.bits_per_key) /
                           (b.bits_per_key - a.bits_per_key);
  }

  void Take(double cost, const std::vector<double>& bits) {
    if (cost >= best_) return;
    best_ = cost;
    bits_ = bits;
  }

  // Most trees take less than ten.
  static constexpr int kMaxTries = 1000;

  const double memory_;
  int left_ = kMaxTries;
  double best_ = std::numeric_limits<double>::infinity();
  std::vector<double> bits_;
};

// Rounds down, so as not to exceed the memory. The 1e-5 keeps a thousandth that
// floating-point errors made slightly smaller.
double DownToThousandths(double bits) {
  return std::floor(bits * 1000 + 1e-5) / 1000;
}

}  // namespace

std::vector<TreeLevel> LeveledTree(const TreeShape& shape, double total_keys) {
  std::vector<TreeLevel> tree = {{shape.level0_run_size, shape.level0_runs},
                                 {1.0}};
  for (const double ratio : shape.size_ratios) {
    tree.push_back({tree.back().keys * ratio});
  }
  double sum = 0;
  for (const TreeLevel& level : tree) sum += level.keys * level.runs;
  for (TreeLevel& level : tree) level.keys *= total_keys / sum;
  return tree;
}

std::vector<double> AllocateBits(const std::vector<TreeLevel>& tree,
                                 double bits_per_key) {
  assert(bits_per_key >= 0);
  std::vector<Choice> choices;
  double keys = 0;
  for (size_t i = 0; i < tree.size(); ++i) {
    if (KeysOf(tree[i]) == 0) continue;
    const Curve& curve = RateCurve(tree[i].kind);
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
                              const std::vector<double>& bits_per_key) {
  assert(bits_per_key.size() == tree.size());
  double sum = 0;
  for (size_t i = 0; i < tree.size(); ++i) {
    if (KeysOf(tree[i]) == 0) continue;
    const KindTraits& kind = *FindKind(tree[i].kind);
    const double rate =
        bits_per_key[i] == 0 ? 1 : LargeFilterFpRate(kind, bits_per_key[i]);
    sum += tree[i].runs * rate;
  }
  return sum;
}

double MinBitsForFalsePositives(const std::vector<TreeLevel>& tree,
                                double false_positives) {
  assert(false_positives >= 0);
  return BisectThousandths(0, 100, [&](double bits_per_key) {
    const std::vector<double> bits = AllocateBits(tree, bits_per_key);
    return ExpectedFalsePositives(tree, bits) <= false_positives;
  });
}

}  // namespace oneline
