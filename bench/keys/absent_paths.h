// Paths that could exist but do not: those that programs look for all day when
// they try the directories of a search path, or the possible endings of a name,
// one after the other. Such paths are similar to those that exist and sort
// among them, as absent keys do in practice and random strings do not.

#ifndef ONELINE_BENCH_KEYS_ABSENT_PATHS_H_
#define ONELINE_BENCH_KEYS_ABSENT_PATHS_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "bench/keys/path_list.h"

namespace oneline {

// At most `count` different paths that are not in the list, in random order.
// The same arguments always give the same paths.
std::vector<std::string> AbsentPaths(const PathList& list, size_t count,
                                     uint64_t seed);

}  // namespace oneline

#endif  // ONELINE_BENCH_KEYS_ABSENT_PATHS_H_
