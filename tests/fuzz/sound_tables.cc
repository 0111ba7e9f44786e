#include "tests/fuzz/sound_tables.h"

#include <rocksdb/convenience.h>
#include <rocksdb/db.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/options.h>
#include <rocksdb/slice_transform.h>
#include <rocksdb/table.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "filter_policy/rocksdb/rocksdb_open.h"
#include "table/block/filter_block.h"
#include "table/hash/little_endian.h"
#include "tests/fuzz/fuzz_input.h"
#include "tests/run_program.h"
#include "tests/tools/table_bytes.h"

namespace oneline {
namespace {

constexpr size_t kFooterBytes = 53;

struct Layout {
  const char* name;
  const char* policy;
  int keys = 40;
  bool partitioned = false;
  bool prefixes = false;
};

constexpr Layout kLayouts[] = {
    {"ribbon", "{id=oneline;hash_seed=7}"},
    {"bloom", "{id=oneline;kind=bloom;hash_seed=7}"},
    {"partitions", "{id=oneline;hash_seed=7}", 200, true, false},
    {"prefixes", "{id=oneline;hash_seed=7}", 40, false, true},
    {"prefixes in partitions", "{id=oneline;hash_seed=7}", 200, true, true},
    {"RocksDB Bloom", "bloomfilter:10:false"},
    {"RocksDB Ribbon", "ribbonfilter:10:-1", 200, true, false},
    {"no filter", "nullptr"},
};

void RequireOk(const rocksdb::Status& status) {
  Require(status.ok(), "the database is made", status.ToString());
}

rocksdb::Options OptionsOf(const Layout& layout) {
  rocksdb::BlockBasedTableOptions table;
  table.block_size = 512;
  table.checksum = rocksdb::kCRC32c;
  table.format_version = 5;
  if (layout.partitioned) {
    table.index_type = rocksdb::BlockBasedTableOptions::kTwoLevelIndexSearch;
    table.partition_filters = true;
    table.metadata_block_size = 64;
  }
  table.whole_key_filtering = !layout.prefixes;
  rocksdb::ConfigOptions config;
  config.ignore_unsupported_options = false;
  RequireOk(rocksdb::FilterPolicy::CreateFromString(config, layout.policy,
                                                    &table.filter_policy));
  rocksdb::Options options;
  options.create_if_missing = true;
  options.db_host_id = "host";
  if (layout.prefixes) {
    options.prefix_extractor.reset(rocksdb::NewFixedPrefixTransform(4));
  }
  options.compression = rocksdb::kNoCompression;
  options.disable_auto_compactions = true;
  options.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
  return options;
}

// Of one table. Every fifth key is deleted, every seventh has two versions.
void CreateDatabase(const Layout& layout, const std::string& path) {
  std::unique_ptr<rocksdb::DB> db;
  RequireOk(rocksdb::DB::Open(OptionsOf(layout), path, OpenInto(&db)));
  const rocksdb::Snapshot* const snapshot = db->GetSnapshot();
  for (int i = 0; i < layout.keys; ++i) {
    const std::string key = "k" + std::to_string(100000 + 37 * i);
    RequireOk(db->Put({}, key, "value"));
    if (i % 5 == 0) RequireOk(db->Delete({}, key));
    if (i % 7 == 0) RequireOk(db->Put({}, key, "other"));
  }
  RequireOk(db->Flush({}));
  db->ReleaseSnapshot(snapshot);
}

uint32_t Stored(std::string_view table, size_t at) {
  return GetLittleEndian<uint32_t>(
      reinterpret_cast<const uint8_t*>(table.data()) + at);
}

// Walks through a block of RocksDB's other than a filter:
//
//   entry | entry | ... | restarts, 4 bytes each | number of restarts 4
//   entry of data:       shared | unshared | length | key bytes | value
//   entry of an index:   shared 0 | unshared | key bytes | offset | size
//
// Numbers are varints.
class BlockWalk {
 public:
  explicit BlockWalk(std::string_view block)
      : block_(block), bits_(block.size(), '\0') {
    if (block.size() < 8) return;
    const size_t restarts = 4 * size_t{Stored(block, block.size() - 4)} + 4;
    if (restarts <= block.size()) end_ = block.size() - restarts;
  }

  // Each returns the changeable bits, or nothing if the block is another one.
  // Of properties only values, but for those that say how to parse an index.
  std::optional<std::string> Entries(bool properties) {
    std::string key;
    while (ok_ && at_ < end_) {
      key.resize(std::min(key.size(), Varint()));
      const size_t unshared = Varint();
      const size_t length = Varint();
      key += block_.substr(at_, unshared);
      // Internal keys end in eight bytes of sequence number and type.
      const size_t free = properties || unshared < 8 ? 0 : unshared - 8;
      Bytes(free, '\xff');
      Bytes(unshared - free, '\0');
      Bytes(length, properties && SaysHowToParse(key) ? '\0' : '\xff');
    }
    return Result();
  }
  std::optional<std::string> Index() {
    while (ok_ && at_ < end_) {
      ok_ &= Varint() == 0;
      Bytes(Varint(), '\xff');
      Varint();
      Varint();
    }
    return Result();
  }

