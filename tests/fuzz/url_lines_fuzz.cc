// Fuzz target: the line reader of `oneline sieve` and the normal form of URLs.
// The lines, put together, are the input, in whatever pieces it comes; a URL's
// normal form is its own normal form.
//
//   choice 1 | text
//
// Of the text, the reader gets a piece at a time through a pipe, or, for a
// 16th of the choices, many copies from a file, to fill its buffer.

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <string>
#include <string_view>
#include <vector>

#include "membership/urls/normal_url.h"
#include "tests/fuzz/fuzz_input.h"
#include "tools/sieve/line_reader.h"

namespace oneline {
namespace {

sigset_t NoSignals() {
  sigset_t none;
  sigemptyset(&none);
  return none;
}

void WriteAll(int fd, std::string_view bytes) {
  Require(write(fd, bytes.data(), bytes.size()) ==
              static_cast<ssize_t>(bytes.size()),
          "the target can write what it reads");
}

// Appends the lines that the reader returns at once. False at the end.
bool AppendLines(LineReader* reader, std::vector<std::string>* lines) {
  const auto some = reader->Next();
  Require(some.ok(), "lines can be read");
  Require(some->size() <= 8192, "not too many lines at once");
  size_t bytes = 0;
  for (const std::string_view line : *some) {
    Require(line.find('\n') == line.npos, "a line has no newline");
    bytes += line.size();
    lines->emplace_back(line);
  }
  Require(some->size() < 2 || bytes < size_t{512} << 10,
          "not too many bytes at once");
  return !some->empty();
}

std::vector<std::string> LinesFromPipe(std::string_view text, size_t piece) {
  int ends[2];
  Require(pipe(ends) == 0, "there is a pipe");
  LineReader reader(ends[0], NoSignals());
  std::vector<std::string> lines;
  for (; !text.empty(); text.remove_prefix(std::min(piece, text.size()))) {
    const std::string_view now = text.substr(0, piece);
    WriteAll(ends[1], now);
    // Without a whole line the reader would wait for ever.
    if (now.find('\n') != now.npos) AppendLines(&reader, &lines);
  }
  close(ends[1]);
  while (AppendLines(&reader, &lines)) {
  }
  close(ends[0]);
  return lines;
}

std::vector<std::string> LinesFromFile(const std::string& text) {
  const int file = memfd_create("lines", MFD_CLOEXEC);
  Require(file >= 0, "there is memory for a file");
  WriteAll(file, text);
  lseek(file, 0, SEEK_SET);
  LineReader reader(file, NoSignals());
  std::vector<std::string> lines;
  while (AppendLines(&reader, &lines)) {
  }
  close(file);
  return lines;
}

void CheckLines(std::string_view text, const std::vector<std::string>& lines) {
  std::string joined;
  for (const std::string& line : lines) joined.append(line).append("\n");
  if (!joined.empty() && text.back() != '\n') joined.pop_back();
  Require(joined == text, "the lines, put together, are the input");
}

std::string Normal(std::string_view url, std::string buffer) {
  return std::string(NormalUrl(url, buffer));
}

void CheckUrl(const std::string& url) {
  const std::string normal = Normal(url, "");
  Require(normal == Normal(url, "HTTP://A:80#b"),
          "what was in the buffer does not matter", url);
  Require(Normal(normal, "") == normal, "a normal form is its own normal form",
          normal);
  Require(normal.size() <= url.size() + 1, "only a slash is added", normal);
  // Whether it is a URL or not.
  const std::string http = Normal("hTTp://" + url, "");
  Require(http.rfind("http://", 0) == 0 && http.find('#') == http.npos,
          "a URL has no fragment and a scheme in lower case", http);
  Require(Normal("http://" + url + "#x", "") == http,
          "a fragment makes no difference", url);
}

}  // namespace
}  // namespace oneline

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace oneline;
  FuzzInput input(data, size);
  const uint8_t choice = input.TakeByte();
  // A pipe holds 64 KiB.
  const std::string text(input.TakeBytes(32768));
  const std::vector<std::string> lines =
      LinesFromPipe(text, 1 + choice % 16 * 7);
  CheckLines(text, lines);
  for (const std::string& line : lines) CheckUrl(line);
  if (choice < 240 || text.empty()) return 0;
  std::string copies;
  for (size_t bytes = text.size() * choice * 16;
       copies.size() + text.size() <= std::min(bytes, size_t{1} << 20);) {
    copies += text;
  }
  CheckLines(copies, LinesFromFile(copies));
  return 0;
}
