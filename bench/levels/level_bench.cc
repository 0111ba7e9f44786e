// `make measure-levels`: databases with a history, and the false positives of
// absent keys at each rest of it. A row for each history:
//
//   memory      bits per key of all filters, where 10 were asked for: the least
//               and the most, from a million keys on
//   of uniform  false positives counted, by those of the same bits for all
//               tables: in as much memory, and with 10 bits; median and most
//
// "Uniform" is by the model, from the keys and ranges of the same tables.
//
//   bazel-bin/bench/levels/level_bench [--keys=10000000] [--only=NAME]
//       [--policy=oneline:10]

#include <rocksdb/convenience.h>
#include <rocksdb/options.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/status/status.h"
#include "bench/levels/grown_database.h"
#include "bench/measure/measuring_program.h"

ABSL_FLAG(uint64_t, keys, 10000000, "keys in each database in the end");
ABSL_FLAG(uint64_t, lookups, 200000, "of absent keys at each rest");
ABSL_FLAG(std::string, only, "", "only histories whose name contains this");
ABSL_FLAG(std::string, policy, "oneline:10", "the filter policy, of 10 bits");

namespace oneline {
namespace {

using Policy = std::shared_ptr<const rocksdb::FilterPolicy>;
using rocksdb::BlockBasedTableOptions;

Policy NewPolicy(const std::string& text) {
  rocksdb::ConfigOptions strict;
  strict.ignore_unsupported_options = false;
  Policy policy;
  const rocksdb::Status status =
      rocksdb::FilterPolicy::CreateFromString(strict, text, &policy);
  if (!status.ok()) {
    std::fprintf(stderr, "error: %s\n", status.ToString().c_str());
    std::exit(1);
  }
  return policy;
}

// A new one, which knows nothing of the tree, as after a restart.
Policy NewPolicy() { return NewPolicy(absl::GetFlag(FLAGS_policy)); }

// A run of `name`, and what was measured at its rests.
class History {
 public:
  History(std::string name, std::string directory)
      : name_(std::move(name)), path_(std::move(directory)) {}
  ~History() {
    if (rests_.empty()) return;
    std::vector<double> bits, same, ten;
    for (const FalsePositives& rest : rests_) {
      bits.push_back(rest.bits_per_key());
      same.push_back(rest.counted / rest.uniform);
      ten.push_back(rest.counted / rest.uniform10);
    }
    for (auto* values : {&bits, &same, &ten}) {
      std::sort(values->begin(), values->end());
    }
    std::printf("%-52s %2d %7.2f %7.2f %8.2f %7.2f %8.2f %7.2f %9.0f\n",
                name_.c_str(), rests_.back().runs, bits.front(), bits.back(),
                same[same.size() / 2], same.back(), ten[ten.size() / 2],
                ten.back(), 1e6 * rests_.back().counted);
    std::fflush(stdout);
  }
  History(const History&) = delete;
  History& operator=(const History&) = delete;

  const std::string& path() const { return path_; }

  // Waits for compactions and looks up absent keys. A tree of a few write
  // buffers counts only where `few` is true.
  void Rest(GrownDatabase* database, bool few = false) {
    database->Rest();
    const FalsePositives rest =
        database->LookUpAbsent(absl::GetFlag(FLAGS_lookups));
    Add(rest, few);
  }

  // Several databases in one row.
  void RestTogether(const std::vector<std::unique_ptr<GrownDatabase>>& all) {
    FalsePositives sum;
    for (const auto& database : all) {
      database->Rest();
      const FalsePositives rest =
          database->LookUpAbsent(absl::GetFlag(FLAGS_lookups) / all.size());
      sum.keys += rest.keys;
      sum.filter_bits += rest.filter_bits;
      sum.runs += rest.runs;
      sum.counted += rest.counted;
      sum.uniform += rest.uniform;
      sum.uniform10 += rest.uniform10;
    }
    Add(sum, /*few=*/true);
  }

 private:
  void Add(const FalsePositives& rest, bool few) {
    if (few || rest.keys >= 1e6) rests_.push_back(rest);
    std::fprintf(stderr, "%s: %.0f keys, %d runs, %.2f bits, %.0f of %.0f\n",
                 name_.c_str(), rest.keys, rest.runs, rest.bits_per_key(),
                 1e6 * rest.counted, 1e6 * rest.uniform);
  }

