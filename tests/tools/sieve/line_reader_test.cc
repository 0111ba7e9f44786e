// Tests of tools/sieve/line_reader.h. sieve_test.cc has more lines than its
// buffer holds.

#include "tools/sieve/line_reader.h"

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

sigset_t NoSignals() {
  sigset_t none;
  sigemptyset(&none);
  return none;
}

// Returns the lines that are available, before the input ends.
TEST(LineReaderTest, DoesNotWaitForMore) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  LineReader reader(ends[0], NoSignals());
  ASSERT_EQ(write(ends[1], "one\ntw", 6), 6);
  EXPECT_EQ(reader.Next()->size(), 1u);
  ASSERT_EQ(write(ends[1], "o\n", 2), 2);
  const auto lines = reader.Next();
  ASSERT_EQ(lines->size(), 1u);
  EXPECT_EQ((*lines)[0], "two");
  close(ends[0]);
  close(ends[1]);
}

// Put together the lines are the input, whatever its pieces.
TEST(LineReaderTest, LinesOfAnyBytesInPiecesOfAnySize) {
  std::mt19937_64 random = TestRandom();
  for (int round = 0; round < 1000; ++round) {
    std::string text(random() % 1000, '\0');
    for (char& c : text) c = "\n\0\xff a"[random() % 5];
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    LineReader reader(ends[0], NoSignals());
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

// A signal that came before the wait ends it at once, with or without input.
TEST(LineReaderTest, ASignalCancels) {
  signal(SIGUSR1, [](int) {});
  sigset_t blocked, before;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGUSR1);
  for (const std::string input : {"", "one\n"}) {
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    ASSERT_EQ(write(ends[1], input.data(), input.size()),
              static_cast<ssize_t>(input.size()));
    pthread_sigmask(SIG_BLOCK, &blocked, &before);
    pthread_kill(pthread_self(), SIGUSR1);
    LineReader reader(ends[0], before);
    EXPECT_EQ(reader.Next().status().code(), absl::StatusCode::kCancelled);
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    close(ends[0]);
    close(ends[1]);
  }
}

}  // namespace
}  // namespace oneline
