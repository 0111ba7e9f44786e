// Tests of tools/sieve/line_writer.h. sieve_test.cc has much that is written.

#include "tools/sieve/line_writer.h"

#include <gtest/gtest.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <string>

#include "absl/status/status.h"

namespace oneline {
namespace {

// A signal that waits cancels if the pipe is full, after whole lines, as many
// as the pipe takes. If there is room it is for the reader of the input, which
// ends the run in order.
TEST(LineWriterTest, ASignalCancelsIfThePipeIsFull) {
  signal(SIGUSR1, [](int) {});
  sigset_t blocked, before;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &blocked, &before);
  pthread_kill(pthread_self(), SIGUSR1);
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  LineWriter writer(ends[1], before);

  size_t written = 0;
  EXPECT_TRUE(writer.Write("one\ntwo\n", &written).ok());
  EXPECT_EQ(written, 8u);
  sigset_t pending;
  sigpending(&pending);
  EXPECT_EQ(sigismember(&pending, SIGUSR1), 1);

  std::string lines;
  for (size_t i = 0; lines.size() < 500000; ++i) {
    lines += std::string(i % 70, 'x') + "\n";
  }
  EXPECT_TRUE(absl::IsCancelled(writer.Write(lines, &written)));
  std::string taken(1 << 20, 0);
  taken.resize(static_cast<size_t>(read(ends[0], taken.data(), taken.size())));
  EXPECT_EQ(taken.size(), written);
  EXPECT_GT(written, 30000u);
  EXPECT_EQ(taken, ("one\ntwo\n" + lines).substr(0, written));
  EXPECT_EQ(taken.back(), '\n');
  close(ends[0]);
  close(ends[1]);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

}  // namespace
}  // namespace oneline
