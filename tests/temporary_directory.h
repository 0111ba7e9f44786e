// A folder that lives as long as its object, where the test runner wants
// temporary files.

#ifndef ONELINE_TESTS_TEMPORARY_DIRECTORY_H_
#define ONELINE_TESTS_TEMPORARY_DIRECTORY_H_

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>

namespace oneline {

class TemporaryDirectory {
 public:
  TemporaryDirectory() : path_(testing::TempDir() + "/oneline.XXXXXX") {
    if (mkdtemp(path_.data()) == nullptr) {
      std::perror(path_.c_str());
      std::abort();
    }
  }
  ~TemporaryDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

  const std::string& path() const { return path_; }
  std::string File(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

}  // namespace oneline

#endif  // ONELINE_TESTS_TEMPORARY_DIRECTORY_H_
