#include "filter_policy/rocksdb/rocksdb_live_tables.h"

#include <algorithm>
#include <cassert>
#include <iterator>
#include <set>
#include <utility>

namespace oneline {
namespace {

void Add(const LevelTables& more, LevelTables* sum, int sign = 1) {
  sum->tables += sign * more.tables;
  sum->keys += sign * more.keys;
  sum->filter_bits += sign * more.filter_bits;
}

}  // namespace

class LiveTables::Token {
 public:
  Token(std::shared_ptr<LiveTables> tables, const Trailer& trailer,
        size_t block_bytes)
      : tables_(std::move(tables)),
        place_(trailer.provenance),
        table_{1, static_cast<double>(trailer.num_keys),
               8 * static_cast<double>(block_bytes)} {
    std::lock_guard<std::mutex> lock(tables_->mutex_);
    number_ = tables_->next_table_++;
    if (place_.level == 0) {
      double& average = tables_->level0_keys_[place_.family];
      constexpr double kNews = 0.25;
      average += (average == 0 ? 1 : kNews) * (table_.keys - average);
    }
    Count(1);
  }
  ~Token() {
    std::lock_guard<std::mutex> lock(tables_->mutex_);
    Count(-1);
    // Takes no memory, so that it can't fail.
    const auto found = tables_->merges_.find(place_.family);
    if (found == tables_->merges_.end()) return;
    auto& merges = found->second;
    for (auto merge = merges.lower_bound(place_.level);
         merge != merges.end();) {
      merge =
          number_ < merge->second.end ? merges.erase(merge) : std::next(merge);
    }
  }
  Token(const Token&) = delete;
  Token& operator=(const Token&) = delete;

 private:
  void Count(int sign) const {
    TreeTables& tree = tables_->trees_[place_.family];
    LevelTables& level = tree[place_.level];
    oneline::Add(table_, &level, sign);
    if (level.tables == 0) tree.erase(place_.level);
  }

  const std::shared_ptr<LiveTables> tables_;
  const Provenance place_;
  const LevelTables table_;
  uint64_t number_ = 0;
};

std::shared_ptr<const void> LiveTables::Add(const Trailer& trailer,
                                            size_t block_bytes) {
  return std::make_shared<Token>(shared_from_this(), trailer, block_bytes);
}

// Puts the result of a merge in the place of its tables. Of the result, the
// tables that are complete are in the tree.
void LiveTables::Finish(const Merge& merge, int level, TreeTables* tree) {
  LevelTables all;
  for (const auto& [from, tables] : merge.tables) {
    oneline::Add(tables, &all);
    LevelTables& left = (*tree)[from];
    oneline::Add(tables, &left, -1);
    if (left.tables == 0) tree->erase(from);
  }
  LevelTables& result = (*tree)[level];
  result.tables = std::max(result.tables, all.tables);
  const double missing = std::max(0.0, all.keys - result.keys);
  result.keys += missing;
  result.filter_bits += missing * merge.bits_per_key;
}

void LiveTables::MergeInto(uint8_t family, int level, double bits_per_key) {
  assert(level > 0);
  std::lock_guard<std::mutex> lock(mutex_);
  auto& merges = merges_[family];
  if (merges.count(level) > 0) return;
  // Of merges into levels above, all is merged further.
  merges.erase(merges.begin(), merges.lower_bound(level));
  TreeTables tree = AfterMerges(family);
  tree.erase(tree.upper_bound(level), tree.end());
  if (!tree.empty()) {
    merges[level] = {std::move(tree), bits_per_key, next_table_};
  }
}

TreeTables LiveTables::AfterMerges(uint8_t family) const {
  const auto found = trees_.find(family);
  if (found == trees_.end()) return {};
  TreeTables tree = found->second;
  const auto merges = merges_.find(family);
  if (merges == merges_.end()) return tree;
  // From the deepest on, since a merge has only what deeper ones left.
  for (auto merge = merges->second.rbegin(); merge != merges->second.rend();
       ++merge) {
    Finish(merge->second, merge->first, &tree);
  }
  return tree;
}

double LiveTables::Level0Keys(uint8_t family) const {
  std::lock_guard<std::mutex> lock(mutex_);
  const auto found = level0_keys_.find(family);
  return found == level0_keys_.end() ? 0 : found->second;
}

TreeTables LiveTables::Of(uint8_t family) const {
  std::lock_guard<std::mutex> lock(mutex_);
  TreeTables tree = AfterMerges(family);
  // Files from outside have no level, and may have no family.
  LevelTables outside;
  for (const uint8_t tag : std::set<uint8_t>{family, kUnknownFamily}) {
    const auto found = trees_.find(tag);
    if (found == trees_.end()) continue;
    const auto files = found->second.find(kUnknownLevel);
    if (files != found->second.end()) oneline::Add(files->second, &outside);
  }
  tree.erase(kUnknownLevel);
  if (outside.tables > 0) {
    const int deepest = tree.empty() ? 0 : tree.rbegin()->first;
    oneline::Add(outside, &tree[std::max(deepest, 1)]);
  }
  return tree;
}

}  // namespace oneline
