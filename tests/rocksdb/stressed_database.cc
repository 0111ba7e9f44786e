// Linked into RocksDB's db_stress by filter_policy/plugin/CMakeLists.txt, for
// stress.sh. Of the databases that db_stress opens
//
// - ONELINE_STRESS_POLICY is the policy: it is saved in OPTIONS files by its
//   own name, and its options can be set, as those of a replacement cannot
// - each call of SetOptions also sets an option of that policy
// - the LOG is in the folder ONELINE_STRESS_LOGS, where it outlives the
//   database
//
// Without these variables nothing differs. db_stress opens a database by the
// function below, whose calls the linker gives to us.

#include <rocksdb/convenience.h>
#include <rocksdb/db.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/table.h>
#include <rocksdb/utilities/stackable_db.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <random>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "filter_policy/options/filter_options_text.h"
#include "filter_policy/options/option_table.h"
#include "filter_policy/rocksdb/rocksdb_open.h"
#include "table/block/filter_kind.h"

namespace oneline {
namespace {

using rocksdb::ColumnFamilyHandle;
using rocksdb::DB;
using rocksdb::DBOptions;
using rocksdb::Status;
using Families = std::vector<rocksdb::ColumnFamilyDescriptor>;
using Handles = std::vector<ColumnFamilyHandle*>;
using OptionValues = std::unordered_map<std::string, std::string>;

[[noreturn]] void Fail(const std::string& what, const Status& status) {
  std::fprintf(stderr, "stress: %s: %s\n", what.c_str(),
               status.ToString().c_str());
  std::abort();
}

std::string Text(double number) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.17g", number);
  return text;
}

// A change of one option of our policy: to its example, its default, one of its
// bounds, or a kind of ours.
OptionValues RandomChange() {
  static const auto changes = [] {
    std::vector<std::vector<OptionValues>> all;
    for (const OptionRow& option : kOptions) {
      std::vector<std::string> values = {option.example, option.default_text,
                                         Text(option.least), Text(option.most)};
      for (uint8_t id = kBloomId; FindKind(id) != nullptr; ++id) {
        values.emplace_back(FindKind(id)->name);
      }
      all.emplace_back();
      for (const std::string& value : values) {
        FilterOptions unused;
        if (!SetOption(option.name, value, &unused).empty()) continue;
        const std::string name = option.name;
        all.back().push_back({{"table_factory.filter_policy." + name, value}});
      }
    }
    return all;
  }();
  thread_local std::mt19937 random{std::random_device()()};
  const std::vector<OptionValues>& values = changes[random() % changes.size()];
  return values[random() % values.size()];
}

class StressedDatabase final : public rocksdb::StackableDB {
 public:
  using StackableDB::SetOptions;
  using StackableDB::StackableDB;

  Status Resume() override { return db_->Resume(); }

  Status SetOptions(ColumnFamilyHandle* family,
                    const OptionValues& options) override {
    const OptionValues change = RandomChange();
    const Status status = db_->SetOptions(family, change);
    // Anything else is an injected fault, of the write of the OPTIONS file.
    if (status.IsInvalidArgument() || status.IsNotFound()) {
      Fail(change.begin()->first + "=" + change.begin()->second, status);
    }
    return db_->SetOptions(family, options);
  }
};

// Gives the column families our policy. The table factory is a new one: another
// database that is open may have the old one.
void SetPolicy(const std::string& text, Families* families) {
  for (rocksdb::ColumnFamilyDescriptor& family : *families) {
    const auto* const found =
        family.options.table_factory
            ->GetOptions<rocksdb::BlockBasedTableOptions>();
    if (found == nullptr) continue;
    rocksdb::BlockBasedTableOptions table_options = *found;
    const Status status = rocksdb::FilterPolicy::CreateFromString(
        rocksdb::ConfigOptions(), text, &table_options.filter_policy);
    if (!status.ok() || table_options.filter_policy == nullptr) {
      Fail(text, status);
    }
    family.options.table_factory.reset(
        rocksdb::NewBlockBasedTableFactory(table_options));
  }
}

}  // namespace

#define ONELINE_DB_OPEN                                                       \
  "_ZN7rocksdb2DB4OpenERKNS_9DBOptionsERKNSt7__cxx1112basic_stringIcSt11char" \
  "_traitsIcESaIcEEERKSt6vectorINS_22ColumnFamilyDescriptorESaISD_EEPSC_IPNS" \
  "_18ColumnFamilyHandleESaISJ_EE"
// The other form calls this one since RocksDB 9.11.
#if ONELINE_OPENS_UNIQUE_PTR
using Opened = std::unique_ptr<DB>*;
#define ONELINE_OPENED "PSt10unique_ptrIS0_St14default_deleteIS0_EE"
#else
using Opened = DB**;
#define ONELINE_OPENED "PPS0_"
#endif

using OpenFunction = Status(const DBOptions&, const std::string&,
                            const Families&, Handles*, Opened);

OpenFunction OpenBuiltin asm("__real_" ONELINE_DB_OPEN ONELINE_OPENED);
OpenFunction OpenStressed asm("__wrap_" ONELINE_DB_OPEN ONELINE_OPENED);

Status OpenStressed(const DBOptions& options, const std::string& name,
                    const Families& families, Handles* handles, Opened db) {
  DBOptions with_logs = options;
  if (const char* const logs = std::getenv("ONELINE_STRESS_LOGS")) {
    with_logs.db_log_dir = logs;
  }
  const char* const policy = std::getenv("ONELINE_STRESS_POLICY");
  if (policy == nullptr) {
    return OpenBuiltin(with_logs, name, families, handles, db);
  }
  Families with_policy = families;
  SetPolicy(policy, &with_policy);
  std::unique_ptr<DB> opened;
  Status status =
      OpenBuiltin(with_logs, name, with_policy, handles, OpenInto(&opened));
  if (!status.ok()) return status;
  opened = std::make_unique<StressedDatabase>(opened.release());
#if ONELINE_OPENS_UNIQUE_PTR
  *db = std::move(opened);
#else
  *db = opened.release();
#endif
  return status;
}

}  // namespace oneline
