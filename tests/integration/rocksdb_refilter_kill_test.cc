// A program that writes and gives its tables new filters is killed: what it had
// written is there afterwards, and the next call goes on.

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include "oneline/refilter.h"
#include "tests/filter_policy/scratch_database.h"

namespace oneline {
namespace {

using rocksdb::Status;

constexpr int kRounds = kSlow ? 2 : 4;
constexpr int kWriters = 2;
constexpr int kSlots = 400;  // keys of a writer
constexpr char kDirectory[] = "ONELINE_TEST_REFILTER_KILLED";
constexpr char kShape[] = "ONELINE_TEST_REFILTER_SHAPE";

std::string SlotKey(int writer, int slot) {
  return KeyAt(2 * (writer * kSlots + slot));
}

// A writer's n-th write: one slot's new value, or its deletion.
struct Step {
  int slot;
  std::optional<std::string> value;
};

Step StepOf(int writer, int n) {
  if (n % 5 == 4) return {n * 7 % kSlots, {}};
  return {n % kSlots, std::to_string(writer) + "." + std::to_string(n) +
                          std::string(static_cast<size_t>(n % 150), 'v')};
}

// Small tables in several levels, and automatic compactions.
rocksdb::Options ShapedOptions(const PolicyPtr& policy, int shape) {
  rocksdb::BlockBasedTableOptions table;
  table.block_size = 512;
  if (shape == 1) {
    table.index_type = rocksdb::BlockBasedTableOptions::kTwoLevelIndexSearch;
    table.partition_filters = true;
    table.metadata_block_size = 256;
  }
  rocksdb::Options options = OptionsWith(policy, table);
  options.disable_auto_compactions = false;
  options.write_buffer_size = 32 << 10;
  options.target_file_size_base = 8 << 10;
  options.max_bytes_for_level_base = 16 << 10;
  options.max_bytes_for_level_multiplier = 3;
  options.compression = rocksdb::kNoCompression;
  if (shape == 2) {
    options.compaction_style = rocksdb::kCompactionStyleUniversal;
  }
  if (shape == 3) {
    options.enable_blob_files = true;
    options.min_blob_size = 50;
    options.enable_blob_garbage_collection = true;
  }
  return options;
}

void AppendByte(int file) {
  if (write(file, "x", 1) != 1) std::abort();
}

int OpenReport(const std::string& path) {
  const int file = open(path.c_str(), O_CREAT | O_WRONLY | O_APPEND, 0644);
  if (file < 0) std::abort();
  return file;
}

// Writes, with a byte in a file after each write that the database has said OK
// to.
void WriteSteps(rocksdb::DB* db, int writer, const std::string& report) {
  const int file = OpenReport(report);
  for (int n = 0;; ++n) {
    rocksdb::WriteOptions options;
    options.sync = n % 8 == 0;
    const Step step = StepOf(writer, n);
    const std::string key = SlotKey(writer, step.slot);
    const Status status = step.value.has_value()
                              ? db->Put(options, key, *step.value)
                              : db->Delete(options, key);
    if (!status.ok()) std::abort();
    AppendByte(file);
  }
}

// What is killed, in a process of its own.
TEST(RefilterKillTest, DISABLED_WritesAndRefiltersUntilItIsKilled) {
  const char* const directory = std::getenv(kDirectory);
  ASSERT_NE(directory, nullptr);
  const std::string path(directory);
  std::unique_ptr<rocksdb::DB> db;
  ASSERT_TRUE(IsOk(rocksdb::DB::Open(
      ShapedOptions(OurPolicy(10), std::atoi(std::getenv(kShape))),
      path + "/db", OpenInto(&db))));
  std::vector<std::thread> writers;
  for (int i = 0; i < kWriters; ++i) {
    writers.emplace_back(WriteSteps, db.get(), i,
                         path + "/written" + std::to_string(i));
  }
  const int refiltered = OpenReport(path + "/refiltered");
  RefilterOptions options;
  options.threads = 2;
  options.bytes_per_second = 0;
  options.progress = [&](const RefilterProgress&) { AppendByte(refiltered); };
  for (int n = 0;; ++n) {
    const Status status = Refilter(db.get(), options, nullptr);
    if (!status.ok() && !status.IsIncomplete()) std::abort();
    const Status set =
        db->SetOptions({{"table_factory.filter_policy.bits_per_key",
                         n % 2 == 0 ? "7" : "10"}});
    if (!set.ok()) std::abort();
  }
}

uintmax_t SizeOf(const std::string& path) {
  std::error_code none_yet;
  const uintmax_t size = std::filesystem::file_size(path, none_yet);
  return none_yet ? 0 : size;
}

class RefilterKillTest : public testing::TestWithParam<int> {
 protected:
  std::string File(const std::string& name) const {
    return directory_.File(name);
  }

