// RocksDB's BackupEngine before and after `oneline refilter`: incremental
// backups into one directory, each of which restores what it was made of.

#include <gtest/gtest.h>
#include <rocksdb/utilities/backup_engine.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "tests/filter_policy/kinds_of_tables.h"
#include "tests/tools/refilter/closed_database.h"

namespace oneline {
namespace {

constexpr char kRocksdbs[] = "bloomfilter:10:false";
constexpr char kOurs[] = "oneline:10";

// Tables of one name are taken to be the same if their checksums are, too, or
// by the name alone.
class RefilterBackupTest : public ClosedDatabaseTest,
                           public testing::WithParamInterface<bool> {
 protected:
  std::unique_ptr<rocksdb::BackupEngine> OpenBackups() const {
    rocksdb::BackupEngineOptions options(directory_.File("backups"));
    options.share_files_with_checksum = GetParam();
    rocksdb::BackupEngine* engine = nullptr;
    EXPECT_TRUE(IsOk(rocksdb::BackupEngine::Open(
        options, rocksdb::Env::Default(), &engine)));
    return std::unique_ptr<rocksdb::BackupEngine>(engine);
  }

  void Backup(const char* policy) {
    const OpenedDatabase db = Open(Options(policy));
    ASSERT_TRUE(IsOk(OpenBackups()->CreateNewBackup(
        db.db.get(), /*flush_before_backup=*/true)));
  }

  // In the place of the database; its filters must be of this kind.
  void Restore(uint32_t backup, const char* policy, const char* kind) {
    SCOPED_TRACE(backup);
    const auto backups = OpenBackups();
    EXPECT_TRUE(
        IsOk(backups->VerifyBackup(backup, /*verify_with_checksum=*/true)));
    std::filesystem::remove_all(path_);
    ASSERT_TRUE(IsOk(backups->RestoreDBFromBackup(rocksdb::RestoreOptions(),
                                                  backup, path_, path_)));
    ASSERT_EQ(Tables().size(), 2u);
    for (const std::string& table : Tables()) {
      EXPECT_EQ(KindInFile(table), kind);
    }
    OutputOf("verify " + path_);
    ExpectSame(Options(policy));
  }
};

INSTANTIATE_TEST_SUITE_P(, RefilterBackupTest, testing::Bool(),
                         [](const auto& test) {
                           return test.param ? "ByChecksum" : "ByName";
                         });

TEST_P(RefilterBackupTest, EachBackupIsWhatItWasMadeOf) {
  Backup(kRocksdbs);
  ExpectDone(path_, "--filter_policy=oneline:10 --yes");
  Backup(kOurs);
  Restore(1, kRocksdbs, "bloom");
  Restore(2, kOurs, "ribbon");
}

}  // namespace
}  // namespace oneline