 private:
  static bool SaysHowToParse(const std::string& property) {
    return property == "rocksdb.block.based.table.index.type" ||
           property == "rocksdb.index.key.is.user.key" ||
           property == "rocksdb.index.value.is.delta.encoded";
  }
  std::optional<std::string> Result() const {
    if (!ok_ || at_ != end_ || end_ == 0) return std::nullopt;
    return bits_;
  }
  void Bytes(size_t n, char bits) {
    ok_ &= n <= end_ - at_;
    if (!ok_) return;
    std::fill_n(bits_.begin() + static_cast<ptrdiff_t>(at_), n, bits);
    at_ += n;
  }
  size_t Varint() {
    size_t value = 0;
    for (unsigned shift = 0; shift < 35; shift += 7) {
      Bytes(1, '\0');
      if (!ok_) return 0;
      const auto byte = static_cast<uint8_t>(block_[at_ - 1]);
      value |= size_t{byte & 127u} << shift;
      if (byte < 128) return value;
    }
    ok_ = false;
    return 0;
  }

  const std::string_view block_;
  std::string bits_;
  size_t at_ = 0;
  size_t end_ = 0;
  bool ok_ = true;
};

std::string MendedBits(std::string_view block) {
  if (auto bits = BlockWalk(block).Entries(false)) return *bits;
  if (auto bits = BlockWalk(block).Index()) return *bits;
  return std::string(block.size(), '\xff');
}

// Blocks lie one behind the other, so the first byte of each is known, and its
// end is where its checksum is found.
std::vector<BlockPlace> FindBlocks(const std::string& table) {
  std::vector<BlockPlace> blocks;
  size_t begin = 0;
  uint32_t crc = 0;
  for (size_t end = 0; end + kBlockTrailerBytes + kFooterBytes <= table.size();
       ++end) {
    if (table[end] == 0 && Stored(table, end + 1) == ChecksumOfCrc(crc)) {
      blocks.push_back({begin, end - begin, true, {}, {}});
      begin = end + kBlockTrailerBytes;
      end = begin - 1;
      crc = 0;
    } else {
      crc = Crc32c({&table[end], 1}, crc);
    }
  }
  Require(begin + kFooterBytes == table.size(), "all blocks were found");
  blocks.push_back({begin, kFooterBytes, false, {}, {}});
  return blocks;
}

void FindBits(const std::string& table, bool partitioned,
              std::vector<BlockPlace>* blocks) {
  const auto bytes_of = [&](const BlockPlace& block) {
    return std::string_view(table).substr(block.offset, block.size);
  };
  for (BlockPlace& block : *blocks) {
    block.mended_bits = MendedBits(bytes_of(block));
    block.unmended_bits.assign(block.size, '\xff');
  }
  // The type of all checksums. Without them anything is parsed.
  blocks->back().unmended_bits[0] = '\0';
  BlockPlace& metaindex = blocks->end()[-2];
  metaindex.mended_bits.assign(metaindex.size, '\0');
  BlockPlace& properties = blocks->end()[-3];
  properties.mended_bits =
      BlockWalk(bytes_of(properties)).Entries(true).value();
  properties.unmended_bits = properties.mended_bits;
  if (partitioned) properties.unmended_bits.assign(properties.size, '\0');
}

}  // namespace

SoundTables::SoundTables() {
  for (const Layout& layout : kLayouts) {
    SoundTable table;
    table.database = directory_.File(layout.name);
    CreateDatabase(layout, table.database);
    for (const auto& file :
         std::filesystem::directory_iterator(table.database)) {
      if (file.path().extension() == ".sst") table.path = file.path();
    }
    table.contents = ReadWholeFile(table.path);
    table.blocks = FindBlocks(table.contents);
    FindBits(table.contents, layout.partitioned, &table.blocks);
    tables_.push_back(std::move(table));
  }
}

void MendBlockChecksum(const BlockPlace& block, std::string* table) {
  const uint32_t checksum =
      BlockChecksum(std::string_view(*table).substr(block.offset, block.size));
  const size_t at = block.offset + block.size;
  (*table)[at] = '\0';
  PutLittleEndian(checksum, reinterpret_cast<uint8_t*>(table->data()) + at + 1);
}

void MendFilterTrailer(const BlockPlace& block, std::string* table) {
  const std::string_view bytes(table->data() + block.offset, block.size);
  if (block.size < kTrailerBytes || !HasMagic(bytes)) return;
  auto* const trailer = reinterpret_cast<uint8_t*>(table->data()) +
                        block.offset + block.size - kTrailerBytes;
  EncodeTrailer(UncheckedTrailer(trailer), trailer);
}

}  // namespace oneline
