// The distribution's own db_bench, ldb and sst_dump, with
// liboneline_preload.so preloaded or not.

#ifndef ONELINE_TESTS_LIBRARIES_PRELOADED_PROGRAMS_H_
#define ONELINE_TESTS_LIBRARIES_PRELOADED_PROGRAMS_H_

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>

#include "tests/libraries/saved_id.h"
#include "tests/run_program.h"
#include "tests/temporary_directory.h"

namespace oneline {

inline constexpr int kKeys = 20000;

// Bazel runs tests in a directory in which these are the paths of their `data`.
inline std::string Library() {
  return std::filesystem::absolute("liboneline_preload.so");
}

inline std::string Preload(const std::string& environment = "") {
  return environment + " LD_PRELOAD=" + Library() + " ";
}
inline std::string Replace(const std::string& value) {
  return "ONELINE_REPLACE_BUILTIN='" + value + "'";
}

inline bool Contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// The sum of all numbers that follow `label`.
inline double SumOf(const std::string& label, const std::string& text) {
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

  // The filter policy in the database's own OPTIONS file.
  std::string SavedPolicy() const {
    std::string newest;
    for (const auto& file : std::filesystem::directory_iterator(Database())) {
      const std::string name = file.path().filename();
      if (name.rfind("OPTIONS-", 0) == 0) newest = std::max(newest, name);
    }
    std::ifstream options(Database() + "/" + newest);
    for (std::string line; std::getline(options, line);) {
      const size_t at = line.find("filter_policy=");
      if (at != std::string::npos) return WithIdAlone(line.substr(at + 14));
    }
    return "none";
  }

  // The options in it, from between the braces. RocksDB writes them in no
  // order.
  std::set<std::string> SavedOptions() const {
    std::set<std::string> options;
    std::string text = SavedPolicy();
    if (text.size() < 2 || text.front() != '{') return {text};
    std::istringstream parts(text.substr(1, text.size() - 2));
    for (std::string part; std::getline(parts, part, ';');) {
      options.insert(part);
    }
    return options;
  }

 private:
  std::string Common() const {
    return " --db=" + Database() + " --num=" + std::to_string(kKeys) +
           " --reads=" + std::to_string(kKeys) + " ";
  }

  const TemporaryDirectory directory_;
};

}  // namespace oneline

#endif  // ONELINE_TESTS_LIBRARIES_PRELOADED_PROGRAMS_H_
