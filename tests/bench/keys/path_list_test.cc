// Tests of bench/keys/path_list.h and of bench/keys/absent_paths.h, which uses
// it.

#include "bench/keys/path_list.h"

#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "bench/keys/absent_paths.h"

namespace oneline {
namespace {

absl::StatusOr<PathList> Load(const std::string& text) {
  const std::string file = testing::TempDir() + "/paths.tsv";
  std::ofstream(file) << text;
  return PathList::Load(file);
}

TEST(PathListTest, HasPathsAndPackages) {
  const auto list = Load("bin/a\tone\nbin/b c\ttwo,three\nbin/d\te\t\n");
  ASSERT_TRUE(list.ok()) << list.status();
  ASSERT_EQ(list->size(), 3u);
  EXPECT_EQ(list->path(1), "bin/b c");
  EXPECT_EQ(list->package(1), "two,three");
  EXPECT_EQ(list->path(2), "bin/d\te");
  EXPECT_EQ(list->package(2), "");
  EXPECT_EQ(list->LowerBound(""), 0u);
  EXPECT_EQ(list->LowerBound("bin/b"), 1u);
  EXPECT_EQ(list->LowerBound("c"), 3u);
  EXPECT_TRUE(list->Contains("bin/a"));
  EXPECT_FALSE(list->Contains("bin/b"));
  EXPECT_FALSE(list->Contains("c"));
}

TEST(PathListTest, ErrorsNameWhatIsWrong) {
  EXPECT_EQ(PathList::Load("/no/such/file").status().message(),
            "cannot open /no/such/file: No such file or directory");
  const auto error_of = [](const std::string& text) {
    return std::string(Load(text).status().message());
  };
  EXPECT_NE(error_of("a\tb\nc\td").find("line 2: does not end"),
            std::string::npos);
  EXPECT_NE(error_of("a b\n").find("line 1: must be path, tab, package"),
            std::string::npos);
  EXPECT_NE(error_of("b\tx\na\ty\n").find("line 2: the path must be"),
            std::string::npos);
  EXPECT_NE(error_of("a\tx\na\ty\n").find("line 2: the path must be"),
            std::string::npos);
  EXPECT_NE(error_of("").find("is empty"), std::string::npos);
}

constexpr char kPaths[] =
    "bin/sh\tdash\n"
    "usr/bin/deep/x\tdeep\n"
    "usr/bin/env\tcoreutils\n"
    "usr/sbin/env\tother\n"
    "usr/share/a.html\ta\n"
    "usr/share/a.html.gz\ta\n"
    "usr/share/b.py\tb\n";

TEST(AbsentPathsTest, AreInOtherDirectoriesOrHaveOtherEndings) {
  const auto list = Load(kPaths);
  ASSERT_TRUE(list.ok()) << list.status();
  const std::vector<std::string> paths = AbsentPaths(*list, 1000, 1);
  const std::set<std::string> different(paths.begin(), paths.end());
  EXPECT_EQ(different.size(), paths.size());
  EXPECT_EQ(
      different,
      (std::set<std::string>{
          "bin/env", "sbin/env", "sbin/sh", "usr/bin/sh", "usr/games/env",
          "usr/games/sh", "usr/local/bin/env", "usr/local/bin/sh",
          "usr/local/games/env", "usr/local/games/sh", "usr/local/sbin/env",
          "usr/local/sbin/sh", "usr/sbin/sh", "usr/share/a.html.br",
          "usr/share/b.abi3.so", "usr/share/b.cpython-311-x86_64-linux-gnu.so",
          "usr/share/b.so"}));
}

TEST(AbsentPathsTest, DependOnlyOnTheArgumentsAndAreAtMostCount) {
  const auto list = Load(kPaths);
  ASSERT_TRUE(list.ok()) << list.status();
  EXPECT_EQ(AbsentPaths(*list, 1000, 1), AbsentPaths(*list, 1000, 1));
  EXPECT_NE(AbsentPaths(*list, 1000, 1), AbsentPaths(*list, 1000, 2));
  for (size_t count = 0; count < 10; ++count) {
    EXPECT_LE(AbsentPaths(*list, count, 1).size(), count);
  }
}

}  // namespace
}  // namespace oneline
