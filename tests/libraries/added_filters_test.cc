// Tests of ONELINE_ADD_FILTERS: programs that ask for no filter get one with
// liboneline_preload.so, except where it would lose keys.

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/libraries/preloaded_programs.h"
#include "tests/run_program.h"
#include "tests/temporary_directory.h"

namespace oneline {
namespace {

constexpr int kFamilyKeys = 2000;  // as in unfiltered_program.cc

// What the program prints of a column family.
struct Family {
  std::string policy;
  int present = 0, absent = 0, sought = 0, useful = 0;
};
using Families = std::map<std::string, Family>;

std::string Add(const std::string& value) {
  return "ONELINE_ADD_FILTERS='" + value + "'";
}

class AddedFiltersTest : public testing::Test {
 protected:
  // Runs the program and expects that it finds what it wrote.
  Families Run(const std::string& environment, const std::string& how) {
    const Finished program = RunProgram(Preload(environment) +
                                        "tests/libraries/unfiltered_program " +
                                        how + " " + directory_.File("db"));
    EXPECT_EQ(program.exit_code, 0) << program.err;
    messages_ = program.err;
    Families families;
    std::istringstream lines(program.out);
    for (std::string line; std::getline(lines, line);) {
      std::istringstream words(line);
      std::string name;
      Family family;
      words >> name >> family.policy >> family.present >> family.absent >>
          family.sought >> family.useful;
      EXPECT_FALSE(words.fail()) << line;
      EXPECT_EQ(family.present, kFamilyKeys) << line;
      EXPECT_EQ(family.absent, 0) << line;
      EXPECT_EQ(family.sought, kFamilyKeys - 1) << line;
      families[name] = family;
    }
    EXPECT_EQ(families.size(), 5u) << program.out;
    return families;
  }

  std::string messages_;

 private:
  const TemporaryDirectory directory_;
};

TEST_F(AddedFiltersTest, HoweverTheDatabaseIsOpened) {
  for (const char* how : {"write", "open", "readonly", "secondary",
                          "transaction", "optimistic"}) {
    SCOPED_TRACE(how);
    Families families = Run(Add("oneline:10"), how);
    for (const char* name : {"default", "plain"}) {
      EXPECT_EQ(families[name].policy, "oneline");
      EXPECT_GT(families[name].useful, 0.99 * kFamilyKeys);
    }
    EXPECT_EQ(families["bloom"].policy, "bloomfilter");
    for (const char* name : {"caseless", "prefixed"}) {
      EXPECT_EQ(families[name].policy, "none");
      EXPECT_EQ(families[name].useful, 0);
    }
    EXPECT_EQ(
        messages_,
        "oneline: no filter is added where the comparator is caseless: it "
        "may call keys equal that differ for a filter\n"
        "oneline: no filter is added where the prefix extractor is "
        "rocksdb.FixedPrefix: seeks would miss keys beyond their prefix\n");
  }
  // Without the variable the program is as it was, and finds all keys.
  for (const char* environment : {"", "ONELINE_ADD_FILTERS=0"}) {
    for (const auto& [name, family] : Run(environment, "open")) {
      EXPECT_EQ(family.policy, name == "bloom" ? "bloomfilter" : "none");
    }
    EXPECT_EQ(messages_, "");
  }
}

TEST_F(AddedFiltersTest, BothVariablesTogether) {
  Families families =
      Run(Add("1") + " " + Replace("{id=oneline;bits_per_key=5}"), "write");
  EXPECT_GT(families["plain"].useful, 0.99 * kFamilyKeys);
  EXPECT_EQ(families["bloom"].policy, "oneline");
  EXPECT_GT(families["bloom"].useful, 0.9 * kFamilyKeys);
  EXPECT_LT(families["bloom"].useful, 0.99 * kFamilyKeys);
}

TEST_F(LibraryTest, AddsFiltersToDbBench) {
  const std::string before = Preload(Add("{id=oneline;fp_rate=0.02}"));
  const Finished fill = Fill(before, "");
  EXPECT_FALSE(Contains(fill.err, "oneline")) << fill.err;
  EXPECT_EQ(
      SavedOptions(),
      (std::set<std::string>{"id=oneline", "hash_seed=random", "fp_rate=0.02",
                             "kind=ribbon", "bloom_before_level=-1",
                             "bits_by_level=true", "hits=0",
                             "max_filter_bytes=none"}));
  EXPECT_NEAR(Useful(Read(before, "")) / kKeys, 0.98, 0.005);
  EXPECT_EQ(Useful(Read("", "")), 0);
  Fill(Preload(Add("oneline:12")), "");
  ExpectFilters("oneline", 12);
  Fill(Preload(Add("oneline:12")), "--bloom_bits=10");
  ExpectFilters("bloomfilter", 10);
}

TEST_F(LibraryTest, AWrongPolicyToAddIsReportedAndNotAdded) {
  for (const char* value : {"yes", "oneline:101", "bloomfilter:10"}) {
    SCOPED_TRACE(value);
    const Finished fill = Fill(Preload(Add(value)), "");
    const size_t at = fill.err.find("ONELINE_ADD_FILTERS: ");
    EXPECT_NE(at, std::string::npos) << fill.err;
    EXPECT_EQ(at, fill.err.rfind("ONELINE_ADD_FILTERS: "));
    EXPECT_TRUE(Contains(fill.err, "no filter is added")) << fill.err;
    EXPECT_TRUE(Contains(Dump("").out, "filter policy name: N/A"));
  }
}

}  // namespace
}  // namespace oneline
