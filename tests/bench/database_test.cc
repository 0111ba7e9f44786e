// Tests of bench/databases/ with small databases: plans give trees that do not
// depend on the filter, and whatever would make a comparison worthless ends the
// program.

#include "bench/databases/database.h"

#include "bench/databases/comparison.h"
#include "bench/keys/data_set.h"
#include "tests/testing.h"

namespace oneline {
namespace {

class DatabaseTest : public testing::Test {
 protected:
  DatabaseTest() { testing::FLAGS_gtest_death_test_style = "threadsafe"; }

  // Loads one more database, and opens it.
  Database* Add(const Filter& filter, const FixedTree& tree = TenfoldTree()) {
    databases_.push_back(std::make_unique<Database>(
        directory_.File(filter.name), filter, PlannedOptions()));
    databases_.back()->Load(*data_.records, PlanLoad(tree, 3000, 1),
                            &progress_);
    databases_.back()->OpenForLookups(Reads());
    return databases_.back().get();
  }
  std::vector<Measured> Run(const Workload& workload, size_t rounds = 1) {
    return Compare(Reads(), {workload}, rounds, databases_, &progress_).front();
  }

  const TemporaryDirectory directory_;
  const DataSet data_ = RandomDataSet(3000, 20, 600);
  Progress progress_{stderr, 0};
  Databases databases_;
};

const Filter kBloom = {kBaseFilter, "bloomfilter:10:false"};
const Filter kOurs = {"ours", "oneline:10"};

TEST_F(DatabaseTest, TablesWithAnotherFilterEndTheProgram) {
  Database* const database = Add(kBloom);
  database->Close();
  Database ours(directory_.File(kBloom.name), kOurs, PlannedOptions());
  EXPECT_EXIT(ours.OpenForLookups(Reads()), testing::ExitedWithCode(1),
              "the policy should be 'oneline'");
}

TEST_F(DatabaseTest, AWrongAnswerEndsTheProgram) {
  const Database* const database = Add(kOurs);
  const std::string_view key = data_.records->key(7);
  database->Get({key, data_.records->value(7)});
  EXPECT_EXIT(database->Get({key, "other"}), testing::ExitedWithCode(1),
              "database 'ours': wrong answer");
  EXPECT_EXIT(database->Get({data_.absent[0], "value"}),
              testing::ExitedWithCode(1), "a false negative\\?");
  const Lookup lookups[] = {{data_.absent[0], {}}, {key, {}}};
  EXPECT_EXIT(database->MultiGet(lookups, 2), testing::ExitedWithCode(1),
              "not found");
}

TEST_F(DatabaseTest, AnUnfairComparisonEndsTheProgram) {
  Add(kBloom);
  Add(kOurs);
  Workload workload;
  workload.lookups = Lookups(data_, 100, 300, 1);
  std::vector<Measured> measured = Run(workload);
  ++measured[1].counts.checks;
  EXPECT_EXIT(CheckFiltersUsed(databases_, measured),
              testing::ExitedWithCode(1), "the comparison would not be fair");
  measured[1].counts.skipped = 0;
  EXPECT_EXIT(CheckFiltersUsed(databases_, measured),
              testing::ExitedWithCode(1), "'ours': the filter was not used");
  Add({"other tree", "oneline:10"}, StockTree());
  EXPECT_EXIT(OpenAll(Reads(), 0, databases_), testing::ExitedWithCode(1),
              "'other tree' differ");
}

}  // namespace
}  // namespace oneline
