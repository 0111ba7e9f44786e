// `oneline doctor` on databases in which SetOptions went wrong.

#include <gtest/gtest.h>

#include <string>

#include "tests/filter_policy/scratch_database.h"
#include "tests/filter_policy/set_filter_options.h"
#include "tests/tools/doctor/doctor_report.h"

namespace oneline {
namespace {

std::string What(const DoctorReport& report, size_t i) {
  return report.finding(i)["what"].get<std::string>();
}

void ExpectContains(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos)
      << "no \"" << part << "\" in: " << text;
}

// As if SetOptions had put the defaults in the place of the options.
TEST(DoctorSetOptionsTest, FindsLostOptions) {
  const PolicyPtr policy = PolicyNamed("{id=oneline;kind=bloom;hash_seed=2}");
  ScratchDatabase database(OptionsWith(policy));
  database.WriteTable(0, 20000);
  database.CompactAll();
  database.Reopen(OptionsWith(PolicyNamed("oneline")));
  database.Close();
  const DoctorReport lost = RunDoctor(database.path());
  ASSERT_EQ(lost.kinds(), (Kinds{"options-lost", "other-kind"}));
  ExpectContains(What(lost, 0), "{id=oneline;kind=bloom;hash_seed=2}");
  ExpectContains(lost.finding(0)["remedy"],
                 "table_factory.filter_policy.<option>");
  ExpectContains(What(lost, 1),
                 "All options of the policy have their defaults");

  // Now both OPTIONS files have the defaults, and only the tables tell.
  database.Reopen(OptionsWith(PolicyNamed("oneline")));
  database.Close();
  const DoctorReport later = RunDoctor(database.path());
  ASSERT_EQ(later.kinds(), Kinds{"other-kind"});
  ExpectContains(What(later, 0),
                 "All options of the policy have their defaults");

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
  ExpectContains(What(refused, 0), "oneline: bits_per_key=1000: must be");
  ExpectContains(
      What(refused, 0),
      "filter_policy={id=oneline;bits_per_key=12;bits_by_level=false}");

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
