// Tests of tools/sieve/line_io.h. sieve_test.cc has more lines than the buffer
// holds, and signals.

#include "tools/sieve/line_io.h"

#include <signal.h>
#include <unistd.h>

#include "tests/testing.h"

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

}  // namespace
}  // namespace oneline
