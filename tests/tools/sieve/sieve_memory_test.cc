// Tests that `oneline sieve --db` keeps within --memory, whatever the input is.
// Not under sanitizers, which take memory themselves.

#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "tests/sanitizers.h"
#include "tests/temporary_directory.h"
#include "tests/tools/run_oneline.h"

namespace oneline {
namespace {

constexpr uint64_t kMemory = 8 << 10;  // kilobytes, as all sizes here
// For the program, its libraries and its heap. membership/README.md allows 64
// MiB and a quarter of --memory; small stores stay well below that.
constexpr uint64_t kBeside = 50 << 10;

class SieveMemoryTest : public testing::Test {
 protected:
  void SetUp() override {
    if (kSanitized) GTEST_SKIP() << "sanitizers take memory themselves";
  }

  // The peak of a run that reads `input` and the URLs number first .. last - 1.
  uint64_t PeakOf(const std::string& input, int first, int last) {
    const std::string path = directory_.File("input");
    std::ofstream file(path, std::ios::binary);
    file << input;
    for (int i = first; i < last; ++i) {
      file << "http://www.site" << i % 997 << ".example/page/" << i << "\n";
    }
    file.close();
    return KilobytesOf("sieve --memory 8MiB --db " + directory_.File("db") +
                       " <" + path);
  }

  const TemporaryDirectory directory_;
};

// A new store that grows to several times the size of --memory, and one that
// exists.
TEST_F(SieveMemoryTest, ManyUrls) {
  EXPECT_LE(PeakOf("", 0, 800000), kMemory + kBeside);
  EXPECT_LE(PeakOf("", 700000, 900000), kMemory + kBeside);
}

// A long line makes the read buffer large: short lines after it must not come
// in batches of millions.
TEST_F(SieveMemoryTest, LongLines) {
  const std::string line(10 << 20, 'x');
  const std::string input =
      line + "\n" + line + "y\n" + std::string(4 << 20, '\n') + line + "z\n";
  EXPECT_LE(PeakOf(input, 0, 10000), kMemory + kBeside + 5 * (10 << 10));
}

}  // namespace
}  // namespace oneline
