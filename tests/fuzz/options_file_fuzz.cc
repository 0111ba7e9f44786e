// Fuzz target: an OPTIONS file under our reader, beside RocksDB's, and under
// the rewriter of `oneline advise --write`. Setting a policy changes the policy
// and no other byte; the file that results is whole and loads with that policy,
// or the file is as before with nothing beside it.
//
// The input is the file.

#include <rocksdb/table.h>
#include <rocksdb/utilities/options_util.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tests/fuzz/fuzz_input.h"
#include "tests/run_program.h"
#include "tests/temporary_directory.h"
#include "tools/advise/options_rewrite.h"
#include "tools/database/configured_policy.h"
#include "tools/database/options_file.h"

namespace oneline {
namespace {

constexpr char kPolicy[] = "{id=oneline;bits_per_key=12}";

FilterOptions Wanted() {
  FilterOptions options;
  options.bits_per_key = 12;
  return options;
}

// Everything but the value of one option, or but the line that was added.
void CheckSet(const std::string& text, const std::string& family) {
  OptionsFile file(text);
  const auto before = file.Get(kTableSection, family, "filter_policy");
  Require(file.Set(kTableSection, family, "filter_policy", kPolicy).ok(),
          "a section that is there takes a policy", family);
  Require(file.FilterPolicy(family) == kPolicy, "what was set is there",
          file.text());
  const std::string once = file.text();
  const size_t added = before.has_value() ? before->size() : 0;
  Require(once.size() + added >= text.size() + sizeof(kPolicy) - 1,
          "setting removes no more than the old policy", once);
  Require(file.Set(kTableSection, family, "filter_policy", kPolicy).ok() &&
              file.text() == once,
          "setting it twice changes nothing more", once);
  if (!before.has_value()) return;
  Require(file.Set(kTableSection, family, "filter_policy", *before).ok() &&
              file.text() == text,
          "setting it back gives the old file", file.text());
}

using Families = std::vector<rocksdb::ColumnFamilyDescriptor>;

// Whether RocksDB takes every word of the file.
bool LoadStrictly(const std::string& path, Families* families) {
  rocksdb::ConfigOptions config;
  config.ignore_unknown_options = false;
  config.ignore_unsupported_options = false;
  rocksdb::DBOptions options;
  return rocksdb::LoadOptionsFromFile(config, path, &options, families).ok();
}

void CheckPolicyOf(const rocksdb::ColumnFamilyDescriptor& family,
                   const OptionsFile& file) {
  if (family.options.table_factory == nullptr) return;
  const auto* const table = family.options.table_factory
                                ->GetOptions<rocksdb::BlockBasedTableOptions>();
  const std::string text = file.FilterPolicy(family.name);
  // RocksDB removes backslashes, and we pass them on to it.
  if (table == nullptr || text.find('\\') != std::string::npos) return;
  const ConfiguredPolicy ours = PolicyInOptions(text);
  if (table->filter_policy == nullptr) {
    Require(ours.policy == nullptr, "RocksDB has no policy, we have", text);
    return;
  }
  // A policy of ours that is wrong says so when a database is opened.
  const bool valid =
      table->filter_policy->ValidateOptions(rocksdb::DBOptions(), {}).ok();
  Require(valid == ours.problem.ok(), "RocksDB finds the mistake that we find",
          text);
  if (!valid) return;
  const auto theirs = OptionsOf(*table->filter_policy);
  Require(theirs.has_value() == ours.options.has_value() &&
              (!theirs.has_value() ||
               PolicyText(*theirs) == PolicyText(*ours.options)),
          "RocksDB has the policy that we see", text);
}

void CheckAsRocksDB(const std::string& path, const OptionsFile& file) {
  Families families;
  if (!LoadStrictly(path, &families)) return;
  std::vector<std::string> names;
  for (const rocksdb::ColumnFamilyDescriptor& family : families) {
    names.push_back(family.name);
    CheckPolicyOf(family, file);
  }
  Require(names == file.ColumnFamilies("CFOptions"),
          "RocksDB has the column families that we see");
}

size_t FilesIn(const std::string& directory) {
  size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(directory)) {
    files += entry.is_regular_file() ? 1 : 0;
  }
  return files;
}

// As `oneline advise --write` does it.
void CheckRewrite(const TemporaryDirectory& directory, const std::string& path,
                  const std::string& text, const std::string& family) {
  const auto backup = RewriteOptionsFile(path, {{family, Wanted()}});
  if (!backup.ok() || backup->empty()) {
    Require(backup.ok() || !backup.status().message().empty(),
            "an error has words");
    Require(ReadWholeFile(path) == text && FilesIn(directory.path()) == 1,
            "what is refused leaves the file as it was");
    return;
  }
  Require(ReadWholeFile(*backup) == text, "the old file is kept", *backup);
  Families families;
  Require(LoadStrictly(path, &families), "RocksDB loads the new file");
  const absl::StatusOr<OptionsFile> changed = OptionsFile::Load(path);
  Require(changed.ok() && changed->FilterPolicy(family) == kPolicy,
          "the new file has the policy");
  std::filesystem::remove(*backup);
}

}  // namespace
}  // namespace oneline

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace oneline;
  static const TemporaryDirectory directory;
  static const std::string path = directory.File("OPTIONS-000007");
  const std::string text(reinterpret_cast<const char*>(data), size);
  std::ofstream(path, std::ios::binary) << text;
  const absl::StatusOr<OptionsFile> file = OptionsFile::Load(path);
  Require(file.ok() == !text.empty(), "a file that is not empty loads");
  if (!file.ok()) return 0;
  CheckAsRocksDB(path, *file);
  std::vector<std::string> families = file->ColumnFamilies(kTableSection);
  if (families.size() > 3) families.resize(3);
  for (const std::string& family : families) CheckSet(text, family);
  CheckRewrite(directory, path, text,
               families.empty() ? "default" : families.back());
  return 0;
}