  const std::string name_;
  const std::string path_;
  std::vector<FalsePositives> rests_;
};

rocksdb::Options Tree(double size_ratio = 10, bool dynamic = true) {
  rocksdb::Options options;
  options.max_bytes_for_level_multiplier = size_ratio;
  options.level_compaction_dynamic_level_bytes = dynamic;
  return options;
}

constexpr int kRestarts = 20;

// Random keys, with restarts.
void Grow(const rocksdb::Options& options, const BlockBasedTableOptions& table,
          History* history) {
  const uint64_t keys = absl::GetFlag(FLAGS_keys);
  GrownDatabase database(history->path(), keys, options, table);
  for (int restart = 0; restart < kRestarts; ++restart) {
    database.Open(NewPolicy());
    database.Write(keys * restart / kRestarts, keys * (restart + 1) / kRestarts,
                   Order::kRandom);
    history->Rest(&database);
  }
}

void OneRun(History* history) {
  const uint64_t keys = absl::GetFlag(FLAGS_keys) / 4;
  GrownDatabase database(history->path(), keys, Tree());
  database.Open(NewPolicy());
  database.Write(0, keys, Order::kRandom);
  database.CompactAll();
  history->Rest(&database);
}

// A load in key order, at rest and after each of a few random writes.
void SortedLoad(bool dynamic, uint64_t keys, History* history) {
  GrownDatabase database(history->path(), keys, Tree(10, dynamic));
  database.Open(NewPolicy());
  database.Write(0, keys, Order::kSorted);
  history->Rest(&database, /*few=*/true);
  for (uint64_t part = 0; part < 4; ++part) {
    database.Write(part * keys / 16, (part + 1) * keys / 16, Order::kRandom);
    history->Rest(&database, /*few=*/true);
  }
}

void Ingested(History* history) {
  const uint64_t keys = absl::GetFlag(FLAGS_keys) / 4;
  GrownDatabase database(history->path(), keys, Tree());
  database.Open(NewPolicy());
  for (uint64_t part = 0; part < 8; ++part) {
    database.Ingest(part * keys / 8, (part + 1) * keys / 8);
    database.Write(part * keys / 80, (part + 1) * keys / 80, Order::kRandom);
    history->Rest(&database);
  }
}

// Many databases on one policy, a quarter of which are loaded in key order.
void Many(History* history) {
  constexpr int kDatabases = 24, kParts = 4;
  const uint64_t keys = absl::GetFlag(FLAGS_keys) / kDatabases;
  const Policy policy = NewPolicy();
  std::vector<std::unique_ptr<GrownDatabase>> databases;
  for (int i = 0; i < kDatabases; ++i) {
    databases.push_back(std::make_unique<GrownDatabase>(
        history->path() + std::to_string(i), keys,
        Tree(i % 2 == 0 ? 10 : 4, i % 3 > 0)));
    databases.back()->Open(policy);
  }
  for (uint64_t part = 0; part < kParts; ++part) {
    for (int i = 0; i < kDatabases; ++i) {
      databases[i]->Write(part * keys / kParts, (part + 1) * keys / kParts,
                          i % 4 == 3 ? Order::kSorted : Order::kRandom);
    }
    history->RestTogether(databases);
  }
}

// The first half with RocksDB's Bloom filters.
void Migrated(History* history) {
  const uint64_t keys = absl::GetFlag(FLAGS_keys) / 2;
  GrownDatabase database(history->path(), keys, Tree());
  database.Open(NewPolicy("bloomfilter:10:false"));
  database.Write(0, keys / 2, Order::kRandom);
  database.Rest();
  for (uint64_t part = 5; part < 10; ++part) {
    database.Open(NewPolicy());
    database.Write(part * keys / 10, (part + 1) * keys / 10, Order::kRandom);
    history->Rest(&database);
  }
}

struct Named {
  const char* name;
  std::function<void(History*)> run;
};

std::vector<Named> Histories() {
  std::vector<Named> all;
  const auto grow = [&all](const char* name, const rocksdb::Options& options,
                           const BlockBasedTableOptions& table = {}) {
    all.push_back({name, [=](History* h) { Grow(options, table, h); }});
  };
  grow("dynamic level sizes, size ratio 4", Tree(4, true));
  grow("dynamic, 6", Tree(6, true));
  grow("dynamic, 10", Tree(10, true));
  grow("static, 4", Tree(4, false));
  grow("static, 6", Tree(6, false));
  grow("static, 10", Tree(10, false));
  BlockBasedTableOptions cached;
  cached.cache_index_and_filter_blocks = true;
  grow("dynamic, 10, filters in the block cache", Tree(), cached);
  BlockBasedTableOptions partitioned = cached;
  partitioned.partition_filters = true;
  partitioned.index_type = BlockBasedTableOptions::kTwoLevelIndexSearch;
  grow("static, 10, partitioned filters", Tree(10, false), partitioned);
  rocksdb::Options few_open = Tree();
  few_open.max_open_files = 20;
  grow("dynamic, 10, max_open_files=20", few_open);
  rocksdb::Options universal;
  universal.compaction_style = rocksdb::kCompactionStyleUniversal;
  grow("universal", universal);
  all.push_back({"one run, after CompactRange", &OneRun});
  const uint64_t keys = absl::GetFlag(FLAGS_keys);
  all.push_back({"load in key order, then random writes; dynamic, 10",
                 [=](History* h) { SortedLoad(true, keys / 4, h); }});
  all.push_back({"load in key order, then random writes; static, 10",
                 [=](History* h) { SortedLoad(false, keys / 4, h); }});
  all.push_back({"load of 300,000 keys in order, then random writes",
                 [=](History* h) { SortedLoad(true, 300000, h); }});
  all.push_back({"files ingested, and random writes", &Ingested});
  all.push_back({"24 databases on one policy", &Many});
  all.push_back({"tables with RocksDB's Bloom still there", &Migrated});
  return all;
}

absl::Status Run(const std::string& directory) {
  std::printf("%-52s %2s %15s %16s %16s %9s\n", "", "", "memory", "of uniform",
              "of uniform, 10", "in a");
  std::printf("%-52s %2s %7s %7s %8s %7s %8s %7s %9s\n", "history", "runs",
              "least", "most", "median", "most", "median", "most", "million");
  int number = 0;
  for (const Named& history : Histories()) {
    ++number;
    if (std::string(history.name).find(absl::GetFlag(FLAGS_only)) ==
        std::string::npos) {
      continue;
    }
    History measured(history.name,
                     directory + "/" + std::to_string(number) + "-");
    history.run(&measured);
  }
  return absl::OkStatus();
}

std::string FlagError() {
  return SizeError(absl::GetFlag(FLAGS_keys), absl::GetFlag(FLAGS_lookups));
}

}  // namespace
}  // namespace oneline

int main(int argc, char** argv) {
  return oneline::RunMeasuringProgram(
      {"Gives databases a history, and counts what their filters let pass.",
       "oneline-levels", oneline::FlagError, oneline::Run},
      argc, argv);
}
