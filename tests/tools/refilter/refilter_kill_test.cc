// A run of `oneline refilter` that dies at each of its operations, and may lose
// what was not synced: the database opens and has every key, and a second run
// goes on. (refilter_signal_test.cc has a process that is killed.)

#include <rocksdb/utilities/options_util.h>

#include "oneline/refilter.h"
#include "tests/filter_policy/fault_file_system.h"
#include "tests/tools/refilter/closed_database.h"
#include "tools/refilter/plan.h"
#include "tools/refilter/refilter_database.h"

namespace oneline {
namespace {

constexpr int kFewKeys = 600;

class RefilterKillTest : public testing::Test {
 protected:
  RefilterKillTest()
      : original_(directory_.File("original")),
        path_(directory_.File("db")),
        kept_(directory_.File("kept")) {
    OpenedDatabase db = OpenParanoid(original_, {}, With("bloomfilter:10"));
    for (int i = 0; i < 3; ++i) WriteTable(db, 0, 0, kFewKeys, "a");
    CompactTo(db, 0, 2);
    WriteTable(db, 0, 100, 300, "b");
    WriteTable(db, 0, 200, 400, "c");
    WriteTable(db, 0, 300, 310, "only in the log", false);
    digest_ = Digest(db);
  }

  static Families With(const char* policy) {
    rocksdb::Options options = OptionsWith(PolicyNamed(policy));
    options.file_checksum_gen_factory =
        rocksdb::GetFileChecksumGenCrc32cFactory();
    return {{"default", options}};
  }

  void CopyOriginal() {
    std::filesystem::remove_all(path_);
    std::filesystem::remove_all(kept_);
    std::filesystem::copy(original_, path_);
    is_kept_ = false;
  }

  // Whether everything went well.
  bool Run(const std::shared_ptr<rocksdb::FileSystem>& files, bool keep) {
    RefilterTask task;
    task.database = path_;
    task.policy = "oneline:10";
    const absl::StatusOr<RefilterPlan> plan = MakePlan(task);
    EXPECT_TRUE(IsOk(plan.status()));
    const auto db = RefilterDatabase::Open(*plan, /*to_change=*/true, files);
    if (!db.ok()) return false;
    is_kept_ = keep && (*db)->Keep(kept_).ok();
    if (keep && !is_kept_) return false;
    RefilterOptions options;
    options.bytes_per_second = 0;
    return Refilter((*db)->db(), options, nullptr).ok();
  }

  // Those that programs load.
  static std::string LatestOptions(const std::string& path) {
    std::string name;
    EXPECT_TRUE(IsOk(rocksdb::GetLatestOptionsFileName(
        path, rocksdb::Env::Default(), &name)));
    return ReadWholeFile(path + "/" + name);
  }

  // Opens a copy, since opening a database changes it.
  void ExpectWhole(const std::string& path) {
    const std::string copy = directory_.File("copy");
    std::filesystem::remove_all(copy);
    std::filesystem::copy(path, copy);
    OpenedDatabase db = OpenParanoid(copy, {}, With("oneline:10"));
    if (HasFailure()) return;
    EXPECT_EQ(Digest(db), digest_);
    EXPECT_TRUE(IsOk(db.db->VerifyChecksum()));
    EXPECT_EQ(LatestOptions(path), LatestOptions(original_));
  }

  void ExpectAllDone() {
    EXPECT_TRUE(
        Contains(OutputOf("refilter " + path_ + " --filter_policy=oneline:10"),
                 ": 0 tables to rewrite"));
    ExpectWhole(path_);
  }

  const TemporaryDirectory directory_;
  const std::string original_, path_, kept_;
  uint64_t digest_ = 0;
  bool is_kept_ = false;  // by the last run
};

// Once and for ever, with and without a loss of what was not synced.
TEST_F(RefilterKillTest, AtEveryOperation) {
  std::mt19937_64 random = TestRandom();
  CopyOriginal();
  const auto counting = std::make_shared<FaultFileSystem>(0);
  ASSERT_TRUE(Run(counting, /*keep=*/true));
  ExpectAllDone();
  ASSERT_GT(counting->operations(), 30u);
  const uint64_t step = kSlow ? 5 : 1;
  for (uint64_t n = random() % step;
       n < counting->operations() && !HasFailure(); n += step) {
    for (int round = 0; round < 3; ++round) {
      const auto fault = round == 0 ? Fault::kOnce : Fault::kPower;
      SCOPED_TRACE(testing::Message() << "operation " << n << ", " << round);
      CopyOriginal();
      const auto faults = std::make_shared<FaultFileSystem>(random());
      faults->FailAt(n, fault);
      Run(faults, /*keep=*/true);
      if (round > 0) faults->LosePower();
      ExpectWhole(path_);
      // What was begun of the old state has another name; and what Keep says to
      // be there stays there.
      const bool exists = std::filesystem::exists(kept_);
      EXPECT_TRUE(exists || !is_kept_);
      if (exists) ExpectWhole(kept_);
    }
    if (n % 7 != 0) continue;
    EXPECT_TRUE(Run(rocksdb::FileSystem::Default(), /*keep=*/false));
    ExpectAllDone();
  }
}

}  // namespace
}  // namespace oneline
