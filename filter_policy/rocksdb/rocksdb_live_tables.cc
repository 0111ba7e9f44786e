#include "filter_policy/rocksdb/rocksdb_live_tables.h"

#include <algorithm>
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
    Count(1);
  }
  ~Token() { Count(-1); }
  Token(const Token&) = delete;
  Token& operator=(const Token&) = delete;

 private:
  void Count(int sign) const {
    std::lock_guard<std::mutex> lock(tables_->mutex_);
    TreeTables& tree = tables_->trees_[place_.family];
    LevelTables& level = tree[place_.level];
    oneline::Add(table_, &level, sign);
    if (level.tables == 0) tree.erase(place_.level);
  }

  const std::shared_ptr<LiveTables> tables_;
  const Provenance place_;
  const LevelTables table_;
};

std::shared_ptr<const void> LiveTables::Add(const Trailer& trailer,
                                            size_t block_bytes) {
  return std::make_shared<Token>(shared_from_this(), trailer, block_bytes);
}

TreeTables LiveTables::Of(uint8_t family) const {
  std::lock_guard<std::mutex> lock(mutex_);
  TreeTables tree;
  LevelTables outside;
  for (const uint8_t tag : std::set<uint8_t>{family, kUnknownFamily}) {
    const auto found = trees_.find(tag);
    if (found == trees_.end()) continue;
    for (const auto& [level, tables] : found->second) {
      if (level == kUnknownLevel) {
        oneline::Add(tables, &outside);
      } else if (tag == family) {
        tree[level] = tables;
      }
    }
  }
  if (outside.tables > 0) {
    const int deepest = tree.empty() ? 0 : tree.rbegin()->first;
    oneline::Add(outside, &tree[std::max(deepest, 1)]);
  }
  return tree;
}

}  // namespace oneline
