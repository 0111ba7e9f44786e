#include "tests/filter_policy/history_setup.h"

#include <iterator>

namespace oneline {
namespace {

constexpr const char* kOurs[] = {
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
constexpr const char* kOthers[] = {
    "nullptr",
    "bloomfilter:10:false",
    "bloomfilter:8:false",
    "ribbonfilter:10:-1",
    "ribbonfilter:10:0",
};

template <typename Range>
const auto& OneOf(const Range& range, std::mt19937_64& random) {
  return range[random() % std::size(range)];
}

}  // namespace

std::ostream& operator<<(std::ostream& out, const HistoryWorld& world) {
  return out << (world.universal ? "universal" : "leveled")
             << (world.prefixes ? ", prefixes" : "")
             << (world.transactions ? ", transactions" : "")
             << (world.timestamps ? ", timestamps" : "")
             << (world.row_cache ? ", row cache" : "");
}

std::ostream& operator<<(std::ostream& out, const HistorySetup& setup) {
  for (const std::string& policy : setup.policies) out << policy << ", ";
  return out << setup.layout << ", format " << setup.format_version
             << (setup.for_memory ? ", for memory" : "")
             << (setup.for_hits ? ", for hits" : "")
             << (setup.large_tables ? ", large tables" : "");
}

HistoryWorld WorldOf(int number) {
  HistoryWorld world;
  world.prefixes = number % 2 == 1;
  world.transactions = number / 2 % 2 == 1;
  world.universal = number / 4 % 2 == 1;
  // Neither of the two goes with transactions.
  world.timestamps = number == 1 || number == 4;
  world.row_cache = number == 2 || number == 7;
  return world;
}

HistorySetup Unfiltered() {
  HistorySetup setup;
  setup.policies = {"nullptr"};
  setup.layout = kTableLayouts[0];
  return setup;
}

HistorySetup DrawSetup(std::mt19937_64& random) {
  const auto is = [&random] { return random() % 3 == 0; };
  HistorySetup setup;
  setup.policies = {OneOf(kOurs, random)};
  for (uint64_t n = random() % 4; n > 0; --n) {
    setup.policies.push_back(is() ? OneOf(kOthers, random)
                                  : OneOf(kOurs, random));
  }
  setup.layout = OneOf(kTableLayouts, random);
  setup.format_version = 3 + static_cast<uint32_t>(random() % 3);
  setup.for_memory = is();
  setup.for_hits = is();
  setup.large_tables = is();
  return setup;
}

}  // namespace oneline
