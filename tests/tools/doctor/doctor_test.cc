// `oneline doctor` on databases with problems, one for each kind of finding.

#include "tests/filter_policy/scratch_database.h"
#include "tests/tools/doctor/doctor_report.h"
#include "tests/tools/table_bytes.h"

namespace oneline {
namespace {

std::string OptionsFileLine(const std::string& file) {
  const std::string text = ReadWholeFile(file);
  const size_t at = text.find("filter_policy=");
  return text.substr(at, text.find('\n', at) - at);
}

// Replaces `from` by `to` in every OPTIONS file.
void EditOptions(const std::string& path, const std::string& from,
                 const std::string& to) {
  for (const auto& file : std::filesystem::directory_iterator(path)) {
    const std::string name = file.path().filename();
    if (name.rfind("OPTIONS-", 0) == 0) ReplaceIn(file.path(), from, to);
  }
}

// RocksDB's ldb, which does not know our policy, loads the options, drops the
// policy and compacts. Then a program with the library opens the database.
TEST(DoctorTest, FindsTablesWithoutFilters) {
  ScratchDatabase database(OptionsWith(OurPolicy(10)));
  Fill(database);
  database.Close();
  const std::string ldb =
      "ldb --db=" + database.path() + " --try_load_options compact";
  ASSERT_EQ(RunProgram(ldb).exit_code, 0);
  ExpectFinding(RunDoctor(database.path()), "policy-gone", {"id=oneline"});

  database.Reopen(OptionsWith(OurPolicy(10)));
  database.WriteTable(20000, 21000);
  const DoctorReport back = RunDoctor(database);
  ASSERT_EQ(back.kinds(), Kinds{"no-filter"});
  const Json level = back.finding(0)["levels"][0];
  EXPECT_EQ(level["filter_bytes"], 0);
  EXPECT_EQ(level["keys"], 7005);
  // The same as text.
  EXPECT_TRUE(ContainsAll(
      RunOneline("doctor " + database.path()).out,
      {" 1. no-filter, column family \"default\"\n", "7,005 keys",
       "What to do:", "oneline::Refilter", "      oneline refilter "}));
}

// They give the tables the filters that the options ask for, and no others.
TEST(DoctorTest, TheCommandsItPrintsRepair) {
  for (const char* before : {"nullptr", "bloomfilter:10:false", "oneline:20"}) {
    SCOPED_TRACE(before);
    const bool has_filter = before != std::string("nullptr");
    ScratchDatabase database(
        OptionsWith(has_filter ? PolicyNamed(before) : nullptr));
    Fill(database);
    database.WriteFamily("it's #2", OptionsWith(OurPolicy(10)), 1000);
    database.Close();
    // RocksDB opens all families or none.
    EditOptions(database.path(),
                has_filter ? OptionsFileLine(FileOf(database.path(), "OPTIONS"))
                           : "filter_policy=nullptr",
                "filter_policy=oneline:10");
    const DoctorReport report = RunDoctor(database.path());
    ASSERT_EQ(report.kinds().size(), 1u);
    const std::string command = report.finding(0)["commands"][0].text();
    EXPECT_EQ(command.find("oneline refilter "), 0u) << command;
    EXPECT_EQ(RunProgram("PATH=tools:$PATH " + command).exit_code, 0)
        << command;
    EXPECT_EQ(RunDoctor(database.path()).kinds(), Kinds{}) << command;
  }
}

// No command writes the old filters, right after somebody wrote new ones.
TEST(DoctorTest, FiltersThatWaitForTheirPolicyAreLeftAlone) {
  ScratchDatabase database(OptionsWith(PolicyNamed("bloomfilter:10:false")),
                           1000);
  database.Close();
  OutputOf("refilter --filter_policy=oneline:10 --yes " + database.path());
  const DoctorReport report = RunDoctor(database.path());
  ASSERT_EQ(report.kinds(), Kinds{"ignored-filter"});
  EXPECT_TRUE(report.has_fault());
  EXPECT_EQ(report.finding(0)["commands"].size(), 0u);
  EXPECT_TRUE(
      Contains(report.remedy(0), "open the database with their policy"));
  database.Reopen(OptionsWith(PolicyNamed("oneline:10")));
  ExpectHealthy(database);
}

// A program with ONELINE_REPLACE_BUILTIN leaves such a database behind.
TEST(DoctorTest, KnowsTheReplacementOfTheBuiltinFilter) {
  ScratchDatabase database(OptionsWith(OurPolicy(10)), 20000);
  database.Close();
  std::string line = OptionsFileLine(FileOf(database.path(), "OPTIONS-"));
  const std::string bloom = "filter_policy=bloomfilter:10:false";
  // Replaced by 9.7 bits per key of our Ribbon; the tables have 10.
  const std::string ribbon = "filter_policy=ribbonfilter:14:-1";
  for (const auto& [policy, replace, kinds] :
       std::vector<std::tuple<std::string, std::string, Kinds>>{
           {bloom, "", {}},
           {bloom, "ONELINE_REPLACE_BUILTIN=0 ", {}},
           {bloom, "ONELINE_REPLACE_BUILTIN=1 ", {}},
           {bloom, "ONELINE_REPLACE_BUILTIN=oneline:14 ", {"other-bits"}},
           {ribbon, "", {}},
           {ribbon, "ONELINE_REPLACE_BUILTIN=1 ", {"other-bits"}}}) {
    SCOPED_TRACE(policy + replace);
    EditOptions(database.path(), line, policy);
    line = policy;
    const DoctorReport report = RunDoctor(database.path(), "", replace);
    EXPECT_EQ(report.kinds(), kinds);
    EXPECT_EQ(RunDoctor(database.path(), "--expect=oneline", replace).kinds(),
              kinds);
    const bool told = kinds.empty() && !Contains(replace, "=1");
    ASSERT_EQ(report.json["notes"].size(), told ? 1u : 0u);
    if (!told) continue;
    const std::string note = report.json["notes"][0].text();
    EXPECT_TRUE(
        ContainsAll(note, {"1 of 1 table has oneline's filters", policy,
                           "That is sound", "write RocksDB's filters"}));
  }
  // Without a LOG nothing says that they were replaced, but tables are ours.
  std::filesystem::remove(database.path() + "/LOG");
  for (const char* const flags : {"", "--expect=oneline"}) {
    EXPECT_EQ(RunDoctor(database.path(), flags).kinds(),
              Kinds{"ignored-filter"});
  }
}

TEST(DoctorTest, FindsUnknownAndInvalidPolicies) {
  ScratchDatabase database(OptionsWith(OurPolicy(10)), 1000);
  database.Close();
  std::string current = OptionsFileLine(FileOf(database.path(), "OPTIONS-"));
  for (const auto& [policy, kind, words] :
       std::vector<std::array<std::string, 3>>{
           {"theirs:10", "unknown-policy", "theirs:10"},
           {"oneline=10", "wrong-options", "names no policy of this library"},
           {"onelin:10", "wrong-options", "names no policy of this library"},
           {"{id=oneline;bits_per_key=10", "wrong-options", "no policy of"},
           {"Oneline:10", "wrong-options", "names no policy of this library"},
           {"{fp_rate=0.01}", "unknown-policy", "does not say id=NAME"},
           {"oneline:101", "wrong-options", "1 to 100"},
           {"{id=oneline;bits_per_key=9;fp_rate=0.1}", "wrong-options",
            "both given"},
           {"{id=oneline;bits=10}", "wrong-options", "bits"}}) {
    SCOPED_TRACE(policy);
    EditOptions(database.path(), current, "filter_policy=" + policy);
    current = "filter_policy=" + policy;
    ExpectFinding(RunDoctor(database.path()), kind, {words});
  }
}

TEST(DoctorTest, FindsFiltersWithoutKeys) {
  rocksdb::BlockBasedTableOptions table;
  table.whole_key_filtering = false;
  ScratchDatabase database(OptionsWith(OurPolicy(10), table));
  Fill(database);
  EXPECT_EQ(RunDoctor(database).kinds(), Kinds{"nothing-to-filter"});
}

TEST(DoctorTest, FindsDamage) {
  ScratchDatabase database(OptionsWith(OurPolicy(10)), 20000);
  const std::string file = database.TableFiles()[0];
  database.Close();
  // The filter ends with its magic number.
  FlipByte(file, OffsetIn(file, "one\xec") - 1000);
  const DoctorReport report = RunDoctor(database.path());
  ExpectFinding(report, "damaged-filter", {"1 of 1 table has"});
  EXPECT_TRUE(Contains(report.remedy(0), "CompactRange"));
  database.Reopen(OptionsWith(OurPolicy(10)));
  database.CompactAll();
  ExpectHealthy(database);
}

// Tables that are not block-based have no filters: something is wrong only if
// the options ask for them.
TEST(DoctorTest, FindsPoliciesOfOtherTableFormats) {
  for (const auto& [factory, words] :
       {std::pair(rocksdb::NewPlainTableFactory(), "table_factory=PlainTable."),
        // RocksDB can't create this factory from an OPTIONS file.
        {rocksdb::NewAdaptiveTableFactory(),
         "table_factory is not known to this program"}}) {
    rocksdb::Options options;
    options.create_if_missing = true;
    options.allow_mmap_reads = true;
    options.prefix_extractor.reset(rocksdb::NewFixedPrefixTransform(2));
    options.table_factory.reset(factory);
    ScratchDatabase database(options, 100);
    ExpectHealthy(database);
    EXPECT_EQ(RunDoctor(database.path(), "--expect=oneline").kinds(),
              Kinds{"not-as-expected"});
    // As if a user changed the format and kept the old lines. RocksDB uses the
    // last section.
    EditOptions(database.path(), "[TableOptions/",
                "[TableOptions/BlockBasedTable \"default\"]\n"
                "  filter_policy=oneline:10\n\n[TableOptions/");
    ExpectFinding(RunDoctor(database.path()), "other-table-format",
                  {"filter_policy={id=oneline}, but ", words});
  }
}

// The text says which findings are no faults.
TEST(DoctorTest, SeveralDatabasesAreExaminedInOneCall) {
  ScratchDatabase fine(OptionsWith(OurPolicy(10)), 1000);
  ScratchDatabase rolling(OptionsWith(PolicyNamed("bloomfilter:10:false")),
                          1000);
  ScratchDatabase faulty(OptionsWith(nullptr), 1000);
  for (ScratchDatabase* database : {&fine, &rolling, &faulty}) {
    database->Reopen(OptionsWith(OurPolicy(10)));
    database->Close();
  }
  const std::string none = fine.path() + "/none";
  const Finished missed =
      RunOneline("doctor " + none + " " + fine.path() + " " + rolling.path());
  EXPECT_EQ(missed.exit_code, 2);
  EXPECT_EQ(missed.err,
            "oneline doctor: " + none + ": No such file or directory\n");
  EXPECT_TRUE(ContainsAll(missed.out, {"Not examined: " + none,
                                       "\n\n" + rolling.path() + ", OPTIONS-",
                                       " 1. other-kind (a warning), column"}));

  const std::string paths =
      none + " " + faulty.path() + " " + rolling.path() + " " + fine.path();
  const Json json = RunForJson("doctor " + paths, 1);
  ASSERT_EQ(json.size(), 4u);
  EXPECT_EQ(json[0]["path"], none);
  EXPECT_EQ(json[0]["error"], none + ": No such file or directory");
  EXPECT_EQ(json[1]["findings"][0]["kind"], "no-filter");
  EXPECT_EQ(json[1]["findings"][0]["severity"], "fault");
  EXPECT_EQ(json[2]["findings"][0]["severity"], "warning");
  EXPECT_EQ(json[3]["findings"].size(), 0u);
  const std::string metrics = RunOneline("doctor --prometheus " + paths).out;
  for (const std::string& sample : {"examined{db=\"" + none + "\"} 0",
                                    "problems{db=\"" + faulty.path() + "\"} 1",
                                    "problems{db=\"" + fine.path() + "\"} 0"}) {
    EXPECT_TRUE(Contains(metrics, "\noneline_doctor_" + sample + "\n"));
  }
}

// A LOG that lies in the database's directory is then an old one.
TEST(DoctorTest, LogsInAnotherDirectoryAreNotRead) {
  const TemporaryDirectory logs;
  rocksdb::Options options = OptionsWith(OurPolicy(10));
  ScratchDatabase database(options, 1000);
  options.db_log_dir = logs.path();
  database.Reopen(options);
  database.Close();
  ASSERT_TRUE(std::filesystem::is_regular_file(FileOf(database.path(), "LOG")));
  const Json notes = RunDoctor(database.path()).json["notes"];
  ASSERT_EQ(notes.size(), 2u);
  EXPECT_TRUE(Contains(notes[0].text(), "db_log_dir=" + logs.path()));
  EXPECT_TRUE(Contains(notes[1].text(), "how large the block cache is"));
}

// What only it tells is then not known: no fault, and not fine.
TEST(DoctorTest, ALogThatCanNotBeReadIsToldOf) {
  ScratchDatabase database(OptionsWith(OurPolicy(10)), 1000);
  database.Close();
  std::filesystem::permissions(database.path() + "/LOG",
                               std::filesystem::perms::none);
  const Finished run = RunOneline("doctor " + database.path(), AsUser());
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_TRUE(Contains(run.out, "1. not-examined"));
  EXPECT_TRUE(Contains(run.err, "/LOG: can't be read: Permission denied"));
  EXPECT_FALSE(Contains(run.out, "how large the block cache is"));
  // The options name RocksDB's filters, and the tables have ours: the LOG may
  // say why.
  EditOptions(database.path(), OptionsFileLine(FileOf(database.path(), "OPT")),
              "filter_policy=bloomfilter:10:false");
  for (const char* flags : {"", " --expect=oneline"}) {
    const std::string out =
        RunOneline("doctor " + database.path() + flags, AsUser()).out;
    EXPECT_TRUE(Contains(out, "1. not-examined"));
    EXPECT_FALSE(Contains(out, "2. ")) << out;
  }
}

// Which filters there should be is not known.
TEST(DoctorTest, WithoutOptionsItFails) {
  ScratchDatabase database(OptionsWith(OurPolicy(10)), 100);
  database.Close();
  std::ofstream(FileOf(database.path(), "OPTIONS-")) << "nonsense";
  ExpectRefusal(RunOneline("doctor " + database.path()), "can't load it");
  RemoveFilesOf(database.path(), "OPTIONS-");
  ExpectRefusal(RunOneline("doctor " + database.path()), "no OPTIONS file");
}

}  // namespace
}  // namespace oneline
