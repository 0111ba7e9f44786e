// `oneline doctor` on databases in which SetOptions went wrong.

#include <gtest/gtest.h>

#include <string>

#include "tests/filter_policy/scratch_database.h"
#include "tests/filter_policy/set_filter_options.h"
#include "tests/tools/doctor/doctor_report.h"

namespace oneline {
namespace {

// As if SetOptions had put the defaults in the place of the options.
TEST(DoctorSetOptionsTest, FindsLostOptions) {
  const PolicyPtr policy = PolicyNamed("{id=oneline;kind=bloom;hash_seed=2}");
  ScratchDatabase database(OptionsWith(policy), 20000);
  database.CompactAll();
  database.Reopen(OptionsWith(PolicyNamed("oneline")));
  const DoctorReport lost = RunDoctor(database);
  ASSERT_EQ(lost.kinds(), (Kinds{"options-lost", "other-kind"}));
  EXPECT_TRUE(Contains(lost.what(0), "{id=oneline;kind=bloom;hash_seed=2}"));
  EXPECT_TRUE(Contains(lost.finding(0)["remedy"].text(),
                       "table_factory.filter_policy.<option>"));
  EXPECT_TRUE(
      Contains(lost.what(1), "All options of the policy have their defaults"))
      << lost.what(1);

  // Now both OPTIONS files have the defaults, and only the tables tell.
  database.Reopen(OptionsWith(PolicyNamed("oneline")));
  const DoctorReport later = RunDoctor(database);
  ASSERT_EQ(later.kinds(), Kinds{"other-kind"});
  EXPECT_TRUE(
      Contains(later.what(0), "All options of the policy have their defaults"))
      << later.what(0);

  database.Reopen(OptionsWith(policy));
  ExpectHealthy(database);
  // Options that differ from the defaults were set by somebody.
  database.Reopen(OptionsWith(PolicyNamed("{id=oneline;kind=bloom}")));
  ExpectHealthy(database);
}

TEST(DoctorSetOptionsTest, FindsRefusedOptions) {
  ScratchDatabase database(OptionsWith(OurPolicy(12)));
  ExpectRefused(SetFilterOptions(database, "bits_per_key=1000", Form::kDotted));
  database.WriteTable(0, 20000);
  const DoctorReport refused = RunDoctor(database.path());
  ASSERT_EQ(refused.kinds(), Kinds{"refused-options"});
  EXPECT_EQ(refused.finding(0)["column_family"], "default");
  EXPECT_TRUE(ContainsAll(
      refused.what(0),
      {"oneline: bits_per_key=1000: must be",
       "filter_policy={id=oneline;bits_per_key=12;bits_by_level=false}"}));

  // A right value takes the finding away.
  ASSERT_TRUE(
      SetFilterOptions(database, "bits_per_key=14", Form::kDotted).ok());
  database.CompactAll();
  EXPECT_EQ(RunDoctor(database.path()).kinds(), Kinds{});

  // So does another run.
  ExpectRefused(SetFilterOptions(database, "kind=cuckoo", Form::kDotted));
  database.WriteTable(20000, 30000);
  EXPECT_EQ(RunDoctor(database.path()).kinds(), Kinds{"refused-options"});
  database.Reopen(OptionsWith(OurPolicy(14)));
  ExpectHealthy(database);
}

}  // namespace
}  // namespace oneline
