#include "tools/text/progress.h"

#include <chrono>

#include "tests/testing.h"

namespace oneline {
namespace {

constexpr std::string_view kErase = "\x1b[K";  // the rest of the line

// A clock that stands still until it is told to go on.
std::chrono::milliseconds time_passed(0);

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
  for (size_t start = 0, end;
       (end = written.find(kErase, start)) != written.npos;
       start = end + kErase.size()) {
    EXPECT_EQ(written[start], '\r');
    lines.push_back(written.substr(start + 1, end - start - 1));
  }
  return lines;
}

using namespace std::chrono_literals;

TEST(ProgressTest, InAFileEachStageIsALine) {
  const std::string written = Written(0, [](Progress* progress) {
    progress->Advance(1);  // outside a stage nothing is written
    progress->End();
    progress->Begin("loading", 10);
    progress->Advance(5);
    time_passed += 24600ms;
    progress->Begin("looking up", 10);
    progress->End();
  });
  EXPECT_EQ(written, "loading ... 24.6 s\nlooking up ... 0.0 s\n");
}

TEST(ProgressTest, OnATerminalOneLineIsRedrawnAndErased) {
  const std::string written = Written(100, [](Progress* progress) {
    progress->Begin("copying", 300 << 20, /*are_bytes=*/true);
    time_passed += 99ms;
    progress->Advance(25 << 20);  // too early to be drawn again
    time_passed += 401ms;
    progress->Advance(25 << 20);  // too early for a rate
    time_passed += 1500ms;
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

TEST(ProgressTest, ThreadsMayAdvanceTogether) {
  const std::string written = Written(80, [](Progress* progress) {
    progress->Begin("loading", 2000);
    std::thread other([&] {
      for (int i = 0; i < 999; ++i) progress->Advance(1);
    });
    for (int i = 0; i < 999; ++i) progress->Advance(1);
    other.join();
    time_passed += 100ms;
    progress->Advance(5);  // more than all
  });
  EXPECT_NE(written.find("] 100% "), std::string::npos) << written;
}

}  // namespace
}  // namespace oneline
