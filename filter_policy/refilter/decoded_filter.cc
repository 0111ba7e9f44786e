#include "filter_policy/refilter/decoded_filter.h"

#include <cstddef>
#include <iterator>

#include "filter_policy/options/kind_traits.h"
#include "table/block/filter_kind.h"

namespace oneline {
namespace {

// What there is to know of a kind of filter, by FoundKind.
struct KindRow {
  const char* name;
  std::optional<Kind> option = std::nullopt;  // by which our policy writes it
  bool has_trailer = false;
};

constexpr KindRow kKinds[] = {
    {"none"},
    {"bloom", Kind::kBloom, /*has_trailer=*/true},
    {"ribbon", Kind::kRibbon, /*has_trailer=*/true},
    {"RocksDB Bloom"},
    {"RocksDB Ribbon"},
    {"RocksDB old Bloom"},
    {"always maybe"},
    {"no keys"},
    {"damaged"},
    {"unknown"},
};
static_assert(std::size(kKinds) ==
              static_cast<size_t>(FoundKind::kForeign) + 1);

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
  facts.kind = FoundKindOf(KindOf(*FindKind(trailer->kind)));
  facts.seed = trailer->seed;
  facts.trailer = *trailer;
  return facts;
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
  facts.line_bytes = kLineBytes;
  facts.probes = static_cast<int>(probes);
  return facts;
}

// A segment of 16 bytes is one column of a block's 128 rows.
std::optional<FilterFacts> Ribbon(std::string_view data, std::string_view end,
                                  std::string* error) {
  const uint32_t blocks = Byte(end, 2) | Byte(end, 3) << 8 | Byte(end, 4) << 16;
  if (blocks < 2) {
    return Refused("it is a Ribbon filter of an unknown version", error);
  }
  if (data.size() % kSegmentBytes != 0 ||
      data.size() / kSegmentBytes > 32 * size_t{blocks}) {
    return Refused("a RocksDB Ribbon filter of " + std::to_string(blocks) +
                       " blocks can't have " + std::to_string(data.size()) +
                       " bytes",
                   error);
  }
  FilterFacts facts;
  facts.kind = FoundKind::kRocksDBRibbon;
  facts.blocks = blocks;
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
  facts.line_bytes = line_bytes;
  facts.probes = static_cast<int>(probes);
  return facts;
}

}  // namespace

const char* NameOf(FoundKind kind) {
  return kKinds[static_cast<size_t>(kind)].name;
}

bool IsOurs(FoundKind kind) {
  return kKinds[static_cast<size_t>(kind)].has_trailer;
}

FoundKind FoundKindOf(Kind kind) {
  size_t i = 0;
  while (i + 1 < std::size(kKinds) && kKinds[i].option != kind) ++i;
  return static_cast<FoundKind>(i);
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
