// Makes databases, runs `oneline advise` on them, and measures their filters.

#ifndef ONELINE_TESTS_TOOLS_ADVISE_ADVISE_DATABASE_H_
#define ONELINE_TESTS_TOOLS_ADVISE_ADVISE_DATABASE_H_

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "tests/filter_policy/scratch_database.h"
#include "tests/is_ok.h"
#include "tests/tools/run_oneline.h"

namespace oneline {

inline Json Advise(const std::string& path, const std::string& flags,
                   int exit_code = 0, const std::string& before = "") {
  return RunForJson("advise " + path + " " + flags, exit_code, before);
}

inline void ExpectRefused(const std::string& path, const std::string& flags,
                          const std::string& words) {
  ExpectRefusal(RunOneline("advise " + path + " " + flags), words);
}

inline constexpr int kLastKey = 40000;

// Writes a table with every `step`-th key from `first` on to level 0.
inline void WriteEvery(rocksdb::DB* db, int step, int first = 0) {
  for (int i = first; i < kLastKey; i += step) {
    ASSERT_TRUE(db->Put({}, KeyAt(i), ValueAt(i)).ok());
  }
  ASSERT_TRUE(db->Flush({}).ok());
}

// Compacts the tables of level `from` into level `to`.
inline void Rewrite(rocksdb::DB* db, int from, int to) {
  std::vector<rocksdb::LiveFileMetaData> files;
  db->GetLiveFilesMetaData(&files);
  std::vector<std::string> names;
  for (const rocksdb::LiveFileMetaData& file : files) {
    if (file.level == from) names.push_back(file.name);
  }
  ASSERT_TRUE(IsOk(db->CompactFiles(rocksdb::CompactionOptions(), names, to)));
}

// Five sorted runs, each over all keys: 20,000 keys on level 4, 2,000 on level
// 2, and 200, 100 and 100 in three tables of level 0. Each was written for its
// level.
inline void Fill(rocksdb::DB* db) {
  WriteEvery(db, 2);
  Rewrite(db, 0, 4);
  WriteEvery(db, 20);
  Rewrite(db, 0, 2);
  WriteEvery(db, 200);
  WriteEvery(db, 400, 2);
  WriteEvery(db, 400, 4);
}

inline double FilterBytes(const ScratchDatabase& database) {
  double bytes = 0;
  for (const auto& table : database.Tables()) {
    bytes += static_cast<double>(table->filter_size);
  }
  return bytes;
}

// Wasted reads per lookup, measured with so many lookups of absent keys that
// chance makes a few percent.
inline double MeasuredWastedReads(const ScratchDatabase& database) {
  const auto positives = [&] {
    return database.Ticker(rocksdb::BLOOM_FILTER_FULL_POSITIVE) -
           database.Ticker(rocksdb::BLOOM_FILTER_FULL_TRUE_POSITIVE);
  };
  const uint64_t before = positives();
  int lookups = 0;
  for (int i = 1001; i < kLastKey - 1000; i += 2) {
    for (const char* end : {"", "a", "b", "c"}) {
      std::string value;
      EXPECT_TRUE(database->Get({}, KeyAt(i) + end, &value).IsNotFound());
      ++lookups;
    }
  }
  EXPECT_GT(database.Ticker(rocksdb::BLOOM_FILTER_USEFUL), 0u);
  return static_cast<double>(positives() - before) / lookups;
}

class AdviseTest : public testing::Test {
 protected:
  void Make(const std::string& policy) {
    database_ = std::make_unique<ScratchDatabase>(
        OptionsWith(policy == "none" ? nullptr : PolicyNamed(policy)));
    Fill(database_->get());
    database_->Close();
  }
  const std::string& path() const { return database_->path(); }

  std::unique_ptr<ScratchDatabase> database_;
};

}  // namespace oneline

#endif  // ONELINE_TESTS_TOOLS_ADVISE_ADVISE_DATABASE_H_
