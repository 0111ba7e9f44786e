// tests/golden/vectors.txt: blocks with keys and answers, for those who write
// another implementation of docs/format.md. A text with its own explanation.
//
//   bazel run //tests:golden_blocks_gen -- "$PWD/tests/golden"
//
// writes it anew, which is right only when a block is added.

#ifndef ONELINE_TESTS_TEST_VECTORS_H_
#define ONELINE_TESTS_TEST_VECTORS_H_

#include <string>

namespace oneline {

// As today's code makes it.
std::string TestVectors();

// The pinned text, from the file.
std::string ReadTestVectors();

}  // namespace oneline

#endif  // ONELINE_TESTS_TEST_VECTORS_H_
