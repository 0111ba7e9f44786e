// The program that tests/membership/urls/exact_frontier_test.cc kills. Opens
// the frontier at the given path and continues where it was: pushes fifty
// numbered URLs per call, and pops ten after every third call. After each call
// it prints the total numbers, `pushed popped`.

#include <unistd.h>

#include <string>
#include <vector>

#include "membership/urls/url_frontier.h"

int main(int, char** argv) {
  oneline::ExactFrontierOptions options;
  options.path = argv[1];
  const auto frontier = *oneline::OpenExactFrontier(options);
  for (int call = 0;; ++call) {
    std::vector<std::string> urls;
    for (uint64_t i = 0; i < 50; ++i) {
      urls.push_back("http://example.com/" +
                     std::to_string(frontier->NumSeen() + i));
    }
    const std::vector<std::string_view> views(urls.begin(), urls.end());
    bool is_new[50];
    if (!frontier->Push(views.data(), views.size(), is_new).ok()) return 1;
    for (int i = 0; call % 3 == 2 && i < 10; ++i) {
      if (!frontier->Pop().ok()) return 1;
    }
    const uint64_t pushed = frontier->NumSeen();
    const std::string line = std::to_string(pushed) + " " +
                             std::to_string(pushed - frontier->Size()) + "\n";
    if (write(STDOUT_FILENO, line.data(), line.size()) < 0) return 1;
  }
}
