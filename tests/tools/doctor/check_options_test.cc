// `oneline doctor` where SetOptions went wrong, where nobody asks for filters
// any more, and with --expect: tools/doctor/check_options.cc.

#include "tests/filter_policy/scratch_database.h"
#include "tests/filter_policy/set_filter_options.h"
#include "tests/tools/doctor/doctor_report.h"

namespace oneline {
namespace {

// As if SetOptions had put the defaults in the place of the options.
TEST(CheckOptionsTest, FindsLostOptions) {
  const char kDefaults[] = "All options of the policy have their defaults";
  const PolicyPtr policy = PolicyNamed("{id=oneline;kind=bloom;hash_seed=2}");
  ScratchDatabase database(OptionsWith(policy), 20000);
  database.CompactAll();
  database.Reopen(OptionsWith(PolicyNamed("oneline")));
  const DoctorReport lost = RunDoctor(database);
  ASSERT_EQ(lost.kinds(), (Kinds{"options-lost", "other-kind"}));
  EXPECT_TRUE(Contains(lost.what(0), "{id=oneline;kind=bloom;hash_seed=2}"));
  EXPECT_TRUE(Contains(lost.remedy(0), "table_factory.filter_policy.<option>"));
  EXPECT_TRUE(Contains(lost.what(1), kDefaults));

  // Now both OPTIONS files have the defaults, and only the tables tell.
  database.Reopen(OptionsWith(PolicyNamed("oneline")));
  ExpectFinding(RunDoctor(database), "other-kind", {kDefaults});

  database.Reopen(OptionsWith(policy));
  ExpectHealthy(database);
  // Options that differ from the defaults were set by somebody.
  database.Reopen(OptionsWith(PolicyNamed("{id=oneline;kind=bloom}")));
  ExpectHealthy(database);
}

// With RocksDB's option the policy's does nothing.
TEST(CheckOptionsTest, SaysThatTheLastLevelHasNoFilters) {
  for (const char* policy : {"oneline:10", "{id=oneline;hits=0.5}"}) {
    rocksdb::Options options = OptionsWith(PolicyNamed(policy));
    options.optimize_filters_for_hits = true;
    ScratchDatabase database(options, 1000);
    database.CompactAll();
    const DoctorReport report = RunDoctor(database);
    EXPECT_EQ(report.kinds(), Kinds{});
    const std::string note = report.json["notes"][0].text();
    EXPECT_TRUE(ContainsAll(note, {"optimize_filters_for_hits", "last level"}));
    EXPECT_EQ(Contains(note, "hits=0.5 does nothing"),
              Contains(policy, "hits=0.5"));
  }
}

TEST(CheckOptionsTest, FindsRefusedOptions) {
  ScratchDatabase database(OptionsWith(OurPolicy(12)));
  ExpectRefused(SetFilterOptions(database, "bits_per_key=1000", Form::kDotted));
  database.WriteTable(0, 20000);
  const DoctorReport refused = RunDoctor(database.path());
  ExpectFinding(
      refused, "refused-options",
      {"oneline: bits_per_key=1000: must be",
       "filter_policy={id=oneline;bits_per_key=12;bits_by_level=false}"});
  EXPECT_EQ(refused.finding(0)["column_family"], "default");

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

// A database that was written with our policy, and then opened, written and
// compacted three times without it, until no table has a filter. From the fault
// to the last table's filter.
TEST(ExpectTest, TheAlarmIsOnUntilTheFaultIsRepaired) {
  ScratchDatabase database(OptionsWith(OurPolicy(10)));
  database.WriteTable(0, 4000);
  for (int i = 0; i < 3; ++i) {
    database.Reopen(OptionsWith(nullptr));
    database.WriteTable(0, 4000);
    database.CompactAll();
  }
  EXPECT_EQ(database.FilterBitsPerKey(), 0);
  const DoctorReport policy_gone = RunDoctor(database);
  ExpectFinding(policy_gone, "policy-gone", {"is oneline in LOG.old."});
  EXPECT_TRUE(policy_gone.has_fault());
  for (const char* none : {"--expect=none", "--expect=default:none"}) {
    const DoctorReport expected = RunDoctor(database, none);
    EXPECT_EQ(expected.kinds(), Kinds{});
    EXPECT_EQ(expected.json["notes"].size(), 0u);
  }
  const std::string expect = "--expect=oneline";
  const DoctorReport gone = RunDoctor(database, expect);
  ExpectFinding(gone, "not-as-expected",
                {"filter_policy=nullptr, but --expect is oneline"});
  EXPECT_TRUE(gone.has_fault());
  EXPECT_EQ(gone.finding(0)["levels"][0]["keys"], 2000);
  // The logs do not matter.
  RunProgram("rm " + database.path() + "/LOG*");
  EXPECT_EQ(RunDoctor(database, expect).kinds(), Kinds{"not-as-expected"});
  // As with a library that was not preloaded, or a policy that is misspelt.
  const DoctorReport never = RunDoctor(database);
  ExpectFinding(never, "no-policy", {"No column family asks for a filter."});
  EXPECT_FALSE(never.has_fault());

  database.Reopen(OptionsWith(PolicyNamed("bloomfilter:10:false")));
  EXPECT_EQ(RunDoctor(database, expect).kinds(),
            (Kinds{"not-as-expected", "no-filter"}));
  database.Reopen(OptionsWith(OurPolicy(10)));
  const DoctorReport back = RunDoctor(database, expect);
  EXPECT_EQ(back.kinds(), Kinds{"no-filter"});
  EXPECT_TRUE(back.has_fault());
  database.Reopen(OptionsWith(OurPolicy(10)));
  database.CompactAll();
  EXPECT_EQ(RunDoctor(database, expect).kinds(), Kinds{});
}

// Neither an OPTIONS file nor a LOG has the policy any more.
TEST(CheckOptionsTest, FindsFiltersThatNothingUses) {
  ScratchDatabase database(OptionsWith(OurPolicy(10)), 1000);
  database.Reopen(OptionsWith(nullptr));
  database.Reopen(OptionsWith(nullptr));
  database.Close();
  RemoveFilesOf(database.path(), "LOG");
  const DoctorReport report = RunDoctor(database.path());
  ExpectFinding(report, "policy-gone", {"1 of 1 table has a filter"});
  EXPECT_EQ(report.finding(0)["levels"][0]["tables"], 1);
}

// As on a full disk. RocksDB loads such a file.
TEST(CheckOptionsTest, SaysThatAnOptionsFileIsCut) {
  ScratchDatabase database(OptionsWith(OurPolicy(10)), 1000);
  database.WriteFamily("second", OptionsWith(OurPolicy(10)), 1000);
  database.Close();
  const std::string file = FileOf(database.path(), "OPTIONS-");
  const std::string text = ReadWholeFile(file);
  std::ofstream(file) << text.substr(0, text.find("[CFOptions \"second\"]"));
  ExpectFinding(RunDoctor(database.path()), "policy-gone",
                {"has no section for the column family"});
}

TEST(ExpectTest, ColumnFamiliesHaveExpectationsOfTheirOwn) {
  ScratchDatabase database(OptionsWith(OurPolicy(10)), 1000);
  database.WriteFamily("it's: #2", OptionsWith(nullptr), 1000);
  const auto run = [&](const std::string& expect) {
    return RunDoctor(database, "--expect=\"" + expect + "\"");
  };
  EXPECT_EQ(run("default:oneline").kinds(), Kinds{});
  EXPECT_EQ(run("oneline,it's: #2:none").kinds(), Kinds{});
  const DoctorReport second = run("oneline");
  ASSERT_EQ(second.kinds(), Kinds{"not-as-expected"});
  EXPECT_EQ(second.finding(0)["column_family"], "it's: #2");
  const DoctorReport first = run("none");
  ASSERT_EQ(first.kinds(), Kinds{"not-as-expected"});
  EXPECT_EQ(first.finding(0)["column_family"], "default");
  // A name that is misspelt turns no alarm off.
  ExpectFinding(run("defalt:oneline"), "not-as-expected", {"'defalt'"});
  for (const std::string wrong : {"bloom", "default:", "default:one", ":"}) {
    ExpectRefusal(
        RunOneline("doctor " + database.path() + " --expect=" + wrong),
        "--expect=" + wrong + ": must be oneline or none");
  }
  for (const std::string both :
       {"none,oneline", "default:oneline,default:none"}) {
    ExpectRefusal(RunOneline("doctor " + database.path() + " --expect=" + both),
                  "another --expect says the opposite");
  }
}

}  // namespace
}  // namespace oneline
