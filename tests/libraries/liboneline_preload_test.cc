// Tests of liboneline_preload.so as users use it: preloaded into the
// distribution's own db_bench, ldb and sst_dump, into a program in C, and into
// one that writes a table and prints its filter (table_program.cc). That one is
// also linked to RocksDB and builtin_wrap.cc statically.

#include "filter_policy/rocksdb/rocksdb_version.h"
#include "tests/testing.h"

namespace oneline {
namespace {

constexpr int kKeys = 20000;

// Bazel runs tests in a directory in which these are the paths of their `data`.
std::string Preload(const std::string& libraries = "") {
  return "LD_PRELOAD='" + libraries + " " +
         std::string(std::filesystem::absolute("liboneline_preload.so")) + "' ";
}
std::string Replace(const std::string& value) {
  return "ONELINE_REPLACE_BUILTIN='" + value + "' ";
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

class PreloadTest : public testing::Test {
 protected:
  // What table_program prints with these arguments.
  Finished Table(const std::string& environment, const std::string& arguments,
                 const std::string& linked = "dynamic") const {
    const Finished program =
        RunProgram(environment + "tests/libraries/" + linked + "_program " +
                   directory_.File("table.sst") + " " + arguments);
    EXPECT_EQ(program.exit_code, 0) << program.err;
    return program;
  }

  // Expects tables with our filters with this many bits per key.
  void ExpectOurFilters(double bits) const {
    const std::string dump = Printed("sst_dump --file=" + database_ +
                                     " --show_properties --command=none");
    EXPECT_TRUE(Contains(dump, "filter policy name: oneline\n")) << dump;
    EXPECT_NEAR(
        8 * SumOf("filter block size:", dump) / SumOf("# entries:", dump), bits,
        0.1);
  }

  static std::string Printed(const std::string& command) {
    const Finished program = RunProgram(command);
    EXPECT_EQ(program.exit_code, 0) << command << program.err;
    EXPECT_FALSE(Contains(program.err, "oneline")) << program.err;
    return program.out;
  }

  const TemporaryDirectory directory_;
  const std::string database_ = directory_.File("db");
};

TEST_F(PreloadTest, ProgramsWithoutRocksDBDoNotNotice) {
  for (const char* value : {"", "1"}) {
    const Finished program =
        RunProgram(Replace(value) + Preload() + "/bin/echo hello");
    EXPECT_EQ(program.out, "hello\n");
    EXPECT_EQ(program.err, "");
  }
}

TEST_F(PreloadTest, RocksDBsProgramsKnowTheName) {
  std::ofstream(directory_.File("OPTIONS.ini"))
      << "[Version]\n  rocksdb_version=7.8.3\n  options_file_version=1.1\n"
         "[DBOptions]\n  create_if_missing=true\n"
         "[CFOptions \"default\"]\n"
         "[TableOptions/BlockBasedTable \"default\"]\n  filter_policy="
         "{id=oneline;bits_per_key=9;hash_seed=7;bits_by_level=false}\n";
  const std::string bench =
      "db_bench --db=" + database_ +
      " --options_file=" + directory_.File("OPTIONS.ini") +
      " --statistics --seed=1 --num=" + std::to_string(kKeys) + " ";
  Printed(Preload() + bench + "--benchmarks=fillseq,flush");
  const std::string ldb = " ldb --db=" + database_ + " --try_load_options ";
  Printed(Preload() + ldb + "compact");
  ExpectOurFilters(9);
  EXPECT_TRUE(Contains(Printed("cat $(ls " + database_ + "/OPTIONS-*)"),
                       "hash_seed=7;"));
  // Without the library RocksDB silently drops the policy, and loses no key.
  for (const bool preloaded : {true, false}) {
    const std::string before = preloaded ? Preload() : "";
    const std::string read =
        Printed(before + bench +
                "--use_existing_db --benchmarks=readrandom,readmissing");
    EXPECT_TRUE(Contains(read, "(20000 of 20000 found)")) << read;
    EXPECT_TRUE(Contains(read, "(0 of 20000 found)")) << read;
    const double useful = SumOf("rocksdb.bloom.filter.useful COUNT :", read);
    EXPECT_TRUE(preloaded ? useful > 0.99 * kKeys : useful == 0) << useful;
    EXPECT_TRUE(Contains(Printed(before + ldb + "dump --count_only"),
                         "Keys in range: 20000"));
  }
}

// The filter that a program asks for, and what it gets. The memory is that of
// RocksDB's filter, for Ribbon 9.6 bits per key instead of 14 of Bloom.
TEST_F(PreloadTest, ReplacesBuiltinFilters) {
  // A program may have RocksDB before our library.
  const std::string rocksdb = Printed(
      "ldd $PWD/liboneline_preload.so | sed -n "
      "'s/.*librocksdb.* => \\([^ ]*\\) .*/\\1/p' | tr -d '\\n'");
  ASSERT_TRUE(std::filesystem::exists(rocksdb)) << rocksdb;
  const struct {
    const char *value, *asked, *printed;
  } kCases[] = {
      {"1", "bloom 12", "oneline 12.0 bloomfilter:12:false\n"},
      {"1", "ribbon 12 -1", "oneline 8.4 ribbonfilter:12:-1\n"},
      {"{id=oneline;bits_per_key=17;hash_seed=7}", "bloom 10",
       "oneline 17.0 bloomfilter:10:false\n"},
      {"oneline:8", "ribbon 14 2", "oneline 8.0 ribbonfilter:14:2\n"},
      {"1", "name bloomfilter:12:true", "oneline 12.0 bloomfilter:12:false\n"},
      // By RocksDB's own functions, which are not replaced in turn.
      {"{id=oneline;kind=rocksdb_bloom;bits_per_key=17}", "bloom 10",
       "oneline 17.0 bloomfilter:10:false\n"},
      {"{id=oneline;kind=rocksdb_ribbon;bits_per_key=9}", "name bloomfilter:12",
       "oneline 8.9 bloomfilter:12:false\n"},
      {"", "bloom 12", "bloomfilter 12.0 bloomfilter:12:false\n"},
      {"0", "ribbon 14 -1", "ribbonfilter 9.5 ribbonfilter:14:-1\n"},
      {"", "name ribbonfilter:14:-1", "ribbonfilter 9.5 ribbonfilter:14:-1\n"},
  };
  for (const auto& [value, asked, printed] : kCases) {
    SCOPED_TRACE(std::string(value) + " for " + asked);
    for (const std::string& first : {std::string(), rocksdb}) {
      // Behind RocksDB only names are ours to replace.
      if (!first.empty() && std::string(asked).rfind("name", 0) != 0) continue;
      const Finished program = Table(Replace(value) + Preload(first), asked);
      EXPECT_EQ(program.out, printed);
      EXPECT_EQ(program.err, "");
    }
    const Finished program = Table(Replace(value), asked, "static");
    EXPECT_EQ(program.out, printed);
    EXPECT_EQ(program.err, "");
  }
  EXPECT_EQ(Table("", "name oneline:11", "static").out.find("oneline 11.0 "),
            0u);
  const std::string linked = Printed("ldd tests/libraries/static_program");
  EXPECT_FALSE(Contains(linked, "librocksdb")) << linked;
}

TEST_F(PreloadTest, AWrongReplacementIsReportedAndNotMade) {
  for (const char* value :
       {"yes", "{id=oneline;bits_per_key=9;fp_rate=0.01}"}) {
    const Finished program = Table(Replace(value) + Preload(), "bloom 12");
    EXPECT_TRUE(Contains(program.err, "ONELINE_REPLACE_BUILTIN"));
    EXPECT_TRUE(Contains(program.err, "RocksDB's own filter is used"));
    EXPECT_EQ(program.out, "bloomfilter 12.0 bloomfilter:12:false\n");
  }
}

TEST_F(PreloadTest, RefusesAnotherVersionOfRocksDB) {
  const std::string other =
      std::filesystem::absolute("tests/libraries/libother_rocksdb_version.so");
  const Finished program = Table(Replace("1") + Preload(other), "bloom 12");
  EXPECT_TRUE(Contains(program.err, RocksDBVersionText())) << program.err;
  EXPECT_TRUE(Contains(program.err, "6.99.0")) << program.err;
  EXPECT_EQ(program.out, "bloomfilter 12.0 bloomfilter:12:false\n");
}

TEST_F(PreloadTest, ServesAnotherPatchOfRocksDB) {
  const std::string other =
      "OTHER_ROCKSDB_VERSION=" + std::to_string(kRocksDBMajor) + "." +
      std::to_string(kRocksDBMinor) + ".99 " +
      Preload(std::filesystem::absolute(
          "tests/libraries/libother_rocksdb_version.so"));
  const Finished program = Table(Replace("1") + other, "bloom 12");
  EXPECT_EQ(program.err, "");
  EXPECT_TRUE(Contains(program.out, "oneline 12.0")) << program.out;
}

// A program that uses RocksDB's C interface, as the bindings for Rust and Go
// do.
TEST_F(PreloadTest, TheCInterfaceHasOurFilters) {
  const std::string program = "tests/libraries/c_program " + database_ + " ";
  Printed(Preload() + program +
          "'block_based_table_factory={filter_policy={id=oneline;"
          "fp_rate=0.01}}'");
  ExpectOurFilters(7);
  std::filesystem::remove_all(database_);
  for (const std::string kind : {"bloom", "ribbon"}) {
    Printed(Preload() + program +
            "'block_based_table_factory={filter_policy={id=oneline;"
            "kind=rocksdb_" +
            kind + ";bits_per_key=9;bits_by_level=false}}'");
    ExpectOurFilters(9);
    // As RocksDB's, OPTIONS files name their policy.
    EXPECT_TRUE(Contains(Printed("cat " + database_ + "/OPTIONS-*"),
                         "filter_policy=" + kind + "filter:"));
    std::filesystem::remove_all(database_);
  }
  Printed(Replace("1") + Preload() + program + "bloom");
  ExpectOurFilters(10);
}

}  // namespace
}  // namespace oneline
