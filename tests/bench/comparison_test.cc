// Tests of bench/comparison/comparison.h with fake databases: rounds and turns
// are right, and whatever would make a comparison worthless is an error.

#include "bench/comparison/comparison.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"

namespace oneline {
namespace {

// Has its records in a map, and one table with a perfect filter. Several
// threads may get.
class MapDatabase final : public Database {
 public:
  explicit MapDatabase(std::string name, bool filtered = true)
      : Database(std::move(name)), filtered_(filtered) {
    tables_.emplace_back(0, 1, "a", "z");
  }

  bool has_filter() const override { return filtered_; }
  absl::StatusOr<WriteCost> Load(const Records&, const LoadPlan&,
                                 Progress*) override {
    return WriteCost();
  }
  absl::Status OpenForLookups(const Reads&) override {
    return absl::OkStatus();
  }
  void Close() override {}

  absl::Status Get(const Lookup& lookup) override {
    const std::lock_guard<std::mutex> lock(mutex_);
    asked.push_back(std::string(lookup.key));
    ++counts.checks;
    const auto found = contents.find(asked.back());
    if (found == contents.end()) {
      ++counts.skipped;
      return CheckAnswer(lookup, {});
    }
    ++counts.true_positives;
    return CheckAnswer(lookup, std::string_view(found->second));
  }
  absl::Status MultiGet(const Lookup* lookups, size_t count) override {
    absl::Status status;
    for (size_t i = 0; i < count; ++i) status.Update(Get(lookups[i]));
    return status;
  }
  LookupCounts TakeCounts() override { return std::exchange(counts, {}); }

  void ChangeTree() { tables_.emplace_back(1, 1, "a", "z"); }

  std::map<std::string, std::string> contents = {{"a", "A"}, {"b", "B"}};
  std::vector<std::string> asked;
  LookupCounts counts;

 private:
  const bool filtered_;
  std::mutex mutex_;
};

class ComparisonTest : public testing::Test {
 protected:
  MapDatabase* Add(const std::string& name, bool filtered = true) {
    auto database = std::make_unique<MapDatabase>(name, filtered);
    MapDatabase* const added = database.get();
    databases_.push_back(std::move(database));
    return added;
  }

  absl::StatusOr<std::vector<Measured>> Run(const Workload& workload) {
    Progress progress(stderr, 0);
    return Compare(workload, databases_, &progress);
  }

  static Workload Lookups(size_t count, size_t rounds) {
    Workload workload;
    for (size_t i = 0; i < count; ++i) {
      workload.lookups.push_back(i % 2 == 0 ? Lookup{"a", "A"}
                                            : Lookup{"none", {}});
    }
    workload.rounds = rounds;
    return workload;
  }

  Databases databases_;
};

TEST_F(ComparisonTest, AllDatabasesDoTheSameLookups) {
  MapDatabase* const first = Add("first");
  MapDatabase* const second = Add("second");
  const auto measured = Run(Lookups(30, 3));
  ASSERT_TRUE(measured.ok()) << measured.status();
  EXPECT_EQ(first->asked.size(), 30u);
  EXPECT_EQ(first->asked, second->asked);
  for (const Measured& one : *measured) {
    EXPECT_EQ(one.lookups, 30u);
    EXPECT_EQ(one.wall_micros.size(), 3u);
    EXPECT_EQ(one.cpu_micros.size(), 3u);
    EXPECT_EQ(one.counts.checks, 30u);
    EXPECT_EQ(one.counts.true_positives, 15u);
    EXPECT_EQ(one.counts.false_positives(), 0u);
  }
  EXPECT_TRUE(CheckFiltersUsed(databases_, *measured).ok());
}

TEST_F(ComparisonTest, ThreadsDivideTheLookups) {
  MapDatabase* const only = Add("only");
  Workload workload = Lookups(42, 1);
  workload.threads = 2;
  for (Lookup& lookup : workload.lookups) lookup = {"none", {}};
  workload.lookups[21] = {"b", "B"};  // the first of the second thread
  const auto measured = Run(workload);
  ASSERT_TRUE(measured.ok()) << measured.status();
  EXPECT_EQ((*measured)[0].lookups, 42u);
  EXPECT_EQ((*measured)[0].counts.checks, 42u);
  EXPECT_EQ((*measured)[0].counts.true_positives, 1u);
  only->contents.erase("b");
  EXPECT_FALSE(Run(workload).ok());
}

TEST_F(ComparisonTest, NoticesAWrongValue) {
  Add("only")->contents["a"] = "B";
  const auto measured = Run(Lookups(2, 1));
  ASSERT_FALSE(measured.ok());
  EXPECT_EQ(measured.status().message(),
            "database 'only': wrong answer for 'a': 'B', but it must be 'A'");
}

TEST_F(ComparisonTest, NoticesAnUnusedFilter) {
  Add("none", false);
  Add("used");
  Add("unused");
  auto measured = Run(Lookups(10, 1));
  ++measured->back().counts.checks;
  EXPECT_TRUE(
      absl::StrContains(CheckFiltersUsed(databases_, *measured).ToString(),
                        "11 filter checks, but 10 in 'used'"));
  measured->back().counts.skipped = 0;
  EXPECT_EQ(CheckFiltersUsed(databases_, *measured).message(),
            "database 'unused': the filter was not used: it skipped no table");
}

TEST_F(ComparisonTest, NoticesTreesThatDiffer) {
  Add("first");
  MapDatabase* const second = Add("second");
  EXPECT_TRUE(OpenAll(Reads(), 0, databases_).ok());
  second->ChangeTree();
  EXPECT_TRUE(absl::StrContains(OpenAll(Reads(), 0, databases_).ToString(),
                                "'first' and 'second' differ"));
}

}  // namespace
}  // namespace oneline
