// A database that one run of a program writes with liboneline.so preloaded, the
// next without it, and so on: it loses no key, and the tables that our library
// wrote are filtered whenever it is there.

#include <gtest/gtest.h>

#include <cstddef>
#include <iterator>
#include <random>
#include <set>
#include <string>

#include "tests/libraries/preloaded_programs.h"
#include "tests/test_seed.h"

namespace oneline {
namespace {

constexpr int kRestarts = 8;

class RestartsTest : public LibraryTest {
 protected:
  // The environment of a run: our library replaces filters, is there, is not.
  static std::string RandomEnvironment(std::mt19937_64& random) {
    switch (random() % 5) {
      case 0:
        return Preload(Replace("1"));
      case 1:
        return Preload(Replace("{id=oneline;kind=bloom;bits_per_key=6}"));
      case 2:
        return Preload();
      default:
        return "";
    }
  }

  // The filter policy of a run.
  std::string RandomPolicy(std::mt19937_64& random) const {
    const std::string kPolicies[] = {
        "--bloom_bits=10",
        "--bloom_bits=8 --use_ribbon_filter",
        OptionsFile("{id=oneline;bits_per_key=12;hash_seed=7}"),
        OptionsFile("bloomfilter:10:false"),
        "--bloom_bits=-1",
    };
    return kPolicies[random() % std::size(kPolicies)];
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
  for (int restart = 0; restart < kRestarts && !HasFailure(); ++restart) {
    const std::string before = RandomEnvironment(random);
    const std::string policy = RandomPolicy(random);
    SCOPED_TRACE(before + policy);
    if (random() % 4 != 0) {
      Fill(before, "--use_existing_db --writes=3000 " + policy,
           random() % 3 == 0 ? "overwrite,flush,compact" : "overwrite,flush");
    }
    Read(RandomEnvironment(random), RandomPolicy(random));
    writers.merge(Writers());
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