  // Ends it `after` the first tables have new filters.
  void RunAndKill(useconds_t after) {
    ASSERT_EQ(setenv(kDirectory, directory_.path().c_str(), 1), 0);
    ASSERT_EQ(setenv(kShape, std::to_string(GetParam()).c_str(), 1), 0);
    const pid_t child = fork();
    if (child == 0) {
      // Its test may be in another shard.
      for (const char* name :
           {"GTEST_TOTAL_SHARDS", "GTEST_SHARD_INDEX",
            "GTEST_SHARD_STATUS_FILE", "TEST_TOTAL_SHARDS", "TEST_SHARD_INDEX",
            "TEST_SHARD_STATUS_FILE", "XML_OUTPUT_FILE"}) {
        unsetenv(name);
      }
      execl("/proc/self/exe", "killed", "--gtest_also_run_disabled_tests",
            "--gtest_filter=*WritesAndRefiltersUntilItIsKilled", nullptr);
      _exit(127);
    }
    while (SizeOf(File("refiltered")) < 5 &&
           waitpid(child, nullptr, WNOHANG) == 0) {
      usleep(1000);
    }
    usleep(after);
    kill(child, SIGKILL);
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) << status;
  }

  // All slots have the values of the steps that were reported. The next step
  // may be there, too: its writer was killed before it reported it.
  void ExpectWritten(rocksdb::DB* db, int writer) const {
    const int steps =
        static_cast<int>(SizeOf(File("written" + std::to_string(writer))));
    std::vector<std::optional<std::string>> slots(kSlots);
    for (int n = 0; n < steps; ++n) {
      const Step step = StepOf(writer, n);
      slots[static_cast<size_t>(step.slot)] = step.value;
    }
    const Step next = StepOf(writer, steps);
    for (int slot = 0; slot < kSlots; ++slot) {
      std::optional<std::string> read;
      std::string value;
      const Status status = db->Get({}, SlotKey(writer, slot), &value);
      ASSERT_TRUE(status.ok() || status.IsNotFound()) << status.ToString();
      if (status.ok()) read = value;
      if (slot == next.slot && read == next.value) continue;
      ASSERT_EQ(read, slots[static_cast<size_t>(slot)])
          << "writer " << writer << " after " << steps << " writes, slot "
          << slot;
    }
  }

 private:
  const TemporaryDirectory directory_;
};

INSTANTIATE_TEST_SUITE_P(Shapes, RefilterKillTest, testing::Range(0, 4));

TEST_P(RefilterKillTest, NothingWrittenIsLost) {
  std::mt19937_64 random = TestRandom();
  for (int round = 0; round < kRounds && !HasFatalFailure(); ++round) {
    SCOPED_TRACE(round);
    for (const char* name : {"db", "written0", "written1", "refiltered"}) {
      std::filesystem::remove_all(File(name));
    }
    RunAndKill(static_cast<useconds_t>(random() % 100000));
    if (HasFatalFailure()) return;
    for (const bool ours : {true, false}) {
      const PolicyPtr policy =
          ours ? OurPolicy(12) : PolicyPtr(rocksdb::NewBloomFilterPolicy(10));
      rocksdb::Options options = ShapedOptions(policy, GetParam());
      // Or they could have left nothing to Refilter.
      options.disable_auto_compactions = !ours;
      std::unique_ptr<rocksdb::DB> db;
      ASSERT_TRUE(IsOk(rocksdb::DB::Open(options, File("db"), OpenInto(&db))));
      for (int i = 0; i < kWriters; ++i) ExpectWritten(db.get(), i);
      RefilterReport report;
      ASSERT_TRUE(IsOk(Refilter(db.get(), RefilterOptions(), &report)));
      EXPECT_TRUE(ours || report.tables_rewritten > 0);
      for (int i = 0; i < kWriters; ++i) ExpectWritten(db.get(), i);
      ASSERT_TRUE(Refilter(db.get(), RefilterOptions(), &report).ok());
      EXPECT_EQ(report.tables_found, 0u);
    }
  }
}

}  // namespace
}  // namespace oneline
