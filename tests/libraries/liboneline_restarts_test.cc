// A database that one run of a program writes with liboneline_preload.so
// preloaded, the next without it, and so on: it loses no key, and the tables
// that our library wrote are filtered whenever it is there.

#include <gtest/gtest.h>

#include <cstddef>
#include <random>
#include <set>
#include <string>

#include "tests/libraries/preloaded_programs.h"
#include "tests/random_rounds.h"
#include "tests/test_seed.h"

namespace oneline {
namespace {

// The environment of a run: our library replaces filters, is there, is not.
constexpr size_t kEnvironments = 4;

// The filter policy of a run.
constexpr size_t kPolicies = 5;

// A run is a number: an environment and a policy. Each of them reads what the
// others wrote.
constexpr size_t kRuns = kEnvironments * kPolicies;

class RestartsTest : public LibraryTest {
 protected:
  static std::string EnvironmentOf(size_t run) {
    const std::string environments[kEnvironments] = {
        Preload(Replace("1")),
        Preload(Replace("{id=oneline;kind=bloom;bits_per_key=6}")), Preload(),
        ""};
    return environments[run % kEnvironments];
  }

  std::string PolicyOf(size_t run) const {
    switch (run / kEnvironments) {
      case 0:
        return "--bloom_bits=10";
      case 1:
        return "--bloom_bits=8 --use_ribbon_filter";
      case 2:
        return OptionsFile("{id=oneline;bits_per_key=12;hash_seed=7}");
      case 3:
        return OptionsFile("bloomfilter:10:false");
      default:
        return "--bloom_bits=-1";
    }
  }

  // The names of the policies that wrote the tables.
  std::set<std::string> Writers() const {
    const std::string label = "filter policy name: ";
    const std::string dump = Dump("").out;
    std::set<std::string> writers;
    for (size_t at = dump.find(label); at != std::string::npos;
         at = dump.find(label, at + 1)) {
      const size_t name = at + label.size();
      writers.insert(dump.substr(name, dump.find('\n', name) - name));
    }
    return writers;
  }
};

// Fill and Read expect that all keys are found, and no other.
TEST_F(RestartsTest, NoKeyIsLostWithTheLibraryAndWithout) {
  std::mt19937_64 random = TestRandom();
  Fill(Preload(Replace("1")), "--bloom_bits=10");
  std::set<std::string> writers;
  RandomRounds writing(kRuns, random), reading(kRuns, random);
  for (size_t i = 0; i < kRuns && !HasFailure(); ++i) {
    const size_t reader = reading.Next();
    if (i % 2 == 0) {
      const size_t writer = writing.Next();
      SCOPED_TRACE(EnvironmentOf(writer) + PolicyOf(writer));
      Fill(EnvironmentOf(writer),
           "--use_existing_db --writes=3000 " + PolicyOf(writer),
           random() % 3 == 0 ? "overwrite,flush,compact" : "overwrite,flush");
      writers.merge(Writers());
    }
    SCOPED_TRACE(EnvironmentOf(reader) + PolicyOf(reader));
    Read(EnvironmentOf(reader), PolicyOf(reader));
  }
  EXPECT_EQ(writers.count("oneline"), 1u);

  // Each of the two last runs finds the other's tables beside its own.
  Fill("", "--use_existing_db --writes=3000 --bloom_bits=10",
       "overwrite,flush,compact");
  EXPECT_GT(Useful(Read("", "--bloom_bits=10")), 0);
  Fill(Preload(Replace("1")), "--use_existing_db --writes=3000 --bloom_bits=10",
       "overwrite,flush");
  EXPECT_EQ(Writers(), (std::set<std::string>{"bloomfilter", "oneline"}));
  EXPECT_GT(Useful(Read(Preload(Replace("1")), "--bloom_bits=10")),
            0.98 * kKeys);
  Read("", "--bloom_bits=10");
}

}  // namespace
}  // namespace oneline
