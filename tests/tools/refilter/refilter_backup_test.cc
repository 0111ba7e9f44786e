// RocksDB's BackupEngine before and after `oneline refilter`: incremental
// backups into one directory, of which each restores what it was made of.

#include <gtest/gtest.h>
#include <rocksdb/utilities/backup_engine.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "tests/filter_policy/kinds_of_tables.h"
#include "tests/tools/refilter/closed_database.h"

namespace oneline {
namespace {

using rocksdb::BackupEngineOptions;

struct Naming {
  const char* name;
  bool shares_tables, with_checksum;
  BackupEngineOptions::ShareFilesNaming naming;
};

class RefilterBackupTest : public ClosedDatabaseTest,
                           public testing::WithParamInterface<Naming> {
 protected:
  std::unique_ptr<rocksdb::BackupEngine> OpenBackups() const {
    BackupEngineOptions options(directory_.File("backups"));
    options.share_table_files = GetParam().shares_tables;
    options.share_files_with_checksum = GetParam().with_checksum;
    options.share_files_with_checksum_naming = GetParam().naming;
    rocksdb::BackupEngine* engine = nullptr;
    const rocksdb::IOStatus status =
        rocksdb::BackupEngine::Open(options, rocksdb::Env::Default(), &engine);
    EXPECT_TRUE(status.ok()) << status.ToString();
    return std::unique_ptr<rocksdb::BackupEngine>(engine);
  }

  void Backup(const char* policy) {
    const OpenedDatabase db =
        OpenParanoid(path_, Options(policy), {{"default", Options(policy)}});
    const rocksdb::IOStatus status =
        OpenBackups()->CreateNewBackup(db.db.get(), true);
    ASSERT_TRUE(status.ok()) << status.ToString();
  }

  // In the place of the database; checks that its filters are of this kind.
  void Restore(uint32_t backup, const char* policy, const char* kind) {
    const auto backups = OpenBackups();
    const rocksdb::IOStatus verified = backups->VerifyBackup(backup, true);
    EXPECT_TRUE(verified.ok()) << verified.ToString();
    std::filesystem::remove_all(path_);
    const rocksdb::IOStatus restored = backups->RestoreDBFromBackup(
        rocksdb::RestoreOptions(), backup, path_, path_);
    ASSERT_TRUE(restored.ok()) << restored.ToString();
    for (const std::string& table : Tables()) {
      EXPECT_EQ(KindInFile(table), kind);
    }
    EXPECT_EQ(RunOneline("verify " + path_).exit_code, 0);
    ExpectSame(Options(policy));
  }
};

INSTANTIATE_TEST_SUITE_P(
    All, RefilterBackupTest,
    testing::Values(Naming{"Session", true, true,
                           static_cast<BackupEngineOptions::ShareFilesNaming>(
                               BackupEngineOptions::kUseDbSessionId |
                               BackupEngineOptions::kFlagIncludeFileSize)},
                    Naming{"ChecksumAndSize", true, true,
                           BackupEngineOptions::kLegacyCrc32cAndFileSize},
                    Naming{"NumberOnly", true, false,
                           BackupEngineOptions::kLegacyCrc32cAndFileSize},
                    Naming{"Unshared", false, false,
                           BackupEngineOptions::kLegacyCrc32cAndFileSize}),
    [](const auto& test) { return std::string(test.param.name); });

TEST_P(RefilterBackupTest, EachBackupIsWhatItWasMadeOf) {
  Backup("bloomfilter:10:false");
  ASSERT_EQ(Refilter(path_, "--filter_policy=oneline:10 --yes").exit_code, 0);
  Backup("oneline:10");
  // Of a database that was restored.
  Restore(2, "oneline:10", "ribbon");
  ASSERT_EQ(
      Refilter(path_, "--filter_policy=bloomfilter:10:false --yes").exit_code,
      0);
  Backup("bloomfilter:10:false");
  Restore(1, "bloomfilter:10:false", "bloom");
  Restore(3, "bloomfilter:10:false", "bloom");
  Restore(2, "oneline:10", "ribbon");
}

}  // namespace
}  // namespace oneline
