// tests/golden/0.1.0/vectors.txt as today's code makes it. If this differs from
// the file, the format has changed, and databases on disk are unreadable.
//
//   bazel run //tests/golden:vectors_gen -- FILE
//
// writes the file anew, which is right only when a vector is added: its first
// line, with any answers, as many as are wanted.

#ifndef ONELINE_TESTS_GOLDEN_REMADE_VECTORS_H_
#define ONELINE_TESTS_GOLDEN_REMADE_VECTORS_H_

#include <string>

namespace oneline {

// The bytes of the vectors that a writer makes, all answers and the keys that
// are spelt out come of the code; all else is the file's.
std::string RemadeVectors();

}  // namespace oneline

#endif  // ONELINE_TESTS_GOLDEN_REMADE_VECTORS_H_
