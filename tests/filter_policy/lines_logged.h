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
    lines.push_back(Text(format, arguments));
  }
  void LogHeader(const char* format, va_list arguments) override {
    headers.push_back(Text(format, arguments));
  }
  std::vector<std::string> lines;    // but for headers
  std::vector<std::string> headers;  // printed at every level

 private:
  static std::string Text(const char* format, va_list arguments) {
    char line[500];
    std::vsnprintf(line, sizeof(line), format, arguments);
    return line;
  }
};

}  // namespace oneline

#endif  // ONELINE_TESTS_FILTER_POLICY_LINES_LOGGED_H_
