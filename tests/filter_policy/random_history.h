// Random histories of a database: what is written, read, compacted and
// reopened. The answers to a history must not depend on filters, so databases
// that differ only in these are given the same one, and their answers compared.

#ifndef ONELINE_TESTS_FILTER_POLICY_RANDOM_HISTORY_H_
#define ONELINE_TESTS_FILTER_POLICY_RANDOM_HISTORY_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <ostream>
#include <random>
#include <vector>

namespace oneline {

enum class Action {
  kPut,
  kDelete,
  kSingleDelete,
  kMerge,
  kDeleteRange,
  kTransaction,
  kGet,
  kMultiGet,
  kScan,
  kScanBackwards,
  kSeekPrefix,
  kSnapshot,
  kReleaseSnapshot,
  kCreateFamily,
  kDropFamily,
  kIngest,
  kFill,
  kFlush,
  kCompact,
  kSetOptions,
  kRefilter,
  kReopen,
};

// All that an action draws, it draws from its seed.
struct Operation {
  Action action;
  uint64_t seed;
};

// Its name.
std::ostream& operator<<(std::ostream& out, Action action);
std::ostream& operator<<(std::ostream& out, const Operation& operation);

std::vector<Action> AllActions();

using History = std::vector<Operation>;

// This many operations, each action with the frequency that finds most in
// little time, and among them each action once more.
History RandomHistory(int operations, std::mt19937_64& random);

// A part of the history, after as few operations as removing some at a time
// finds, for which `fails` still holds. REQUIRES: fails(history).
template <typename Fails>
History Minimised(History history, Fails fails) {
  for (size_t part = history.size() / 2; part > 0; part /= 2) {
    for (size_t begin = 0; begin < history.size();) {
      const size_t end = std::min(begin + part, history.size());
      History shorter(history.begin(),
                      history.begin() + static_cast<ptrdiff_t>(begin));
      shorter.insert(shorter.end(),
                     history.begin() + static_cast<ptrdiff_t>(end),
                     history.end());
      if (fails(shorter)) {
        history = shorter;
      } else {
        begin = end;
      }
    }
  }
  return history;
}

}  // namespace oneline

#endif  // ONELINE_TESTS_FILTER_POLICY_RANDOM_HISTORY_H_
