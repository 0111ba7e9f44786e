// What the tables in tests/golden/VERSION/ have: the even keys below this, as of
// KeyAt and ValueAt in scratch_database.h.

#ifndef ONELINE_TESTS_GOLDEN_RELEASED_TABLES_H_
#define ONELINE_TESTS_GOLDEN_RELEASED_TABLES_H_

namespace oneline {

inline constexpr int kReleasedKeys = 600;

}  // namespace oneline

#endif  // ONELINE_TESTS_GOLDEN_RELEASED_TABLES_H_
