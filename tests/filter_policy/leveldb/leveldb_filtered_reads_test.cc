// LevelDB databases with the policy of oneline/leveldb_filter_policy.h: no key
// is missed, whatever options it was written and is read with, whatever release
// wrote it (tests/golden/VERSION/leveldb), and whatever damage its filters
// have; and filters are used.

#include "tests/filter_policy/leveldb/scratch_leveldb.h"
#include "tests/filter_policy/scratch_database.h"
#include "tests/golden/released_tables.h"

namespace oneline {
namespace {

using leveldb::FilterPolicy;

// What a database must hold.
using Model = std::map<std::string, std::string>;

// A key of any length from 0 to 299 and any bytes.
std::string RandomKey(std::mt19937_64& random) {
  std::string key(random() % 4 == 0 ? random() % 300 : random() % 4, '\0');
  for (char& c : key) c = static_cast<char>(random());
  return key;
}

FilterOptions RandomOptions(std::mt19937_64& random) {
  FilterOptions options;
  options.kind = random() % 2 == 0 ? Kind::kBloom : Kind::kRibbon;
  if (random() % 4 == 0) {
    options.fp_rate = 0.5 / static_cast<double>(1 + random() % 1000);
  } else {
    options.bits_per_key = static_cast<double>(1000 + random() % 30000) / 1000;
  }
  return options;
}

// Writes, overwrites and deletes keys. Values are so large that a filter has
// one key, or so small that it has hundreds.
void ChangeRandomly(size_t max_value_bytes, std::mt19937_64& random,
                    ScratchLevelDB* db, Model* model) {
  for (int i = 0; i < 500; ++i) {
    const std::string key = RandomKey(random);
    if (random() % 5 == 0) {
      ASSERT_TRUE(IsOk((*db)->Delete(leveldb::WriteOptions(), key)));
      model->erase(key);
    } else {
      const std::string value(random() % (max_value_bytes + 1), 'v');
      db->Put(key, value + std::to_string(i));
      (*model)[key] = value + std::to_string(i);
    }
  }
}

void ExpectHolds(const ScratchLevelDB& db, const Model& model,
                 const std::set<std::string>& keys,
                 const leveldb::Snapshot* snapshot = nullptr) {
  for (const std::string& key : keys) {
    const auto found = model.find(key);
    ASSERT_EQ(db.Get(key, snapshot), found == model.end() ? "-" : found->second)
        << testing::PrintToString(key);
  }
}

// Opens the database again and again with other options, changes it, and reads
// it, also at a snapshot from before the changes.
TEST(LevelDBFilteredReadsTest, HoldsWhatItShould) {
  std::mt19937_64 random = TestRandom();
  for (const size_t max_value_bytes : {0, 100, 6000}) {
    ScratchLevelDB db;
    db.options().write_buffer_size = 64 << 10;
    db.options().block_size = 512u << random() % 6;
    Model model;
    std::set<std::string> keys;
    for (int i = 0; i < 500; ++i) keys.insert(RandomKey(random));
    for (int round = 0; round < 3; ++round) {
      const CountingPolicy policy(RandomOptions(random));
      db.Open(&policy);
      const Model before = model;
      const leveldb::Snapshot* snapshot = db->GetSnapshot();
      ChangeRandomly(max_value_bytes, random, &db, &model);
      if (HasFatalFailure()) return;
      for (const auto& [key, value] : model) keys.insert(key);
      ExpectHolds(db, model, keys);
      ExpectHolds(db, before, keys, snapshot);
      if (round != 1) db.Compact();
      ExpectHolds(db, model, keys);
      ExpectHolds(db, before, keys, snapshot);
      if (HasFatalFailure()) return;
      db->ReleaseSnapshot(snapshot);
      EXPECT_GT(policy.queried(), 300u);
      EXPECT_GT(policy.refused(), 30u);
      db.Close();
    }
  }
}

constexpr int kKeys = 4000;

// Puts the keys with even numbers into the database.
void WriteEven(ScratchLevelDB* db) {
  for (int i = 0; i < kKeys; i += 2) db->Put(KeyAt(i), ValueAt(i));
  db->Compact();
}

// Looks up all of them, and the absent keys between them.
void ExpectEven(const ScratchLevelDB& db, int last = kKeys) {
  for (int i = 0; i < last; ++i) {
    ASSERT_EQ(db.Get(KeyAt(i)), i % 2 == 0 ? ValueAt(i) : "-");
  }
}

// LevelDB does not find filters under another policy's name. All keys are still
// found, and new tables are filtered.
void ExpectUnfilteredUntilRewritten(const FilterPolicy* written_with,
                                    const FilterPolicy* opened_with) {
  ScratchLevelDB db;
  const CountingPolicy writing(written_with), reading(opened_with);
  ASSERT_STRNE(writing.Name(), reading.Name());
  db.Open(&writing);
  WriteEven(&db);
  db.Open(&reading);
  ExpectEven(db);
  EXPECT_EQ(reading.queried(), 0u);
  db.Put(KeyAt(0), ValueAt(0));
  db.Compact();
  ExpectEven(db);
  EXPECT_GE(reading.refused(), 1900u);
  db.Close();
}

TEST(LevelDBFilteredReadsTest, MigratesFromLevelDBsBloomAndBack) {
  ExpectUnfilteredUntilRewritten(leveldb::NewBloomFilterPolicy(10),
                                 OurLevelDBPolicy());
  ExpectUnfilteredUntilRewritten(OurLevelDBPolicy(),
                                 leveldb::NewBloomFilterPolicy(10));
}

TEST(LevelDBFilteredReadsTest, ReleasedDatabasesAreRead) {
  for (const std::filesystem::path& release : Releases()) {
    SCOPED_TRACE(release);
    ScratchLevelDB db;
    std::filesystem::copy(release / "leveldb", db.path());
    const CountingPolicy policy(FilterOptions{});
    db.Open(&policy);
    ExpectEven(db, kReleasedKeys);
    EXPECT_GT(policy.refused(), kReleasedKeys / 2 * 95 / 100);
    db.Close();
  }
}

// Where LevelDB verifies checksums, as docs/leveldb.md asks for: the block's
// checksum covers the filters, their offsets, and itself. (Any bytes:
// tests/table/short_block.)
TEST(LevelDBFilteredReadsTest, DamagedFiltersAreLeftOut) {
  ScratchLevelDB db;
  db.options().paranoid_checks = true;
  const CountingPolicy writing(FilterOptions{});
  db.Open(&writing);
  WriteEven(&db);
  db.Close();
  std::string path;
  for (const auto& entry : std::filesystem::directory_iterator(db.path())) {
    if (entry.path().extension() == ".ldb") path = entry.path().string();
  }
  const std::string intact = ReadWholeFile(path);
  // LevelDB stores the filters one after the other, uncompressed, and then
  // their offsets.
  std::string all;
  for (const std::string& filter : writing.filters()) all += filter;
  const size_t begin = intact.find(all);
  ASSERT_NE(begin, std::string::npos);
  ASSERT_GT(writing.filters().size(), 10u);
  const size_t bytes = all.size() + 4 * writing.filters().size();
  std::mt19937_64 random = TestRandom();
  for (int i = 0; i <= 20; ++i) {
    std::string table = intact;
    char& byte = table[begin + random() % bytes];
    if (i > 0) byte = static_cast<char>(byte ^ 1 << random() % 8);
    std::ofstream(path, std::ios::binary) << table;
    const CountingPolicy reading(FilterOptions{});
    db.Open(&reading);
    ExpectEven(db);
    EXPECT_EQ(reading.queried() > 0, i == 0);
    db.Close();
  }
}

}  // namespace
}  // namespace oneline
