// Fuzz target: damaged SST files under the code of `inspect` and `verify`.
// Whatever the damage, it is told in words; a byte changed in a block without
// its checksum is never taken for intact.
//
// The input damages one of some small tables, which are made anew in each run,
// the same but for what RocksDB draws at random or takes from the clock: names
// of the database and of its session, times.
//
//   table 1 | choices 1 | edit | edit | ...
//   edit: block 1, counted from the end; 0 is the footer | offset 2 | how 1 |
//         1 to 8 bytes that take the place of those there
//
//   choices    2  the file is cut     how  1 to 8 bytes, less one
//                                           8  xor with what is there
//                                          16  mend no checksum
//                                          32  mend a filter's trailer

#include <deque>
#include <new>

#include "tests/filter_policy/table_layouts.h"
#include "tests/fuzz/fuzz_input.h"
#include "tests/tools/table_bytes.h"
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

constexpr size_t kFooterBytes = 53;

struct Table {
  const char* policy;  // null: none
  TableLayout layout = "Full";
  int keys = 40;
};

constexpr Table kTables[] = {
    {"{id=oneline;hash_seed=7}"},
    {"{id=oneline;kind=bloom;hash_seed=7}"},
    {"{id=oneline;hash_seed=7}", "Partitioned", 200},
    {"{id=oneline;hash_seed=7}", "FullPrefixes"},
    {"{id=oneline;hash_seed=7}", "PartitionedPrefixes", 200},
    {"bloomfilter:10:false"},
    {"ribbonfilter:10:-1", "Partitioned", 200},
    {nullptr},
};

rocksdb::Options OptionsOf(const Table& table) {
  const PolicyPtr policy =
      table.policy == nullptr ? nullptr : PolicyNamed(table.policy);
  rocksdb::Options options = OptionsFor(table.layout, policy);
  options.db_host_id = "host";
  auto* const in_blocks =
      options.table_factory->GetOptions<rocksdb::BlockBasedTableOptions>();
  in_blocks->checksum = rocksdb::kCRC32c;
  in_blocks->format_version = 5;
  in_blocks->metadata_block_size = 64;
  return options;
}

// A block of a table, without the byte of its compression and the four of its
// checksum, which follow it; or the footer, which has neither.
//
// RocksDB asserts much that it takes from a block with a right checksum, such
// as lengths, and the distribution's is built with assertions. So only filters
// get a right one again.
struct BlockPlace {
  size_t offset;
  size_t size;
  bool has_checksum = true;
  bool is_filter = false;
  // Not the properties, which RocksDB parses before it looks at their checksum.
  bool may_change = true;
};

uint32_t Stored(std::string_view table, size_t at) {
  return GetLittleEndian<uint32_t>(
      reinterpret_cast<const uint8_t*>(table.data()) + at);
}

void RequireOk(const rocksdb::Status& status) {
  Require(status.ok(), "the database is made", status.ToString());
}

class SoundTable {
 public:
  explicit SoundTable(const Table& table)
      : database_(OptionsOf(table)), path_(WriteTable(table.keys)) {
    FindBlocks();
    blocks_.end()[-3].may_change = false;
    blocks_.end()[-2].is_filter = blocks_.end()[-3].is_filter = false;
  }

  const std::string& path() const { return path_; }
  const std::string& contents() const { return contents_; }
  // In the order of the file: data, filter, index, properties, metaindex,
  // footer.
  const std::vector<BlockPlace>& blocks() const { return blocks_; }

 private:
  // Every fifth key is deleted, every seventh has two versions.
  std::string WriteTable(int keys) {
    const rocksdb::Snapshot* const snapshot = database_->GetSnapshot();
    for (int i = 0; i < keys; ++i) {
      const std::string key = "key " + std::to_string(1000 + i);
      RequireOk(database_->Put({}, key, "value"));
      if (i % 5 == 0) RequireOk(database_->Delete({}, key));
      if (i % 7 == 0) RequireOk(database_->Put({}, key, "other"));
    }
    RequireOk(database_->Flush({}));
    database_->ReleaseSnapshot(snapshot);
    const std::string path = database_.TableFiles().at(0);
    database_.Close();
    return path;
  }

  std::string_view BytesOf(const BlockPlace& block) const {
    return std::string_view(contents_).substr(block.offset, block.size);
  }

  // Blocks lie one behind the other, so the first byte of each is known, and
  // its end is where its checksum is found.
  void FindBlocks() {
    size_t begin = 0;
    uint32_t crc = 0;
    for (size_t end = 0;
         end + kBlockTrailerBytes + kFooterBytes <= contents_.size(); ++end) {
      if (contents_[end] != 0 ||
          Stored(contents_, end + 1) != ChecksumOfCrc(crc)) {
        crc = Crc32c({&contents_[end], 1}, crc);
        continue;
      }
      blocks_.push_back({begin, end - begin});
      begin = end + kBlockTrailerBytes;
      end = begin - 1;
      crc = 0;
    }
    Require(begin + kFooterBytes == contents_.size(), "all blocks were found");
    for (BlockPlace& block : blocks_) {
      const std::string_view bytes = BytesOf(block);
      block.is_filter = bytes.find("value") == bytes.npos &&
                        bytes.find("key 1") == bytes.npos;
    }
    blocks_.push_back({begin, kFooterBytes, false});
  }

