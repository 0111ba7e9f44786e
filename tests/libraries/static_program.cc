// A program that is linked to RocksDB statically and knows nothing of this
// library, for static_program_test.cc. It writes a table of 20,000 keys and
// prints the table's filter: the name of the policy, the bits per key, and the
// policy's name in OPTIONS files.
//
// Usage: static_program FILE bloom BITS
//        static_program FILE ribbon BITS LEVEL
//        static_program FILE name NAME

#include <rocksdb/convenience.h>
#include <rocksdb/env.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/options.h>
#include <rocksdb/sst_file_reader.h>
#include <rocksdb/sst_file_writer.h>
#include <rocksdb/table.h>
#include <rocksdb/table_properties.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

namespace {

using rocksdb::FilterPolicy;
using rocksdb::Status;

void Check(const Status& status) {
  if (status.ok()) return;
  std::fprintf(stderr, "%s\n", status.ToString().c_str());
  std::exit(1);
}

std::shared_ptr<const FilterPolicy> Policy(
    const std::vector<std::string>& arguments) {
  std::shared_ptr<const FilterPolicy> policy;
  if (arguments[1] == "bloom") {
    policy.reset(rocksdb::NewBloomFilterPolicy(std::stod(arguments[2])));
  } else if (arguments[1] == "ribbon") {
    policy.reset(rocksdb::NewRibbonFilterPolicy(std::stod(arguments[2]),
                                                std::stoi(arguments.at(3))));
  } else {
    Check(FilterPolicy::CreateFromString(rocksdb::ConfigOptions(), arguments[2],
                                         &policy));
  }
  return policy;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  if (arguments.size() < 3) return 2;
  rocksdb::BlockBasedTableOptions table;
  table.filter_policy = Policy(arguments);
  rocksdb::Options options;
  options.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));

  rocksdb::SstFileWriter writer(rocksdb::EnvOptions(), options);
  Check(writer.Open(arguments[0]));
  for (int i = 100000; i < 120000; ++i) {
    Check(writer.Put("key" + std::to_string(i), "value"));
  }
  Check(writer.Finish());
  rocksdb::SstFileReader reader(options);
  Check(reader.Open(arguments[0]));
  Check(reader.VerifyChecksum());
  const auto properties = reader.GetTableProperties();
  std::printf("%s %.1f %s\n", properties->filter_policy_name.c_str(),
              8.0 * static_cast<double>(properties->filter_size) /
                  static_cast<double>(properties->num_entries),
              table.filter_policy->GetId().c_str());
}
