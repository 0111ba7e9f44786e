#include <rocksdb/options.h>
#include <rocksdb/table.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "bench/databases/grown_database.h"
#include "bench/databases/plans.h"
#include "bench/measure/measuring_program.h"

namespace oneline {
namespace {

using rocksdb::BlockBasedTableOptions;

// If the scale is 1. Figures begin at a million keys.
constexpr double kKeys = 4e6, kFirstKeys = 1e6, kLookups = 2e5;

// The constants are those of Pebble's progressive policy, for its levels 0 to
// 6, which have dynamic sizes.
constexpr struct {
  const char* plan;
  const char* name;
  const char* policy;
} kPolicies[] = {{"levels ", "oneline:10", "oneline:10"},
                 {"pebble ", "Pebble's constants",
                  "{id=oneline;level_bits_per_key=16:16:16:16:14:10:8}"}};

// What happens to a database, in shares of its keys.
struct Step {
  enum What { kOpen, kOpenWithBloom, kWrite, kIngest, kCompactAll, kRest };
  What what;
  double from = 0, to = 0;
  Order order = Order::kRandom;
};

struct Tree {
  rocksdb::Options options;
  bool is_sorted = false;  // all keys are written in order
};

struct History {
  std::string name;
  std::vector<Step> steps;
  double share = 1;              // of the keys
  std::vector<Tree> trees = {};  // of as many databases on one policy
  BlockBasedTableOptions table = {};
  bool counts_few = false;  // figures begin with the first keys
};

Tree NewTree(double size_ratio = 10, bool is_dynamic = true) {
  Tree tree;
  tree.options.max_bytes_for_level_multiplier = size_ratio;
  tree.options.level_compaction_dynamic_level_bytes = is_dynamic;
  return tree;
}

// Random keys, with restarts.
std::vector<Step> Growth() {
  std::vector<Step> steps;
  for (int i = 0; i < 20; ++i) {
    steps.push_back({Step::kOpen});
    steps.push_back({Step::kWrite, i / 20., (i + 1) / 20.});
    steps.push_back({Step::kRest});
  }
  return steps;
}

// A load in key order, at rest and after each of a few random writes.
std::vector<Step> SortedLoad() {
  std::vector<Step> steps = {
      {Step::kOpen}, {Step::kWrite, 0, 1, Order::kSorted}, {Step::kRest}};
  for (int i = 0; i < 4; ++i) {
    steps.push_back({Step::kWrite, i / 16., (i + 1) / 16.});
    steps.push_back({Step::kRest});
  }
  return steps;
}

std::vector<Step> Ingestion() {
  std::vector<Step> steps = {{Step::kOpen}};
  for (int i = 0; i < 8; ++i) {
    steps.push_back({Step::kIngest, i / 8., (i + 1) / 8.});
    steps.push_back({Step::kWrite, i / 80., (i + 1) / 80.});
    steps.push_back({Step::kRest});
  }
  return steps;
}

// The first half with RocksDB's Bloom filters.
std::vector<Step> Migration() {
  std::vector<Step> steps = {
      {Step::kOpenWithBloom}, {Step::kWrite, 0, 0.5}, {Step::kRest}};
  for (int i = 5; i < 10; ++i) {
    steps.push_back({Step::kOpen});
    steps.push_back({Step::kWrite, i / 10., (i + 1) / 10.});
    steps.push_back({Step::kRest});
  }
  return steps;
}

// Many databases, a quarter of which are loaded in key order.
History Many() {
  History many;
  many.name = "24 databases on one policy";
  many.steps = {{Step::kOpen}};
  for (int i = 0; i < 24; ++i) {
    many.trees.push_back(NewTree(i % 2 == 0 ? 10 : 4, i % 3 > 0));
    many.trees.back().is_sorted = i % 4 == 3;
  }
  for (int i = 0; i < 4; ++i) {
    many.steps.push_back({Step::kWrite, i / 4., (i + 1) / 4.});
    many.steps.push_back({Step::kRest});
  }
  many.share = 1 / 24.;
  many.counts_few = true;
  return many;
}

std::vector<History> Histories() {
  std::vector<History> all;
  const auto grow = [&all](const char* name, Tree tree,
                           const BlockBasedTableOptions& table = {}) {
    all.push_back({name, Growth(), 1, {std::move(tree)}, table});
  };
  for (const bool is_dynamic : {true, false}) {
    for (const int ratio : {4, 6, 10}) {
      std::string name =
          absl::StrCat(is_dynamic ? "dynamic, " : "static, ", ratio);
      if (name == "dynamic, 4") name = "dynamic level sizes, size ratio 4";
      grow(name.c_str(), NewTree(ratio, is_dynamic));
    }
  }
  BlockBasedTableOptions cached;
  cached.cache_index_and_filter_blocks = true;
  grow("dynamic, 10, filters in the block cache", NewTree(), cached);
  BlockBasedTableOptions partitioned = cached;
  partitioned.partition_filters = true;
  partitioned.index_type = BlockBasedTableOptions::kTwoLevelIndexSearch;
  grow("static, 10, partitioned filters", NewTree(10, false), partitioned);
  Tree few_open = NewTree();
  few_open.options.max_open_files = 20;
  grow("dynamic, 10, max_open_files=20", few_open);
  Tree universal;
  universal.options.compaction_style = rocksdb::kCompactionStyleUniversal;
  grow("universal", universal);
  all.push_back({"one run, after CompactRange",
                 {{Step::kOpen},
                  {Step::kWrite, 0, 1},
                  {Step::kCompactAll},
                  {Step::kRest}},
                 0.25,
                 {NewTree()}});
  const char* const kSortedLoad = "load in key order, then random writes; ";
  for (const bool is_dynamic : {true, false}) {
    all.push_back(
        {absl::StrCat(kSortedLoad, is_dynamic ? "dynamic, 10" : "static, 10"),
         SortedLoad(),
         0.25,
         {NewTree(10, is_dynamic)},
         {},
         true});
  }
  all.push_back({"load of 300,000 keys in order, then random writes",
                 SortedLoad(),
                 0.075,
                 {NewTree()},
                 {},
                 true});
  all.push_back(
      {"files ingested, and random writes", Ingestion(), 0.25, {NewTree()}});
  all.push_back(Many());
  all.push_back({"tables with RocksDB's Bloom still there",
                 Migration(),
                 0.5,
                 {NewTree()}});
  return all;
}

uint64_t KeysOf(const History& history, const Effort& effort) {
  return static_cast<uint64_t>(kKeys * effort.scale * history.share);
}

using Grown = std::vector<std::unique_ptr<GrownDatabase>>;

// All databases take the step, one after the other.
void Take(const Step& step, const History& history, const char* policy,
          uint64_t keys, const Grown& databases) {
  const auto first = static_cast<uint64_t>(step.from * double(keys));
  const auto last = static_cast<uint64_t>(step.to * double(keys));
  // A new one, which knows nothing of the tree, as after a restart.
  const auto opened = NewPolicy(
      step.what == Step::kOpenWithBloom ? "bloomfilter:10:false" : policy);
  for (size_t i = 0; i < databases.size(); ++i) {
    GrownDatabase& database = *databases[i];
    switch (step.what) {
      case Step::kOpen:
      case Step::kOpenWithBloom:
        database.Open(opened);
        break;
      case Step::kWrite:
        database.Write(
            first, last,
            history.trees[i].is_sorted ? Order::kSorted : step.order);
        break;
      case Step::kIngest:
        database.Ingest(first, last);
        break;
      case Step::kCompactAll:
        database.CompactAll();
        break;
      case Step::kRest:
        database.Rest();
    }
  }
}

void PrintRests(const std::string& of, const std::string& filter,
                const std::vector<FalsePositives>& rests) {
  if (rests.empty()) return;
  std::vector<double> bits, same, ten;
  for (const FalsePositives& rest : rests) {
    bits.push_back(rest.bits_per_key());
    same.push_back(rest.counted / rest.uniform);
    ten.push_back(rest.counted / rest.uniform10);
  }
  for (auto* values : {&bits, &same, &ten}) {
    std::sort(values->begin(), values->end());
  }
  const size_t middle = rests.size() / 2;
  const std::pair<const char*, double> results[] = {
      {"bits per key, least", bits.front()},
      {"bits per key, most", bits.back()},
      {"of uniform, median", same[middle]},
      {"of uniform, most", same.back()},
      {"of uniform 10 bits, median", ten[middle]},
      {"of uniform 10 bits, most", ten.back()}};
  for (const auto& [quantity, value] : results) {
    PrintResult(of, filter, quantity, value);
  }
}

void Run(const History& history, const char* name, const char* policy,
         const Effort& effort) {
  const uint64_t keys = KeysOf(history, effort);
  Grown databases;
  for (const Tree& tree : history.trees) {
    databases.push_back(std::make_unique<GrownDatabase>(
        absl::StrCat(effort.directory, "/", databases.size()), keys,
        tree.options, history.table));
  }
  const auto lookups = static_cast<uint64_t>(
      std::max(kLookups * effort.scale, 1000.) / double(databases.size()));
  effort.progress->Begin(history.name, history.steps.size());
  std::vector<FalsePositives> rests;
  for (const Step& step : history.steps) {
    Take(step, history, policy, keys, databases);
    effort.progress->Advance(1);
    if (step.what != Step::kRest) continue;
    FalsePositives sum;
    for (const auto& database : databases) {
      sum += database->LookUpAbsent(lookups);
    }
    // Of a tree of a few write buffers there is nothing to say.
    if (history.counts_few || sum.keys >= kFirstKeys * effort.scale) {
      rests.push_back(sum);
    }
  }
  effort.progress->End();
  PrintRests(history.name, name, rests);
}

// Some have bits with which they waste about as many reads as RocksDB's Bloom
// filters do.
constexpr const char* kHitPolicies[] = {
    "bloomfilter:10:false",
    "{id=oneline;bits_by_level=false}",
    "oneline:10",
    "{id=oneline;hits=0.5}",
    "{id=oneline;hits=0.9}",
    "{id=oneline;hits=0.99}",
    "{id=oneline;bits_per_key=6;hits=0.5}",
    "{id=oneline;bits_per_key=6.8;hits=0.9}",
    "{id=oneline;bits_per_key=9.5;hits=0.99}",
    "{id=oneline;bits_per_key=8;hits=0.9}",
    "{id=oneline;bits_per_key=10;hits=0.995}",
};

// The same tree with each policy, and the data blocks that 1000 lookups waste,
// of which a share finds its key: so a row with hits also shows what a wrong
// share costs.
void RunHits(const Effort& effort) {
  const auto keys = static_cast<uint64_t>(kKeys / 2 * effort.scale);
  const auto lookups =
      static_cast<uint64_t>(std::max(kLookups * effort.scale, 1000.));
  effort.progress->Begin("hits", std::size(kHitPolicies));
  for (const char* policy : kHitPolicies) {
    GrownDatabase database(absl::StrCat(effort.directory, "/", policy), keys,
                           NewTree().options);
    database.Open(NewPolicy(policy));
    database.Write(0, keys, Order::kRandom);
    database.Rest();
    const std::string name =
        absl::StrReplaceAll(policy, {{"{id=oneline;", ""}, {"}", ""}});
    PrintResult("bits per key", name, "hits", database.BitsPerKey());
    for (const KeyLaw law : {KeyLaw::kUniform, KeyLaw::kZipf}) {
      for (const int percent : {0, 50, 90, 99}) {
        PrintResult(
            absl::StrCat(law == KeyLaw::kZipf ? "Zipf, " : "", percent, "%"),
            name, "hits",
            1000 * database.WastedReads(lookups, percent / 100., keys, law));
      }
    }
    effort.progress->Advance(1);
  }
  effort.progress->End();
}

}  // namespace

std::vector<Plan> LevelPlans() {
  std::vector<Plan> plans;
  for (const auto& policy : kPolicies) {
    const bool is_ours = &policy == &kPolicies[0];
    for (const History& history : Histories()) {
      if (!is_ours && !absl::StrContains(history.name, "dynamic")) continue;
      plans.push_back({policy.plan + history.name, [=](const Effort& effort) {
                         Run(history, policy.name, policy.policy, effort);
                       }});
    }
  }
  plans.push_back({"hits", &RunHits});
  return plans;
}

}  // namespace oneline
