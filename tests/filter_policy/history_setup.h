// The options of databases that histories happen to, drawn.

#ifndef ONELINE_TESTS_FILTER_POLICY_HISTORY_SETUP_H_
#define ONELINE_TESTS_FILTER_POLICY_HISTORY_SETUP_H_

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

inline std::ostream& operator<<(std::ostream& out, const HistorySetup& setup) {
  for (const std::string& policy : setup.policies) out << policy << ", ";
  return out << setup.layout << ", format " << setup.format_version
             << (setup.for_memory ? ", for memory" : "")
             << (setup.for_hits ? ", for hits" : "")
             << (setup.large_tables ? ", large tables" : "");
}

inline constexpr int kNumWorlds = 8;

// The world with this number, from 0 to 7: together they have all pairs of
// prefixes, transactions and kinds of compaction, and whatever RocksDB refuses
// in one world is in another.
inline HistoryWorld WorldOf(int number) {
  HistoryWorld world;
  world.prefixes = number % 2 == 1;
  world.transactions = number / 2 % 2 == 1;
  world.universal = number / 4 % 2 == 1;
  // Neither of the two goes with transactions.
  world.timestamps = number == 1 || number == 4;
  world.row_cache = number == 2 || number == 7;
  return world;
}

// Without filters, and nothing else that is unusual.
inline HistorySetup Unfiltered() {
  HistorySetup setup;
  setup.policies = {"nullptr"};
  setup.layout = kTableLayouts[0];
  return setup;
}

inline constexpr const char* kHistoryOurs[] = {
    "oneline:10",
    "oneline:5",
    "oneline:20",
    "{id=oneline;fp_rate=0.02}",
    "{id=oneline;kind=bloom;bits_per_key=7}",
    "{id=oneline;bits_per_key=10;bloom_before_level=1}",
    "{id=oneline;bits_per_key=16;max_filter_bytes=4096}",
    "{id=oneline;level_bits_per_key=16:12:0:8}",
    "{id=oneline;bits_per_key=8;bits_by_level=false}",
    "{id=oneline;bits_per_key=8;hits=0.9}",
};
inline constexpr const char* kHistoryOthers[] = {
    "nullptr",
    "bloomfilter:10:false",
    "bloomfilter:8:false",
    "ribbonfilter:10:-1",
    "ribbonfilter:10:0",
};

// The first policy is ours.
inline HistorySetup DrawSetup(std::mt19937_64& random) {
  const auto is = [&random] { return random() % 3 == 0; };
  const auto one_of = [&random](const auto& range) {
    return range[random() % std::size(range)];
  };
  HistorySetup setup;
  setup.policies = {one_of(kHistoryOurs)};
  for (uint64_t n = random() % 4; n > 0; --n) {
    setup.policies.push_back(is() ? one_of(kHistoryOthers)
                                  : one_of(kHistoryOurs));
  }
  setup.layout = one_of(kTableLayouts);
  setup.format_version = 3 + static_cast<uint32_t>(random() % 3);
  setup.for_memory = is();
  setup.for_hits = is();
  setup.large_tables = is();
  return setup;
}

}  // namespace oneline

#endif  // ONELINE_TESTS_FILTER_POLICY_HISTORY_SETUP_H_
