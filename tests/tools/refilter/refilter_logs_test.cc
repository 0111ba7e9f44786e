// What a database has in its write-ahead logs is there after `oneline
// refilter`, as it is after any opening.

#include <rocksdb/utilities/transaction.h>
#include <rocksdb/utilities/transaction_db.h>

#include "tests/tools/refilter/closed_database.h"

namespace oneline {
namespace {

namespace fs = std::filesystem;

using WritePolicy = rocksdb::TxnDBWritePolicy;

class RefilterLogsTest : public ClosedDatabaseTest {
 protected:
  RefilterLogsTest() { synced_.sync = true; }

  // Copies the files as a process that dies leaves them.
  void Kill() const {
    fs::remove_all(killed_);
    fs::copy(path_, killed_);
  }

  static std::unique_ptr<rocksdb::TransactionDB> OpenTransactions(
      const std::string& path, WritePolicy policy) {
    rocksdb::TransactionDBOptions transactions;
    transactions.write_policy = policy;
    rocksdb::TransactionDB* db = nullptr;
    EXPECT_TRUE(
        IsOk(rocksdb::TransactionDB::Open(Options(), transactions, path, &db)));
    return std::unique_ptr<rocksdb::TransactionDB>(db);
  }

  const std::string killed_ = directory_.File("killed");
  rocksdb::WriteOptions synced_;
};

// A plain DB would lose the keys that were written last.
TEST_F(RefilterLogsTest, OfTransactionsAreLeftToTheirProgram) {
  for (const WritePolicy policy :
       {WritePolicy::WRITE_COMMITTED, WritePolicy::WRITE_PREPARED,
        WritePolicy::WRITE_UNPREPARED}) {
    SCOPED_TRACE(policy);
    Make(Options());
    {
      const auto db = OpenTransactions(path_, policy);
      // A batch whose keys have one number where the policy prepares it.
      rocksdb::WriteBatch batch;
      for (int i = 0; i < 50; ++i) ASSERT_TRUE(batch.Put(KeyAt(i), "old").ok());
      rocksdb::TransactionDBWriteOptimizations no_locks;
      no_locks.skip_concurrency_control = true;
      ASSERT_TRUE(IsOk(db->Write(synced_, no_locks, &batch)));
      for (int i = 40; i < 50; ++i) {
        ASSERT_TRUE(IsOk(db->Put(synced_, KeyAt(i), "new")));
      }
      Kill();
    }
    for (const char* flags : {kOurs, kOursYes}) {
      ExpectRefusal(Refilter(killed_, flags),
                    "a database with two-phase commits");
    }
    // What the command says, after which the logs are empty.
    {
      const auto db = OpenTransactions(killed_, policy);
      ASSERT_TRUE(IsOk(db->Put(synced_, "last", "value")));
      ASSERT_TRUE(IsOk(db->Flush({})));
    }
    ExpectDone(killed_);
    const auto db = OpenTransactions(killed_, policy);
    for (int i = 0; i < 50; ++i) {
      std::string value;
      ASSERT_TRUE(IsOk(db->Get({}, KeyAt(i), &value))) << i;
      ASSERT_EQ(value, i < 40 ? "old" : "new") << i;
    }
  }
}

// Until it is committed it is in a log alone, also after a flush.
TEST_F(RefilterLogsTest, OfAPreparedTransactionAreLeftToItsProgram) {
  const auto db = OpenTransactions(path_, WritePolicy::WRITE_COMMITTED);
  const std::unique_ptr<rocksdb::Transaction> transaction(
      db->BeginTransaction(synced_));
  ASSERT_TRUE(IsOk(transaction->SetName("name")));
  ASSERT_TRUE(IsOk(transaction->Put("prepared", "value")));
  ASSERT_TRUE(IsOk(transaction->Prepare()));
  ASSERT_TRUE(IsOk(db->Put(synced_, "last", "value")));
  ASSERT_TRUE(IsOk(db->Flush({})));
  Kill();
  ASSERT_TRUE(IsOk(transaction->Rollback()));
  ExpectRefusal(Refilter(killed_, kOursYes),
                "a database with two-phase commits");
}

// They can be large; and RocksDB reads them into memory.
TEST_F(RefilterLogsTest, ADryRunReadsNone) {
  EditOption(path_, "wal_recovery_mode", "kAbsoluteConsistency");
  std::ofstream(path_ + "/000099.log") << "no log";
  ExpectRefusal(Refilter(path_, kOursYes), "RocksDB can't open it");
  const Finished dry_run = Refilter(path_, kOurs);
  EXPECT_EQ(dry_run.exit_code, 0) << dry_run.err;
}

// RocksDB would delete the log with what follows the damage.
TEST_F(RefilterLogsTest, DamagedOnesAreLeftToTheirProgram) {
  {
    OpenedDatabase db = Open(Options());
    WriteTable(db, 0, 0, 200, "c", /*flush=*/false);
    digest_ = Digest(db);
    Kill();
  }
  std::string log, whole;  // others are empty
  for (const auto& file : fs::directory_iterator(killed_)) {
    if (file.path().extension() == ".log" && file.file_size() > 0) {
      log = file.path();
      whole = ReadWholeFile(log);
    }
  }
  std::string damaged = whole;
  damaged.replace(whole.size() / 2, 20, 20, '\xff');
  for (const std::string& text :
       {damaged, whole.substr(0, whole.size() - 10)}) {
    std::ofstream(log, std::ios::binary) << text;
    const Json run = RunForJson("refilter " + killed_ + " " + kOursYes, 2);
    EXPECT_TRUE(Contains(run["error"].text(), log + " is damaged or torn"));
    EXPECT_EQ(ReadWholeFile(log), text);
    // RocksDB has written other files; no table had its turn.
    EXPECT_EQ(run["changed"].dump(), "true");
    EXPECT_EQ(run["left"].dump(), "null");
  }
  std::ofstream(log, std::ios::binary) << whole;
  ExpectDone(killed_);
  const rocksdb::Options options = Options("oneline:10");
  OpenedDatabase db = OpenParanoid(killed_, options, {{"default", options}});
  EXPECT_EQ(Digest(db), digest_);
}

// RocksDB would not read the log, which it may delete later.
TEST_F(RefilterLogsTest, OfADatabaseThatRecoversByBestEffortsAreRead) {
  {
    OpenedDatabase db = Open(Options());
    WriteTable(db, 0, 0, 200, "c", /*flush=*/false);
    digest_ = Digest(db);
    Kill();
  }
  EditOption(killed_, "best_efforts_recovery", "true");
  ExpectDone(killed_);
  // Tables have its keys now.
  const fs::directory_iterator files(killed_);
  for (const fs::path& one :
       std::vector<fs::path>(fs::begin(files), fs::end(files))) {
    if (one.extension() == ".log") fs::remove(one);
  }
  const rocksdb::Options options = Options("oneline:10");
  EXPECT_EQ(Digest(OpenParanoid(killed_, options, {{"default", options}})),
            digest_);
}

TEST_F(RefilterLogsTest, LogsThatAreNotReadAreNotTakenForEmpty) {
  // RocksDB reads nothing of it if it is recycled.
  const std::string log = path_ + "/1795490219375490.log";
  std::ofstream(log) << "synced";
  ExpectRefusedRun(log + ": RocksDB does not read recycled logs");
  fs::remove(log);
  fs::create_symlink("900000.log", path_ + "/900000.log");  // to itself
  // RocksDB would refuse it, too; but a dry run does not open logs.
  for (const char* flags : {kOurs, kOursYes}) {
    ExpectRefusal(Refilter(path_, flags), "Too many levels of symbolic links");
  }
}

}  // namespace
}  // namespace oneline
