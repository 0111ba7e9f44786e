// Tests of `oneline verify` on databases whose filters lack a key: a false
// negative, which only a lookup of that key can find.

#include <gtest/gtest.h>
#include <rocksdb/filter_policy.h>

#include <memory>
#include <string>

#include "filter_policy/rocksdb/rocksdb_filter_bits.h"
#include "tests/filter_policy/scratch_database.h"
#include "tests/filter_policy/table_layouts.h"
#include "tests/tools/filter_blocks.h"
#include "tests/tools/run_oneline.h"

namespace oneline {
namespace {

// Leaves one key or prefix out of the filters that it builds.
class ForgetfulBuilder final : public rocksdb::FilterBitsBuilder {
 public:
  ForgetfulBuilder(rocksdb::FilterBitsBuilder* builder,
                   const std::string& forgotten)
      : builder_(builder), forgotten_(forgotten) {}

  void AddKey(const rocksdb::Slice& key) override {
    // Adds another key instead, so that the number of keys is right.
    builder_->AddKey(key == forgotten_ ? "something else" : key);
  }
#if ONELINE_ROCKSDB_VERSION >= 90600
  void AddKeyAndAlt(const rocksdb::Slice& key,
                    const rocksdb::Slice& alt) override {
    builder_->AddKeyAndAlt(key == forgotten_ ? "something else" : key,
                           alt == forgotten_ ? "something else" : alt);
  }
#endif
  size_t EstimateEntriesAdded() override {
    return builder_->EstimateEntriesAdded();
  }
  rocksdb::Slice Finish(std::unique_ptr<const char[]>* buf) override {
    return builder_->Finish(buf);
  }
  rocksdb::Slice Finish(std::unique_ptr<const char[]>* buf,
                        rocksdb::Status* status) override {
    return builder_->Finish(buf, status);
  }
  rocksdb::Status MaybePostVerify(const rocksdb::Slice& filter) override {
    return builder_->MaybePostVerify(filter);
  }
  size_t ApproximateNumEntries(size_t bytes) override {
    return builder_->ApproximateNumEntries(bytes);
  }
#if ONELINE_ROCKSDB_VERSION >= 100900
  size_t CalculateSpace(size_t n) override {
    return builder_->CalculateSpace(n);
  }
  double EstimatedFpRate(size_t n, size_t bytes) override {
    return builder_->EstimatedFpRate(n, bytes);
  }
#endif

 private:
  const std::unique_ptr<rocksdb::FilterBitsBuilder> builder_;
  const std::string forgotten_;
};

class ForgetfulPolicy final : public rocksdb::FilterPolicy {
 public:
  ForgetfulPolicy(const PolicyPtr& policy, const std::string& forgotten)
      : policy_(policy), forgotten_(forgotten) {}

  const char* Name() const override { return policy_->Name(); }
  const char* CompatibilityName() const override {
    return policy_->CompatibilityName();
  }
  rocksdb::FilterBitsBuilder* GetBuilderWithContext(
      const rocksdb::FilterBuildingContext& context) const override {
    return new ForgetfulBuilder(policy_->GetBuilderWithContext(context),
                                forgotten_);
  }
  rocksdb::FilterBitsReader* GetFilterBitsReader(
      const rocksdb::Slice& block) const override {
    return policy_->GetFilterBitsReader(block);
  }

 private:
  const PolicyPtr policy_;
  const std::string forgotten_;
};

// Whether the missing key passes by chance.
bool MayPass(const std::string& file, const PolicyPtr& policy,
             const std::string& key) {
  for (const std::string& block : BlocksOf(file)) {
    const std::unique_ptr<rocksdb::FilterBitsReader> reader(
        policy->GetFilterBitsReader(block));
    if (reader->MayMatch(key)) return true;
  }
  return false;
}

// One missing key among a few thousand: a key that was put, one that was
// deleted, a prefix; the first and the last of the table.
TEST(VerifyMissingKeyTest, OneMissingKeyIsFound) {
  TableLayout full = {"full"}, partitioned = {"partitioned"};
  partitioned.partitioned = true;
  TableLayout both = full, prefixes = partitioned;
  both.prefixes = true;
  prefixes.prefixes = true;
  prefixes.whole_keys = false;
  int found = 0;  // of 24
  for (const char* const policy : {"oneline:10", "bloomfilter:10:false"}) {
    for (const TableLayout& layout : {full, partitioned, both, prefixes}) {
      for (const int forgotten : {0, 1001, 3999}) {
        const std::string key = layout.prefixes
                                    ? KeyAt(forgotten).substr(0, kPrefixBytes)
                                    : KeyAt(forgotten);
        SCOPED_TRACE(std::string(policy) + " " + layout.name + " " + key);
        ScratchDatabase database(OptionsFor(
            layout,
            std::make_shared<ForgetfulPolicy>(PolicyNamed(policy), key)));
        for (int i = 1; i < 4000; i += 2) {
          ASSERT_TRUE(database->Delete(rocksdb::WriteOptions(), KeyAt(i)).ok());
        }
        database.WriteTable(0, 4000);
        const std::string file = database.TableFiles()[0];
        if (MayPass(file, PolicyNamed(policy), key)) continue;
        ++found;
        const Finished program = RunOneline("verify " + database.path());
        EXPECT_EQ(program.exit_code, 1) << program.out;
        EXPECT_TRUE(Contains(program.out, file + ": damaged: the key '" +
                                              KeyAt(forgotten) +
                                              "' does not pass "))
            << program.out;
      }
    }
  }
  EXPECT_GE(found, 12);
}

}  // namespace
}  // namespace oneline
