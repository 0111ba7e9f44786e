#include "filter_policy/refilter/decoded_filter.h"

#include <cmath>
#include <cstddef>
#include <iterator>

#include "filter_policy/options/kind_traits.h"
#include "table/block/filter_kind.h"

namespace oneline {
namespace {

// The metadata at the end of RocksDB's blocks.
constexpr size_t kRocksDBTrailerBytes = 5;

constexpr char kNeither[] =
    "it is neither a filter of ours nor one of RocksDB's";

std::nullopt_t Refused(const std::string& why, std::string* error) {
  if (error != nullptr) *error = why;
  return std::nullopt;
}

uint32_t Byte(std::string_view s, size_t i) {
  return static_cast<uint8_t>(s[i]);
}

std::optional<FilterFacts> Ours(std::string_view block, std::string* error) {
  const std::optional<Trailer> trailer = DecodeTrailer(block, error);
  if (!trailer.has_value()) return std::nullopt;
  FilterFacts facts;
  switch (KindOf(*FindKind(trailer->kind))) {
    case Kind::kBloom:
      facts.kind = FoundKind::kBloom;
      break;
    case Kind::kRibbon:
      facts.kind = FoundKind::kRibbon;
      break;
  }
  facts.fp_rate = BlockFpRate(block);
  facts.seed = trailer->seed;
  facts.trailer = *trailer;
  return facts;
}

// The mean over the lines of (share of bits that are set) ^ probes. The lines
// of RocksDB's old filters may be longer than ours.
double MeanOfBloomLines(std::string_view data, size_t line_bytes, int probes) {
  const KindTraits& bloom = *FindKind("bloom");
  double sum = 0;
  size_t lines = 0;
  for (size_t at = 0; at + line_bytes <= data.size(); at += line_bytes) {
    double fill = 0;
    for (size_t part = 0; part < line_bytes; part += kLineBytes) {
      fill += bloom.line_fp_rate(
          reinterpret_cast<const uint8_t*>(data.data()) + at + part, 1);
    }
    sum +=
        std::pow(fill * kLineBytes / static_cast<double>(line_bytes), probes);
    ++lines;
  }
  return sum / static_cast<double>(lines);
}

std::optional<FilterFacts> NewBloom(std::string_view data, std::string_view end,
                                    std::string* error) {
  // RocksDB reserves the upper 3 bits for longer lines; they are always 0.
  const uint32_t probes = Byte(end, 2);
  if (Byte(end, 1) != 0 || probes < 1 || probes > 30 || Byte(end, 3) != 0 ||
      Byte(end, 4) != 0) {
    return Refused("it is a Bloom filter of an unknown version", error);
  }
  if (data.size() % kLineBytes != 0) {
    return Refused("a RocksDB Bloom filter of " + std::to_string(data.size()) +
                       " bytes is not a whole number of lines",
                   error);
  }
  FilterFacts facts;
  facts.kind = FoundKind::kRocksDBBloom;
  facts.fp_rate = MeanOfBloomLines(data, kLineBytes, static_cast<int>(probes));
  return facts;
}

// A segment of 16 bytes is one column of a block's 128 rows. If the segments
// are not a multiple of the blocks, the first blocks have one column fewer.
std::optional<FilterFacts> Ribbon(std::string_view data, std::string_view end,
                                  std::string* error) {
  constexpr size_t kSegmentBytes = 16;
  constexpr double kRows = 128;
  const uint32_t blocks = Byte(end, 2) | Byte(end, 3) << 8 | Byte(end, 4) << 16;
  if (blocks < 2) {
    return Refused("it is a Ribbon filter of an unknown version", error);
  }
  const size_t segments = data.size() / kSegmentBytes;
  if (data.size() % kSegmentBytes != 0 || segments > 32 * size_t{blocks}) {
    return Refused("a RocksDB Ribbon filter of " + std::to_string(blocks) +
                       " blocks can't have " + std::to_string(data.size()) +
                       " bytes",
                   error);
  }
  const size_t columns = (segments + blocks - 1) / blocks;
  const size_t narrow_blocks = columns * blocks - segments;
  // The equation of a key begins at any row but the last 127.
  const double narrow = static_cast<double>(narrow_blocks) * kRows /
                        (blocks * kRows - (kRows - 1));
  FilterFacts facts;
  facts.kind = FoundKind::kRocksDBRibbon;
  facts.fp_rate =
      std::ldexp(1 + narrow, -static_cast<int>(columns));  // 2^-(columns - 1)
  facts.seed = Byte(end, 1);
  return facts;
}

std::optional<FilterFacts> OldBloom(std::string_view data, std::string_view end,
                                    std::string* error) {
  const uint32_t probes = Byte(end, 0);
  const uint32_t lines = Byte(end, 1) | Byte(end, 2) << 8 | Byte(end, 3) << 16 |
                         Byte(end, 4) << 24;
  const size_t line_bytes = lines == 0 ? 0 : data.size() / lines;
  if (lines == 0 || data.size() % lines != 0 || line_bytes < kLineBytes ||
      (line_bytes & (line_bytes - 1)) != 0 || probes > 30) {
    return Refused(kNeither, error);
  }
  FilterFacts facts;
  facts.kind = FoundKind::kRocksDBOldBloom;
  facts.fp_rate = MeanOfBloomLines(data, line_bytes, static_cast<int>(probes));
  return facts;
}

}  // namespace

const char* NameOf(FoundKind kind) {
  constexpr const char* kNames[] = {"none",           "bloom",
                                    "ribbon",         "RocksDB Bloom",
                                    "RocksDB Ribbon", "RocksDB old Bloom",
                                    "always maybe",   "no keys",
                                    "damaged",        "unknown"};
  static_assert(std::size(kNames) ==
                static_cast<size_t>(FoundKind::kForeign) + 1);
  return kNames[static_cast<size_t>(kind)];
}

std::optional<FilterFacts> DecodeFilter(std::string_view block,
                                        std::string* error) {
  if (HasMagic(block)) return Ours(block, error);
  FilterFacts facts;
  if (block.size() <= kRocksDBTrailerBytes) {
    // Filters without keys: empty, or a few zero bytes.
    if (block.find_first_not_of('\0') != block.npos) {
      return Refused(
          "it has " + std::to_string(block.size()) + " bytes, too few", error);
    }
    return facts;
  }
  const std::string_view data =
      block.substr(0, block.size() - kRocksDBTrailerBytes);
  const std::string_view end = block.substr(data.size());
  switch (Byte(end, 0)) {
    case 0:
      if (end != std::string_view("\0\0\0\0\0", kRocksDBTrailerBytes)) {
        return Refused(kNeither, error);
      }
      facts.kind = FoundKind::kAlwaysMaybe;
      facts.fp_rate = 1;
      return facts;
    case 0xff:
      return NewBloom(data, end, error);
    case 0xfe:
      return Ribbon(data, end, error);
    default:
      return OldBloom(data, end, error);
  }
}

}  // namespace oneline
