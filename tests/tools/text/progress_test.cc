#include "tools/text/progress.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace oneline {
namespace {

// Erases the rest of the line.
constexpr std::string_view kErase = "\x1b[K";

// A clock that stands still until it is told to go on.
std::chrono::milliseconds time_passed(0);

void Pass(std::chrono::milliseconds time) { time_passed += time; }

// What a Progress for a terminal of that width writes during `use`.
std::string Written(int columns, const std::function<void(Progress*)>& use) {
  char* text = nullptr;
  size_t size = 0;
  FILE* out = open_memstream(&text, &size);
  {
    Progress progress(out, columns,
                      [] { return Progress::Clock::time_point(time_passed); });
    use(&progress);
  }
  std::fclose(out);
  const std::string written(text, size);
  std::free(text);
  return written;
}

// The states of the line that is redrawn, one after the other.
std::vector<std::string> Redrawn(const std::string& written) {
  std::vector<std::string> lines;
  size_t start = 0;
  while (start < written.size() && written[start] == '\r') {
    const size_t end = written.find(kErase, start);
    if (end == written.npos) break;
    lines.push_back(written.substr(start + 1, end - start - 1));
    start = end + kErase.size();
  }
  return lines;
}

using namespace std::chrono_literals;

TEST(ProgressTest, InAFileEachStageIsALine) {
  const std::string written = Written(0, [](Progress* progress) {
    progress->Begin("loading", 10);
    progress->Advance(5);
    Pass(24600ms);
    progress->Begin("looking up", 10);
    progress->End();
  });
  EXPECT_EQ(written, "loading ... 24.6 s\nlooking up ... 0.0 s\n");
}

// Of bytes it tells the rate and the time left.
TEST(ProgressTest, OnATerminalOneLineIsRedrawnAndErased) {
  const std::string written = Written(100, [](Progress* progress) {
    progress->BeginBytes("copying", 300 << 20);
    Pass(99ms);
    progress->Advance(25 << 20);  // too early to be drawn again
    Pass(401ms);
    progress->Advance(25 << 20);  // too early for a rate
    Pass(1500ms);
    progress->Advance(50 << 20);
    progress->End();
  });
  EXPECT_EQ(written.find('\n'), std::string::npos);
  const std::string space(40, ' ');
  EXPECT_EQ(Redrawn(written),
            (std::vector<std::string>{
                "copying [" + space + "]   0%  0:00",
                "copying [======" + space.substr(6) + "]  16%  0:00",
                "copying [=============" + space.substr(13) +
                    "]  33%  0:02, 50.0 MiB/s, 0:04 left",
                ""}));
}

TEST(ProgressTest, NeverReachesTheLastColumn) {
  for (int columns = 1; columns <= 120; ++columns) {
    const std::string written = Written(columns, [](Progress* progress) {
      progress->Begin("a stage with a name", 4);
    });
    for (const std::string& line : Redrawn(written)) {
      EXPECT_LT(line.size(), static_cast<size_t>(columns));
    }
  }
}

// Without an end the line is left, so that an error message that follows starts
// a new one. Outside a stage nothing is written.
TEST(ProgressTest, AStageMayLackItsEndOrItsBeginning) {
  for (const int columns : {0, 80}) {
    const std::string written = Written(
        columns, [](Progress* progress) { progress->Begin("loading", 4); });
    EXPECT_EQ(written.back(), '\n');
    EXPECT_EQ(Written(columns,
                      [](Progress* progress) {
                        progress->Advance(1);
                        progress->End();
                      }),
              "");
  }
}

TEST(ProgressTest, ThreadsMayAdvanceTogether) {
  const std::string written = Written(80, [](Progress* progress) {
    progress->Begin("loading", 4000);
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([progress] {
        for (int j = 0; j < 999; ++j) progress->Advance(1);
      });
    }
    for (std::thread& thread : threads) thread.join();
    Pass(100ms);
    progress->Advance(5);  // one more than all
    progress->Begin("nothing to do", 0);
    Pass(100ms);
    progress->Advance(1);
  });
  EXPECT_NE(written.find("] 100% "), std::string::npos) << written;
  EXPECT_NE(written.find("]   0% "), std::string::npos) << written;
}

}  // namespace
}  // namespace oneline
