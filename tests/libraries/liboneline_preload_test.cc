// Tests of liboneline_preload.so as users use it: preloaded into the
// distribution's own db_bench, ldb and sst_dump, and into a program in C.

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "filter_policy/rocksdb/rocksdb_version.h"
#include "oneline/filter_options.h"
#include "tests/run_program.h"
#include "tests/temporary_directory.h"

namespace oneline {
namespace {

constexpr int kKeys = 20000;

// Bazel runs tests in a directory in which these are the paths of their `data`.
std::string Library() {
  return std::filesystem::absolute("liboneline_preload.so");
}

std::string Preload(const std::string& environment = "") {
  return environment + " LD_PRELOAD=" + Library() + " ";
}
std::string Replace(const std::string& value) {
  return "ONELINE_REPLACE_BUILTIN='" + value + "'";
}

bool Contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// The sum of all numbers that follow `label`.
double SumOf(const std::string& label, const std::string& text) {
  double sum = 0;
  for (size_t at = text.find(label); at != std::string::npos;
       at = text.find(label, at + 1)) {
    sum += std::atof(text.c_str() + at + label.size());
  }
  return sum;
}

// A directory with a database and an OPTIONS file, and programs that use them.
class LibraryTest : public testing::Test {
 protected:
  std::string Database() const { return directory_.File("db"); }

  // Writes an OPTIONS file and returns the flag that names it.
  std::string OptionsFile(const std::string& policy) const {
    std::ofstream(directory_.File("OPTIONS.ini"))
        << "[Version]\n  rocksdb_version=7.8.3\n  options_file_version=1.1\n"
           "[DBOptions]\n  create_if_missing=true\n"
           "[CFOptions \"default\"]\n"
           "[TableOptions/BlockBasedTable \"default\"]\n  filter_policy="
        << policy << "\n";
    return "--options_file=" + directory_.File("OPTIONS.ini");
  }

  // Fills the database. `before` is put before the program's name.
  Finished Fill(const std::string& before, const std::string& arguments,
                const std::string& benchmarks = "fillseq,flush") const {
    const Finished program = RunProgram(
        before + "db_bench --benchmarks=" + benchmarks + Common() + arguments);
    EXPECT_EQ(program.exit_code, 0) << program.err;
    return program;
  }

  // Looks up every key of the database and as many absent ones, with
  // statistics.
  Finished Read(const std::string& before, const std::string& arguments) const {
    const Finished program = RunProgram(
        before + "db_bench --benchmarks=readrandom,readmissing --statistics" +
        " --use_existing_db --seed=1" + Common() + arguments);
    EXPECT_EQ(program.exit_code, 0) << program.err;
    EXPECT_TRUE(Contains(program.out, "(20000 of 20000 found)")) << program.out;
    EXPECT_TRUE(Contains(program.out, "(0 of 20000 found)")) << program.out;
    return program;
  }
  static double Useful(const Finished& program) {
    return SumOf("rocksdb.bloom.filter.useful COUNT :", program.out);
  }

  Finished Dump(const std::string& before) const {
    const Finished program =
        RunProgram(before + "sst_dump --file=" + Database() +
                   " --show_properties --command=none");
    EXPECT_EQ(program.exit_code, 0) << program.err;
    return program;
  }

  // Expects tables with filters of this policy and this many bits per key.
  void ExpectFilters(const std::string& policy, double bits) const {
    const std::string dump = Dump("").out;
    EXPECT_TRUE(Contains(dump, "filter policy name: " + policy + "\n")) << dump;
    EXPECT_NEAR(
        8 * SumOf("filter block size:", dump) / SumOf("# entries:", dump), bits,
        0.1);
  }

  // The filter policy in the database's own OPTIONS file: "ribbonfilter:10:0"
  // for the "{id=ribbonfilter:10:0;bloom_before_level=0;}" that RocksDB writes
  // from 8.7 on.
  std::string SavedPolicy() const {
    return RunProgram("ls " + Database() +
                      "/OPTIONS-* | tail -n 1 | xargs sed -n '/filter_policy=/{"
                      "s/.*filter_policy=//;s/{id=\\(ribbonfilter[^;]*\\);.*/"
                      "\\1/;p}' | tr -d '\\n'")
        .out;
  }

