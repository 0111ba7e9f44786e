// Writes the tables of a release, which released_tables_test.cc reads:
//
//   tables_gen FOLDER
//
// FOLDER/*.sst are of RocksDB, FOLDER/leveldb is a database of LevelDB. All
// have the even keys of kReleasedKeys. RocksDB stores the time in its tables,
// so the bytes differ each time.

#include "tests/filter_policy/leveldb/scratch_leveldb.h"
#include "tests/filter_policy/scratch_database.h"
#include "tests/golden/released_tables.h"

namespace oneline {
namespace {

namespace fs = std::filesystem;

void WriteRocksDBTable(const std::string& policy, bool is_partitioned,
                       const std::string& file) {
  rocksdb::BlockBasedTableOptions table;
  table.partition_filters = is_partitioned;
  if (is_partitioned) {
    table.index_type =
        rocksdb::BlockBasedTableOptions::IndexType::kTwoLevelIndexSearch;
    table.metadata_block_size = 256;
  }
  rocksdb::Options options = OptionsWith(PolicyNamed(policy), table);
  // Which any build of RocksDB can read.
  options.compression = rocksdb::kNoCompression;
  WriteTableFile(options, file, kReleasedKeys);
}

void WriteLevelDB(const fs::path& folder) {
  const std::unique_ptr<const leveldb::FilterPolicy> policy(OurLevelDBPolicy());
  ScratchLevelDB database;
  database.Open(policy.get());
  for (int i = 0; i < kReleasedKeys; i += 2) database.Put(KeyAt(i), ValueAt(i));
  database.Compact();
  database.Close();
  fs::create_directory(folder);
  for (const fs::directory_entry& file :
       fs::directory_iterator(database.path())) {
    const std::string name = file.path().filename().string();
    if (name == "CURRENT" || name.rfind("MANIFEST-", 0) == 0 ||
        file.path().extension() == ".ldb") {
      fs::copy_file(file.path(), folder / name);
    }
  }
}

}  // namespace
}  // namespace oneline

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (argc != 2) {
    std::fprintf(stderr, "usage: %s FOLDER\n", argv[0]);
    return 1;
  }
  const std::string folder = argv[1];
  oneline::WriteRocksDBTable("oneline:10", false, folder + "/ribbon.sst");
  oneline::WriteRocksDBTable("oneline:10", true, folder + "/partitions.sst");
  oneline::WriteRocksDBTable("{id=oneline;kind=bloom;bits_per_key=10}", false,
                             folder + "/bloom.sst");
  oneline::WriteLevelDB(folder + "/leveldb");
  return testing::Test::HasFailure();
}
