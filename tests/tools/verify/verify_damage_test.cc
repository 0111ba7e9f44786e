// Tests of `oneline verify` on databases with damaged tables: each kind of
// damage is found, and in the right file.

#include "table/block/filter_block.h"
#include "tests/filter_policy/filter_bits.h"
#include "tests/filter_policy/table_layouts.h"
#include "tests/tools/run_oneline.h"
#include "tests/tools/table_bytes.h"
#include "tools/verify/verify_table.h"

namespace oneline {
namespace {

// Options with the checksum type that ReplaceBlock writes, and blocks whose
// size is that of their keys: RocksDB, by default from 9.2 on, rounds it to
// what malloc happens to give, and then no two may be exchangeable.
rocksdb::Options OptionsOf(const TableLayout& layout,
                           const PolicyPtr& policy = OurPolicy(10)) {
  rocksdb::Options options = OptionsFor(layout, policy);
  auto* table =
      options.table_factory->GetOptions<rocksdb::BlockBasedTableOptions>();
  table->checksum = rocksdb::kCRC32c;
  table->optimize_filters_for_memory = false;
  return options;
}

// Three tables; the tests damage the second.
class VerifyDamageTest : public testing::TestWithParam<bool> {
 protected:
  VerifyDamageTest()
      : database_(OptionsOf(GetParam() ? "Partitioned" : "Full")) {
    for (int table = 0; table < 3; ++table) {
      database_.WriteTable(10000 * table, 10000 * table + 6000);
    }
    // TableFiles has the newest table first.
    file_ = database_.TableFiles()[1];
    other_file_ = database_.TableFiles()[0];
    blocks_ = BlocksOf(file_);
    database_.Close();
  }

  // Replaces the last block by one with a changed trailer, with the right
  // checksums, ours and RocksDB's.
  void ChangeTrailer(const std::function<void(Trailer*)>& change) {
    std::string changed = blocks_.back();
    auto trailer = DecodeTrailer(changed);
    ASSERT_TRUE(trailer.has_value());
    change(&*trailer);
    EncodeTrailer(*trailer, reinterpret_cast<uint8_t*>(changed.data()) +
                                changed.size() - kTrailerBytes);
    ReplaceBlock(file_, blocks_.back(), changed);
  }
  // Changes a byte of the last block; `from_end`: 1 is the last.
  void ChangeByte(size_t from_end) {
    std::string changed = blocks_.back();
    changed[changed.size() - from_end] ^= 1;
    ReplaceBlock(file_, blocks_.back(), changed);
  }
  // RocksDB reads such a block without an error.
  void TakeBlockOfAnotherTable() {
    for (const std::string& other : BlocksOf(other_file_)) {
      if (other.size() != blocks_.front().size()) continue;
      ReplaceBlock(file_, blocks_.front(), other);
      return;
    }
    FAIL() << "no block has the size";
  }

