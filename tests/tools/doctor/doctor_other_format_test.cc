// `oneline doctor` on databases whose tables are not block-based and so have no
// filters: it finds something only if the options ask for filters.

#include <gtest/gtest.h>
#include <rocksdb/slice_transform.h>
#include <rocksdb/table.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "tests/filter_policy/scratch_database.h"
#include "tests/tools/doctor/doctor_report.h"

namespace oneline {
namespace {

rocksdb::Options OptionsWithFactory(rocksdb::TableFactory* factory) {
  rocksdb::Options options;
  options.create_if_missing = true;
  options.allow_mmap_reads = true;
  options.prefix_extractor.reset(rocksdb::NewFixedPrefixTransform(2));
  options.table_factory.reset(factory);
  return options;
}

// Inserts a section of block-based tables with a policy before the last one, as
// if a user changed the format and kept the old lines. RocksDB uses the last
// section.
void AddPolicyToOptions(const std::string& path) {
  for (const auto& file : std::filesystem::directory_iterator(path)) {
    const std::string name = file.path().filename();
    if (name.rfind("OPTIONS-", 0) != 0) continue;
    std::string text = ReadWholeFile(file.path());
    const size_t at = text.rfind("[TableOptions/");
    ASSERT_NE(at, std::string::npos) << text;
    text.insert(at,
                "[TableOptions/BlockBasedTable \"default\"]\n"
                "  filter_policy=oneline:10\n\n");
    std::ofstream(file.path(), std::ios::binary) << text;
  }
}

void ExpectHealthyUnlessAPolicyIsSet(rocksdb::TableFactory* factory,
                                     const std::string& words) {
  ScratchDatabase database(OptionsWithFactory(factory));
  database.WriteTable(0, 100);
  ExpectHealthy(database);
  AddPolicyToOptions(database.path());
  const DoctorReport report = RunDoctor(database.path());
  ASSERT_EQ(report.kinds(), Kinds{"other-table-format"});
  const std::string what = report.what(0);
  EXPECT_TRUE(Contains(what, "(filter_policy=oneline:10)")) << what;
  EXPECT_TRUE(Contains(what, words)) << what;
}

TEST(DoctorOtherFormatTest, PlainTables) {
  ExpectHealthyUnlessAPolicyIsSet(rocksdb::NewPlainTableFactory(),
                                  "table_factory=PlainTable.");
}

TEST(DoctorOtherFormatTest, CuckooTables) {
  ExpectHealthyUnlessAPolicyIsSet(rocksdb::NewCuckooTableFactory(),
                                  "table_factory=CuckooTable.");
}

// RocksDB can't create this factory from an OPTIONS file.
TEST(DoctorOtherFormatTest, AnUnknownFactory) {
  ExpectHealthyUnlessAPolicyIsSet(rocksdb::NewAdaptiveTableFactory(),
                                  "table_factory is not known to this program");
}

}  // namespace
}  // namespace oneline
