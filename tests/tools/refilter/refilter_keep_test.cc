// The database as it was before `oneline refilter`: what --keep_old keeps is
// whole, and no more open than the database.

#include <rocksdb/file_system.h>

#include "tests/filter_policy/kinds_of_tables.h"
#include "tests/tools/refilter/closed_database.h"
#include "tools/refilter/plan.h"
#include "tools/refilter/refilter_database.h"

namespace oneline {
namespace {

namespace fs = std::filesystem;

class RefilterKeepTest : public ClosedDatabaseTest {
 protected:
  static void ExpectKinds(const std::string& path, const std::string& kind) {
    int tables = 0;
    for (const auto& entry : fs::directory_iterator(path)) {
      if (entry.path().extension() != ".sst") continue;
      EXPECT_EQ(KindInFile(entry.path()), kind) << path;
      ++tables;
    }
    EXPECT_EQ(tables, 2) << path;
  }
};

// As docs/operations.md says it.
TEST_F(RefilterKeepTest, IsTheDatabaseAsItWas) {
  const std::string options = OptionsText();
  // Whose name is neither that of an OPTIONS file nor one for a shell.
  const std::string kept = directory_.File("OPTIONS-it's kept");
  ExpectDone(path_, kOursYes + (" --keep_old=\"" + kept + "/\""));
  ExpectKinds(path_, "ribbon");
  ExpectKinds(kept, "bloom");
  fs::rename(path_, path_ + ".refiltered");
  fs::rename(kept, path_);
  EXPECT_EQ(OptionsText(), options);
  OutputOf("verify " + path_);
  ExpectSame(Options());
}

// The directory than the database's, and new files than CURRENT, of a program
// with a umask of its own.
TEST_F(RefilterKeepTest, IsNoMoreOpenThanTheDatabase) {
  const std::string kept = directory_.File("kept");
  fs::permissions(path_, fs::perms::owner_all);
  for (const auto& entry : fs::directory_iterator(path_)) {
    fs::permissions(entry.path(),
                    fs::perms::owner_read | fs::perms::owner_write);
  }
  const Finished run =
      RunProgram("umask 022 && " + Oneline() + " refilter " + path_ + " " +
                 kOursYes + " --keep_old=" + kept);
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(fs::status(kept).permissions(), fs::perms::owner_all);
  for (const std::string& made : {path_, kept}) {
    for (const auto& entry : fs::directory_iterator(made)) {
      EXPECT_EQ(entry.status().permissions() & ~fs::perms::owner_all,
                fs::perms::none)
          << entry.path();
    }
  }
}

// As between two file systems.
class WithoutLinks final : public rocksdb::FileSystemWrapper {
 public:
  WithoutLinks() : FileSystemWrapper(rocksdb::FileSystem::Default()) {}
  const char* Name() const override { return "WithoutLinks"; }
  rocksdb::IOStatus LinkFile(const std::string&, const std::string&,
                             const rocksdb::IOOptions&,
                             rocksdb::IODebugContext*) override {
    return rocksdb::IOStatus::NotSupported("another device");
  }
};

// With policies whose text is shorter, and longer, than that of the OPTIONS.
TEST_F(RefilterKeepTest, IsCopiedWholeWhereItCanNotBeLinked) {
  const std::string options = OptionsText();
  for (const std::string policy :
       {"nullptr", "{id=oneline;kind=bloom;bits_per_key=10.125}"}) {
    SCOPED_TRACE(policy);
    RefilterTask task;
    task.database = path_;
    task.policy = policy;
    const auto plan = MakePlan(task);
    ASSERT_TRUE(plan.ok()) << plan.status();
    const auto database = RefilterDatabase::Open(
        *plan, /*to_change=*/true, std::make_shared<WithoutLinks>());
    ASSERT_TRUE(database.ok()) << database.status();
    const std::string kept = directory_.File("kept");
    const absl::Status status = (*database)->Keep(kept);
    EXPECT_TRUE(status.ok()) << status;
    EXPECT_EQ(ReadWholeFile(FileOf(kept, "OPTIONS-")), options);
    ExpectKinds(kept, "bloom");
    OutputOf("verify " + kept);
    fs::remove_all(kept);
  }
}

TEST_F(RefilterKeepTest, NothingThatWasThereIsTouched) {
  const auto refuses = [this](const std::string& keep, const std::string& why) {
    ExpectRefusedRun(why, kOurs + (" --keep_old=" + keep));
  };
  const std::string kept = directory_.File("kept");
  for (const std::string& there : {kept, kept + ".tmp"}) {
    fs::create_directory(there);
    std::ofstream(there + "/file") << "of somebody";
    refuses(kept, there + " exists");
    fs::remove_all(there);
  }
  fs::create_symlink(path_, kept);
  refuses(kept, kept + " exists");
  refuses(path_ + "/kept", " is in the database");
  refuses("/nowhere/kept", "No such file or directory");
  refuses("/dev/null/kept", "Not a directory");
  refuses("/tmp/" + std::string(300, 'k'), "File name too long");
}

// It would be the same as the database.
TEST_F(RefilterKeepTest, IsNotMadeIfNothingIsToDo) {
  const std::string kept = directory_.File("kept");
  ExpectDone(path_, "--yes --keep_old=" + kept);
  EXPECT_FALSE(fs::exists(kept));
}

}  // namespace
}  // namespace oneline
