// `oneline doctor` on databases with problems, one for each kind of finding.
// doctor_healthy_test.cc has those without.

#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <fstream>

#include "tests/filter_policy/scratch_database.h"
#include "tests/filter_policy/size_class_allocator.h"
#include "tests/sanitizers.h"
#include "tests/tools/doctor/doctor_report.h"

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
    if (name.rfind("OPTIONS-", 0) != 0) continue;
    std::string text = ReadWholeFile(file.path());
    const size_t at = text.find(from);
    ASSERT_NE(at, std::string::npos) << text;
    text.replace(at, from.size(), to);
    std::ofstream(file.path(), std::ios::binary) << text;
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
  const DoctorReport stripped = RunDoctor(database.path());
  ASSERT_EQ(stripped.kinds(), Kinds{"policy-gone"});
  EXPECT_TRUE(Contains(stripped.what(0), "id=oneline"));

  database.Reopen(OptionsWith(OurPolicy(10)));
  database.WriteTable(20000, 21000);
  database.Close();
  const DoctorReport back = RunDoctor(database.path());
  ASSERT_EQ(back.kinds(), Kinds{"no-filter"});
  const Json finding = back.finding(0);
  EXPECT_EQ(finding["column_family"], "default");
  ASSERT_EQ(finding["levels"].size(), 1u);
  EXPECT_EQ(finding["levels"][0]["filter_bytes"], 0);
  EXPECT_EQ(finding["levels"][0]["keys"], 7005);

  // The command it prints helps. (An instrumented library can't be preloaded.)
  if (kSanitized) return;
  const std::string command = finding["commands"][0].text();
  ASSERT_EQ(RunProgram(command).exit_code, 0) << command;
  EXPECT_EQ(RunDoctor(database.path()).kinds(), Kinds{});
}

// The command never runs without the library, as ldb would remove all filters.
TEST(DoctorTest, TheCommandItPrintsHasALibraryThatExists) {
  if (kSanitized) GTEST_SKIP() << "an instrumented library can't be preloaded";
  ScratchDatabase database(OptionsWith(PolicyNamed("bloomfilter:10:false")));
  Fill(database);
  database.Reopen(OptionsWith(OurPolicy(10)));
  database.Close();
  const TemporaryDirectory root;
  std::filesystem::create_directory(root.File("bin"));
  std::filesystem::copy_file("tools/oneline", root.File("bin/oneline"));
  const auto command = [&] {
    const Finished doctor = RunProgram(root.File("bin/oneline") +
                                       " doctor --json " + database.path());
    return Json::Parse(doctor.out)["findings"][0]["commands"][0].text();
  };
  const std::string library =
      std::filesystem::absolute("liboneline_preload.so");
  const std::string without = command();
  EXPECT_NE(RunProgram("unset LIBONELINE; " + without).exit_code, 0);
  EXPECT_NE(RunProgram("export LIBONELINE=/none; " + without).exit_code, 0);
  EXPECT_EQ(RunDoctor(database.path()).kinds(), Kinds{"other-kind"});
  EXPECT_EQ(
      RunProgram("export LIBONELINE=" + library + "; " + without).exit_code, 0)
      << without;
  EXPECT_EQ(RunDoctor(database.path()).kinds(), Kinds{});
  for (const std::string path :
       {"liboneline_preload.so",
        "lib/x86_64-linux-gnu/liboneline_preload.so.0"}) {
    const std::filesystem::path copy = root.File(path);
    std::filesystem::create_directories(copy.parent_path());
    database.Reopen(OptionsWith(PolicyNamed("bloomfilter:10:false")));
    database.CompactAll();
    database.Reopen(OptionsWith(OurPolicy(10)));
    database.Close();
    std::filesystem::copy_file(library, copy);
    const std::string with = command();
    EXPECT_EQ(with.find("LD_PRELOAD=" + canonical(copy).string() + " ldb"), 0u)
        << with;
    EXPECT_EQ(RunProgram("unset LIBONELINE; " + with).exit_code, 0) << with;
    EXPECT_EQ(RunDoctor(database.path()).kinds(), Kinds{});
    std::filesystem::remove(copy);
  }
}

// A program with ONELINE_REPLACE_BUILTIN leaves such a database behind.
TEST(DoctorTest, KnowsTheReplacementOfTheBuiltinFilter) {
  ScratchDatabase database(OptionsWith(OurPolicy(10)));
  database.WriteTable(0, 20000);
  database.Close();
  const std::string line = OptionsFileLine(FileOf(database.path(), "OPTIONS-"));
  EditOptions(database.path(), line, "filter_policy=bloomfilter:10:false");
  EXPECT_EQ(RunDoctor(database.path()).kinds(), Kinds{"other-kind"});
  EXPECT_EQ(
      RunDoctor(database.path(), "", "ONELINE_REPLACE_BUILTIN=0 ").kinds(),
      Kinds{"other-kind"});
  EXPECT_EQ(
      RunDoctor(database.path(), "", "ONELINE_REPLACE_BUILTIN=1 ").kinds(),
      Kinds{});
  EXPECT_EQ(
      RunDoctor(database.path(), "", "ONELINE_REPLACE_BUILTIN=oneline:14 ")
          .kinds(),
      Kinds{"other-bits"});
  EditOptions(database.path(), "filter_policy=bloomfilter:10:false",
              "filter_policy=ribbonfilter:14:-1");
  EXPECT_EQ(RunDoctor(database.path()).kinds(), Kinds{"other-kind"});
  // 9.6 bits per key for Ribbon instead of 14 for Bloom.
  EXPECT_EQ(
      RunDoctor(database.path(), "", "ONELINE_REPLACE_BUILTIN=1 ").kinds(),
      Kinds{});
}

