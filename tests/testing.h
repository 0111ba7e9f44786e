// What every test includes: GoogleTest, the standard library's headers that
// most tests need, and the small headers of this folder.

#ifndef ONELINE_TESTS_TESTING_H_
#define ONELINE_TESTS_TESTING_H_

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <ostream>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include "tests/is_ok.h"
#include "tests/random_keys.h"
#include "tests/run_program.h"
#include "tests/sanitizers.h"
#include "tests/temporary_directory.h"
#include "tests/test_seed.h"

#endif  // ONELINE_TESTS_TESTING_H_
