#include "bench/keys/absent_paths.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <random>
#include <string_view>
#include <utility>

namespace oneline {
namespace {

using Names = std::vector<std::string_view>;

// Search paths, whose directories are tried one after the other: those of the
// dynamic linker (on Debian's most used architecture) and of the shell.
const std::array<Names, 2>& SearchPaths() {
  static const auto& paths = *new std::array<Names, 2>{{
      {"lib/", "lib/x86_64-linux-gnu/", "usr/lib/", "usr/lib/x86_64-linux-gnu/",
       "usr/local/lib/", "usr/local/lib/x86_64-linux-gnu/"},
      {"bin/", "sbin/", "usr/bin/", "usr/games/", "usr/local/bin/",
       "usr/local/games/", "usr/local/sbin/", "usr/sbin/"},
  }};
  return paths;
}

// The first ending is that of files that exist, the others are tried before it
// or instead of it.
const std::array<Names, 3>& Endings() {
  static const auto& endings = *new std::array<Names, 3>{{
      // Python's import, which looks for source files last.
      {".py", ".abi3.so", ".cpython-311-x86_64-linux-gnu.so", ".so"},
      // Icon themes, in each of their directories.
      {".png", ".svg", ".xpm"},
      // Web servers that may send a compressed page.
      {".html", ".html.br", ".html.gz"},
  }};
  return endings;
}

bool StartsWith(std::string_view path, std::string_view start) {
  return path.substr(0, start.size()) == start;
}

bool EndsWith(std::string_view path, std::string_view end) {
  return path.size() >= end.size() &&
         path.substr(path.size() - end.size()) == end;
}

// Not std::shuffle, whose order differs between standard libraries.
template <typename T>
void Shuffle(std::mt19937_64* random, std::vector<T>* items) {
  for (size_t i = items->size(); i > 1; --i) {
    std::swap((*items)[i - 1], (*items)[(*random)() % i]);
  }
}

void AddIfAbsent(const PathList& list, std::string_view start,
                 std::string_view end, std::vector<std::string>* absent) {
  std::string path = std::string(start).append(end);
  if (!list.Contains(path)) absent->push_back(std::move(path));
}

// The names of the files of each directory, in the other directories.
std::vector<std::string> ElsewhereOnSearchPath(const PathList& list,
                                               const Names& directories,
                                               size_t count,
                                               std::mt19937_64* random) {
  std::vector<std::string> absent;
  for (std::string_view directory : directories) {
    for (size_t i = list.LowerBound(directory);
         i < list.size() && StartsWith(list.key(i), directory); ++i) {
      const std::string_view name = list.key(i).substr(directory.size());
      if (name.find('/') != name.npos) continue;
      for (std::string_view other : directories) {
        AddIfAbsent(list, other, name, &absent);
      }
    }
  }
  std::sort(absent.begin(), absent.end());
  absent.erase(std::unique(absent.begin(), absent.end()), absent.end());
  Shuffle(random, &absent);
  absent.resize(std::min(absent.size(), count));
  return absent;
}

// The paths with the first ending, with the other endings instead.
std::vector<std::string> WithOtherEndings(const PathList& list,
                                          const Names& endings, size_t count,
                                          std::mt19937_64* random) {
  // There are millions of them, so strings are made only of those drawn.
  std::vector<size_t> with_first;
  for (size_t i = 0; i < list.size(); ++i) {
    if (EndsWith(list.key(i), endings[0])) with_first.push_back(i);
  }
  Shuffle(random, &with_first);
  std::vector<std::string> absent;
  for (size_t i : with_first) {
    if (absent.size() >= count) break;
    std::string_view stem = list.key(i);
    stem.remove_suffix(endings[0].size());
    for (size_t other = 1; other < endings.size(); ++other) {
      AddIfAbsent(list, stem, endings[other], &absent);
    }
  }
  absent.resize(std::min(absent.size(), count));
  return absent;
}

}  // namespace

std::vector<std::string> AbsentPaths(const PathList& list, size_t count,
                                     uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::string> chosen;
  size_t families_left = SearchPaths().size() + Endings().size();
  // Each family gets an equal share. What one cannot fill goes to the next.
  const auto share = [&] { return (count - chosen.size()) / families_left--; };
  const auto add = [&](std::vector<std::string> family) {
    std::move(family.begin(), family.end(), std::back_inserter(chosen));
  };
  for (const Names& directories : SearchPaths()) {
    add(ElsewhereOnSearchPath(list, directories, share(), &random));
  }
  for (const Names& endings : Endings()) {
    add(WithOtherEndings(list, endings, share(), &random));
  }
  Shuffle(&random, &chosen);
  return chosen;
}

}  // namespace oneline
