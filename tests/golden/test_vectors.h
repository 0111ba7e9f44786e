// tests/golden/vectors.txt and short_vectors.txt: blocks with keys and answers,
// for those who write another implementation of docs/format.md. Texts with
// their own explanation.
//
//   bazel run //tests/golden:golden_blocks_gen -- "$PWD/tests/golden"
//
// writes them anew, which is right only when a block is added.

#ifndef ONELINE_TESTS_GOLDEN_TEST_VECTORS_H_
#define ONELINE_TESTS_GOLDEN_TEST_VECTORS_H_

#include <string>
#include <string_view>

namespace oneline {

// As today's code makes them.
std::string TestVectors();
std::string ShortTestVectors();

// The pinned texts, from the files.
std::string ReadTestVectors();
std::string ReadShortTestVectors();

// The bytes that such a text means; "-" is none.
std::string FromHex(std::string_view hex);

}  // namespace oneline

#endif  // ONELINE_TESTS_GOLDEN_TEST_VECTORS_H_
