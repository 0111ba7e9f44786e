// Paths that could exist but do not: what programs ask for all day when they
// try the directories of a search path, or the possible endings of a name, in
// turn. They look like the paths that exist and lie among them, which is what
// a filter meets in practice and random strings do not.

#ifndef ONELINE_BENCH_KEYS_ABSENT_PATHS_H_
#define ONELINE_BENCH_KEYS_ABSENT_PATHS_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "bench/keys/path_list.h"

namespace oneline {

// At most `count` different paths that are not in the list, in random order.
// They depend on nothing but the arguments.
std::vector<std::string> AbsentPaths(const PathList& list, size_t count,
                                     uint64_t seed);

}  // namespace oneline

#endif  // ONELINE_BENCH_KEYS_ABSENT_PATHS_H_
