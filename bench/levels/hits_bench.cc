// `make measure-levels`: what lookups of keys that are there waste. The same
// tree with each policy, and the reads that its filters waste for 1000 lookups,
// of which a share finds its key: all keys alike, and by Zipf's law. So a row
// with hits also shows what a wrong share costs.
//
//   bazel-bin/bench/levels/hits_bench [--keys=2000000] [--lookups=200000]

#include <rocksdb/convenience.h>
#include <rocksdb/options.h>

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>

#include "absl/flags/flag.h"
#include "absl/status/status.h"
#include "bench/levels/grown_database.h"
#include "bench/measure/measuring_program.h"

ABSL_FLAG(uint64_t, keys, 2000000, "keys in each database");
ABSL_FLAG(uint64_t, lookups, 200000, "of each share");

namespace oneline {
namespace {

constexpr const char* kPolicies[] = {
    "bloomfilter:10:false",
    "{id=oneline;bits_by_level=false}",
    "oneline:10",
    "{id=oneline;hits=0.5}",
    "{id=oneline;hits=0.9}",
    "{id=oneline;hits=0.99}",
    // Fewer bits, some of which waste about as many reads as RocksDB's Bloom
    // filters do.
    "{id=oneline;bits_per_key=6;hits=0.5}",
    "{id=oneline;bits_per_key=6.8;hits=0.9}",
    "{id=oneline;bits_per_key=9.5;hits=0.99}",
    "{id=oneline;bits_per_key=8;hits=0.9}",
    "{id=oneline;bits_per_key=10;hits=0.995}",
};

constexpr double kShares[] = {0, 0.5, 0.9, 0.99};

absl::Status Measure(const std::string& directory, const char* name) {
  rocksdb::ConfigOptions strict;
  strict.ignore_unsupported_options = false;
  std::shared_ptr<const rocksdb::FilterPolicy> policy;
  const rocksdb::Status status =
      rocksdb::FilterPolicy::CreateFromString(strict, name, &policy);
  if (!status.ok()) return absl::InvalidArgumentError(status.ToString());
  rocksdb::Options options;
  options.level_compaction_dynamic_level_bytes = true;
  const uint64_t keys = absl::GetFlag(FLAGS_keys);
  GrownDatabase database(directory + "/" + name, keys, options);
  database.Open(policy);
  database.Write(0, keys, Order::kRandom);
  database.Rest();
  std::printf("%-40s %8.2f", name, database.BitsPerKey());
  for (const bool is_zipf : {false, true}) {
    for (const double share : kShares) {
      if (is_zipf && share == 0) continue;
      std::printf(" %7.2f",
                  1000 * database.WastedReads(absl::GetFlag(FLAGS_lookups),
                                              share, keys, is_zipf));
    }
  }
  std::printf("\n");
  std::fflush(stdout);
  return absl::OkStatus();
}

absl::Status Run(const std::string& directory) {
  std::printf("%-40s %8s %31s %23s\n", "", "", "wasted reads, all keys alike",
              "by Zipf's law");
  std::printf("%-40s %8s %7s %7s %7s %7s %7s %7s %7s\n", "policy", "bits/key",
              "0 %", "50 %", "90 %", "99 %", "50 %", "90 %", "99 %");
  for (const char* policy : kPolicies) {
    const absl::Status status = Measure(directory, policy);
    if (!status.ok()) return status;
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
      {"Counts the reads that filters waste where lookups find their keys.",
       "oneline-hits", oneline::FlagError, oneline::Run},
      argc, argv);
}
