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

// A run that does all.
inline void ExpectDone(const std::string& path, const std::string& flags) {
  const Finished run = Refilter(path, flags);
  EXPECT_EQ(run.exit_code, 0) << run.out << run.err;
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
    OpenedDatabase db = Open(options);
    WriteTable(db, 0, 0, kKeys, "a");
    if (options.db_paths.empty()) {
      CompactTo(db, 0, 2);
    } else {
      rocksdb::CompactRangeOptions last_path;
      last_path.change_level = true;
      last_path.target_level = 2;
      last_path.target_path_id = 1;
      ASSERT_TRUE(IsOk(db.db->CompactRange(last_path, nullptr, nullptr)));
    }
    WriteTable(db, 0, 0, kKeys, "b");
    digest_ = Digest(db);
  }

  OpenedDatabase Open(const rocksdb::Options& options) const {
    return OpenParanoid(path_, options, {{"default", options}});
  }

  std::vector<std::string> Tables() const {
    std::vector<std::string> tables;
    for (const auto& entry : std::filesystem::directory_iterator(path_)) {
      if (entry.path().extension() == ".sst") tables.push_back(entry.path());
    }
    return tables;
  }

  // Neither a dry run nor a run changes anything; both say why, in JSON, too.
  void ExpectRefusedRun(const std::string& why,
                        const std::string& flags = "--filter_policy=oneline:10",
                        const std::string& before = "") {
    const auto files = FilesIn(directory_.path());
    for (const std::string yes : {"", "--yes "}) {
      const std::string arguments = "refilter " + path_ + " " + yes + flags;
      ExpectRefusal(RunOneline(arguments, before), why);
      const Json json = RunForJson(arguments, 2, before);
      EXPECT_TRUE(Contains(json["error"].text(), why)) << json;
      EXPECT_EQ(json["changed"].dump(), "false");
    }
    EXPECT_EQ(FilesIn(directory_.path()), files);
  }

  // The text of the newest OPTIONS file, which no run changes.
  std::string OptionsText() const {
    return ReadWholeFile(FileOf(path_, "OPTIONS-"));
  }

  void ExpectSame(const rocksdb::Options& options) {
    OpenedDatabase db = Open(options);
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
