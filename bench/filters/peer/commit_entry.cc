// The entry points of the library that commits.sh builds from the sources of
// one commit: its builders and readers, behind RocksDB's interface. They are C
// functions, because the program that opens it has the same C++ names of
// another commit.

#include <rocksdb/filter_policy.h>

#include <cstdlib>
#include <string>
#include <string_view>

#include "filter_policy/rocksdb/rocksdb_bits_builder.h"
#include "filter_policy/rocksdb/rocksdb_bits_reader.h"
#include "table/block/filter_kind.h"
#include "table/simd/instruction_sets.h"

namespace {

class CommitPolicy final : public rocksdb::FilterPolicy {
 public:
  CommitPolicy(const char* kind, double bits_per_key) {
    options_.kind = oneline::FindKind(std::string_view(kind));
    options_.bits_per_key = bits_per_key;
    options_.seed = 1;
  }

  const char* Name() const override { return "commit"; }
  const char* CompatibilityName() const override { return Name(); }

  rocksdb::FilterBitsBuilder* GetBuilderWithContext(
      const rocksdb::FilterBuildingContext&) const override {
    return oneline::NewBitsBuilder(options_).release();
  }

  rocksdb::FilterBitsReader* GetFilterBitsReader(
      const rocksdb::Slice& block) const override {
    return oneline::NewBitsReader({block.data(), block.size()});
  }

 private:
  oneline::BitsBuilderOptions options_;
};

}  // namespace

// `set` is the number of an instruction set, whose name another commit may have
// changed. The first call decides for the whole library. Null if the processor
// can't run the set.
extern "C" const rocksdb::FilterPolicy* NewCommitPolicy(size_t set,
                                                        const char* kind,
                                                        double bits_per_key) {
  if (!oneline::IsSupported(static_cast<oneline::InstructionSet>(set))) {
    return nullptr;
  }
  setenv("ONELINE_KERNEL", oneline::kInstructionSetNames[set], 1);
  oneline::ChosenInstructionSet();
  unsetenv("ONELINE_KERNEL");
  return new CommitPolicy(kind, bits_per_key);
}
