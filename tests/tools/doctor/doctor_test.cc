// `oneline doctor` on databases with problems, one for each kind of finding.
// doctor_healthy_test.cc has those without.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "tests/filter_policy/scratch_database.h"
#include "tests/filter_policy/size_class_allocator.h"
#include "tests/run_program.h"
#include "tests/sanitizers.h"
#include "tests/tools/doctor/doctor_report.h"

namespace oneline {
namespace {

std::string NewestOptions(const std::string& path) {
  std::string newest;
  for (const auto& file : std::filesystem::directory_iterator(path)) {
    const std::string name = file.path().filename();
    if (name.rfind("OPTIONS-", 0) == 0) newest = std::max(newest, name);
  }
  return path + "/" + newest;
}

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

std::map<std::string, std::string> Contents(const std::string& directory) {
  std::map<std::string, std::string> contents;
  for (const auto& file : std::filesystem::directory_iterator(directory)) {
    contents[file.path()] = ReadWholeFile(file.path());
  }
  return contents;
}

TEST(DoctorTest, ChangesNothingAndWorksBesideARunningDatabase) {
  ScratchDatabase database(OptionsWith(OurPolicy(10)));
  Fill(database);
  const auto before = Contents(database.path());
  EXPECT_EQ(RunDoctor(database.path()).exit_code, 0);
  EXPECT_EQ(Contents(database.path()), before);
  database.WriteTable(0, 100);
  database.Close();
  const auto closed = Contents(database.path());
  EXPECT_EQ(RunDoctor(database.path()).exit_code, 0);
  EXPECT_EQ(Contents(database.path()), closed);
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
  EXPECT_NE(stripped.finding(0)["what"].get<std::string>().find("id=oneline"),
            std::string::npos);

  database.Reopen(OptionsWith(OurPolicy(10)));
  database.WriteTable(20000, 21000);
  database.Close();
  const DoctorReport back = RunDoctor(database.path());
  ASSERT_EQ(back.kinds(), Kinds{"no-filter"});
  const nlohmann::json& finding = back.finding(0);
  EXPECT_EQ(finding["column_family"], "default");
  ASSERT_EQ(finding["levels"].size(), 1u);
  EXPECT_EQ(finding["levels"][0]["filter_bytes"], 0);
  EXPECT_EQ(finding["levels"][0]["keys"], 7005);

  // The command it prints helps. (An instrumented library can't be preloaded.)
  if (kSanitized) return;
  const std::string command = finding["commands"][0];
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
    const auto json = nlohmann::json::parse(doctor.out);
    return json["findings"][0]["commands"][0].get<std::string>();
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
  const std::string line = OptionsFileLine(NewestOptions(database.path()));
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
  const std::string line = OptionsFileLine(NewestOptions(database.path()));
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
    EXPECT_NE(report.finding(0)["what"].get<std::string>().find(words),
              std::string::npos)
        << report.finding(0)["what"];
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
  std::string text = ReadWholeFile(NewestOptions(database.path()));
  const size_t at = text.rfind("filter_policy=nullptr");
  text.replace(at, 21, "filter_policy=oneline:10");
  std::ofstream(NewestOptions(database.path())) << text;
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
  EXPECT_NE(report.finding(0)["what"].get<std::string>().find(tables[0]),
            std::string::npos);
}

TEST(DoctorTest, ErrorsAreOneLine) {
  ScratchDatabase database(OptionsWith(OurPolicy(10)));
  database.WriteTable(0, 100);
  database.Close();
  const TemporaryDirectory directory;
  const auto copy = [&](const std::string& name) {
    std::filesystem::copy(database.path(), directory.File(name));
    return directory.File(name);
  };
  const std::string no_options = copy("no_options");
  for (std::string file; file = NewestOptions(no_options),
                         std::filesystem::is_regular_file(file);) {
    std::filesystem::remove(file);
  }
  const std::string bad_options = copy("bad_options");
  std::ofstream(NewestOptions(bad_options)) << "nonsense";
  const std::string bad_current = copy("bad_current");
  std::ofstream(bad_current + "/CURRENT") << "nonsense";
  for (const std::string& path :
       {directory.File("none"), directory.path(), std::string("/dev/null"),
        NewestOptions(database.path()), no_options, bad_options, bad_current}) {
    const Finished program = RunProgram(Oneline() + " doctor " + path);
    EXPECT_EQ(program.exit_code, 2) << path;
    EXPECT_EQ(program.out, "");
    EXPECT_EQ(std::count(program.err.begin(), program.err.end(), '\n'), 1)
        << program.err;
    EXPECT_EQ(program.err.rfind("oneline doctor: " + path, 0), 0u)
        << program.err;
  }
}

TEST(DoctorTest, PrintsText) {
  ScratchDatabase database(OptionsWith(PolicyNamed("bloomfilter:10:false")));
  database.WriteTable(0, 20000);
  database.Reopen(OptionsWith(OurPolicy(10)));
  database.Close();
  const Finished program = RunProgram(Oneline() + " doctor " + database.path());
  EXPECT_EQ(program.exit_code, 1);
  for (const char* part :
       {" 1. other-kind, column family \"default\"\n",
        "1 of 1 table has a filter of another kind", "10,000 keys", "12.3 KiB",
        "What to do:", "liboneline_preload.so", "ldb --db="}) {
    EXPECT_NE(program.out.find(part), std::string::npos)
        << part << " in " << program.out;
  }
}

}  // namespace
}  // namespace oneline
