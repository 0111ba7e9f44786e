// Tests of tools/sieve/line_reader.h.

#include "tools/sieve/line_reader.h"

#include <gtest/gtest.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "tests/test_seed.h"

namespace oneline {
namespace {

sigset_t NoSignals() {
  sigset_t none;
  sigemptyset(&none);
  return none;
}

// All lines of `input`, written to a pipe in pieces of `piece` bytes.
std::vector<std::string> LinesOf(const std::string& input, size_t piece) {
  int ends[2];
  EXPECT_EQ(pipe(ends), 0);
  std::thread writer([&] {
    for (size_t at = 0; at < input.size(); at += piece) {
      const size_t n = std::min(piece, input.size() - at);
      EXPECT_EQ(write(ends[1], input.data() + at, n), static_cast<ssize_t>(n));
    }
    close(ends[1]);
  });
  LineReader reader(ends[0], NoSignals());
  std::vector<std::string> all;
  for (;;) {
    const auto lines = reader.Next();
    EXPECT_TRUE(lines.ok()) << lines.status();
    if (lines->empty()) break;
    all.insert(all.end(), lines->begin(), lines->end());
  }
  EXPECT_TRUE(reader.Next()->empty());
  writer.join();
  close(ends[0]);
  return all;
}

using Lines = std::vector<std::string>;

TEST(LineReaderTest, SplitsAtNewlines) {
  for (size_t piece : {size_t{1}, size_t{2}, size_t{100}}) {
    EXPECT_EQ(LinesOf("", piece), Lines{});
    EXPECT_EQ(LinesOf("\n", piece), Lines{""});
    EXPECT_EQ(LinesOf("\n\n", piece), (Lines{"", ""}));
    EXPECT_EQ(LinesOf("one\n\ntwo\n", piece), (Lines{"one", "", "two"}));
    EXPECT_EQ(LinesOf("one\ntwo", piece), (Lines{"one", "two"}));
    const std::string bytes = {'\0', '\xff', '\r'};
    EXPECT_EQ(LinesOf(bytes + "\n" + bytes, piece), (Lines{bytes, bytes}));
  }
}

// Lines longer than the buffer, mixed with short ones.
TEST(LineReaderTest, TakesLinesOfAnyLength) {
  std::mt19937_64 random = TestRandom();
  Lines lines;
  std::string input;
  for (size_t length : {0u, 1u, 262143u, 262144u, 262145u, 10u << 20, 7u}) {
    std::string line(length, '\0');
    for (char& c : line) c = static_cast<char>(11 + random() % 200);
    input += line + "\n";
    lines.push_back(std::move(line));
  }
  EXPECT_TRUE(LinesOf(input, 65536) == lines);
  EXPECT_TRUE(LinesOf(input, 100003) == lines);
  input.pop_back();
  EXPECT_TRUE(LinesOf(input, 1 << 24) == lines);
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