TEST(DoctorTest, FindsUnknownAndInvalidPolicies) {
  ScratchDatabase database(OptionsWith(OurPolicy(10)));
  database.WriteTable(0, 1000);
  database.Close();
  const std::string line = OptionsFileLine(FileOf(database.path(), "OPTIONS-"));
  std::string current = line;
  for (const auto& [policy, kind, words] :
       std::vector<std::array<std::string, 3>>{
           {"theirs:10", "unknown-policy", "theirs:10"},
           {"{id=their.Policy;bits=3}", "unknown-policy", "their.Policy"},
           {"onelin:10", "unknown-policy", "onelin:10"},
           {"oneline:101", "wrong-options", "1 to 100"},
           {"oneline:ten", "wrong-options", "1 to 100"},
           {"{id=oneline;bits_per_key=9;fp_rate=0.1}", "wrong-options",
            "both given"},
           {"{id=oneline;kind=cuckoo}", "wrong-options", "ribbon or bloom"},
           {"{id=oneline;bits=10}", "wrong-options", "bits"}}) {
    SCOPED_TRACE(policy);
    EditOptions(database.path(), current, "filter_policy=" + policy);
    current = "filter_policy=" + policy;
    const DoctorReport report = RunDoctor(database.path());
    ASSERT_EQ(report.kinds(), Kinds{kind});
    EXPECT_TRUE(Contains(report.what(0), words)) << report.what(0);
  }
}

TEST(DoctorTest, FindsFiltersWithoutKeys) {
  rocksdb::BlockBasedTableOptions table;
  table.whole_key_filtering = false;
  ScratchDatabase database(OptionsWith(OurPolicy(10), table));
  Fill(database);
  database.Close();
  EXPECT_EQ(RunDoctor(database.path()).kinds(), Kinds{"nothing-to-filter"});
}

TEST(DoctorTest, ChecksEachColumnFamily) {
  ScratchDatabase database(OptionsWith(OurPolicy(10)));
  database.WriteTable(0, 1000);
  rocksdb::ColumnFamilyHandle* handle = nullptr;
  ASSERT_TRUE(
      database->CreateColumnFamily(OptionsWith(nullptr), "it's #2", &handle)
          .ok());
  ASSERT_TRUE(database->Put({}, handle, "key", "value").ok());
  ASSERT_TRUE(database->Flush({}, handle).ok());
  ASSERT_TRUE(database->DestroyColumnFamilyHandle(handle).ok());
  ExpectHealthy(database);
  std::string text = ReadWholeFile(FileOf(database.path(), "OPTIONS-"));
  const size_t at = text.rfind("filter_policy=nullptr");
  text.replace(at, 21, "filter_policy=oneline:10");
  std::ofstream(FileOf(database.path(), "OPTIONS-")) << text;
  const DoctorReport report = RunDoctor(database.path());
  ASSERT_EQ(report.kinds(), Kinds{"no-filter"});
  EXPECT_EQ(report.finding(0)["column_family"], "it's #2");
}

TEST(DoctorTest, FindsDamage) {
  ScratchDatabase database(OptionsWith(OurPolicy(10)));
  database.WriteTable(0, 20000);
  database.WriteTable(20000, 40000);
  database.Close();
  std::vector<std::string> tables;
  for (const auto& file :
       std::filesystem::directory_iterator(database.path())) {
    if (file.path().extension() == ".sst") tables.push_back(file.path());
  }
  ASSERT_EQ(tables.size(), 2u);
  // The filter ends with its magic number, behind the data.
  std::string table = ReadWholeFile(tables[0]);
  const size_t magic = table.find("one\xec");
  ASSERT_NE(magic, std::string::npos);
  table[magic - 1000] ^= 1;
  std::ofstream(tables[0], std::ios::binary) << table;
  EXPECT_EQ(RunDoctor(database.path()).kinds(), Kinds{"damaged-filter"});
  std::filesystem::resize_file(tables[0], 1000);
  EXPECT_EQ(RunDoctor(database.path()).kinds(), Kinds{"unreadable-table"});
  std::filesystem::remove(tables[0]);
  const DoctorReport report = RunDoctor(database.path());
  EXPECT_EQ(report.kinds(), Kinds{"unreadable-table"});
  EXPECT_TRUE(Contains(report.what(0), tables[0]));
}

// Which filters there should be is not known.
TEST(DoctorTest, WithoutOptionsItFails) {
  ScratchDatabase database(OptionsWith(OurPolicy(10)));
  database.WriteTable(0, 100);
  database.Close();
  std::ofstream(FileOf(database.path(), "OPTIONS-")) << "nonsense";
  ExpectRefusal(RunOneline("doctor " + database.path()), "can't load it");
  for (std::string file; file = FileOf(database.path(), "OPTIONS-"),
                         std::filesystem::is_regular_file(file);) {
    std::filesystem::remove(file);
  }
  ExpectRefusal(RunOneline("doctor " + database.path()), "no OPTIONS file");
}

TEST(DoctorTest, PrintsText) {
  ScratchDatabase database(OptionsWith(PolicyNamed("bloomfilter:10:false")));
  database.WriteTable(0, 20000);
  database.Reopen(OptionsWith(OurPolicy(10)));
  database.Close();
  const Finished program = RunOneline("doctor " + database.path());
  EXPECT_EQ(program.exit_code, 1);
  for (const char* part :
       {" 1. other-kind, column family \"default\"\n",
        "1 of 1 table has a filter of another kind", "10,000 keys", "12.3 KiB",
        "What to do:", "liboneline_preload.so", "ldb --db="}) {
    EXPECT_TRUE(Contains(program.out, part)) << part << " in " << program.out;
  }
}

}  // namespace
}  // namespace oneline
