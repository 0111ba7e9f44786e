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

#include "tests/filter_policy/kinds_of_tables.h"
#include "tests/is_ok.h"
#include "tests/tools/refilter/closed_database.h"

namespace oneline {
namespace {

namespace fs = std::filesystem;

class RefilterLogsTest : public ClosedDatabaseTest {
 protected:
  // The files as a process that dies leaves them.
  void CopyTo(const std::string& path) const {
    fs::remove_all(path);
    fs::copy(path_, path);
  }
};

// Prepared and committed transactions, and one that is only prepared.
TEST_F(RefilterLogsTest, Transactions) {
  const std::string killed = directory_.File("killed");
  const auto open = [](const rocksdb::Options& options,
                       const std::string& path) {
    rocksdb::TransactionDB* db = nullptr;
    EXPECT_TRUE(IsOk(rocksdb::TransactionDB::Open(options, {}, path, &db)));
    return std::unique_ptr<rocksdb::TransactionDB>(db);
  };
  rocksdb::WriteOptions synced;
  synced.sync = true;
  {
    const auto db = open(Options(), path_);
    for (const std::string name : {"committed", "prepared"}) {
      const std::unique_ptr<rocksdb::Transaction> transaction(
          db->BeginTransaction(synced));
      ASSERT_TRUE(transaction->SetName(name).ok());
      ASSERT_TRUE(transaction->Put(name, "value").ok());
      ASSERT_TRUE(transaction->Prepare().ok());
      if (name == "prepared") CopyTo(killed);
      ASSERT_TRUE(IsOk((name == "prepared" ? transaction->Rollback()
                                           : transaction->Commit())));
    }
  }
  // RocksDB replays such a log only for transactions, or to be read not at all.
  OutputOf("inspect " + killed);
  ExpectDone(killed, "--filter_policy=oneline:10 --yes");
  const auto db = open(Options("oneline:10"), killed);
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
  using Policy = rocksdb::TxnDBWritePolicy;
  const std::string killed = directory_.File("killed");
  const std::string flags = "--filter_policy=oneline:10 --yes";
  rocksdb::WriteOptions synced;
  synced.sync = true;
  for (const Policy policy : {Policy::WRITE_COMMITTED, Policy::WRITE_PREPARED,
                              Policy::WRITE_UNPREPARED}) {
    for (const bool in_two_logs : {false, true}) {
      SCOPED_TRACE(testing::Message() << policy << in_two_logs);
      Make(Options());
      rocksdb::TransactionDBOptions transactions;
      transactions.write_policy = policy;
      const auto open = [&](const std::string& path) {
        rocksdb::TransactionDB* db = nullptr;
        EXPECT_TRUE(IsOk(
            rocksdb::TransactionDB::Open(Options(), transactions, path, &db)));
        return std::unique_ptr<rocksdb::TransactionDB>(db);
      };
      {
        const auto db = open(path_);
        rocksdb::WriteBatch batch;
        for (int i = 0; i < 50; ++i) {
          ASSERT_TRUE(batch.Put(KeyAt(i), "old").ok());
        }
        rocksdb::TransactionDBWriteOptimizations no_locks;
        no_locks.skip_concurrency_control = true;
        ASSERT_TRUE(IsOk(db->Write(synced, no_locks, &batch)));
        ASSERT_TRUE(db->PauseBackgroundWork().ok());
        rocksdb::FlushOptions later;
        later.wait = false;
        if (in_two_logs) {
          ASSERT_TRUE(IsOk(db->Flush(later)));
        }
        for (int i = 40; i < 50; ++i) {
          ASSERT_TRUE(IsOk(db->Put(synced, KeyAt(i), "new")));
        }
        CopyTo(killed);
        ASSERT_TRUE(db->ContinueBackgroundWork().ok());
      }
      if (policy == Policy::WRITE_COMMITTED) {
        ExpectDone(killed, flags);
      } else {
        ExpectRefusal(Refilter(killed, flags), "are those of a WritePrepared");
        ASSERT_TRUE(IsOk(open(killed)->Flush({})));
        ExpectDone(killed, flags);
      }
      const auto db = open(killed);
      for (int i = 0; i < 50; ++i) {
        std::string value;
        ASSERT_TRUE(IsOk(db->Get({}, KeyAt(i), &value))) << i;
        ASSERT_EQ(value, i < 40 ? "old" : "new") << i;
      }
    }
  }
}

// As old programs left them: RocksDB goes on from the largest number of a file.
TEST_F(RefilterLogsTest, NumbersOfMoreThan32Bits) {
  const std::string killed = directory_.File("killed");
  std::ofstream(path_ + "/1795490219375490.sst") << "not in the MANIFEST";
  rocksdb::WriteOptions synced;
  synced.sync = true;
  {
    OpenedDatabase db = Open(Options());
    for (int i = 1; i < 1000; i += 2) {
      ASSERT_TRUE(db.db->Put(synced, KeyAt(i), ValueAt(i)).ok());
    }
    CopyTo(killed);
    digest_ = Digest(db);
  }
  ASSERT_NE(FileOf(killed, "179549021937"), killed + "/");
  ExpectDone(killed, "--yes --filter_policy=oneline:10");
  const rocksdb::Options options = Options("oneline:10");
  OpenedDatabase db = OpenParanoid(killed, options, {{"default", options}});
  EXPECT_EQ(Digest(db), digest_);
}

// RocksDB would not read the log, which it may delete later.
TEST_F(RefilterLogsTest, OfADatabaseThatRecoversByBestEffortsAreRead) {
  const std::string killed = directory_.File("killed");
  {
    OpenedDatabase db = Open(Options());
    WriteTable(db, 0, 0, 200, "c", /*flush=*/false);
    digest_ = Digest(db);
    CopyTo(killed);
  }
  const std::string file = FileOf(killed, "OPTIONS-");
  std::string text = ReadWholeFile(file);
  const std::string old = "best_efforts_recovery=false";
  ASSERT_NE(text.find(old), std::string::npos);
  text.replace(text.find(old), old.size(), "best_efforts_recovery=true");
  std::ofstream(file) << text;
  ExpectDone(killed, "--filter_policy=oneline:10 --yes");
  // Tables have its keys now.
  const fs::directory_iterator files(killed);
  for (const fs::path& one :
       std::vector<fs::path>(fs::begin(files), fs::end(files))) {
    if (one.extension() == ".log") fs::remove(one);
  }
  const rocksdb::Options options = Options("oneline:10");
  OpenedDatabase db = OpenParanoid(killed, options, {{"default", options}});
  EXPECT_EQ(Digest(db), digest_);
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
  const std::string killed = directory_.File("killed");
  rocksdb::Options options = Options();
  options.write_buffer_size = 1 << 30;
  {
    OpenedDatabase db = Open(options);
    for (int i = 0; i < 100; ++i) {
      ASSERT_TRUE(
          db.db->Put({}, KeyAt(i), std::string(size_t{1} << 20, 'v')).ok());
    }
    CopyTo(killed);
  }
  const std::string file = FileOf(killed, "OPTIONS-");
  std::string text = ReadWholeFile(file);
  const std::string old = "write_buffer_size=1073741824";
  text.replace(text.find(old), old.size(), "write_buffer_size=4194304");
  std::ofstream(file) << text;
  const std::string command = "refilter " + killed + " --filter_policy=";
  EXPECT_LT(KilobytesOf(command + "oneline:10"), uint64_t{50000});
  EXPECT_LT(KilobytesOf("inspect " + killed), uint64_t{50000});
  EXPECT_LT(KilobytesOf(command + "oneline:10 --yes"), uint64_t{90000});
}

TEST_F(RefilterLogsTest, ManyColumnFamiliesTakeLittleMemory) {
  const std::string killed = directory_.File("killed");
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
    CopyTo(killed);
  }
  const std::string command =
      "refilter " + killed + " --filter_policy=oneline:10";
  EXPECT_LT(KilobytesOf(command), uint64_t{100000});
  EXPECT_LT(KilobytesOf(command + " --yes"), uint64_t{200000});
}

}  // namespace
}  // namespace oneline
