#include "tests/golden/remade_vectors.h"

#include <algorithm>
#include <functional>
#include <memory>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "membership/filters/bloom_filter.h"
#include "table/block/filter_block.h"
#include "table/block/filter_block_builder.h"
#include "table/block/filter_kind.h"
#include "table/block/line_count.h"
#include "table/hash/hash_list.h"
#include "table/hash/key_hash.h"
#include "table/short_block/short_block.h"
#include "tests/golden/test_vectors.h"
#include "tests/run_program.h"

namespace oneline {
namespace {

std::vector<uint64_t> AddedHashes(const TestVector& vector) {
  std::vector<uint64_t> hashes;
  for (size_t i = 0; i < vector.num_added; ++i) {
    hashes.push_back(KeyHash(vector.Key(i), vector.seed));
  }
  return hashes;
}

// A block whose parameter is given; its trailer does not say how many bits per
// key were asked for.
std::string BuildWithParameter(const TestVector& vector) {
  HashList hashes;
  for (uint64_t hash : AddedHashes(vector)) hashes.Append(hash);
  const KindTraits& kind = *FindKind(vector.kind);
  Trailer trailer;
  trailer.seed = vector.seed;
  trailer.num_lines = LinesFor(vector.num_added, vector.bits_per_key);
  trailer.num_keys = static_cast<uint32_t>(vector.num_added);
  trailer.kind = kind.id;
  trailer.parameter = *vector.parameter;
  const size_t lines_bytes = kLineBytes * trailer.num_lines;
  std::string block(lines_bytes + kTrailerBytes, '\0');
  auto* bytes = reinterpret_cast<uint8_t*>(block.data());
  kind.lines->build(hashes, trailer.parameter, bytes, trailer.num_lines);
  EncodeTrailer(trailer, bytes + lines_bytes);
  return block;
}

std::string BuildBlock(const TestVector& vector) {
  if (vector.parameter.has_value()) return BuildWithParameter(vector);
  FilterBlockBuilder builder(*FindKind(vector.kind), vector.bits_per_key,
                             vector.seed, vector.level.value_or(kUnknownLevel));
  for (size_t i = 0; i < vector.num_added; ++i) builder.AddKey(vector.Key(i));
  return std::string(builder.Finish().view());
}

std::string BuildShortBlock(const TestVector& vector) {
  std::vector<uint64_t> hashes = AddedHashes(vector);
  std::string block;
  AppendShortBlock(*FindKind(vector.kind), vector.bits_per_key, &hashes,
                   &block);
  return block;
}

// Whether the vector's bytes let this key pass.
using MayMatch = std::function<bool(const std::string& key)>;

// The saved filter's bytes, if a file could be written, and its answers.
MayMatch RemakeSaved(TestVector* vector) {
  const auto hasher = static_cast<Hasher>(vector->parameter.value_or(1));
  // Polynomials need a power of two.
  const uint64_t bits = hasher == Hasher::kPolynomial ? 256 : 189;
  const auto filter = std::make_shared<BloomFilter>(
      *BloomFilter::ForShape({bits, 6, hasher, vector->seed}));
  for (size_t i = 0; i < vector->num_added; ++i) filter->Add(vector->Key(i));
  const TemporaryDirectory directory;
  const std::string path = directory.File("saved");
  vector->bytes = filter->Save(path).ok() ? ReadWholeFile(path) : "";
  return [filter](const std::string& key) { return filter->MayContain(key); };
}

MayMatch Remake(TestVector* vector) {
  if (vector->form == "saved") return RemakeSaved(vector);
  if (vector->form == "short") {
    if (!vector->kind.empty()) vector->bytes = BuildShortBlock(*vector);
    return [vector](const std::string& key) {
      return ShortBlockMayMatch(
          vector->bytes, KeyHash(key, vector->seed),
          ShortBlockKernelsFor(InstructionSet::kPortable));
    };
  }
  if (!vector->kind.empty()) vector->bytes = BuildBlock(*vector);
  return [vector](const std::string& key) {
    return FilterBlockReader(vector->bytes, InstructionSet::kPortable)
        .MayMatch(key);
  };
}

std::string Head(const TestVector& vector) {
  std::string head =
      absl::StrFormat("%s name=%s keys=%s added=%d seed=%016x", vector.form,
                      vector.name, vector.keys, vector.num_added, vector.seed);
  if (!vector.kind.empty()) {
    absl::StrAppendFormat(&head, " kind=%s bits=%g", vector.kind,
                          vector.bits_per_key);
  }
  if (vector.parameter.has_value()) {
    absl::StrAppend(&head, " parameter=", int{*vector.parameter});
  }
  if (vector.level.has_value()) {
    absl::StrAppend(&head, " level=", int{*vector.level});
  }
  return absl::StrCat(head, " answers=", vector.answers, "  # ", vector.what,
                      "\n");
}

// 64 in a row, but a short block of one line has its code in the same row.
std::string Rows(std::string_view bytes) {
  std::string rows;
  while (!bytes.empty()) {
    const size_t n = bytes.size() == kLineBytes + 1
                         ? bytes.size()
                         : std::min(bytes.size(), kLineBytes);
    absl::StrAppend(&rows,
                    absl::BytesToHexString(absl::string_view(bytes.data(), n)),
                    "\n");
    bytes.remove_prefix(n);
  }
  return rows;
}

std::string SpeltKey(const TestVector& vector, size_t i) {
  const std::string key = vector.Key(i);
  return absl::StrFormat("key %s %016x %s\n",
                         key.empty() ? "-" : absl::BytesToHexString(key),
                         KeyHash(key, vector.seed),
                         i < vector.num_added ? "in"
                         : vector.MayMatch(i) ? "maybe"
                                              : "no");
}

}  // namespace

std::string RemadeVectors() {
  std::string text;
  std::ifstream file(kVectorsFile);
  for (std::string line; std::getline(file, line) && line[0] == '#';) {
    absl::StrAppend(&text, line, "\n");
  }
  for (TestVector vector : PinnedVectors()) {
    const MayMatch may_match = Remake(&vector);
    for (size_t i = vector.num_added; i < vector.num_keys(); ++i) {
      vector.answers[i - vector.num_added] =
          may_match(vector.Key(i)) ? '1' : '0';
    }
    absl::StrAppend(&text, Head(vector), Rows(vector.bytes));
    if (!vector.spells_keys) continue;
    constexpr size_t kOthers = 8;
    for (size_t i = 0; i < vector.num_added + kOthers; ++i) {
      text += SpeltKey(vector, i);
    }
  }
  return text;
}

}  // namespace oneline
