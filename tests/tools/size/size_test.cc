#include "filter_policy/options/filter_options_text.h"
#include "tests/tools/run_oneline.h"

namespace oneline {
namespace {

double Number(const Json& json) { return json.number(); }

Finished Size(const std::string& flags) { return RunOneline("size " + flags); }

// Parses the program's JSON, and checks what holds for every answer.
Json SizeJson(const std::string& flags) {
  const Json json = RunForJson("size " + flags);
  for (const Json& filter : json["filters"].elements()) {
    const std::string policy = filter["filter_policy"].text();
    if (policy.find("oneline") != std::string::npos) {
      FilterOptions options;
      EXPECT_EQ(ParsePolicy(policy, &options), "") << policy;
    }
    EXPECT_NEAR(Number(filter["filter_bytes"]) * 8 / Number(json["keys"]),
                Number(filter["bits_per_key"]), 1e-6);
  }
  return json;
}

Json Filter(const Json& json, const char* name,
            const char* spread = "uniform") {
  for (const Json& filter : json["filters"].elements()) {
    if (filter["name"] == name && filter["spread"] == spread) {
      return filter;
    }
  }
  ADD_FAILURE() << "no filter " << name;
  return json;
}

TEST(SizeTest, TellsOfEveryKind) {
  const Json json = SizeJson("--keys=1e9 --bits_per_key=10");
  EXPECT_EQ(Number(json["keys"]), 1e9);
  EXPECT_EQ(json["keys_per_filter"], 1e6);
  EXPECT_EQ(Number(json["runs"]), 1);
  EXPECT_EQ(json["filters"].size(), 4u);
  const Json ribbon = Filter(json, "oneline ribbon");
  EXPECT_EQ(ribbon["filter_policy"], "oneline:10");
  EXPECT_NEAR(Number(ribbon["fp_rate"]), 0.0015689, 2e-6);
  EXPECT_NEAR(Number(ribbon["columns"]), 9.32, 0.01);
  const Json bloom = Filter(json, "oneline bloom");
  EXPECT_EQ(bloom["filter_policy"], "{id=oneline;kind=bloom;bits_per_key=10}");
  EXPECT_EQ(bloom["probes"], 6);
  // 1,000 filters of 1,000,000 keys: 19,532 lines and the trailer.
  EXPECT_EQ(Number(bloom["filter_bytes"]), 1000.0 * (19532 * 64 + 32));
  const Json rocksdb = Filter(json, "RocksDB Bloom");
  EXPECT_EQ(rocksdb["filter_policy"], "bloomfilter:10:false");
  EXPECT_EQ(Number(rocksdb["filter_bytes"]), 1000.0 * (19532 * 64 + 5));
  // The measured rate is 0.966 %.
  EXPECT_NEAR(Number(rocksdb["wasted_reads"]), 0.00966, 0.0001);
  EXPECT_GT(Filter(json, "RocksDB Ribbon")["columns"], 0);
}

TEST(SizeTest, ATree) {
  const Json json = SizeJson(
      "--keys=1e13 --bits_per_key=10 --levels=6 --size_ratio=8 "
      "--level0_files=2");
  EXPECT_EQ(Number(json["runs"]), 8);
  EXPECT_EQ(json["filters"].size(), 8u);
  for (const Json& filter : json["filters"].elements()) {
    const Json levels = filter["levels"];
    ASSERT_EQ(levels.size(), 7u);
    double keys = 0, memory = 0;
    for (size_t i = 0; i < levels.size(); ++i) {
      EXPECT_EQ(levels[i]["level"], i);
      EXPECT_EQ(levels[i]["runs"], i == 0 ? 2 : 1);
      keys += Number(levels[i]["keys"]);
      memory += Number(levels[i]["filter_bytes"]);
    }
    EXPECT_NEAR(keys, 1e13, 1e4);
    EXPECT_NEAR(memory, Number(filter["filter_bytes"]), 1e4);
  }
  const Json uniform = Filter(json, "oneline ribbon");
  const Json by_level = Filter(json, "oneline ribbon", "by level");
  EXPECT_EQ(uniform["filter_policy"], "{id=oneline;bits_by_level=false}");
  EXPECT_EQ(by_level["filter_policy"], "oneline:10");
  EXPECT_EQ(Filter(json, "RocksDB Ribbon", "by level")["filter_policy"],
            "{id=oneline;kind=rocksdb_ribbon}");
  // By the size ratio, 8.
  EXPECT_EQ(by_level["levels"][5]["asked_bits_per_key"], 12.901);
  EXPECT_GT(uniform["wasted_reads"], by_level["wasted_reads"]);
}

// Of these the smallest trees have no run on level 0, which would have less
// than one key; the others are what errors ask for.
TEST(SizeTest, TheSmallestAndTheLargestStores) {
  for (const std::string flags :
       {"--keys=1 --bits_per_key=10 --levels=1 --level0_files=0",
        "--keys=1 --memory=1MiB --levels=1 --level0_files=0",
        "--keys=300 --fp_rate=0.01 --levels=8 --size_ratio=2 --level0_files=0",
        "--keys=44448 --bits_per_key=10 --levels=5",
        "--keys=1 --bits_per_key=10",
        "--keys=1e15 --bits_per_key=10 --levels=15"}) {
    const Finished program = Size(flags);
    EXPECT_EQ(program.exit_code, 0) << flags << program.err;
    EXPECT_TRUE(Contains(program.out, "RocksDB Ribbon")) << flags;
  }
  const std::string limit =
      "Less than that, since a filter has at most 100 bits";
  EXPECT_TRUE(
      Contains(Size("--keys=9e8 --keys_per_filter=9e8 --bits_per_key=100").out,
               limit + " per key and a block 4 GiB: oneline ribbon, oneline "
                       "bloom, RocksDB Bloom.\n"));
  EXPECT_FALSE(Contains(Size("--keys=9e8 --bits_per_key=100").out, limit));
}

TEST(SizeTest, WrongFlagsGetOneClearLine) {
  for (const auto& [flags, error] :
       std::vector<std::pair<std::string, std::string>>{
           {"--bits_per_key=10", "--keys must be given"},
           {"--keys=1e9", "must be given, not 0"},
           {"--keys=1e9 --bits_per_key=10 --fp_rate=0.1 --memory=1GiB",
            "must be given, not 3"},
           {"--keys=1e9 --memory=1MB",
            "--memory must be at least 119 MiB, 1 bit per key"},
           {"--keys=1e9 --bits_per_key=10 --keys_per_filter=1e9",
            "--keys_per_filter=1e9: must be a number from 1 to 9.5e8"},
           {"--keys=1e9 --bits_per_key=10 --hits=0.5", "--hits needs --levels"},
           {"--keys=100 --bits_per_key=10 --levels=5",
            "--keys must be at least 44,448 for a tree with that many "
            "levels"}}) {
    ExpectRefusal(Size(flags), error);
  }
}

}  // namespace
}  // namespace oneline
