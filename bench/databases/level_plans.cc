#include <rocksdb/filter_policy.h>
#include <rocksdb/options.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <utility>

#include "absl/strings/str_cat.h"
#include "bench/databases/database.h"
#include "bench/databases/growing_tree.h"
#include "bench/databases/plans.h"
#include "bench/filters/filter_candidates.h"
#include "bench/measure/measuring_program.h"
#include "oneline/level_filters.h"

namespace oneline {
namespace {

// If the scale is 1. Below the first number there are few levels.
constexpr double kKeys = 3e6, kFirstKeys = 7e5, kLookups = 2e5;

// Filters of one format.
struct Kind {
  const char* name;
  Policy (*uniform)(double bits);
  Policy (*by_level)(double bits);
};

const Kind kKinds[] = {
    {"RocksDB's Bloom",
     [](double bits) -> Policy {
       return Policy(rocksdb::NewBloomFilterPolicy(bits));
     },
     [](double bits) { return NewLevelBloomFilterPolicy(bits); }},
    {"RocksDB's Ribbon",
     [](double bits) -> Policy {
       return Policy(
           rocksdb::NewRibbonFilterPolicy(BloomBitsOfRibbon(bits), -1));
     },
     [](double bits) { return NewLevelRibbonFilterPolicy(bits); }},
    {"oneline",
     [](double bits) {
       return NewPolicy(absl::StrCat(
           "{id=oneline;bits_by_level=false;bits_per_key=", bits, "}"));
     },
     [](double bits) { return NewPolicy(absl::StrCat("oneline:", bits)); }}};

// The false-positive rate of a kind by its bits per key, from filters of
// 100,000 keys.
class MeasuredRates {
 public:
  explicit MeasuredRates(const Kind& kind) {
    constexpr int kAdded = 100000, kAsked = 1000000;
    for (int bits = 5; bits <= 16; ++bits) {
      const Policy policy = kind.uniform(bits);
      const auto builder = NewBuilder(*policy);
      for (int i = 0; i < kAdded; ++i) builder->AddKey(RandomKey(i));
      std::unique_ptr<const char[]> owner;
      const rocksdb::Slice filter = builder->Finish(&owner);
      const std::unique_ptr<rocksdb::FilterBitsReader> reader(
          policy->GetFilterBitsReader(filter));
      double matches = 0.5;  // so that none has a logarithm
      for (int i = 0; i < kAsked; ++i) {
        matches += reader->MayMatch(RandomKey(kFirstAbsent + i));
      }
      log_rate_[8.0 * filter.size() / kAdded] = std::log(matches / kAsked);
    }
  }

  double At(double bits) const {
    auto above = log_rate_.upper_bound(bits);
    if (above == log_rate_.begin()) ++above;
    if (above == log_rate_.end()) --above;
    const auto below = std::prev(above);
    const double share = (bits - below->first) / (above->first - below->first);
    return std::exp(below->second + share * (above->second - below->second));
  }

 private:
  std::map<double, double> log_rate_;
};

// What happens to a tree; it calls `rest` where lookups are counted.
using Growth = void (*)(GrowingTree& tree, const std::function<void()>& rest);

void Grow(GrowingTree& tree, const std::function<void()>& rest) {
  for (int i = 0; i < 20; ++i) {
    tree.Open();
    tree.WriteRandom(i / 20., (i + 1) / 20.);
    rest();
  }
}

void LoadThenGrow(GrowingTree& tree, const std::function<void()>& rest) {
  tree.Open();
  tree.WriteSorted();
  rest();
  for (int i = 0; i < 4; ++i) {
    tree.WriteRandom(i / 16., (i + 1) / 16.);
    rest();
  }
}

void IngestAndGrow(GrowingTree& tree, const std::function<void()>& rest) {
  tree.Open();
  for (int i = 0; i < 8; ++i) {
    tree.Ingest(i / 8., (i + 1) / 8.);
    tree.WriteRandom(i / 80., (i + 1) / 80.);
    rest();
  }
}

void CompactAtOnce(GrowingTree& tree, const std::function<void()>& rest) {
  tree.Open();
  tree.WriteRandom(0, 1);
  tree.CompactAll();
  rest();
}

struct Tree {
  std::string name;
  Growth growth;
  rocksdb::Options options;
};

std::vector<Tree> Trees() {
  std::vector<Tree> trees;
  rocksdb::Options options;
  for (const bool is_dynamic : {true, false}) {
    options.level_compaction_dynamic_level_bytes = is_dynamic;
    const char* const sizes = is_dynamic ? "dynamic" : "static";
    for (const int ratio : {4, 6, 10}) {
      options.max_bytes_for_level_multiplier = ratio;
      trees.push_back({absl::StrCat(sizes, " level sizes, size ratio ", ratio),
                       &Grow, options});
    }
    trees.push_back(
        {absl::StrCat("load in key order, then random writes, ", sizes),
         &LoadThenGrow, options});
  }
  options.level_compaction_dynamic_level_bytes = true;
  trees.push_back(
      {"files ingested, and random writes", &IngestAndGrow, options});
  trees.push_back({"one run, after CompactRange", &CompactAtOnce, options});
  options.compaction_style = rocksdb::kCompactionStyleUniversal;
  trees.push_back({"universal", &Grow, options});
  return trees;
}

uint64_t Scaled(double number, const Effort& effort) {
  return static_cast<uint64_t>(number * effort.scale);
}

// Each tree with each kind, by level, against what the same memory gives evenly
// spread: as many queries at the rate of a filter of that size.
void Run(const Effort& effort) {
  const std::vector<Tree> trees = Trees();
  effort.progress->Begin("levels", trees.size() * std::size(kKinds));
  for (const Kind& kind : kKinds) {
    const MeasuredRates rates(kind);
    for (const Tree& tree : trees) {
      GrowingTree growing(
          absl::StrCat(effort.directory, "/", kind.name, tree.name),
          [&kind] { return kind.by_level(10); }, tree.options,
          Scaled(kKeys, effort));
      std::vector<double> of_uniform, bits;
      tree.growth(growing, [&] {
        growing.Rest();
        const TreeFigures at_rest = growing.OfTables();
        if (at_rest.keys < kFirstKeys * effort.scale) return;
        const TreeFigures absent = growing.LookUp(Scaled(kLookups, effort));
        bits.push_back(absent.bits_per_key);
        of_uniform.push_back(absent.false_positives /
                             (absent.queries * rates.At(absent.bits_per_key)));
      });
      std::sort(of_uniform.begin(), of_uniform.end());
      std::sort(bits.begin(), bits.end());
      const std::pair<const char*, double> results[] = {
          {"bits per key, least", bits.front()},
          {"bits per key, most", bits.back()},
          {"of uniform, median", of_uniform[of_uniform.size() / 2]},
          {"of uniform, most", of_uniform.back()}};
      for (const auto& [quantity, value] : results) {
        PrintResult(tree.name, kind.name, quantity, value);
      }
      effort.progress->Advance(1);
    }
  }
  effort.progress->End();
}

}  // namespace

Plan LevelPlan() { return {"levels", &Run}; }

}  // namespace oneline