 private:
  std::string Common() const {
    return " --db=" + Database() + " --num=" + std::to_string(kKeys) +
           " --reads=" + std::to_string(kKeys) + " ";
  }

  const TemporaryDirectory directory_;
};

// With another library before ours.
std::string PreloadBehind(const std::string& value,
                          const std::string& library) {
  return Replace(value) + " LD_PRELOAD='" +
         std::string(std::filesystem::absolute(library)) + " " + Library() +
         "' ";
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
    const Finished program =
        RunProgram(Preload(environment) + "/bin/echo hello");
    EXPECT_EQ(program.out, "hello\n");
    EXPECT_EQ(program.err, "");
  }
}

TEST_F(LibraryTest, DbBenchKnowsTheName) {
  const std::string options = OptionsFile("{id=oneline;fp_rate=0.02}");
  EXPECT_EQ(OurMessages(Fill(Preload(), options)), Messages{});
  EXPECT_TRUE(Contains(SavedPolicy(), "{id=oneline;fp_rate=0.02;}"));
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
  // RocksDB writes them in no order.
  for (const char* option : {"id=oneline;", "hash_seed=7;", ";bits_per_key=9;",
                             "bits_by_level=false;"}) {
    EXPECT_TRUE(Contains(SavedPolicy(), option)) << option;
  }
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
      {"1", "--bloom_bits=10 --use_ribbon_filter", 10, "ribbonfilter:10:0"},
      {"1", "ribbonfilter:14:-1", 9.74, "ribbonfilter:14:-1"},
      {"{id=oneline;bits_per_key=17;hash_seed=7}", "bloomfilter:10:false", 17,
       "bloomfilter:10:false"},
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

// A program may have RocksDB before our library.
TEST_F(LibraryTest, ReplacesInOptionsFilesBehindRocksDB) {
  const std::string rocksdb =
      RunProgram("ldd " + Library() +
                 " | sed -n 's/.*librocksdb.* => \\([^ ]*\\) .*/\\1/p' |"
                 " tr -d '\\n'")
          .out;
  ASSERT_TRUE(std::filesystem::exists(rocksdb)) << rocksdb;
  const Finished fill =
      Fill(PreloadBehind("1", rocksdb), OptionsFile("bloomfilter:10:false"));
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
       {"yes", "{id=oneline;bits_per_key=9;fp_rate=0.01}"}) {
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
    const Finished fill =
        Fill(PreloadBehind(value, "tests/libraries/libno_symbols.so"),
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
      PreloadBehind("1", "tests/libraries/libother_rocksdb_version.so");
  const Finished fill = Fill(other, "--bloom_bits=10");
  const Messages messages = OurMessages(fill);
  ASSERT_EQ(messages.size(), 1u) << fill.err;
  EXPECT_TRUE(Contains(messages[0], RocksDBVersionText())) << messages[0];
  EXPECT_TRUE(Contains(messages[0], "6.99.0")) << messages[0];
  ExpectFilters("bloomfilter", 10);
  EXPECT_EQ(OurMessages(Fill(other, OptionsFile("oneline:10"))).size(), 1u);
  EXPECT_TRUE(Contains(Dump("").out, "filter policy name: N/A"));
}

// A program that uses RocksDB's C interface, as the bindings for Rust and Go
// do. RocksDB's Bloom filters of as many bits would pass more absent keys.
TEST_F(LibraryTest, TheCInterfaceHasOurFilters) {
  const struct {
    std::string environment, options;
    double bits_per_key, max_fp_rate;
  } kCases[] = {
      {"",
       "block_based_table_factory={filter_policy={id=oneline;fp_rate=0.01}}", 7,
       0.015},
      {Replace("1"), "bloom", 10, 0.005},
  };
  for (const auto& [environment, options, bits_per_key, max_fp_rate] : kCases) {
    std::filesystem::remove_all(Database());
    const Finished program =
        RunProgram(Preload(environment) + "tests/libraries/c_program " +
                   Database() + " '" + options + "'");
    ASSERT_EQ(program.exit_code, 0) << program.err;
    EXPECT_EQ(program.err, "");
    EXPECT_LT(1 - Useful(program) / kKeys, max_fp_rate);
    ExpectFilters("oneline", bits_per_key);
  }
}

}  // namespace
}  // namespace oneline