  ScratchDatabase database_;
  const std::string path_;
  const std::string contents_ = ReadWholeFile(path_);
  std::vector<BlockPlace> blocks_;
};

// Writes the right checksum behind a block.
void MendBlockChecksum(const BlockPlace& block, std::string* table) {
  const uint32_t checksum =
      BlockChecksum(std::string_view(*table).substr(block.offset, block.size));
  const size_t at = block.offset + block.size;
  (*table)[at] = '\0';
  PutLittleEndian(checksum, reinterpret_cast<uint8_t*>(table->data()) + at + 1);
}

// Writes the right checksum into the trailer of a filter block of ours.
void MendFilterTrailer(const BlockPlace& block, std::string* table) {
  const std::string_view bytes(table->data() + block.offset, block.size);
  if (block.size < kTrailerBytes || !HasMagic(bytes)) return;
  auto* const trailer = reinterpret_cast<uint8_t*>(table->data()) +
                        block.offset + block.size - kTrailerBytes;
  EncodeTrailer(UncheckedTrailer(trailer), trailer);
}

constexpr uint8_t kCut = 2;
enum How { kXor = 8, kUnmended = 16, kMendTrailer = 32 };

// What the edits did.
struct Damage {
  std::string contents;
  bool only_unmended = true;  // in blocks, and a checksum tells of each
  std::set<size_t> unmended;  // these blocks stay so
};

void Edit(const SoundTable& table, FuzzInput& input, Damage* damage) {
  std::string& contents = damage->contents;
  const size_t from_end = input.TakeBelow(table.blocks().size());
  const BlockPlace& block =
      table.blocks()[table.blocks().size() - 1 - from_end];
  const auto at = input.Take<uint16_t>();
  const uint8_t how = input.TakeByte();
  const std::string_view bytes = input.TakeBytes(1 + how % 8);
  if ((how & kUnmended) != 0) damage->unmended.insert(from_end);
  if (!block.may_change) return;
  const bool mend = block.is_filter && damage->unmended.count(from_end) == 0;
  for (size_t i = 0; i < bytes.size(); ++i) {
    const size_t in_block = (at + i) % block.size;
    // The type of all checksums. Without them anything is parsed.
    if (!block.has_checksum && in_block == 0) continue;
    char& byte = contents[block.offset + in_block];
    byte = static_cast<char>((how & kXor) != 0 ? byte ^ bytes[i] : bytes[i]);
  }
  if (mend) {
    if ((how & kMendTrailer) != 0) MendFilterTrailer(block, &contents);
    MendBlockChecksum(block, &contents);
  }
  if (mend || !block.has_checksum) damage->only_unmended = false;
}

Damage DamageBy(FuzzInput& input, const SoundTable& table, uint8_t choices) {
  Damage damage;
  damage.contents = table.contents();
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
  file.path = table.path();
  file.bytes = damage.contents.size();
  const VerifiedTable verified = VerifyTable(file, [](uint64_t, uint64_t) {});
  const bool sound = damage.contents == table.contents();
  const absl::Status& status = verified.status;
  Require(status.ok() == status.message().empty(), "what is wrong has words");
  Require(!sound || status.ok(), "a sound table is not called damaged",
          status.ToString());
  Require(sound || !damage.only_unmended || IsLost(verified.status) ||
              (status.ok() && !verified.has_filter),
          "a wrong checksum is told", status.ToString());
}

void CheckInspect(const SoundTable& table) {
  InspectOptions options;
  options.probes = 50;
  const InspectedTable inspected = InspectTable(table.path(), options);
  Require(inspected.status.ok() || !inspected.status.message().empty(),
          "what can't be read has a reason", inspected.FilterText());
  Require(inspected.fp_rate >= 0 && inspected.fp_rate <= 1 &&
              inspected.measured_fp_rate.value_or(0) <= 1,
          "false-positive rates are in 0..1", inspected.FilterText());
}

void Write(const std::string& path, const std::string& contents) {
  std::ofstream(path, std::ios::binary) << contents;
}

}  // namespace
}  // namespace oneline

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace oneline;
  static const std::deque<SoundTable> tables(std::begin(kTables),
                                             std::end(kTables));
  FuzzInput input(data, size);
  const SoundTable& table = tables[input.TakeBelow(tables.size())];
  const uint8_t choices = input.TakeByte();
  const Damage damage = DamageBy(input, table, choices);
  Write(table.path(), damage.contents);
  CheckVerify(table, damage);
  CheckInspect(table);
  Write(table.path(), table.contents());
  return 0;
}
