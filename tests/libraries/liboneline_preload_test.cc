// Tests of liboneline_preload.so as users use it: preloaded into the
// distribution's own db_bench, ldb and sst_dump.

#include <gtest/gtest.h>
#include <rocksdb/version.h>

#include <filesystem>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "oneline/filter_options.h"
#include "tests/libraries/preloaded_programs.h"
#include "tests/run_program.h"

namespace oneline {
namespace {

std::string OtherVersion() {
  return std::filesystem::absolute(
      "tests/libraries/libother_rocksdb_version.so");
}

std::string NoSymbols() {
  return std::filesystem::absolute("tests/libraries/libno_symbols.so");
}

std::string RocksDBVersion() {
  return std::to_string(ROCKSDB_MAJOR) + "." + std::to_string(ROCKSDB_MINOR) +
         "." + std::to_string(ROCKSDB_PATCH);
}

// The lines that our library printed, without those of the program.
std::vector<std::string> OurMessages(const Finished& program) {
  std::vector<std::string> messages;
  std::istringstream lines(program.err);
  for (std::string line; std::getline(lines, line);) {
    if (line.find("oneline") != std::string::npos ||
        line.find("ONELINE") != std::string::npos) {
      messages.push_back(line);
    }
  }
  return messages;
}

using Messages = std::vector<std::string>;

TEST_F(LibraryTest, ProgramsWithoutRocksDBDoNotNotice) {
  for (const char* environment : {"", "ONELINE_REPLACE_BUILTIN=1"}) {
    const Finished program = RunProgram(Preload(environment) + "/bin/true");
    EXPECT_EQ(program.exit_code, 0);
    EXPECT_EQ(program.out + program.err, "");
  }
  const Finished program = RunProgram(Preload() + "/bin/echo hello");
  EXPECT_EQ(program.out, "hello\n");
  EXPECT_EQ(program.err, "");
}

TEST_F(LibraryTest, DbBenchKnowsTheName) {
  const std::string options = OptionsFile("{id=oneline;fp_rate=0.02}");
  EXPECT_EQ(OurMessages(Fill(Preload(), options)), Messages{});
  EXPECT_EQ(SavedOptions(),
            (std::set<std::string>{"id=oneline", "fp_rate=0.02"}));
  EXPECT_NEAR(Useful(Read(Preload(), options)) / kKeys, 0.98, 0.005);
  // Without the library RocksDB silently drops the policy, and loses no key.
  EXPECT_EQ(Useful(Read("", options)), 0);
}

TEST_F(LibraryTest, LdbAndSstDumpKnowTheName) {
  Fill(Preload(),
       OptionsFile(
           "{id=oneline;bits_per_key=9;hash_seed=7;bits_by_level=false}"));
  const std::string ldb = "ldb --db=" + Database() + " --try_load_options ";
  const Finished compact = RunProgram(Preload() + ldb + "compact");
  EXPECT_EQ(compact.exit_code, 0) << compact.err;
  EXPECT_EQ(OurMessages(compact), Messages{});
  ExpectFilters("oneline", 9);
  EXPECT_EQ(SavedOptions(),
            (std::set<std::string>{"id=oneline", "hash_seed=7",
                                   "bits_per_key=9", "bits_by_level=false"}));
  for (const std::string& before : {Preload(), std::string()}) {
    const Finished count = RunProgram(before + ldb + "dump --count_only");
    EXPECT_TRUE(Contains(count.out, "Keys in range: 20000")) << count.out;
    EXPECT_TRUE(Contains(Dump(before).out, "filter policy name: oneline"));
  }
  const Finished verify = RunProgram(
      Preload() + "sst_dump --file=" + Database() + " --command=verify");
  EXPECT_EQ(verify.exit_code, 0) << verify.out << verify.err;
}

// Two flushes, whose tables have common keys, and a compaction of both.
constexpr char kWithCompaction[] = "fillseq,flush,overwrite,flush,compact";

// The filter that a program or an OPTIONS file asks for, and what it gets. The
// memory is that of RocksDB's filter, for Ribbon 9.6 bits per key instead of 14
// of Bloom; its policies give flushes Bloom filters, if nothing else is said.
TEST_F(LibraryTest, ReplacesBuiltinFilters) {
  const struct {
    const char* replacement;
    const char* asked;  // flags, or the policy in an OPTIONS file
    double bits;
    const char* saved_as;
  } kCases[] = {
      {"1", "--bloom_bits=10", 10, "bloomfilter:10:false"},
      {"1", "bloomfilter:14:true", 14, "bloomfilter:14:false"},
      {"1", "--bloom_bits=10 --use_ribbon_filter", 10, "ribbonfilter:10:0"},
      {"1", "ribbonfilter:14:-1", 9.74, "ribbonfilter:14:-1"},
      {"{id=oneline;bits_per_key=17;hash_seed=7}", "bloomfilter:10:false", 17,
       "bloomfilter:10:false"},
      {"oneline:12", "ribbonfilter:10:0", 12, "ribbonfilter:10:0"},
      {"{id=oneline;level_bits_per_key=13:10}", "--bloom_bits=5", 13,
       "bloomfilter:5:false"},
  };
  for (const auto& [replacement, asked, bits, saved_as] : kCases) {
    SCOPED_TRACE(std::string(replacement) + " for " + asked);
    const std::string before = Preload(Replace(replacement));
    const std::string arguments =
        std::string(asked).rfind("--", 0) == 0 ? asked : OptionsFile(asked);
    EXPECT_EQ(OurMessages(Fill(before, arguments)), Messages{});
    ExpectFilters("oneline", bits);
    EXPECT_EQ(SavedPolicy(), saved_as);
    if (bits != 10) continue;  // the others are read alike
    EXPECT_GT(Useful(Read(before, arguments)), 0.98 * kKeys);
    // Without the library no key is lost, and nothing filtered.
    EXPECT_EQ(Useful(Read("", arguments)), 0);
    EXPECT_EQ(SavedPolicy(), saved_as);
  }
  // The OPTIONS file that RocksDB saved can be loaded again.
  const Finished compact =
      RunProgram(Preload(Replace("1")) + "ldb --db=" + Database() +
                 " --try_load_options compact");
  EXPECT_EQ(compact.exit_code, 0) << compact.err;
  EXPECT_TRUE(Contains(Dump("").out, "filter policy name: oneline\n"));
  Fill(Preload(Replace("1")), "--bloom_bits=10 --use_ribbon_filter",
       kWithCompaction);
  ExpectFilters("oneline", 7.05);
}

// Tables of both lie side by side, with the library and without.
TEST_F(LibraryTest, ComesAndGoes) {
  const std::string on = Preload(Replace("1"));
  const std::string again = "--use_existing_db --writes=3000 --bloom_bits=10";
  Fill(on, "--bloom_bits=10");
  Fill("", again, "overwrite,flush");
  Fill(on, again, "overwrite,flush");
  for (const char* writer : {"oneline\n", "bloomfilter\n"}) {
    EXPECT_TRUE(
        Contains(Dump("").out, std::string("filter policy name: ") + writer));
  }
  EXPECT_GT(Useful(Read(on, "--bloom_bits=10")), 0.98 * kKeys);
  EXPECT_GT(Useful(Read("", "--bloom_bits=10")), 0);
  Read(Preload(), OptionsFile("oneline:12"));
}

// A program may have RocksDB before our library.
TEST_F(LibraryTest, ReplacesInOptionsFilesBehindRocksDB) {
  const std::string rocksdb =
      RunProgram("ldd " + Library() +
                 " | sed -n 's/.*librocksdb.* => \\([^ ]*\\) .*/\\1/p' |"
                 " tr -d '\\n'")
          .out;
  ASSERT_TRUE(std::filesystem::exists(rocksdb)) << rocksdb;
  const Finished fill =
      Fill(Replace("1") + " LD_PRELOAD='" + rocksdb + " " + Library() + "' ",
           OptionsFile("bloomfilter:10:false"));
  EXPECT_EQ(OurMessages(fill), Messages{});
  ExpectFilters("oneline", 10);
}

TEST_F(LibraryTest, LeavesTheBuiltinFilterAlone) {
  for (const std::string& environment :
       {std::string(), Replace(""), Replace("0")}) {
    const Finished fill = Fill(Preload(environment), "--bloom_bits=10");
    EXPECT_EQ(OurMessages(fill), Messages{});
    ExpectFilters("bloomfilter", 10);
    Fill(Preload(environment), OptionsFile("ribbonfilter:10:-1"));
    ExpectFilters("ribbonfilter", 7);
    Fill(Preload(environment), "--bloom_bits=10 --use_ribbon_filter",
         kWithCompaction);
    ExpectFilters("ribbonfilter", 7);
  }
}

TEST_F(LibraryTest, AWrongReplacementIsReportedAndNotMade) {
  for (const char* value :
       {"yes", "oneline:101", "2", "bloomfilter:10", "{id=oneline;bits=1}",
        "{id=oneline;bits_per_key=9;fp_rate=0.01}"}) {
    SCOPED_TRACE(value);
    const Finished fill = Fill(Preload(Replace(value)), "--bloom_bits=10");
    const Messages messages = OurMessages(fill);
    ASSERT_EQ(messages.size(), 1u) << fill.err;
    EXPECT_TRUE(Contains(messages[0], "ONELINE_REPLACE_BUILTIN"));
    EXPECT_TRUE(Contains(messages[0], "RocksDB's own filter is used"));
    ExpectFilters("bloomfilter", 10);
  }
}

// A program without RocksDB's own functions, in a shared library, has no
// filter.
TEST_F(LibraryTest, WithoutRocksDBsFunctionThereIsAMessageAndNoFilter) {
  for (const char* value : {"", "1"}) {
    const Finished fill = Fill(
        Replace(value) + " LD_PRELOAD='" + NoSymbols() + " " + Library() + "' ",
        "--bloom_bits=10");
    EXPECT_EQ(OurMessages(fill),
              Messages{"oneline: rocksdb::NewBloomFilterPolicy is in no shared "
                       "library of this program: no filter is used"});
    EXPECT_TRUE(Contains(Dump("").out, "filter policy name: N/A"));
  }
}

TEST_F(LibraryTest, AMisspelledVariableIsReported) {
  for (const std::string name : {"ONELINE_REPLACE_BUILTIN", "ONELINE_KERNEL"}) {
    const std::string wrong = name + "X";
    const Finished fill = Fill(Preload(wrong + "=1 "), OptionsFile("oneline"));
    EXPECT_TRUE(Contains(fill.err, "oneline: " + wrong +
                                       " is no variable of ours: do you mean " +
                                       name + "?\n"))
        << fill.err;
  }
}

TEST_F(LibraryTest, RefusesAnotherVersionOfRocksDB) {
  const std::string other =
      Replace("1") + " LD_PRELOAD='" + OtherVersion() + " " + Library() + "' ";
  const Finished fill = Fill(other, "--bloom_bits=10");
  const Messages messages = OurMessages(fill);
  ASSERT_EQ(messages.size(), 1u) << fill.err;
  EXPECT_TRUE(Contains(messages[0], RocksDBVersion())) << messages[0];
  EXPECT_TRUE(Contains(messages[0], "6.99.0")) << messages[0];
  ExpectFilters("bloomfilter", 10);
  EXPECT_EQ(OurMessages(Fill(other, OptionsFile("oneline:10"))).size(), 1u);
  EXPECT_TRUE(Contains(Dump("").out, "filter policy name: N/A"));
}

}  // namespace
}  // namespace oneline
