// A small database, closed, on which tests run `oneline refilter`.

#ifndef ONELINE_TESTS_TOOLS_REFILTER_CLOSED_DATABASE_H_
#define ONELINE_TESTS_TOOLS_REFILTER_CLOSED_DATABASE_H_

#include "tests/filter_policy/scratch_database.h"
#include "tests/tools/run_oneline.h"

namespace oneline {

// An open database; closed with its object.
struct OpenedDatabase {
  std::unique_ptr<rocksdb::DB> db;
  std::vector<rocksdb::ColumnFamilyHandle*> handles;
  std::shared_ptr<rocksdb::Statistics> statistics;

  OpenedDatabase() = default;
  OpenedDatabase(OpenedDatabase&&) = default;
  ~OpenedDatabase() { Close(); }
  void Close() {
    for (rocksdb::ColumnFamilyHandle* handle : handles) {
      EXPECT_TRUE(db->DestroyColumnFamilyHandle(handle).ok());
    }
    handles.clear();
    db.reset();
  }
};

using Families = std::vector<rocksdb::ColumnFamilyDescriptor>;

// Opens all column families with all of RocksDB's checks; fails the test on an
// error.
inline OpenedDatabase OpenParanoid(const std::string& path,
                                   rocksdb::DBOptions options,
                                   const Families& families) {
  OpenedDatabase opened;
  opened.statistics = rocksdb::CreateDBStatistics();
  options.statistics = opened.statistics;
  options.create_if_missing = true;
  options.create_missing_column_families = true;
  options.paranoid_checks = true;
  options.max_open_files = -1;
  options.verify_sst_unique_id_in_manifest = true;
  EXPECT_TRUE(IsOk(rocksdb::DB::Open(options, path, families, &opened.handles,
                                     OpenInto(&opened.db))));
  return opened;
}

// Of all keys and values of all families, in the order of a scan.
inline uint64_t Digest(const OpenedDatabase& opened) {
  rocksdb::ReadOptions options;
  options.total_order_seek = true;
  uint64_t digest = 0;
  for (rocksdb::ColumnFamilyHandle* handle : opened.handles) {
    const std::unique_ptr<rocksdb::Iterator> it(
        opened.db->NewIterator(options, handle));
    for (it->SeekToFirst(); it->Valid(); it->Next()) {
      digest =
          KeyHash(it->key().ToString() + '=' + it->value().ToString(), digest);
    }
    EXPECT_TRUE(IsOk(it->status()));
  }
  return digest;
}

// Even keys of [first, last) with the values of `version`, in one table.
inline void WriteTable(OpenedDatabase& opened, size_t family, int first,
                       int last, const std::string& version,
                       bool flush = true) {
  for (int i = first; i < last; i += 2) {
    ASSERT_TRUE(
        IsOk(opened.db->Put({}, opened.handles[family], KeyAt(i),
                            version + ValueAt(i) + std::string(40, 'v'))));
  }
  if (!flush) return;
  ASSERT_TRUE(IsOk(opened.db->Flush({}, opened.handles[family])));
}

// The tables of level 0 of a family into one of `level`.
inline void CompactTo(OpenedDatabase& opened, size_t family, int level) {
  rocksdb::ColumnFamilyMetaData tree;
  opened.db->GetColumnFamilyMetaData(opened.handles[family], &tree);
  std::vector<std::string> files;
  for (const auto& file : tree.levels[0].files) files.push_back(file.name);
  ASSERT_TRUE(
      IsOk(opened.db->CompactFiles({}, opened.handles[family], files, level)));
}

inline constexpr int kKeys = 2000;

// Looks up even keys of [0, kKeys), which must be found, and odd ones, for
// which filters must answer.
inline void ExpectFiltered(OpenedDatabase& opened, size_t family) {
  ASSERT_TRUE(IsOk(opened.statistics->Reset()));
  for (int i = 0; i < kKeys && !testing::Test::HasFailure(); ++i) {
    std::string value;
    const rocksdb::Status status =
        opened.db->Get({}, opened.handles[family], KeyAt(i), &value);
    EXPECT_EQ(status.ok(), i % 2 == 0) << i << status.ToString();
    EXPECT_TRUE(status.ok() || status.IsNotFound()) << status.ToString();
  }
  EXPECT_GT(opened.statistics->getTickerCount(rocksdb::BLOOM_FILTER_USEFUL) +
                opened.statistics->getTickerCount(
                    rocksdb::BLOOM_FILTER_PREFIX_USEFUL),
            uint64_t{kKeys * 9 / 20});
}

// Changes an option in the newest OPTIONS file.
inline void EditOption(const std::string& path, const std::string& name,
                       const std::string& value) {
  const std::string file = FileOf(path, "OPTIONS-");
  const std::string text = ReadWholeFile(file);
  const size_t begin = text.find(" " + name + "=");
  ASSERT_NE(begin, std::string::npos) << name << " is not in " << text;
  ReplaceIn(file, text.substr(begin, text.find('\n', begin) - begin),
            " " + name + "=" + value);
}

inline constexpr char kOurs[] = "--filter_policy=oneline:10";
inline constexpr char kOursYes[] = "--filter_policy=oneline:10 --yes";

inline Finished Refilter(const std::string& path, const std::string& flags) {
  return RunOneline("refilter " + path + " " + flags);
}

// A run that does all.
inline void ExpectDone(const std::string& path,
                       const std::string& flags = kOursYes) {
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

  // In the order of their numbers.
  std::vector<std::string> Tables() const {
    std::vector<std::string> tables;
    for (const auto& entry : std::filesystem::directory_iterator(path_)) {
      if (entry.path().extension() == ".sst") tables.push_back(entry.path());
    }
    std::sort(tables.begin(), tables.end());
    return tables;
  }

  // Neither a dry run nor a run changes anything; both say why, in JSON, too.
  void ExpectRefusedRun(const std::string& why,
                        const std::string& flags = kOurs,
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
    ExpectFiltered(db, 0);
  }

  const TemporaryDirectory directory_;
  const std::string path_;
  uint64_t digest_ = 0;
};

}  // namespace oneline

#endif  // ONELINE_TESTS_TOOLS_REFILTER_CLOSED_DATABASE_H_
