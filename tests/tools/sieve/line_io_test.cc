// Tests of tools/sieve/line_io.h. sieve_test.cc has more lines than the buffer
// holds, and signals.

#include "tools/sieve/line_io.h"

#include <gtest/gtest.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <random>
#include <string>

#include "absl/status/status.h"
#include "tests/test_seed.h"

namespace oneline {
namespace {

// Put together the lines are the input, whatever its pieces; those that are
// there come before more is.
TEST(LineReaderTest, LinesOfAnyBytesInPiecesOfAnySize) {
  std::mt19937_64 random = TestRandom();
  sigset_t no_signals;
  sigemptyset(&no_signals);
  for (int round = 0; round < 1000; ++round) {
    std::string text(random() % 1000, '\0');
    for (char& c : text) c = "\n\0\xff a"[random() % 5];
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    LineReader reader(ends[0], no_signals);
    std::string read;
    const auto append_lines = [&] {
      const auto lines = reader.Next();
      for (const std::string_view line : *lines) read.append(line).append("\n");
      return !lines->empty();
    };
    for (size_t at = 0; at < text.size();) {
      const std::string piece = text.substr(at, 1 + random() % 100);
      at += piece.size();
      ASSERT_EQ(write(ends[1], piece.data(), piece.size()),
                static_cast<ssize_t>(piece.size()));
      // Without a whole line the reader would wait for ever.
      if (piece.find('\n') != piece.npos) append_lines();
    }
    close(ends[1]);
    while (append_lines()) continue;
    close(ends[0]);
    if (!text.empty() && text.back() != '\n') text += '\n';
    ASSERT_EQ(read, text);
  }
}

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
