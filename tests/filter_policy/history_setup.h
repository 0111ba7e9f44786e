// The options of databases that histories happen to, drawn.

#ifndef ONELINE_TESTS_FILTER_POLICY_HISTORY_SETUP_H_
#define ONELINE_TESTS_FILTER_POLICY_HISTORY_SETUP_H_

#include <cstdint>
#include <ostream>
#include <random>
#include <string>
#include <vector>

#include "tests/filter_policy/table_layouts.h"

namespace oneline {

// What all databases of one history have in common.
struct HistoryWorld {
  bool prefixes = false;
  bool transactions = false;  // a TransactionDB
  bool universal = false;
  bool timestamps = false;  // without automatic compactions
  bool row_cache = false;   // without DeleteRange
};

// In which they differ: none of it may change an answer.
struct HistorySetup {
  // Filter policies as text: the first is opened with, each reopening takes the
  // next one.
  std::vector<std::string> policies;
  TableLayout layout;  // its prefixes and kind are those of world and policies
  uint32_t format_version = 5;
  bool for_memory = false;    // optimize_filters_for_memory
  bool for_hits = false;      // optimize_filters_for_hits
  bool large_tables = false;  // otherwise of some 16 KiB
};

std::ostream& operator<<(std::ostream& out, const HistoryWorld& world);
std::ostream& operator<<(std::ostream& out, const HistorySetup& setup);

inline constexpr int kNumWorlds = 8;

// The world with this number, from 0 to 7: together they have all pairs of
// prefixes, transactions and kinds of compaction, and whatever RocksDB refuses
// in one world is in another.
HistoryWorld WorldOf(int number);

// Without filters, and nothing else that is unusual.
HistorySetup Unfiltered();

// The first policy is ours.
HistorySetup DrawSetup(std::mt19937_64& random);

}  // namespace oneline

#endif  // ONELINE_TESTS_FILTER_POLICY_HISTORY_SETUP_H_
