// Fuzz target: any bytes as a filter block. Blocks that are refused answer
// "maybe". Of those that are not, every kernel of this machine answers as
// docs/internals/format.md says, and reads no byte outside: the block lies once
// before and once behind an unreadable page, and elsewhere.
//
// The input is the block. The mutator mends the trailer of most blocks, since
// bytes with a right checksum are not found by chance.

#include <memory>

#include "filter_policy/refilter/decoded_filter.h"
#include "table/hash/key_hash.h"
#include "tests/fuzz/fuzz_input.h"
#include "tests/guarded_bytes.h"
#include "tests/table/all_kinds.h"
#include "tests/table/line_specification.h"
#include "tests/table/supported_sets.h"
#include "tools/sst/filter_rate.h"

namespace oneline {
namespace {

constexpr size_t kMaxBytes = 4096;

// One by one and at once, which must be the same.
std::vector<bool> Answers(const FilterBlockReader& reader,
                          const std::vector<std::string_view>& keys) {
  std::vector<bool> answers;
  std::vector<uint64_t> hashes;
  for (const std::string_view key : keys) {
    hashes.push_back(KeyHash(key, reader.seed()));
    answers.push_back(reader.MayMatch(key));
  }
  const std::unique_ptr<bool[]> batch(new bool[keys.size()]);
  reader.MayMatchHashes(hashes.data(), hashes.size(), batch.get());
  Require(std::equal(answers.begin(), answers.end(), batch.get()),
          "a batch answers as single lookups do");
  return answers;
}

bool AnswerBySpecification(std::string_view block,
                           const std::optional<Trailer>& trailer,
                           std::string_view key) {
  if (!trailer.has_value()) return true;
  if (trailer->num_lines == 0) return false;
  const uint64_t hash = KeyHash(key, trailer->seed);
  const auto* const lines = reinterpret_cast<const uint8_t*>(block.data());
  return LineBySpecification(
      trailer->kind, lines + kLineBytes * LineIndex(hash, trailer->num_lines),
      kLineBytes, hash, trailer->parameter);
}

// At `bytes`, wherever that is.
void CheckThere(std::string_view block, uint8_t* bytes,
                const std::vector<std::string_view>& keys) {
  std::copy(block.begin(), block.end(), bytes);
  const std::string_view copy(reinterpret_cast<char*>(bytes), block.size());
  std::string error;
  const std::optional<Trailer> trailer = DecodeTrailer(copy, &error);
  Require(trailer.has_value() == error.empty(), "what is refused has an error");
  const std::optional<FilterFacts> facts = DecodeFilter(copy);
  Require(!HasMagic(copy) || facts.has_value() == trailer.has_value(),
          "DecodeFilter parses as readers do");
  const double rate = FilterFpRate(copy);
  Require(rate >= 0 && rate <= 1, "a false-positive rate is in 0..1");
  std::vector<bool> expected;
  for (const std::string_view key : keys) {
    expected.push_back(AnswerBySpecification(copy, trailer, key));
  }
  for (const InstructionSet set : SupportedSets()) {
    Require(Answers(FilterBlockReader(copy, set), keys) == expected,
            "every kernel answers as specified", NameOf(set));
  }
}

// Makes a block of any bytes: of a kind that there is, with its checksum.
void MendTrailer(std::mt19937& random, std::vector<uint8_t>* block) {
  const size_t lines =
      block->size() < kTrailerBytes
          ? 0
          : (block->size() - kTrailerBytes + kLineBytes / 2) / kLineBytes;
  block->resize(kLineBytes * lines + kTrailerBytes);
  uint8_t* const end = block->data() + kLineBytes * lines;
  Trailer trailer = UncheckedTrailer(end);
  trailer.version = kTrailerVersion;
  trailer.num_lines = static_cast<uint32_t>(lines);
  if (random() % 4 != 0) {
    const KindTraits& kind = *AllKinds()[random() % AllKinds().size()];
    const std::vector<uint8_t> parameters = ValidParameters(kind);
    trailer.kind = kind.id;
    if (!kind.lines->valid_parameter(trailer.parameter) || random() % 4 == 0) {
      trailer.parameter = parameters[random() % parameters.size()];
    }
    if ((trailer.num_keys == 0) != (lines == 0)) {
      trailer.num_keys = static_cast<uint32_t>(lines * 50);
    }
  }
  EncodeTrailer(trailer, end);
}

}  // namespace
}  // namespace oneline

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace oneline;
  static const GuardedBytes before(kMaxBytes, GuardedEdge::kEnd);
  static const GuardedBytes behind(kMaxBytes, GuardedEdge::kStart);
  size = std::min(size, kMaxBytes - kLineBytes);
  const std::string_view block(reinterpret_cast<const char*>(data), size);
  const std::vector<std::string_view> keys = KeysFrom(block);
  CheckThere(block, before.data() + kMaxBytes - size, keys);
  CheckThere(block, behind.data(), keys);
  const size_t elsewhere = KeyHash(block, 1) % kLineBytes;
  CheckThere(block, before.data() + kMaxBytes - size - elsewhere, keys);
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size,
                                          size_t max_size, unsigned int seed) {
  return oneline::MutateAndMend(data, size, max_size, seed,
                                oneline::MendTrailer);
}
