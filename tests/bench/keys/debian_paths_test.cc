// Tests of bench/keys/debian_paths.sh with a fake apt-get in PATH: where the
// list comes from, what it contains, and that only a complete one is kept.

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "bench/keys/path_list.h"

namespace oneline {
namespace {

namespace fs = std::filesystem;

class DebianPathsTest : public testing::Test {
 protected:
  DebianPathsTest() : directory_(testing::TempDir() + "/debian_paths") {
    fs::remove_all(directory_);
    fs::create_directories(directory_ + "/bin");
    setenv("XDG_CACHE_HOME", (directory_ + "/cache").c_str(), 1);
    static const std::string path = std::getenv("PATH");
    setenv("PATH", (directory_ + "/bin:" + path).c_str(), 1);
  }
  ~DebianPathsTest() override { fs::remove_all(directory_); }

  // Makes a fake apt-get that has Contents files with these texts.
  void GiveApt(const std::vector<std::string>& contents) {
    std::string script = "#!/bin/sh\n";
    for (size_t i = 0; i < contents.size(); ++i) {
      const std::string file = directory_ + "/Contents-" + std::to_string(i);
      std::ofstream(file) << contents[i];
      script += "[ $1 = indextargets ] && echo " + file + "\n";
    }
    for (const char* name : {"/bin/apt-get", "/bin/sudo"}) {
      std::ofstream(directory_ + name) << script << "true\n";
      fs::permissions(directory_ + name, fs::perms::owner_all);
    }
  }

  // Returns the name that the script prints; empty if it fails.
  std::string RunScript() {
    std::FILE* pipe = popen("bench/keys/debian_paths.sh", "r");
    std::string name;
    for (int c; (c = std::getc(pipe)) != EOF && c != '\n';) {
      name.push_back(static_cast<char>(c));
    }
    return WEXITSTATUS(pclose(pipe)) == 0 ? name : "";
  }

  size_t FilesKept() const {
    return static_cast<size_t>(
        std::distance(fs::directory_iterator(directory_ + "/cache/oneline"),
                      fs::directory_iterator()));
  }

  const std::string directory_;
};

TEST_F(DebianPathsTest, ListsTheIndexAndKeepsTheList) {
  GiveApt(
      {"usr/bin/b c   net/one,non-free/net/two\n"
       "usr/bin/a\t\tutils/first\n",
       "usr/bin/a   utils/second\n"
       "bin/z       shells/z\n"});
  const std::string name = RunScript();
  EXPECT_EQ(name, directory_ + "/cache/oneline/debian_paths.tsv");
  const auto list = PathList::Load(name);
  ASSERT_TRUE(list.ok()) << list.status();
  ASSERT_EQ(list->size(), 3u);
  EXPECT_EQ(list->path(0), "bin/z");
  EXPECT_EQ(list->path(1), "usr/bin/a");
  EXPECT_EQ(list->path(2), "usr/bin/b c");
  EXPECT_EQ(list->package(2), "one,two");
  EXPECT_EQ(FilesKept(), 1u);

  GiveApt({});
  EXPECT_EQ(RunScript(), name);
}

TEST_F(DebianPathsTest, WithoutAnIndexListsTheInstalledFiles) {
  GiveApt({});
  const std::string name = RunScript();
  EXPECT_EQ(name, directory_ + "/cache/oneline/installed_paths.tsv");
  const auto list = PathList::Load(name);
  ASSERT_TRUE(list.ok()) << list.status();
  EXPECT_GT(list->size(), 1000u);
  EXPECT_TRUE(list->Contains("usr/bin/dpkg"));
}

TEST_F(DebianPathsTest, AnUnreadableIndexIsAnErrorAndNothingIsKept) {
  GiveApt({"usr/bin/a   utils/first\n"});
  std::ofstream(directory_ + "/bin/apt-get", std::ios::app)
      << "[ $1 = indextargets ] && echo /no/such/file\ntrue\n";
  EXPECT_EQ(RunScript(), "");
  EXPECT_EQ(FilesKept(), 0u);
}

}  // namespace
}  // namespace oneline
