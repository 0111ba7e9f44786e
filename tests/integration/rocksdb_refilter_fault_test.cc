// Refilter where a read or write fails or power is lost: no key is lost, the
// report is right, and the next call does the rest.

#include "oneline/refilter.h"
#include "tests/filter_policy/fault_file_system.h"
#include "tests/filter_policy/scratch_database.h"

namespace oneline {
namespace {

using rocksdb::Status;

// So many calls fail in a test, and the rounds that it may take: some faults
// are of a file's deletion, or come after the last table.
constexpr int kFailures = kSlow ? 3 : 8;
constexpr int kRoundsForEach = 20;
constexpr int kFaultKeys = 3000;  // half of them are put

// The policies take turns, so that all tables always need new filters.
rocksdb::Options OptionsOf(int turn, rocksdb::Env* env) {
  rocksdb::Options options =
      OptionsWith(turn % 2 == 0 ? PolicyPtr(rocksdb::NewBloomFilterPolicy(10))
                                : OurPolicy(12));
  options.env = env;
  // RocksDB's own LOG ends the program where its assertions are on and a write
  // to it fails.
  options.info_log = std::make_shared<NoLog>();
  return options;
}

// Tables in levels 0, 1 and 2.
void WriteTables(ScratchDatabase* database) {
  const int part = kFaultKeys / 6;
  for (const int level : {2, 1, 0}) {
    const int first = 2 * part * (2 - level);
    database->WriteTable(first, first + part);
    database->WriteTable(first + part, first + 2 * part);
    if (level > 0) database->CompactLevel0To(level);
  }
}

struct Outcome {
  Status status;
  RefilterReport report;
};

Outcome TryRefilter(const ScratchDatabase& database, int threads) {
  RefilterOptions options;
  options.threads = threads;
  options.bytes_per_second = 0;
  Outcome outcome;
  outcome.status = Refilter(database.get(), options, &outcome.report);
  const RefilterReport& report = outcome.report;
  EXPECT_EQ(report.tables_found, report.tables_rewritten + report.left.size());
  if (outcome.status.ok()) {
    EXPECT_TRUE(report.left.empty());
  }
  return outcome;
}

class RefilterFaultTest : public testing::Test {
 protected:
  RefilterFaultTest() : database_(OptionsOf(0, rocksdb::Env::Default())) {
    WriteTables(&database_);
  }
  ~RefilterFaultTest() override { database_.Close(); }

  // In each round one operation of Refilter, or a read, fails.
  void RunRounds(bool lose_power) {
    uint64_t operations = 0, reads = 0;
    int failed = 0;
    for (int turn = 1; failed < kFailures && !HasFailure(); ++turn) {
      ASSERT_LE(turn, kFailures * kRoundsForEach) << failed << " failed";
      SCOPED_TRACE(turn);
      const auto files = std::make_shared<FaultFileSystem>(random_());
      const std::unique_ptr<rocksdb::Env> env = rocksdb::NewCompositeEnv(files);
      const rocksdb::Options options = OptionsOf(turn, env.get());
      database_.Reopen(options);
      const uint64_t operations_before = files->operations();
      const uint64_t reads_before = files->reads();
      if (turn > 1 && lose_power) {
        files->FailAt(random_() % operations, Fault::kPower);
      } else if (turn > 1) {
        files->FailReadAt(random_() % reads);
      }
      const Outcome outcome =
          TryRefilter(database_, 1 + static_cast<int>(random_() % 3));
      if (turn == 1) {
        EXPECT_TRUE(outcome.status.ok()) << outcome.status.ToString();
        operations = files->operations() - operations_before;
        reads = files->reads() - reads_before;
      }
      EXPECT_TRUE(outcome.status.ok() || files->failed())
          << outcome.status.ToString();
      failed += !outcome.status.ok();
      database_.Close();
      lose_power ? files->LosePower() : files->Repair();

      database_.Reopen(options);
      ExpectAllFound(database_, 0, kFaultKeys);
      const Outcome rest = TryRefilter(database_, 1);
      EXPECT_TRUE(rest.status.ok()) << rest.status.ToString();
      EXPECT_EQ(TryRefilter(database_, 1).report.tables_found, 0u);
      ExpectFiltered(database_, 0, kFaultKeys);
      EXPECT_EQ(
          database_.PolicyNames(),
          std::vector<std::string>{turn % 2 == 0 ? "bloomfilter" : "oneline"});
      database_.Close();
    }
  }

  std::mt19937_64 random_ = TestRandom();
  ScratchDatabase database_;
};

TEST_F(RefilterFaultTest, PowerIsLost) { RunRounds(true); }
TEST_F(RefilterFaultTest, AReadFails) { RunRounds(false); }

// Each in turn, in a database of one table. One is the sync of the MANIFEST,
// after which RocksDB before 8.9 deletes tables that the MANIFEST may have.
TEST(RefilterEachFaultTest, EachOperationFails) {
  for (uint64_t n = 0;; ++n) {
    SCOPED_TRACE(n);
    const auto files = std::make_shared<FaultFileSystem>(n);
    const std::unique_ptr<rocksdb::Env> env = rocksdb::NewCompositeEnv(files);
    ScratchDatabase database(OptionsOf(0, rocksdb::Env::Default()), kFaultKeys);
    database.Reopen(OptionsOf(1, env.get()));
    files->FailAt(n, Fault::kOnce);
    const Outcome outcome = TryRefilter(database, 1);
    const bool failed = files->failed();
    database.Close();
    files->Repair();
    database.Reopen(OptionsOf(1, env.get()));
    ExpectAllFound(database, 0, kFaultKeys);
    database.Close();
    if (testing::Test::HasFailure()) return;
    if (failed) continue;
    EXPECT_TRUE(outcome.status.ok()) << outcome.status.ToString();
    EXPECT_GT(n, 5u);
    return;
  }
}

}  // namespace
}  // namespace oneline
