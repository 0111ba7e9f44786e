// Tests that `oneline sieve --db` keeps within --memory, whatever the input is.
// Not under sanitizers, which take memory themselves.

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <string>

#include "tests/sanitizers.h"
#include "tests/temporary_directory.h"

namespace oneline {
namespace {

constexpr size_t kMiB = size_t{1} << 20;
constexpr size_t kMemory = 8 * kMiB;
// For the program, its libraries and its heap. membership/README.md allows 64
// MiB and a quarter of --memory; small stores stay well below that.
constexpr size_t kBeside = 50 * kMiB;

// The peak resident memory, in bytes, of the programs of a shell command; 0 if
// the command fails.
size_t PeakMemory(const std::string& command) {
  const pid_t child = fork();
  if (child == 0) {
    execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
    _exit(127);
  }
  int status = 0;
  struct rusage usage = {};
  if (wait4(child, &status, 0, &usage) != child || status != 0) return 0;
  return static_cast<size_t>(usage.ru_maxrss) * 1024;
}

class SieveMemoryTest : public testing::Test {
 protected:
  void SetUp() override {
    if (kSanitized) GTEST_SKIP() << "sanitizers take memory themselves";
  }

  // The peak of a run that reads `input` and the URLs number first .. last - 1.
  size_t PeakOf(const std::string& input, int first, int last) {
    const std::string path = directory_.File("input");
    std::ofstream file(path, std::ios::binary);
    file << input;
    for (int i = first; i < last; ++i) {
      file << "http://www.site" << i % 997 << ".example/page/" << i << "\n";
    }
    file.close();
    return PeakMemory("tools/oneline sieve --memory 8MiB --db " +
                      directory_.File("db") + " <" + path + " >/dev/null");
  }

  const TemporaryDirectory directory_;
};

// A new store that grows to several times the size of --memory, and one that
// exists.
TEST_F(SieveMemoryTest, ManyUrls) {
  const size_t first = PeakOf("", 0, 800000);
  const size_t second = PeakOf("", 700000, 900000);
  std::printf("%zu and %zu MiB\n", first / kMiB, second / kMiB);
  EXPECT_GT(first, kMiB);
  EXPECT_LE(first, kMemory + kBeside);
  EXPECT_GT(second, kMiB);
  EXPECT_LE(second, kMemory + kBeside);
}

// A long line makes the read buffer large: short lines after it must not come
// in batches of millions.
TEST_F(SieveMemoryTest, LongLines) {
  const std::string line(10 * kMiB, 'x');
  const size_t peak = PeakOf(
      line + "\n" + line + "y\n" + std::string(4 * kMiB, '\n') + line + "z\n",
      0, 10000);
  std::printf("%zu MiB\n", peak / kMiB);
  EXPECT_GT(peak, kMiB);
  EXPECT_LE(peak, kMemory + kBeside + 5 * line.size());
}

}  // namespace
}  // namespace oneline
