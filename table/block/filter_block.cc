#include "table/block/filter_block.h"

#include <algorithm>
#include <cassert>
#include <cstring>

#include "table/hash/little_endian.h"

namespace oneline {
namespace {

// Offsets in the trailer.
constexpr size_t kSeedAt = 0;
constexpr size_t kNumLinesAt = 8;
constexpr size_t kNumKeysAt = 12;
constexpr size_t kKindAt = 16;
constexpr size_t kVersionAt = 17;
constexpr size_t kParameterAt = 18;
constexpr size_t kLevelAt = 19;
constexpr size_t kFlagsAt = 20;
constexpr size_t kAskedAt = 21;
constexpr size_t kChecksumAt = 23;
constexpr size_t kZeroAt = 27;
constexpr size_t kMagicAt = 28;

// The flags: a bit, and above it the tag of the column family.
constexpr uint8_t kBottommostFlag = 1;
constexpr int kFamilyShift = 1;
constexpr uint8_t kMaxFamilyTag = 127;

constexpr double kAskedUnit = 1.0 / 512;

// "onel" with the top bit of the last byte set: as a number, which is what
// RocksDB before 6.6 reads here, it is not zero and larger than any number of
// lines.
constexpr uint8_t kMagic[4] = {0x6f, 0x6e, 0x65, 0xec};

// CRC-32C (Castagnoli, reflected), continued from `crc`: it finds every change
// of up to 32 neighbouring bits. A bit at a time, as it runs over 28 bytes when
// a block is loaded.
uint32_t ExtendCrc32c(uint32_t crc, const uint8_t* data, size_t n) {
  crc = ~crc;
  for (size_t i = 0; i < n; ++i) {
    crc ^= data[i];
    for (int bit = 0; bit < 8; ++bit) {
      crc = (crc >> 1) ^ ((crc & 1) != 0 ? 0x82f63b78u : 0);
    }
  }
  return ~crc;
}

uint32_t TrailerChecksum(const uint8_t* trailer) {
  const uint32_t before = ExtendCrc32c(0, trailer, kChecksumAt);
  return ExtendCrc32c(before, trailer + kZeroAt, kTrailerBytes - kZeroAt);
}

// The answers of blocks that are not probed.
bool AlwaysMaybe(const uint8_t*, uint64_t, LineContext) { return true; }
bool AlwaysNo(const uint8_t*, uint64_t, LineContext) { return false; }
void AlwaysMaybeBatch(const uint8_t*, uint32_t, const uint64_t*, size_t n,
                      LineContext, bool* may_match) {
  std::fill_n(may_match, n, true);
}
void AlwaysNoBatch(const uint8_t*, uint32_t, const uint64_t*, size_t n,
                   LineContext, bool* may_match) {
  std::fill_n(may_match, n, false);
}
constexpr ProbeKernel kAlwaysMaybe = {&AlwaysMaybe, &AlwaysMaybeBatch, nullptr};
constexpr ProbeKernel kAlwaysNo = {&AlwaysNo, &AlwaysNoBatch, nullptr};

const uint8_t* Bytes(std::string_view s) {
  return reinterpret_cast<const uint8_t*>(s.data());
}

std::string Text(std::string_view s) { return std::string(s); }
std::string Text(uint64_t number) { return std::to_string(number); }

// Puts the parts of an error together only if somebody wants to read it.
template <typename... Parts>
std::nullopt_t Refuse(std::string* error, const Parts&... parts) {
  if (error != nullptr) *error = (std::string() + ... + Text(parts));
  return std::nullopt;
}

}  // namespace

uint8_t FamilyTag(std::string_view column_family) {
  if (column_family.empty()) return kUnknownFamily;
  return static_cast<uint8_t>(1 + KeyHash(column_family, 0) % kMaxFamilyTag);
}

void EncodeTrailer(const Trailer& trailer, uint8_t* out) {
  PutLittleEndian(trailer.seed, out + kSeedAt);
  PutLittleEndian(trailer.num_lines, out + kNumLinesAt);
  PutLittleEndian(trailer.num_keys, out + kNumKeysAt);
  out[kKindAt] = trailer.kind;
  out[kVersionAt] = trailer.version;
  out[kParameterAt] = trailer.parameter;
  out[kLevelAt] = trailer.provenance.level;
  assert(trailer.provenance.family <= kMaxFamilyTag);
  out[kFlagsAt] = static_cast<uint8_t>(
      trailer.provenance.family << kFamilyShift |
      (trailer.provenance.bottommost ? kBottommostFlag : 0));
  PutLittleEndian(
      static_cast<uint16_t>(std::clamp(
          trailer.asked_bits_per_key / kAskedUnit + 0.5, 0.0, 65535.0)),
      out + kAskedAt);
  out[kZeroAt] = 0;
  std::memcpy(out + kMagicAt, kMagic, sizeof(kMagic));
  PutLittleEndian(TrailerChecksum(out), out + kChecksumAt);
}

bool HasMagic(std::string_view block) {
  return block.size() >= sizeof(kMagic) &&
         std::memcmp(block.data() + block.size() - sizeof(kMagic), kMagic,
                     sizeof(kMagic)) == 0;
}

std::optional<Trailer> DecodeTrailer(std::string_view block,
                                     std::string* error) {
  if (block.size() < kTrailerBytes) {
    return Refuse(error, "block of ", block.size(),
                  " bytes is shorter than a trailer (", kTrailerBytes,
                  " bytes)");
  }
  if (!HasMagic(block)) return Refuse(error, "wrong magic");
  const size_t lines_bytes = block.size() - kTrailerBytes;
  const uint8_t* in = Bytes(block) + lines_bytes;
  if (GetLittleEndian<uint32_t>(in + kChecksumAt) != TrailerChecksum(in)) {
    return Refuse(error, "wrong checksum of the trailer");
  }
  Trailer trailer;
  trailer.seed = GetLittleEndian<uint64_t>(in + kSeedAt);
  trailer.num_lines = GetLittleEndian<uint32_t>(in + kNumLinesAt);
  trailer.num_keys = GetLittleEndian<uint32_t>(in + kNumKeysAt);
  trailer.kind = in[kKindAt];
  trailer.version = in[kVersionAt];
  trailer.parameter = in[kParameterAt];
  trailer.provenance.level = in[kLevelAt];
  trailer.provenance.bottommost = (in[kFlagsAt] & kBottommostFlag) != 0;
  trailer.provenance.family = in[kFlagsAt] >> kFamilyShift;
  trailer.asked_bits_per_key =
      GetLittleEndian<uint16_t>(in + kAskedAt) * kAskedUnit;
  if (in[kZeroAt] != 0) {
    return Refuse(error, "the byte before the magic is not 0");
  }
  if (trailer.version != kFormatVersion) {
    return Refuse(error, "version ", trailer.version,
                  " is unknown to this library");
  }
  const KindTraits* kind = FindKind(trailer.kind);
  if (kind == nullptr) {
    return Refuse(error, "kind ", trailer.kind, " is unknown to this library");
  }
  if (!kind->valid_parameter(trailer.parameter)) {
    return Refuse(error, "parameter ", trailer.parameter, " is none of kind ",
                  kind->name);
  }
  if (uint64_t{trailer.num_lines} * kLineBytes != lines_bytes) {
    return Refuse(error, "the trailer tells of ", trailer.num_lines,
                  " lines of 64 bytes, but the block has ", lines_bytes,
                  " bytes before the trailer");
  }
  if ((trailer.num_lines == 0) != (trailer.num_keys == 0)) {
    return Refuse(error, trailer.num_keys, " keys in ", trailer.num_lines,
                  " lines");
  }
  return trailer;
}

double BlockFpRate(std::string_view block) {
  const std::optional<Trailer> trailer = DecodeTrailer(block);
  assert(trailer.has_value());
  if (trailer->num_lines == 0) return 0;
  const KindTraits& kind = *FindKind(trailer->kind);
  double sum = 0;
  for (uint32_t line = 0; line < trailer->num_lines; ++line) {
    sum +=
        kind.line_fp_rate(Bytes(block) + kLineBytes * line, trailer->parameter);
  }
  return sum / trailer->num_lines;
}

FilterBlockReader::FilterBlockReader(std::string_view block, InstructionSet set)
    : kernel_(kAlwaysMaybe), lines_(Bytes(block)) {
  const std::optional<Trailer> trailer = DecodeTrailer(block);
  if (!trailer.has_value()) return;
  seed_ = trailer->seed;
  num_lines_ = trailer->num_lines;
  if (trailer->num_keys == 0) {
    kernel_ = kAlwaysNo;
    return;
  }
  const KindTraits& kind = *FindKind(trailer->kind);
  context_ = kind.context(trailer->parameter, kLineBytes);
  kernel_ = KernelFor(*kind.kernels, set);
}

}  // namespace oneline
