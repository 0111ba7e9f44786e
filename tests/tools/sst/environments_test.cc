#include "tools/sst/environments.h"

#include <gtest/gtest.h>
#include <rocksdb/file_system.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>

#include "tests/filter_policy/scratch_database.h"
#include "tests/is_ok.h"
#include "tests/temporary_directory.h"
#include "tools/sst/sst_reader.h"

namespace oneline {
namespace {

std::shared_ptr<rocksdb::RateLimiter> NewLimiter() {
  return std::shared_ptr<rocksdb::RateLimiter>(rocksdb::NewGenericRateLimiter(
      int64_t{100} << 20, 1000, 10, rocksdb::RateLimiter::Mode::kReadsOnly));
}

// All of a table goes through the limiter, by RocksDB's readahead as well, and
// in pieces that the limiter lets pass at once.
TEST(EnvironmentsTest, EveryByteOfATableTakesItsTurn) {
  rocksdb::Options options = OptionsWith(OurPolicy(10));
  options.compression = rocksdb::kNoCompression;
  ScratchDatabase database(options);
  for (int i = 0; i < 20000; ++i) {
    ASSERT_TRUE(IsOk(database->Put(rocksdb::WriteOptions(), KeyAt(i),
                                   std::string(200, 'a'))));
  }
  ASSERT_TRUE(database->Flush(rocksdb::FlushOptions()).ok());
  const std::string file = database.TableFiles().at(0);
  const auto bytes = static_cast<int64_t>(std::filesystem::file_size(file));
  ASSERT_GT(bytes, int64_t{4} << 20);

  const auto limiter = NewLimiter();
  ASSERT_LT(limiter->GetSingleBurstBytes(), 1 << 20);
  const std::unique_ptr<rocksdb::Env> env = NewEnvWithLimitedReads(limiter);
  auto table = SstReader::Open(file, env.get());
  ASSERT_TRUE(IsOk(table.status()));
  const int64_t to_open = limiter->GetTotalBytesThrough();
  EXPECT_GT(to_open, static_cast<int64_t>((*table)->properties().filter_size));
  EXPECT_LT(to_open, bytes / 2);
  int entries = 0;
  EXPECT_TRUE(IsOk((*table)->ForEachEntry([&entries](std::string_view) {
    ++entries;
    return true;
  })));
  EXPECT_EQ(entries, 20000);
  EXPECT_GE(limiter->GetTotalBytesThrough(),
            static_cast<int64_t>((*table)->properties().data_size));
}

TEST(EnvironmentsTest, ReadsOfSeveralPiecesTakeTheirTurn) {
  const TemporaryDirectory directory;
  const std::string path = directory.File("pieces");
  std::ofstream(path) << std::string(1000, 'a') << std::string(1000, 'b');
  const auto limiter = NewLimiter();
  const std::unique_ptr<rocksdb::Env> env = NewEnvWithLimitedReads(limiter);
  std::unique_ptr<rocksdb::FSRandomAccessFile> file;
  ASSERT_TRUE(
      env->GetFileSystem()->NewRandomAccessFile(path, {}, &file, nullptr).ok());
  char scratch[2][100];
  rocksdb::FSReadRequest pieces[2];
  for (size_t i = 0; i < 2; ++i) {
    pieces[i].offset = 1000 * i;
    pieces[i].len = sizeof(scratch[i]);
    pieces[i].scratch = scratch[i];
  }
  ASSERT_TRUE(file->MultiRead(pieces, 2, {}, nullptr).ok());
  EXPECT_EQ(pieces[0].result, std::string(100, 'a'));
  EXPECT_EQ(pieces[1].result, std::string(100, 'b'));
  EXPECT_EQ(limiter->GetTotalBytesThrough(), 200);
  // The system would not wait.
  EXPECT_TRUE(file->Prefetch(0, 2000, {}, nullptr).IsNotSupported());
}

}  // namespace
}  // namespace oneline
