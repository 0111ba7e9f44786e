// Tests of tools/refilter/log_numbers.h with logs made by hand;
// refilter_logs_test.cc has those that RocksDB writes.

#include "tools/refilter/log_numbers.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>

#include "tests/temporary_directory.h"

namespace oneline {
namespace {

constexpr size_t kBlockBytes = 32768;

std::string Number(uint64_t value, int bytes) {
  std::string text;
  for (int i = 0; i < bytes; ++i) text += static_cast<char>(value >> 8 * i);
  return text;
}

std::string Batch(uint64_t first, uint32_t keys, uint8_t entry = 1) {
  return Number(first, 8) + Number(keys, 4) + static_cast<char>(entry) +
         std::string(20, 'x');
}

// Without checksums, which are not compared.
std::string Fragment(uint8_t type, const std::string& bytes,
                     uint32_t log_number = 0) {
  return Number(0, 4) + Number(bytes.size(), 2) + static_cast<char>(type) +
         (IsRecyclable(type) ? Number(log_number, 4) : "") + bytes;
}

class LogNumbersTest : public testing::Test {
 protected:
  void Write(uint64_t number, const std::string& bytes) const {
    std::ofstream(directory_.File(std::to_string(number) + ".log")) << bytes;
  }

  LogNumbers Numbers() const {
    const auto logs = LogsIn(directory_.path());
    EXPECT_TRUE(logs.ok());
    return NumbersOf(*logs).value();
  }

  const TemporaryDirectory directory_;
};

TEST_F(LogNumbersTest, OfLogsThatCanNotBeReadAreUnknown) {
  const std::string no_file = directory_.File("5.log");
  for (const std::string& path : {no_file, directory_.path()}) {
    EXPECT_EQ(NumbersOf({{5, path}}).status().message(),
              path + ": can't be read");
  }
  std::filesystem::create_symlink("5.log", no_file);  // to itself
  EXPECT_FALSE(LogsIn(directory_.path()).ok());
}

TEST_F(LogNumbersTest, KeysOrBatches) {
  EXPECT_EQ(Numbers(), LogNumbers::kOfKeys);
  Write(4, Fragment(1, Batch(10, 5)) + Fragment(1, Batch(15, 5)));
  EXPECT_EQ(Numbers(), LogNumbers::kOfKeys);
  Write(5, Fragment(1, Batch(19, 1)));
  EXPECT_EQ(Numbers(), LogNumbers::kOfBatches);
  Write(5, Fragment(1, Batch(20, 1)));
  Write(10, Fragment(1, Batch(21, 1)));  // after 5
  EXPECT_EQ(Numbers(), LogNumbers::kOfKeys);
}

// Whatever the length of the first fragment.
TEST_F(LogNumbersTest, AHeaderInTwoBlocks) {
  const std::string batch = Batch(10, 5);
  for (size_t first = 0; first < batch.size(); ++first) {
    const size_t before = kBlockBytes - 2 * 7 - first;
    Write(4, Fragment(1, Batch(9, 1) + std::string(before - 33, 'x')) +
                 Fragment(2, batch.substr(0, first)) +
                 Fragment(4, batch.substr(first)) + Fragment(1, Batch(11, 1)));
    EXPECT_EQ(Numbers(), LogNumbers::kOfBatches) << first;
  }
}

// After a recovery RocksDB begins a log with an empty batch.
TEST_F(LogNumbersTest, AnEmptyBatchBeginsAnew) {
  Write(4, Fragment(1, Batch(10, 5)));
  Write(5,
        Fragment(1, Number(12, 8) + Number(0, 4)) + Fragment(1, Batch(12, 1)));
  EXPECT_EQ(Numbers(), LogNumbers::kOfKeys);
}

// Keys that are prepared have no numbers, and may be counted with others.
TEST_F(LogNumbersTest, PreparedByWriteCommitted) {
  Write(4, Fragment(1, Batch(10, 5)) + Fragment(1, Batch(12, 5)) +
               Fragment(1, Batch(17, 5, 9)) + Fragment(1, Batch(17, 1)));
  EXPECT_EQ(Numbers(), LogNumbers::kOfKeys);
}

TEST_F(LogNumbersTest, OtherBytesAfterTheEnd) {
  const std::string recycled = Fragment(5, Batch(10, 5), 4);
  const std::string next = Fragment(5, Batch(3, 1), 4);
  for (const std::string& end :
       {Fragment(5, Batch(3, 1), 3), Fragment(1, Batch(3, 1)),
        std::string(100, '\0')}) {
    Write(4, recycled + end + next);
    EXPECT_EQ(Numbers(), LogNumbers::kOfKeys);
  }
  Write(4, recycled + next.substr(0, next.size() - 1));
  EXPECT_EQ(Numbers(), LogNumbers::kOfKeys);
  Write(4, recycled + Fragment(5, Batch(11, 1), 4));
  EXPECT_EQ(Numbers(), LogNumbers::kOfBatches);
}

TEST_F(LogNumbersTest, CompressedLogs) {
  Write(4, Fragment(9, "zstd") + Fragment(1, "nothing that can be read"));
  EXPECT_EQ(Numbers(), LogNumbers::kUnknown);
}

}  // namespace
}  // namespace oneline
