// What a database has in its write-ahead logs is there after `oneline
// refilter`, as it is after any opening.

#include <gtest/gtest.h>
#include <rocksdb/utilities/transaction.h>
#include <rocksdb/utilities/transaction_db.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "tests/tools/refilter/closed_database.h"
#include "tools/refilter/log_numbers.h"

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
      const std::string& path, WritePolicy policy,
      const rocksdb::Options& options = Options()) {
    rocksdb::TransactionDBOptions transactions;
    transactions.write_policy = policy;
    rocksdb::TransactionDB* db = nullptr;
    EXPECT_TRUE(
        IsOk(rocksdb::TransactionDB::Open(options, transactions, path, &db)));
    return std::unique_ptr<rocksdb::TransactionDB>(db);
  }

  // A batch whose keys have one number where the policy prepares it.
  void WriteBatch(rocksdb::TransactionDB& db) const {
    rocksdb::WriteBatch batch;
    for (int i = 0; i < 50; ++i) ASSERT_TRUE(batch.Put(KeyAt(i), "old").ok());
    rocksdb::TransactionDBWriteOptimizations no_locks;
    no_locks.skip_concurrency_control = true;
    ASSERT_TRUE(IsOk(db.Write(synced_, no_locks, &batch)));
  }

  void ExpectAllKeys() const {
    const rocksdb::Options options = Options("oneline:10");
    const OpenedDatabase db =
        OpenParanoid(killed_, options, {{"default", options}});
    EXPECT_EQ(Digest(db), digest_);
  }

  const std::string killed_ = directory_.File("killed");
  rocksdb::WriteOptions synced_;
};

// Prepared and committed transactions, and one that is only prepared.
TEST_F(RefilterLogsTest, Transactions) {
  {
    const auto db = OpenTransactions(path_, WritePolicy::WRITE_COMMITTED);
    for (const std::string name : {"committed", "prepared"}) {
      const std::unique_ptr<rocksdb::Transaction> transaction(
          db->BeginTransaction(synced_));
      ASSERT_TRUE(transaction->SetName(name).ok());
      ASSERT_TRUE(transaction->Put(name, "value").ok());
      ASSERT_TRUE(transaction->Prepare().ok());
      if (name == "prepared") Kill();
      ASSERT_TRUE(IsOk((name == "prepared" ? transaction->Rollback()
                                           : transaction->Commit())));
    }
  }
  // RocksDB replays such a log only for transactions, or to be read not at all.
  OutputOf("inspect " + killed_);
  ExpectDone(killed_, "--filter_policy=oneline:10 --yes");
  const auto db = OpenTransactions(killed_, WritePolicy::WRITE_COMMITTED,
                                   Options("oneline:10"));
  std::string value;
  EXPECT_TRUE(db->Get({}, "committed", &value).ok());
  EXPECT_TRUE(db->Get({}, "prepared", &value).IsNotFound());
  std::vector<rocksdb::Transaction*> prepared;
  db->GetAllPreparedTransactions(&prepared);
  ASSERT_EQ(prepared.size(), 1u);
  EXPECT_TRUE(prepared[0]->Commit().ok());
  EXPECT_TRUE(db->Get({}, "prepared", &value).ok());
  delete prepared[0];
}

// A plain DB would lose the keys that were written last. The batch of many keys
// and the next are in one log, or each in its own.
TEST_F(RefilterLogsTest, NumbersOfBatches) {
  const std::string flags = "--filter_policy=oneline:10 --yes";
  for (const WritePolicy policy :
       {WritePolicy::WRITE_COMMITTED, WritePolicy::WRITE_PREPARED,
        WritePolicy::WRITE_UNPREPARED}) {
    for (const bool in_two_logs : {false, true}) {
      SCOPED_TRACE(testing::Message() << policy << in_two_logs);
      Make(Options());
      {
        const auto db = OpenTransactions(path_, policy);
        WriteBatch(*db);
        ASSERT_TRUE(db->PauseBackgroundWork().ok());
        rocksdb::FlushOptions later;
        later.wait = false;
        if (in_two_logs) {
          ASSERT_TRUE(IsOk(db->Flush(later)));
        }
        for (int i = 40; i < 50; ++i) {
          ASSERT_TRUE(IsOk(db->Put(synced_, KeyAt(i), "new")));
        }
        Kill();
        ASSERT_TRUE(db->ContinueBackgroundWork().ok());
      }
      if (policy != WritePolicy::WRITE_COMMITTED) {
        ExpectRefusal(Refilter(killed_, flags), "are those of a WritePrepared");
        ASSERT_TRUE(IsOk(OpenTransactions(killed_, policy)->Flush({})));
      }
      ExpectDone(killed_, flags);
      const auto db = OpenTransactions(killed_, policy);
      for (int i = 0; i < 50; ++i) {
        std::string value;
        ASSERT_TRUE(IsOk(db->Get({}, KeyAt(i), &value))) << i;
        ASSERT_EQ(value, i < 40 ? "old" : "new") << i;
      }
    }
  }
}

