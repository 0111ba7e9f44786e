// Tests of tools/sieve/line_reader.h. tests/fuzz/url_lines_fuzz.cc has lines of
// any lengths in pieces of any size.

#include "tools/sieve/line_reader.h"

#include <gtest/gtest.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <string>

#include "absl/status/status.h"

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