  ScratchDatabase database_;
  std::string file_, other_file_;
  std::vector<std::string> blocks_;
};

INSTANTIATE_TEST_SUITE_P(All, VerifyDamageTest, testing::Bool(),
                         [](const auto& test) {
                           return test.param ? "Partitioned" : "Full";
                         });

// sst_reader_test.cc damages every part of a filter, of every kind.
TEST_P(VerifyDamageTest, EachKindOfDamageIsFound) {
  EXPECT_TRUE(
      Contains(OutputOf("verify " + database_.path()), "3 tables intact: "));
  const std::string contents = ReadWholeFile(file_);
  const char* const lost_end = "its end is lost or damaged";
  for (const auto& [damage, message] :
       std::vector<std::pair<std::function<void()>, const char*>>{
           {[&] { FlipByte(file_, OffsetIn(file_, blocks_.front())); },
            "filter can't be read: Corruption"},
           {[&] { FlipByte(file_, 100); }, "checksum mismatch"},  // of data
           {[&] { TakeBlockOfAnotherTable(); }, "' does not pass "},
           {[&] { ChangeByte(kTrailerBytes); }, "checksum"},
           // RocksDB would take the block for a filter of its own that says
           // "maybe" to all.
           {[&] { ChangeByte(1); },
            "neither a filter of ours nor one of RocksDB's"},
           {[&] { ChangeTrailer([](Trailer* t) { ++t->num_keys; }); },
            "the filter has 3001 keys, but the table's properties say 3000"},
           {[&] { ChangeTrailer([](Trailer* t) { ++t->seed; }); },
            "' does not pass "},
           {[&] { std::filesystem::resize_file(file_, contents.size() - 1); },
            lost_end},
           {[&] { std::filesystem::resize_file(file_, 0); }, lost_end},
           {[&] {
              std::filesystem::remove(file_);
              ASSERT_EQ(mkfifo(file_.c_str(), 0600), 0);
            },
            "is not a regular file"}}) {
    SCOPED_TRACE(message);
    std::ofstream(file_, std::ios::binary) << contents;
    damage();
    EXPECT_TRUE(ContainsAll(OutputOf("verify " + database_.path(), 1),
                            {file_ + ": damaged: ", message,
                             "1 table DAMAGED\n", "2 tables intact: "}));
  }
}

// A false negative, which only a lookup of that key finds: one among a few
// thousand. It was put or deleted; it is the first, the last, any other.
TEST(VerifyMissingKeyTest, OneMissingKeyIsFound) {
  int found = 0;  // of 12
  for (const char* const name :
       {"{id=oneline;bits_by_level=false}", "bloomfilter:10:false"}) {
    const PolicyPtr policy = PolicyNamed(name);
    for (const bool prefixes : {false, true}) {
      for (const size_t forgotten : {0, 1001, 3999}) {
        SCOPED_TRACE(testing::Message() << name << prefixes << forgotten);
        TableLayout layout = {"missing"};
        layout.prefixes = prefixes;
        layout.whole_keys = !prefixes;
        ScratchDatabase database(OptionsOf(layout, policy));
        Keys entries;
        for (int i = 0; i < 4000; ++i) {
          const std::string key = KeyAt(i);
          entries.push_back(prefixes ? key.substr(0, kPrefixBytes) : key);
          if (i % 2 == 0) continue;
          ASSERT_TRUE(database->Delete({}, key).ok());
        }
        database.WriteTable(0, 4000);
        const std::string file = database.TableFiles()[0];
        // As many keys as before. (RocksDB adds an empty prefix.)
        const std::string missing = entries[forgotten];
        entries[forgotten] = "something else";
        entries.resize(database.Tables()[0]->num_filter_entries, "one more");
        database.Close();
        const std::string block = BuildBlock(policy, entries);
        if (NewReader(policy, block)->MayMatch(missing)) continue;
        ++found;
        ReplaceBlock(file, BlocksOf(file)[0], block);
        const std::string out = OutputOf("verify " + database.path(), 1);
        EXPECT_TRUE(Contains(out, file + ": damaged: the key '" +
                                      KeyAt(static_cast<int>(forgotten)) +
                                      "' does not pass "))
            << out;
      }
    }
  }
  EXPECT_GE(found, 8);
}

// Each is sound, but lookups go to the wrong one.
TEST(VerifySwappedTest, TablesWithEachOthersNamesAreFound) {
  for (const PolicyPtr& policy : {OurPolicy(10), PolicyPtr()}) {
    // Other keys; the same keys in the same order, written twice.
    for (const int second : {100, 10000, 0}) {
      ScratchDatabase database(OptionsWith(policy), 6000);
      database.WriteTable(second, second + 6000);
      const std::vector<std::string> files = database.TableFiles();
      database.Close();
      EXPECT_EQ(RunOneline("verify " + database.path()).exit_code, 0);
      const std::string contents = ReadWholeFile(files[0]);
      std::filesystem::copy_file(
          files[1], files[0],
          std::filesystem::copy_options::overwrite_existing);
      std::ofstream(files[1], std::ios::binary) << contents;
      const std::string out = OutputOf("verify " + database.path(), 1);
      const std::string number =
          std::filesystem::path(files[1]).filename().string();
      EXPECT_TRUE(ContainsAll(
          out, {files[0] + ": damaged: is " + number + ", by its properties\n",
                "2 tables DAMAGED\n"}));
    }
  }
}

// What the MANIFEST says of a table that is in another's place.
TEST(VerifySwappedTest, TheSizeAndTheRangeOfKeysAreCompared) {
  for (const PolicyPtr& policy : {OurPolicy(10), PolicyPtr()}) {
    ScratchDatabase database(OptionsWith(policy), 1000);
    TableFile file;
    file.path = database.TableFiles()[0];
    file.bytes = std::filesystem::file_size(file.path);
    file.level = 1;
    file.smallest_key = KeyAt(0);
    file.largest_key = KeyAt(998);
    const auto message = [](const TableFile& one) {
      return std::string(
          VerifyTable(one, [](uint64_t, uint64_t) {}).status.message());
    };
    EXPECT_EQ(message(file), "");
    TableFile other = file;
    ++other.bytes;
    EXPECT_TRUE(Contains(message(other), "bytes, but the MANIFEST says "));
    other = file;
    other.smallest_key = KeyAt(1);
    EXPECT_TRUE(Contains(message(other), "the first key is "));
    other = file;
    other.largest_key = KeyAt(996);
    EXPECT_EQ(Contains(message(other), "the last key is "), policy != nullptr);
    // A file that is verified alone.
    other.level = -1;
    EXPECT_EQ(message(other), "");
  }
}

// Nothing but RocksDB's assertions may notice it, which abort.
TEST(VerifyWithoutChecksumsTest, DamageDoesNotCrashIt) {
  rocksdb::BlockBasedTableOptions layout;
  layout.checksum = rocksdb::kNoChecksum;
  rocksdb::Options options = OptionsWith(OurPolicy(10), layout);
  options.compression = rocksdb::kNoCompression;
  ScratchDatabase database(options, 20);
  const std::string file = database.TableFiles()[0];
  database.Close();
  // The end of the data block, one restart point at offset 0, and the block's
  // type of compression. The highest bit of the number of restarts says that
  // there is a hash index before them.
  const char end[] = {0, 0, 0, 0, 1, 0, 0, 0, 0};
  const size_t offset = OffsetIn(file, std::string_view(end, sizeof(end)));
  Overwrite(file, offset + 7, "\x80");
  for (const std::string command : {"verify", "inspect"}) {
    const Finished run = RunOneline(command + " " + database.path());
    EXPECT_TRUE(run.exit_code >= 0 && run.exit_code <= 2) << run.exit_code;
    if (run.exit_code == 2) {
      EXPECT_TRUE(Contains(run.err, "oneline: aborted; perhaps by RocksDB"));
    }
  }
}

}  // namespace
}  // namespace oneline
