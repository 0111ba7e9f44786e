// Fuzz target: damaged SST files under the code of `inspect`, `verify` and
// `doctor`. Whatever the damage, it is told in words; a byte changed in a block
// without its checksum is never taken for intact.
//
// The input damages one of the tables of sound_tables.h, which are made anew in
// each run:
//
//   table 1 | choices 1 | edit | edit | ...
//   edit: block 1, counted from the end; 0 is the footer | offset 2 | how 1 |
//         1 to 8 bytes that take the place of those there
//
//   choices    1  inspect reads all keys      how  1 to 8 bytes, less one
//              2  the file is cut                   8  xor with what is there
//            240  doctor, which takes long,        16  mend no checksum
//                 reads the database               32  mend a filter's trailer

#include <cstdlib>
#include <fstream>
#include <new>
#include <set>
#include <string>

#include "tests/fuzz/fuzz_input.h"
#include "tests/fuzz/sound_tables.h"
#include "tools/doctor/diagnosis.h"
#include "tools/inspect/inspect_table.h"
#include "tools/verify/verify_table.h"

namespace {

// Damaged sizes make RocksDB ask for more memory than there is. The allocators
// of the sanitizers would end the program; this one throws, as others do.
void* AllocateOrNull(size_t bytes) {
  return bytes > (size_t{1} << 28) ? nullptr : std::malloc(bytes);
}

void* Allocate(size_t bytes) {
  void* const memory = AllocateOrNull(bytes);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

void* operator new(size_t bytes) { return Allocate(bytes); }
void* operator new[](size_t bytes) { return Allocate(bytes); }
void* operator new(size_t bytes, const std::nothrow_t&) noexcept {
  return AllocateOrNull(bytes);
}
void* operator new[](size_t bytes, const std::nothrow_t&) noexcept {
  return AllocateOrNull(bytes);
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, size_t) noexcept { std::free(memory); }

namespace oneline {
namespace {

enum Choice { kLines = 1, kCut = 2, kDoctor = 240 };
enum How { kXor = 8, kUnmended = 16, kMendTrailer = 32 };

// What the edits did.
struct Damage {
  std::string contents;
  bool only_unmended = true;  // in blocks, and a checksum tells of each
  std::set<size_t> unmended;  // these blocks stay so
};

void Edit(const SoundTable& table, FuzzInput& input, Damage* damage) {
  std::string& contents = damage->contents;
  const size_t from_end = input.TakeBelow(table.blocks.size());
  const BlockPlace& block = table.blocks[table.blocks.size() - 1 - from_end];
  const auto at = input.Take<uint16_t>();
  const uint8_t how = input.TakeByte();
  const std::string_view bytes = input.TakeBytes(1 + how % 8);
  if ((how & kUnmended) != 0) damage->unmended.insert(from_end);
  const bool mend = block.has_checksum && damage->unmended.count(from_end) == 0;
  const std::string& bits = mend ? block.mended_bits : block.unmended_bits;
  for (size_t i = 0; i < bytes.size(); ++i) {
    const size_t in_block = (at + i) % block.size;
    char& byte = contents[block.offset + in_block];
    const int change = (how & kXor) != 0 ? bytes[i] : byte ^ bytes[i];
    byte = static_cast<char>(byte ^ (change & bits[in_block]));
  }
  if (mend) {
    if ((how & kMendTrailer) != 0) MendFilterTrailer(block, &contents);
    MendBlockChecksum(block, &contents);
  }
  if (mend || !block.has_checksum) damage->only_unmended = false;
}

Damage DamageBy(FuzzInput& input, const SoundTable& table, uint8_t choices) {
  Damage damage;
  damage.contents = table.contents;
  const auto cut = (choices & kCut) != 0 ? input.Take<uint16_t>() : 0;
  while (!input.empty()) Edit(table, input, &damage);
  if (cut > 0) {
    damage.only_unmended = false;
    damage.contents.resize(damage.contents.size() -
                           cut % damage.contents.size());
  }
  return damage;
}

void CheckVerify(const SoundTable& table, const Damage& damage) {
  TableFile file;
  file.path = table.path;
  file.bytes = damage.contents.size();
  const VerifiedTable verified = VerifyTable(file, [](uint64_t, uint64_t) {});
  const bool sound = damage.contents == table.contents;
  const absl::Status& status = verified.status;
  Require(status.ok() == status.message().empty(), "what is wrong has words");
  Require(!sound || status.ok(), "a sound table is not called damaged",
          status.ToString());
  Require(sound || !damage.only_unmended || IsLost(verified.status) ||
              (status.ok() && !verified.has_filter),
          "a wrong checksum is told", status.ToString());
}

void CheckInspect(const SoundTable& table, bool lines) {
  InspectOptions options;
  options.probes = 50;
  options.lines = lines;
  const InspectedTable inspected =
      InspectTable(table.path, options, [](uint64_t, uint64_t) {});
  Require(inspected.status.ok() || !inspected.status.message().empty(),
          "what can't be read has a reason", inspected.FilterText());
  Require(inspected.fp_rate >= 0 && inspected.fp_rate <= 1 &&
              inspected.measured_fp_rate.value_or(0) <= 1,
          "false-positive rates are in 0..1", inspected.FilterText());
}

void CheckDoctor(const std::string& path) {
  const absl::StatusOr<DatabaseSnapshot> snapshot =
      LoadSnapshot(path, {}, JobCount());
  Require(snapshot.ok(), "a database with a damaged table can be examined",
          snapshot.status().ToString());
  for (const Finding& finding : Diagnose(*snapshot).findings) {
    Require(!finding.what.empty() && !finding.remedy.empty(),
            "a finding has a remedy", finding.kind);
  }
}

void Write(const std::string& path, const std::string& contents) {
  std::ofstream(path, std::ios::binary) << contents;
}

}  // namespace
}  // namespace oneline

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace oneline;
  static const SoundTables sound;
  FuzzInput input(data, size);
  const SoundTable& table =
      sound.tables()[input.TakeBelow(sound.tables().size())];
  const uint8_t choices = input.TakeByte();
  const Damage damage = DamageBy(input, table, choices);
  Write(table.path, damage.contents);
  CheckVerify(table, damage);
  CheckInspect(table, (choices & kLines) != 0);
  if ((choices & kDoctor) == kDoctor) CheckDoctor(table.database);
  Write(table.path, table.contents);
  return 0;
}
