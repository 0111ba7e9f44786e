#include "tests/filter_policy/random_history.h"

#include <vector>

namespace oneline {
namespace {

struct Row {
  Action action;
  const char* name;
  int weight;
};

constexpr Row kActions[] = {
    {Action::kPut, "put", 30},
    {Action::kDelete, "delete", 8},
    {Action::kSingleDelete, "single delete", 6},
    {Action::kMerge, "merge", 5},
    {Action::kDeleteRange, "delete range", 3},
    {Action::kTransaction, "transaction", 6},
    {Action::kGet, "get", 30},
    {Action::kMultiGet, "multi get", 20},
    {Action::kScan, "scan", 10},
    {Action::kScanBackwards, "scan backwards", 8},
    {Action::kSeekPrefix, "seek prefix", 20},
    {Action::kSnapshot, "snapshot", 3},
    {Action::kReleaseSnapshot, "release snapshot", 3},
    {Action::kCreateFamily, "create family", 2},
    {Action::kDropFamily, "drop family", 1},
    {Action::kIngest, "ingest", 3},
    {Action::kFill, "fill", 2},
    {Action::kFlush, "flush", 10},
    {Action::kCompact, "compact", 4},
    {Action::kSetOptions, "set options", 2},
    {Action::kRefilter, "refilter", 3},
    {Action::kReopen, "reopen", 2},
};

}  // namespace

std::ostream& operator<<(std::ostream& out, Action action) {
  for (const Row& row : kActions) {
    if (row.action == action) return out << row.name;
  }
  return out;
}

std::ostream& operator<<(std::ostream& out, const Operation& operation) {
  return out << operation.action << " " << operation.seed;
}

std::vector<Action> AllActions() {
  std::vector<Action> actions;
  for (const Row& row : kActions) actions.push_back(row.action);
  return actions;
}

History RandomHistory(int operations, std::mt19937_64& random) {
  std::vector<int> weights;
  for (const Row& row : kActions) weights.push_back(row.weight);
  std::discrete_distribution<size_t> draw(weights.begin(), weights.end());
  History history;
  for (int i = 0; i < operations; ++i) {
    history.push_back({kActions[draw(random)].action, random()});
  }
  for (const Row& row : kActions) {
    const auto at = static_cast<ptrdiff_t>(random() % (history.size() + 1));
    history.insert(history.begin() + at, {row.action, random()});
  }
  return history;
}

}  // namespace oneline
