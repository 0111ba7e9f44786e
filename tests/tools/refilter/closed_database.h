// A small database, closed, on which tests run `oneline refilter`.

#ifndef ONELINE_TESTS_TOOLS_REFILTER_CLOSED_DATABASE_H_
#define ONELINE_TESTS_TOOLS_REFILTER_CLOSED_DATABASE_H_

#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/tools/refilter/refilter_database.h"
#include "tests/tools/run_oneline.h"

namespace oneline {

inline constexpr int kKeys = 2000;

inline Finished Refilter(const std::string& path, const std::string& flags) {
  return RunOneline("refilter " + path + " " + flags);
}

inline rocksdb::Options Options(const char* policy = "bloomfilter:10:false") {
  return OptionsWith(PolicyNamed(policy));
}

// A closed database of two tables.
class ClosedDatabaseTest : public testing::Test {
 protected:
  ClosedDatabaseTest() : path_(directory_.File("db")) { Make(Options()); }

  void Make(const rocksdb::Options& options) {
    std::filesystem::remove_all(path_);
    OpenedDatabase db = OpenParanoid(path_, options, {{"default", options}});
    WriteTable(db, 0, 0, kKeys, "a");
    if (options.db_paths.empty()) {
      CompactTo(db, 0, 2);
    } else {
      rocksdb::CompactRangeOptions last_path;
      last_path.change_level = true;
      last_path.target_level = 2;
      last_path.target_path_id = 1;
      const rocksdb::Status status =
          db.db->CompactRange(last_path, nullptr, nullptr);
      ASSERT_TRUE(status.ok()) << status.ToString();
    }
    WriteTable(db, 0, 0, kKeys, "b");
    digest_ = Digest(db);
  }

  std::vector<std::string> Tables() const {
    std::vector<std::string> tables;
    for (const auto& entry : std::filesystem::directory_iterator(path_)) {
      if (entry.path().extension() == ".sst") tables.push_back(entry.path());
    }
    return tables;
  }

  std::string ManifestPath() const {
    std::string name = ReadWholeFile(path_ + "/CURRENT");
    name.pop_back();
    return path_ + "/" + name;
  }

  // Neither the plan nor a run changes anything; both say why.
  void ExpectRefusedRun(const std::string& why, const std::string& flags = "") {
    const auto files = FilesIn(path_);
    const Finished plan =
        Refilter(path_, "--filter_policy=oneline:10 " + flags);
    EXPECT_NE(plan.exit_code, 0) << plan.out;
    std::string said = plan.out + plan.err;
    for (char& c : said) c = c == '\n' ? ' ' : c;
    EXPECT_TRUE(Contains(said, why)) << plan.out << plan.err;
    const Finished run =
        Refilter(path_, "--yes --filter_policy=oneline:10 " + flags);
    ExpectRefusal(run, why);
    EXPECT_EQ(FilesIn(path_), files);
  }

  void ExpectSame(const rocksdb::Options& options) {
    OpenedDatabase db = OpenParanoid(path_, options, {{"default", options}});
    ASSERT_FALSE(HasFailure());
    EXPECT_EQ(Digest(db), digest_);
    EXPECT_GT(UsefulAnswers(db, 0, kKeys), uint64_t{kKeys * 9 / 20});
  }

  const TemporaryDirectory directory_;
  const std::string path_;
  uint64_t digest_ = 0;
};

}  // namespace oneline

#endif  // ONELINE_TESTS_TOOLS_REFILTER_CLOSED_DATABASE_H_
