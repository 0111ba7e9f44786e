// A LOG in memory.

#ifndef ONELINE_TESTS_FILTER_POLICY_LINES_LOGGED_H_
#define ONELINE_TESTS_FILTER_POLICY_LINES_LOGGED_H_

#include <rocksdb/env.h>

#include <cstdarg>
#include <cstdio>
#include <string>
#include <vector>

namespace oneline {

// Not thread-safe.
class LinesLogged final : public rocksdb::Logger {
 public:
  using rocksdb::Logger::Logv;
  void Logv(const char* format, va_list arguments) override {
    char line[500];
    std::vsnprintf(line, sizeof(line), format, arguments);
    lines.push_back(line);
  }
  std::vector<std::string> lines;
};

}  // namespace oneline

#endif  // ONELINE_TESTS_FILTER_POLICY_LINES_LOGGED_H_
