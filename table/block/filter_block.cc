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
constexpr size_t kReservedAt = 20;
constexpr size_t kAskedAt = 21;
constexpr size_t kChecksumAt = 23;
constexpr size_t kZeroAt = 27;
constexpr size_t kMagicAt = 28;

constexpr double kAskedUnit = 1.0 / 512;

// "onel" with the top bit of the last byte set: as a number, which is what
// RocksDB before 6.6 reads here, it is not zero and larger than any number of
// lines.
constexpr uint8_t kMagic[4] = {0x6f, 0x6e, 0x65, 0xec};

// The lower half of the hash of the trailer with zeros for the checksum: the
// last byte of a word and three of the next. They come by masks: zeros stored
// as bytes would make the hash, which loads words, wait for the store.
uint32_t TrailerChecksum(const uint8_t* trailer) {
  static_assert(kChecksumAt == 23);
  uint64_t words[kTrailerBytes / 8];
  std::memcpy(words, trailer, kTrailerBytes);
  words[2] &= LittleEndian(~uint64_t{0} >> 8);
  words[3] &= LittleEndian(~uint64_t{0} << 24);
  const auto* const bytes = reinterpret_cast<const char*>(words);
  return static_cast<uint32_t>(KeyHash({bytes, kTrailerBytes}, 0));
}

// What a block that is not probed has for its lines: a Bloom filter of no bits,
// which every key passes without a probe and none with one.
constexpr uint8_t kEmptyLine[kLineBytes] = {};

const uint8_t* Bytes(std::string_view s) {
  return reinterpret_cast<const uint8_t*>(s.data());
}

std::string AsText(std::string_view s) { return std::string(s); }
std::string AsText(uint64_t number) { return std::to_string(number); }

// Puts the parts of an error together only if somebody wants to read it.
template <typename... Parts>
bool Refuse(std::string* error, const Parts&... parts) {
  if (error != nullptr) *error = (std::string() + ... + AsText(parts));
  return false;
}

// The trailer of a block into *trailer; false if it is not valid.
bool Decode(std::string_view block, Trailer* trailer, std::string* error) {
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
  trailer->seed = GetLittleEndian<uint64_t>(in + kSeedAt);
  trailer->num_lines = GetLittleEndian<uint32_t>(in + kNumLinesAt);
  trailer->num_keys = GetLittleEndian<uint32_t>(in + kNumKeysAt);
  trailer->kind = in[kKindAt];
  trailer->version = in[kVersionAt];
  trailer->parameter = in[kParameterAt];
  trailer->level = in[kLevelAt];
  trailer->asked_bits_per_key =
      GetLittleEndian<uint16_t>(in + kAskedAt) * kAskedUnit;
  if (in[kReservedAt] != 0) {
    return Refuse(error, "the reserved byte is not 0");
  }
  if (in[kZeroAt] != 0) {
    return Refuse(error, "the byte before the magic is not 0");
  }
  if (trailer->version != kTrailerVersion) {
    return Refuse(error, "trailer version ", trailer->version,
                  " is unknown to this library");
  }
  const KindTraits* kind = FindKind(trailer->kind);
  if (kind == nullptr) {
    return Refuse(error, "kind ", trailer->kind, " is unknown to this library");
  }
  if (!kind->lines->valid_parameter(trailer->parameter)) {
    return Refuse(error, "parameter ", trailer->parameter, " is none of kind ",
                  kind->name);
  }
  if (uint64_t{trailer->num_lines} * kLineBytes != lines_bytes) {
    return Refuse(error, "the trailer tells of ", trailer->num_lines,
                  " lines of 64 bytes, but the block has ", lines_bytes,
                  " bytes before the trailer");
  }
  if ((trailer->num_lines == 0) != (trailer->num_keys == 0)) {
    return Refuse(error, trailer->num_keys, " keys in ", trailer->num_lines,
                  " lines");
  }
  return true;
}

}  // namespace

void EncodeTrailer(const Trailer& trailer, uint8_t* out) {
  PutLittleEndian(trailer.seed, out + kSeedAt);
  PutLittleEndian(trailer.num_lines, out + kNumLinesAt);
  PutLittleEndian(trailer.num_keys, out + kNumKeysAt);
  out[kKindAt] = trailer.kind;
  out[kVersionAt] = trailer.version;
  out[kParameterAt] = trailer.parameter;
  out[kLevelAt] = trailer.level;
  out[kReservedAt] = 0;
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
  std::optional<Trailer> trailer(std::in_place);
  if (!Decode(block, &*trailer, error)) trailer.reset();
  return trailer;
}

double BlockFpRate(std::string_view block) {
  const std::optional<Trailer> trailer = DecodeTrailer(block);
  assert(trailer.has_value());
  if (trailer->num_lines == 0) return 0;
  const LineFormat& lines = *FindKind(trailer->kind)->lines;
  double sum = 0;
  for (uint32_t line = 0; line < trailer->num_lines; ++line) {
    sum += lines.fp_rate(Bytes(block) + kLineBytes * line, trailer->parameter);
  }
  return sum / trailer->num_lines;
}

FilterBlockReader::FilterBlockReader(std::string_view block, InstructionSet set)
    : kernel_(KernelFor(*FindKind(kBloomId)->lines->kernels, set)) {
  lines_.bytes = kEmptyLine;
  const std::optional<Trailer> trailer = DecodeTrailer(block);
  if (!trailer.has_value()) return;
  lines_.seed = trailer->seed;
  if (trailer->num_keys == 0) {
    lines_.context.parameter = 1;
    return;
  }
  const LineFormat& format = *FindKind(trailer->kind)->lines;
  kernel_ = KernelFor(*format.kernels, set);
  lines_ = {Bytes(block), trailer->num_lines, trailer->seed,
            format.context(trailer->parameter, kLineBytes)};
}

}  // namespace oneline
