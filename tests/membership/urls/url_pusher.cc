// The program that tests/membership/urls/exact_url_store_test.cc kills. Opens
// the store at the given path and continues where it was: pushes fifty numbered
// URLs per call, and pops ten after every third call. After each call it prints
// the total numbers, `pushed popped`.

#include <unistd.h>

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "membership/urls/exact_url_store.h"

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  oneline::ExactUrlStoreOptions options;
  options.path = argv[1];
  auto opened = oneline::ExactUrlStore::Open(options);
  if (!opened.ok()) {
    std::fprintf(stderr, "%s\n", opened.status().ToString().c_str());
    return 1;
  }
  oneline::ExactUrlStore& store = **opened;
  for (int call = 0;; ++call) {
    std::vector<std::string> urls;
    for (uint64_t i = 0; i < 50; ++i) {
      urls.push_back("http://example.com/" +
                     std::to_string(store.NumSeen() + i));
    }
    const std::vector<std::string_view> views(urls.begin(), urls.end());
    bool is_new[50];
    if (!store.Push(views.data(), views.size(), is_new).ok()) return 1;
    for (int i = 0; call % 3 == 2 && i < 10; ++i) {
      if (!store.Pop().ok()) return 1;
    }
    const std::string line =
        std::to_string(store.NumSeen()) + " " +
        std::to_string(store.NumSeen() - store.NumQueued()) + "\n";
    if (write(STDOUT_FILENO, line.data(), line.size()) < 0) return 1;
  }
}
