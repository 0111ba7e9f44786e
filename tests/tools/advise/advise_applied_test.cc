// Applies the proposals of `oneline advise`, and checks that filters then have
// the size and the wasted reads that it predicted.

#include <gtest/gtest.h>

#include <string>
#include <unordered_map>
#include <vector>

#include "absl/strings/str_split.h"
#include "tests/filter_policy/scratch_database.h"
#include "tests/tools/advise/advise_database.h"

namespace oneline {
namespace {

using AdviseAppliedTest = AdviseTest;

// Fills a new database with the proposed policy, and compares it with the
// proposal.
void ExpectAsPredicted(const Json& advice) {
  const rocksdb::Options options =
      OptionsWith(PolicyNamed(advice["column_families"][0]["proposed"].text()));
  ScratchDatabase database(options);
  Fill(database.get());
  EXPECT_EQ(database.PolicyNames(), std::vector<std::string>{"oneline"});
  EXPECT_NEAR(FilterBytes(database) / advice["proposed"]["memory"].number(), 1,
              0.02);
  const double predicted = advice["proposed"]["wasted_reads"].number();
  const double measured = MeasuredWastedReads(database);
  EXPECT_NEAR(measured / predicted, 1, 0.3);
  // `oneline advise` finds the same for the filters that are there now.
  const Json now = Advise(database.path(), "")["now"];
  EXPECT_NEAR(now["wasted_reads"].number() / measured, 1, 0.3);
  EXPECT_EQ(now["memory"], FilterBytes(database));
}

TEST_F(AdviseAppliedTest, ProposalsDoWhatTheyPredict) {
  for (const char* policy :
       {"bloomfilter:10:false", "{id=oneline;kind=bloom;bits_per_key=6}"}) {
    SCOPED_TRACE(policy);
    Make(policy);
    const Json advice = Advise(path(), "--memory=20kB");
    EXPECT_LE(advice["proposed"]["memory"], 20000);
    EXPECT_GT(advice["proposed"]["memory"], 19500);
    ExpectAsPredicted(advice);
  }
  Make("none");
  const Json advice = Advise(path(), "--wasted_reads=0.3");
  EXPECT_NEAR(advice["proposed"]["wasted_reads"].number(), 0.3, 0.01);
  ExpectAsPredicted(advice);
}

// The names and values in a call of SetOptions: its texts between quotation
// marks, by turns.
std::unordered_map<std::string, std::string> OptionsIn(
    const std::string& call) {
  const std::vector<std::string> parts = absl::StrSplit(call, '"');
  std::unordered_map<std::string, std::string> options;
  for (size_t i = 1; i + 2 < parts.size(); i += 4) {
    options[parts[i]] = parts[i + 2];
  }
  return options;
}

TEST_F(AdviseAppliedTest, ItsSetOptionsWorkOnline) {
  for (const char* policy : {"oneline:10", "{id=oneline;fp_rate=0.01}",
                             "{id=oneline;bits_by_level=false}",
                             "{id=oneline;level_bits_per_key=20:10}"}) {
    SCOPED_TRACE(policy);
    Make(policy);
    database_->Reopen(OptionsWith(PolicyNamed(policy)));
    const Json family = Advise(path(), "--memory=20kB")["column_families"][0];
    const std::string call = family["set_options"].text();
    ASSERT_TRUE((*database_)->SetOptions(OptionsIn(call)).ok()) << call;
    Rewrite(database_->get(), 4, 4);
    Rewrite(database_->get(), 2, 2);
    const Json after = Advise(path(), "--memory=20kB")["column_families"][0];
    for (const size_t i : {1, 2}) {
      EXPECT_NEAR(after["levels"][i]["now"]["memory"].number() /
                      family["levels"][i]["proposed"]["memory"].number(),
                  1, 0.03)
          << call;
    }
  }
  Make("bloomfilter:10:false");
  EXPECT_EQ(Advise(path(), "")["column_families"][0]["set_options"], nullptr);
}

TEST_F(AdviseAppliedTest, ColumnFamiliesShareMemoryByKeys) {
  Make("bloomfilter:10:false");
  database_->Reopen(OptionsWith(PolicyNamed("bloomfilter:10:false")));
  database_->WriteFamily("other", OptionsWith(OurPolicy(7)), 11200);
  database_->Close();
  const Json both = Advise(path(), "--memory=30kB");
  ASSERT_EQ(both["column_families"].size(), 2u);
  EXPECT_NEAR(both["proposed"]["memory"].number(), 30000, 300);
  const Json other = both["column_families"][1];
  EXPECT_NEAR(other["levels"][0]["proposed"]["memory"].number(), 10000, 100);
  EXPECT_EQ(other["filter_policy"].text().find("{id=oneline;"), 0u);
  const Json one = Advise(path(), "--memory=30kB --column_family=other");
  ASSERT_EQ(one["column_families"].size(), 1u);
  // It has only one level.
  EXPECT_TRUE(Contains(one["column_families"][0]["proposed"].text(),
                       ";bits_by_level=false"));
}

}  // namespace
}  // namespace oneline
