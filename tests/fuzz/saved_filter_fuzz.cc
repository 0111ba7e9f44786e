// Fuzz target: a saved Bloom filter of membership/, as BloomFilter::Load takes
// it. What loads is saved again as the same bytes; a key that is added to it is
// found; what does not load is refused in words, before memory is taken for a
// size that the file does not have.
//
// The input is the file. The mutator mends its checksums and its size.

#include <cmath>

#include "membership/filters/bloom_filter.h"
#include "table/hash/key_hash.h"
#include "tests/fuzz/fuzz_input.h"
#include "tests/run_program.h"

namespace oneline {
namespace {

constexpr size_t kHeaderBytes = 48;

void CheckLoaded(BloomFilter filter, const std::string& text,
                 const std::string& copy) {
  Require(filter.Save(copy).ok() && ReadWholeFile(copy) == text,
          "what was loaded is saved as the same bytes");
  Require(filter.EstimatedFpRate() >= 0 && filter.EstimatedFpRate() <= 1 &&
              filter.FillRatio() <= 1 && filter.EstimatedKeys() >= 0,
          "figures are in their bounds");
  for (const std::string_view key : KeysFrom(text)) {
    const bool before = filter.MayContain(key);
    Require(filter.Add(key) == !before, "a key is new if it was not found");
    Require(filter.MayContain(key), "a key that was added is found");
  }
  const absl::StatusOr<BloomFilter> again =
      filter.Save(copy).ok() ? BloomFilter::Load(copy)
                             : absl::InternalError("is not saved");
  Require(again.ok() && again->bits_set() == filter.bits_set() &&
              again->shape() == filter.shape(),
          "what was changed is saved and loaded");
}

uint64_t Hash(const std::vector<uint8_t>& file, size_t begin, size_t end,
              uint64_t seed) {
  return KeyHash(
      {reinterpret_cast<const char*>(file.data()) + begin, end - begin}, seed);
}

// Makes a filter of any bytes: with its magic, the size of the bits that there
// are, how many of them are set, and both checksums.
void Mend(std::mt19937& random, std::vector<uint8_t>* file) {
  constexpr uint8_t kBegin[] = {0x89, 'o', 'n', 'e', 'B', 'F', '\r', '\n', 1};
  constexpr size_t kMinBytes = kHeaderBytes + 1 + sizeof(uint64_t);
  if (file->size() < kMinBytes) file->resize(kMinBytes);
  uint8_t* const header = file->data();
  const size_t end = file->size() - sizeof(uint64_t);
  std::copy(std::begin(kBegin), std::end(kBegin), header);
  if (random() % 4 != 0) {
    header[9] = static_cast<uint8_t>(1 + header[9] % 3);
    header[10] = static_cast<uint8_t>(1 + header[10] % 8);
    if (header[9] != 1) PutLittleEndian<uint64_t>(0, header + 16);
  }
  PutLittleEndian<uint32_t>(0, header + 12);
  const uint64_t unused = random() % 8;
  PutLittleEndian<uint64_t>(8 * (end - kHeaderBytes) - unused, header + 24);
  header[end - 1] = static_cast<uint8_t>(header[end - 1] & 0xff >> unused);
  uint64_t bits_set = 0;
  for (size_t i = kHeaderBytes; i < end; ++i) {
    bits_set += static_cast<uint64_t>(__builtin_popcount(header[i]));
  }
  PutLittleEndian(bits_set, header + 32);
  const uint64_t checksum = Hash(*file, 0, 40, 0);
  PutLittleEndian(checksum, header + 40);
  PutLittleEndian(Hash(*file, kHeaderBytes, end, checksum), header + end);
}

}  // namespace
}  // namespace oneline

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace oneline;
  static const TemporaryDirectory directory;
  static const std::string path = directory.File("filter");
  const std::string text(reinterpret_cast<const char*>(data), size);
  std::ofstream(path, std::ios::binary) << text;
  absl::StatusOr<BloomFilter> filter = BloomFilter::Load(path);
  if (filter.ok()) {
    CheckLoaded(*std::move(filter), text, directory.File("copy"));
  } else {
    Require(filter.status().message().find(path) == 0 &&
                filter.status().message().size() > path.size() + 2,
            "an error names the file and the reason");
  }
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size,
                                          size_t max_size, unsigned int seed) {
  return oneline::MutateAndMend(data, size, max_size, seed, oneline::Mend);
}
