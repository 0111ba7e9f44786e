// The MANIFEST as `oneline refilter` reads and writes it, beside RocksDB's own.

#include "tools/manifest/manifest.h"

#include <gtest/gtest.h>
#include <rocksdb/metadata.h>

#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "tests/filter_policy/scratch_database.h"
#include "tests/run_program.h"
#include "tests/test_seed.h"
#include "tools/manifest/coding.h"
#include "tools/manifest/log_records.h"

namespace oneline {
namespace {

std::string CurrentManifest(const std::string& path) {
  std::string name = ReadWholeFile(path + "/CURRENT");
  name.pop_back();
  return ReadWholeFile(path + "/" + name);
}

using Levels = std::map<uint64_t, std::pair<uint32_t, uint64_t>>;

// Level and bytes of each table by number.
Levels LevelsIn(const Manifest& manifest, uint32_t family) {
  Levels levels;
  for (const auto& [number, table] : manifest.families().at(family).tables) {
    levels[number] = {table.level, table.bytes};
  }
  return levels;
}

Levels LevelsOf(rocksdb::DB* db, const std::string& family) {
  std::vector<rocksdb::LiveFileMetaData> files;
  db->GetLiveFilesMetaData(&files);
  Levels levels;
  for (const auto& file : files) {
    if (file.column_family_name != family) continue;
    levels[file.file_number] = {static_cast<uint32_t>(file.level), file.size};
  }
  return levels;
}

// A MANIFEST of its own: a table in level 1 of the default family.
VersionEdit OneTable(uint64_t number, uint32_t level = 1) {
  TableEntry table;
  table.level = level;
  table.number = number;
  table.bytes = 1000 + number;
  table.smallest = "a" + std::string(8, '\1');
  table.largest = "b" + std::string(8, '\1');
  VersionEdit edit;
  edit.added.push_back(table);
  edit.next_file_number = number + 1;
  return edit;
}

std::string FileOf(const std::vector<std::string>& records) {
  std::string file;
  for (const std::string& record : records) AppendLogRecord(record, &file);
  return file;
}

void ExpectRefused(const std::vector<std::string>& records,
                   const std::string& why) {
  const auto manifest = Manifest::Parse(FileOf(records));
  ASSERT_FALSE(manifest.ok()) << why;
  EXPECT_NE(manifest.status().message().find(why), std::string::npos)
      << manifest.status();
}

TEST(LogRecordsTest, WhatIsWrittenIsRead) {
  std::mt19937_64 random = TestRandom();
  for (int round = 0; round < 50; ++round) {
    std::vector<std::string> records;
    for (uint64_t i = random() % 20; i-- > 0;) {
      const size_t most = random() % 3 == 0 ? 100000 : 32800;
      records.emplace_back(random() % most, static_cast<char>(random()));
    }
    const auto read = ReadLogRecords(FileOf(records));
    ASSERT_TRUE(read.ok()) << read.status();
    EXPECT_EQ(*read, records);
  }
}

// A writer may die at any byte: what was complete before that counts.
TEST(LogRecordsTest, ACutRecordDoesNotCount) {
  const std::vector<std::string> records = {"first", std::string(70000, 'x'),
                                            "third"};
  const std::string file = FileOf(records);
  const std::string first = FileOf({records[0]});
  for (size_t n = 0; n < file.size(); n += n % 32768 < 32700 ? 97 : 1) {
    const auto read = ReadLogRecords(file.substr(0, n));
    // As in RocksDB, a fragment may be cut off only in the last, not full
    // block, or between blocks.
    ASSERT_TRUE(read.ok()) << n << read.status();
    EXPECT_EQ(read->size(), n < first.size()       ? 0
                            : n < file.size() - 12 ? 1
                                                   : 2)
        << n;
  }
  const auto reserved = ReadLogRecords(file + std::string(5000, '\0'));
  ASSERT_TRUE(reserved.ok());
  EXPECT_EQ(*reserved, records);
}

TEST(LogRecordsTest, EveryFlippedBitIsFoundOrCutsTheEnd) {
  const std::vector<std::string> records = {"first", std::string(33000, 'x'),
                                            "third"};
  const std::string file = FileOf(records);
  for (size_t at = 0; at < file.size(); at += at < 40 ? 1 : 1013) {
    for (int bit = 0; bit < 8; ++bit) {
      std::string damaged = file;
      damaged[at] = static_cast<char>(damaged[at] ^ 1 << bit);
      const auto read = ReadLogRecords(damaged);
      if (!read.ok()) continue;
      // A longer length in the last block: RocksDB takes that for a cut, too.
      EXPECT_LT(read->size(), records.size()) << at;
      EXPECT_GE(at, size_t{32768}) << at;
    }
  }
}

TEST(ManifestTest, ReadsWhatRocksDBWrites) {
  ScratchDatabase database(OptionsWith(OurPolicy(10)));
  for (int i = 0; i < 5; ++i) database.WriteTable(1000 * i, 1000 * i + 1000);
  database.CompactLevel0To(2);
  database.WriteTable(0, 1000);
  rocksdb::ColumnFamilyHandle* other = nullptr;
  rocksdb::ColumnFamilyHandle* dropped = nullptr;
  ASSERT_TRUE(database->CreateColumnFamily({}, "other", &other).ok());
  ASSERT_TRUE(database->CreateColumnFamily({}, "dropped", &dropped).ok());
  for (rocksdb::ColumnFamilyHandle* family : {other, dropped}) {
    ASSERT_TRUE(database->Put({}, family, "key", "value").ok());
    ASSERT_TRUE(database->Flush({}, family).ok());
  }
  ASSERT_TRUE(database->DropColumnFamily(dropped).ok());
  database->DestroyColumnFamilyHandle(dropped);
  const auto manifest = Manifest::Parse(CurrentManifest(database.path()));
  ASSERT_TRUE(manifest.ok()) << manifest.status();
  ASSERT_EQ(manifest->families().size(), 2u);
  EXPECT_EQ(manifest->families().at(1).name, "other");
  EXPECT_EQ(LevelsIn(*manifest, 0), LevelsOf(database.get(), "default"));
  EXPECT_EQ(LevelsIn(*manifest, 1), LevelsOf(database.get(), "other"));
  EXPECT_EQ(LevelsIn(*manifest, 0).size(), 2u);
  database->DestroyColumnFamilyHandle(other);
}

TEST(ManifestTest, ReplacesTables) {
  const std::string file = FileOf(
      {EncodeVersionEdit(OneTable(7)), EncodeVersionEdit(OneTable(9, 2))});
  const auto before = Manifest::Parse(file);
  ASSERT_TRUE(before.ok()) << before.status();
  Replacement one;
  one.old_number = 7;
  one.table = before->families().at(0).tables.at(7);
  one.table.number = 10;
  one.table.SetField(kTailSizeField, "x");
  const std::string written = before->With({one}, 12);
  EXPECT_EQ(written.substr(0, file.size()), file);
  const auto after = Manifest::Parse(written);
  ASSERT_TRUE(after.ok()) << after.status();
  EXPECT_TRUE(IsReplaced(*before, {one}, *after));
  EXPECT_FALSE(IsReplaced(*before, {}, *after));
  EXPECT_FALSE(IsReplaced(*after, {one}, *after));
  EXPECT_EQ(after->next_file_number(), 12u);
  EXPECT_EQ(LevelsIn(*after, 0), (Levels{{9, {2, 1009}}, {10, {1, 1007}}}));
  Replacement other_size = one;
  ++other_size.table.bytes;
  EXPECT_FALSE(IsReplaced(*before, {other_size}, *after));
}

TEST(ManifestTest, RefusesWhatItDoesNotKnow) {
  const std::string table = EncodeVersionEdit(OneTable(7));
  ExpectRefused({table, Varint(8204) + Varint(1) + "x"}, "the tag 8204");
  ExpectRefused({table, Varint(8194)}, "the tag 8194");
  ExpectRefused({table, Varint(100)}, "the tag 100");
  ExpectRefused({table, Varint(8)}, "the tag 8");
  for (const uint32_t field : {18, 64, 66, 0}) {
    VersionEdit edit = OneTable(8);
    edit.added[0].fields.emplace_back(field, "x");
    ExpectRefused({EncodeVersionEdit(edit)},
                  "a table's field " + std::to_string(field));
  }
}

TEST(ManifestTest, RefusesContradictions) {
  const std::string table = EncodeVersionEdit(OneTable(7));
  ExpectRefused({table, table}, "table 7 is added twice");
  VersionEdit edit;
  edit.deleted = {{2, 7}};
  ExpectRefused({table, EncodeVersionEdit(edit)}, "is deleted from level 2");
  edit.deleted = {{1, 8}};
  ExpectRefused({table, EncodeVersionEdit(edit)}, "table 8 is deleted");
  edit = OneTable(9);
  edit.column_family = 3;
  ExpectRefused({table, EncodeVersionEdit(edit)}, "family 3 is not known");
  ExpectRefused({}, "no number for the next file");
  edit = OneTable(9);
  edit.added[0].fields.emplace_back(kPathIdField, "\4");
  ExpectRefused({EncodeVersionEdit(edit)}, "can't be parsed");
  edit.added[0].fields.clear();
  edit.added[0].smallest = "short";
  ExpectRefused({EncodeVersionEdit(edit)}, "can't be parsed");
  // The first three bytes are the next file's number and a tag.
  for (size_t n = 3; n < table.size(); ++n) {
    EXPECT_FALSE(Manifest::Parse(FileOf({table, table.substr(0, n)})).ok())
        << n;
  }
}

TEST(ManifestTest, GroupsCountAsAWhole) {
  const auto in_group = [](uint32_t remaining) {
    return Varint(300) + Varint(remaining);
  };
  const std::string table = EncodeVersionEdit(OneTable(7));
  EXPECT_TRUE(
      Manifest::Parse(FileOf({table, in_group(1), in_group(0), in_group(0)}))
          .ok());
  ExpectRefused({table, in_group(1)}, "incomplete group of edits at the end");
  ExpectRefused({table, in_group(2), in_group(0)}, "an incomplete group");
  ExpectRefused({in_group(1), table}, "an incomplete group");
}

}  // namespace
}  // namespace oneline