// By a program whose caller ignores how children end.
TEST_F(RefilterLogsTest, FlushedBatchesAreNotRefused) {
  {
    const auto db = OpenTransactions(path_, WritePolicy::WRITE_PREPARED);
    WriteBatch(*db);
    ASSERT_TRUE(IsOk(db->Put(synced_, KeyAt(0), "new")));
    ASSERT_TRUE(IsOk(db->DisableFileDeletions()));  // the log's, too
    ASSERT_TRUE(IsOk(db->Flush({})));
    Kill();
  }
  ASSERT_EQ(*NumbersOf(*LogsIn(killed_)), LogNumbers::kOfBatches);
  OutputOf("refilter " + killed_ + " --filter_policy=oneline:10", 0,
           "env --ignore-signal=CHLD ");
}

// As old programs left them: RocksDB goes on from the largest number of a file.
TEST_F(RefilterLogsTest, NumbersOfMoreThan32Bits) {
  std::ofstream(path_ + "/1795490219375490.sst") << "not in the MANIFEST";
  {
    OpenedDatabase db = Open(Options());
    for (int i = 1; i < 1000; i += 2) {
      ASSERT_TRUE(db.db->Put(synced_, KeyAt(i), ValueAt(i)).ok());
    }
    Kill();
    digest_ = Digest(db);
  }
  ASSERT_NE(FileOf(killed_, "179549021937"), killed_ + "/");
  ExpectDone(killed_, "--yes --filter_policy=oneline:10");
  ExpectAllKeys();
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
  ExpectDone(killed_, "--filter_policy=oneline:10 --yes");
  // Tables have its keys now.
  const fs::directory_iterator files(killed_);
  for (const fs::path& one :
       std::vector<fs::path>(fs::begin(files), fs::end(files))) {
    if (one.extension() == ".log") fs::remove(one);
  }
  ExpectAllKeys();
}

// Of which RocksDB reads nothing: by the type of its first record.
TEST_F(RefilterLogsTest, ARecycledLogWithSuchANumberIsNotOpened) {
  for (const char type : {'\x05', '\x06', '\x07', '\x08', '\x0b', '\x83'}) {
    std::ofstream(path_ + "/1795490219375490.log")
        << std::string("\1\2\3\4\0\0", 6) << type << "synced";
    ExpectRefusedRun(".log: RocksDB does not read recycled logs");
  }
}

// A dry run does not read it; a run flushes it as RocksDB does.
TEST_F(RefilterLogsTest, ALargeLogTakesLittleMemory) {
  rocksdb::Options options = Options();
  options.write_buffer_size = 1 << 30;
  {
    OpenedDatabase db = Open(options);
    for (int i = 0; i < 100; ++i) {
      ASSERT_TRUE(
          db.db->Put({}, KeyAt(i), std::string(size_t{1} << 20, 'v')).ok());
    }
    Kill();
  }
  EditOption(killed_, "write_buffer_size", "4194304");
  const std::string command = "refilter " + killed_ + " --filter_policy=";
  EXPECT_LT(KilobytesOf(command + "oneline:10"), uint64_t{50000});
  EXPECT_LT(KilobytesOf("inspect " + killed_), uint64_t{50000});
  EXPECT_LT(KilobytesOf(command + "oneline:10 --yes"), uint64_t{90000});
}

TEST_F(RefilterLogsTest, ManyColumnFamiliesTakeLittleMemory) {
  fs::remove_all(path_);
  Families families = {{"default", Options()}};
  for (int i = 0; i < 300; ++i) {
    families.emplace_back("family" + std::to_string(i), Options());
  }
  {
    OpenedDatabase db = OpenParanoid(path_, {}, families);
    for (rocksdb::ColumnFamilyHandle* family : db.handles) {
      ASSERT_TRUE(db.db->Put({}, family, "key", "value").ok());
    }
    Kill();
  }
  const std::string command =
      "refilter " + killed_ + " --filter_policy=oneline:10";
  EXPECT_LT(KilobytesOf(command), uint64_t{100000});
  EXPECT_LT(KilobytesOf(command + " --yes"), uint64_t{200000});
}

}  // namespace
}  // namespace oneline
