// Tests of tools/sieve/line_writer.h.

#include "tools/sieve/line_writer.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <string>
#include <thread>

#include "absl/status/status.h"

namespace oneline {
namespace {

std::string ReadAvailable(int fd) {
  fcntl(fd, F_SETFL, O_NONBLOCK);
  std::string all(1 << 20, 0);
  const ssize_t n = read(fd, all.data(), all.size());
  all.resize(n < 0 ? 0 : static_cast<size_t>(n));
  return all;
}

std::string ManyLines() {
  std::string lines;
  for (int i = 0; lines.size() < 500000; ++i) {
    lines += std::string(static_cast<size_t>(i % 70), 'x') + "\n";
  }
  return lines;
}

// A pipe, and a signal that is blocked and has a handler.
class LineWriterTest : public testing::Test {
 protected:
  LineWriterTest() {
    signal(SIGUSR1, [](int) {});
    sigset_t blocked;
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &blocked, &before_);
    EXPECT_EQ(pipe(ends_), 0);
  }
  ~LineWriterTest() override {
    close(ends_[0]);
    close(ends_[1]);
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }

  sigset_t before_;
  int ends_[2];
};

TEST_F(LineWriterTest, WritesAll) {
  const std::string lines = ManyLines() + std::string(1 << 20, 'x') + "\n\n";
  std::string read_back;
  std::thread reader([&] {
    char bytes[1000];
    while (read_back.size() < lines.size()) {
      const ssize_t n = read(ends_[0], bytes, sizeof(bytes));
      if (n > 0) read_back.append(bytes, static_cast<size_t>(n));
    }
  });
  size_t written = 0;
  EXPECT_TRUE(LineWriter(ends_[1], before_).Write(lines, &written).ok());
  reader.join();
  EXPECT_EQ(written, lines.size());
  EXPECT_TRUE(read_back == lines);
}

// Whole lines, as many as the pipe takes.
TEST_F(LineWriterTest, ASignalCancelsIfThePipeIsFull) {
  const std::string lines = ManyLines();
  pthread_kill(pthread_self(), SIGUSR1);
  size_t written = 0;
  EXPECT_TRUE(
      absl::IsCancelled(LineWriter(ends_[1], before_).Write(lines, &written)));
  const std::string taken = ReadAvailable(ends_[0]);
  EXPECT_EQ(taken.size(), written);
  EXPECT_GT(written, 30000u);
  ASSERT_LT(written, lines.size());
  EXPECT_TRUE(lines.compare(0, written, taken) == 0);
  EXPECT_EQ(taken.back(), '\n');
}

// It is for the reader then, which ends the run in order.
TEST_F(LineWriterTest, ASignalDoesNotCancelIfThereIsRoom) {
  pthread_kill(pthread_self(), SIGUSR1);
  size_t written = 0;
  EXPECT_TRUE(LineWriter(ends_[1], before_).Write("one\ntwo\n", &written).ok());
  EXPECT_EQ(written, 8u);
  EXPECT_EQ(ReadAvailable(ends_[0]), "one\ntwo\n");
  sigset_t pending;
  sigpending(&pending);
  EXPECT_EQ(sigismember(&pending, SIGUSR1), 1);
}

}  // namespace
}  // namespace oneline
