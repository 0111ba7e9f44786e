#include "filter_policy/refilter/decoded_filter.h"

#include <iterator>

#include "filter_policy/options/kind_traits.h"

namespace oneline {
namespace {

// What there is to know of a kind of filter, by FoundKind.
struct KindRow {
  const char* name;
  std::optional<Kind> option = std::nullopt;  // by which our policy writes it
  bool has_trailer = false;                   // ours
};

constexpr KindRow kKinds[] = {
    {"none"},
    {"bloom", Kind::kBloom, /*has_trailer=*/true},
    {"ribbon", Kind::kRibbon, /*has_trailer=*/true},
    {"RocksDB Bloom", Kind::kRocksDBBloom},
    {"RocksDB Ribbon", Kind::kRocksDBRibbon},
    {"RocksDB old Bloom"},
    {"always maybe"},
    {"no keys"},
    {"damaged"},
    {"unknown"},
};
static_assert(std::size(kKinds) ==
              static_cast<size_t>(FoundKind::kForeign) + 1);

// What the end of one of RocksDB's blocks says; nothing if it never writes such
// a block.
std::optional<FilterFacts> RocksDBsFacts(std::string_view block) {
  FilterFacts facts;
  if (block.size() <= kRocksDBTrailerBytes) {
    // Filters without keys: empty, or a few zero bytes.
    if (block.find_first_not_of('\0') != block.npos) return std::nullopt;
    return facts;
  }
  const size_t bytes = block.size() - kRocksDBTrailerBytes;
  const auto byte = [&](size_t i) {
    return uint32_t{static_cast<uint8_t>(block[bytes + i])};
  };
  const uint32_t number = byte(2) | byte(3) << 8 | byte(4) << 16;
  bool is_valid = false;
  switch (byte(0)) {
    case 0:
      facts.kind = FoundKind::kAlwaysMaybe;
      is_valid = byte(1) == 0 && number == 0;
      break;
    case 0xff:
      facts.kind = FoundKind::kRocksDBBloom;
      facts.line_bytes = kLineBytes;
      // Its upper 3 bits are reserved for longer lines, and always 0.
      facts.probes = static_cast<int>(number);
      is_valid = byte(1) == 0 && 1 <= number && number <= 30 &&
                 bytes % kLineBytes == 0;
      break;
    case 0xfe:
      facts.kind = FoundKind::kRocksDBRibbon;
      facts.seed = byte(1);
      facts.blocks = number;
      // A segment is one column of a block's 128 rows.
      is_valid = number >= 2 && bytes % kSegmentBytes == 0 &&
                 bytes / kSegmentBytes <= 32 * size_t{number};
      break;
    default:
      facts.kind = FoundKind::kRocksDBOldBloom;
      facts.probes = static_cast<int>(byte(0));
      const uint32_t lines = byte(1) | number << 8;
      facts.line_bytes = lines == 0 ? 0 : bytes / lines;
      is_valid = lines != 0 && bytes % lines == 0 && facts.probes <= 30 &&
                 facts.line_bytes >= kLineBytes &&
                 (facts.line_bytes & (facts.line_bytes - 1)) == 0;
  }
  if (!is_valid) return std::nullopt;
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
  if (!HasMagic(block)) {
    const std::optional<FilterFacts> facts = RocksDBsFacts(block);
    if (!facts.has_value() && error != nullptr) {
      *error = "it is neither a filter of ours nor one of RocksDB's";
    }
    return facts;
  }
  const std::optional<Trailer> trailer = DecodeTrailer(block, error);
  if (!trailer.has_value()) return std::nullopt;
  FilterFacts facts;
  facts.kind = FoundKindOf(KindOf(*FindKind(trailer->kind)));
  facts.seed = trailer->seed;
  facts.trailer = *trailer;
  return facts;
}

}  // namespace oneline
