// Runs a fuzz target without a fuzzer: each of its seeds, the files of
// seeds/<target>/, and random changes of them. One program for each target,
// by whose name it is called.
//
// Targets write files, some of which are synced: in memory, if there is such a
// folder. Before an input is run it is written to a file, which is left behind
// if the target ends the program.

#include <errno.h>
#include <unistd.h>

#include "tests/fuzz/fuzz_input.h"
#include "tests/testing.h"

extern "C" __attribute__((weak)) size_t LLVMFuzzerCustomMutator(
    uint8_t* data, size_t size, size_t max_size, unsigned int seed);

namespace oneline {
namespace {

using Bytes = std::vector<uint8_t>;

constexpr size_t kMaxBytes = 2048;

std::mt19937_64& Random() {
  static std::mt19937_64 random = TestRandom();
  return random;
}

size_t Below(size_t n) { return Random()() % n; }

// "filter_block_fuzz" of the program filter_block_fuzz_test.
std::string TargetName() {
  std::string name = program_invocation_short_name;
  return name.substr(0, name.rfind("_test"));
}

// In the same order on every machine.
std::vector<Bytes> Seeds() {
  std::vector<Bytes> seeds;
  for (const auto& file : std::filesystem::directory_iterator(
           "tests/fuzz/seeds/" + TargetName())) {
    const std::string text = ReadWholeFile(file.path());
    seeds.emplace_back(text.begin(), text.end());
  }
  std::sort(seeds.begin(), seeds.end());
  return seeds;
}

// Where the input that is run now can be found if it ends the program.
std::string InputFile() {
  const char* const kept = std::getenv("TEST_UNDECLARED_OUTPUTS_DIR");
  return (kept != nullptr ? kept : testing::TempDir()) + "/" + TargetName() +
         ".input";
}

void RunTarget(const Bytes& input) {
  static const std::string path = InputFile();
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(input.data()),
             static_cast<std::streamsize>(input.size()));
  LLVMFuzzerTestOneInput(input.data(), input.size());
  std::filesystem::remove(path);
}

Bytes Mutated(const Bytes& input) {
  Bytes buffer = input;
  buffer.resize(std::max(kMaxBytes, input.size()));
  const size_t size =
      LLVMFuzzerCustomMutator != nullptr
          ? LLVMFuzzerCustomMutator(buffer.data(), input.size(), kMaxBytes,
                                    static_cast<unsigned int>(Random()()))
          : LLVMFuzzerMutate(buffer.data(), input.size(), kMaxBytes);
  buffer.resize(size);
  return buffer;
}

[[maybe_unused]] const bool in_memory =
    access("/dev/shm", W_OK) == 0 && setenv("TEST_TMPDIR", "/dev/shm", 1) == 0;

TEST(ReplayTest, Seeds) {
  const std::vector<Bytes> seeds = Seeds();
  ASSERT_FALSE(seeds.empty());
  for (const Bytes& seed : seeds) RunTarget(seed);
  RunTarget({});
}

TEST(ReplayTest, ChangesOfSeeds) {
  const int inputs = kSanitized ? 500 : 2000;
  const std::vector<Bytes> seeds = Seeds();
  ASSERT_FALSE(seeds.empty());
  for (int i = 0; i < inputs; ++i) {
    Bytes input = seeds[Below(seeds.size())];
    for (size_t changes = 1 + Below(4); changes > 0; --changes) {
      input = Mutated(input);
    }
    RunTarget(input);
  }
}

}  // namespace
}  // namespace oneline

// What libFuzzer offers to a target's own mutator: one change of bytes.
extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size,
                                   size_t max_size) {
  using oneline::Below;
  std::vector<uint8_t> bytes(data, data + size);
  const auto at = static_cast<ptrdiff_t>(Below(size + 1));
  const size_t left = size - static_cast<size_t>(at);
  const auto position = bytes.begin() + at;
  const auto byte = static_cast<uint8_t>(Below(256));
  // Past the end there is nothing to change, so something is added.
  const size_t what = left == 0 ? 0 : Below(5);
  if (what == 0) {
    bytes.insert(position, 1 + Below(8), byte);
  } else if (what == 1) {
    const size_t n = std::min(left, 1 + Below(8));
    bytes.erase(position, position + static_cast<ptrdiff_t>(n));
  } else if (what == 2) {
    const auto to = static_cast<ptrdiff_t>(Below(size + 1));
    const size_t n = std::min<size_t>(left, 32);
    bytes.insert(bytes.begin() + to, data + at, data + at + n);
  } else {
    *position =
        what == 3 ? byte : static_cast<uint8_t>(*position ^ 1u << byte % 8);
  }
  bytes.resize(std::min(bytes.size(), max_size));
  std::copy(bytes.begin(), bytes.end(), data);
  return bytes.size();
}
