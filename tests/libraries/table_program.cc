// A program that is linked to RocksDB and knows nothing of this library, for
// tests of what it gets when filters are replaced. It writes a table of 20,000
// keys and prints the table's filter: the name of the policy, the bits per key,
// and the policy's name in OPTIONS files.
//
// Usage: table_program FILE bloom BITS
//        table_program FILE ribbon BITS LEVEL
//        table_program FILE name NAME

#include <rocksdb/convenience.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/sst_file_reader.h>
#include <rocksdb/sst_file_writer.h>
#include <rocksdb/table.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

static void Check(const rocksdb::Status& status) {
  if (status.ok()) return;
  std::fprintf(stderr, "%s\n", status.ToString().c_str());
  std::exit(1);
}

int main(int argc, char** argv) {
  if (argc < 4) return 2;
  const std::string file = argv[1], how = argv[2], what = argv[3];
  rocksdb::BlockBasedTableOptions table;
  if (how == "bloom") {
    table.filter_policy.reset(rocksdb::NewBloomFilterPolicy(std::stod(what)));
  } else if (how == "ribbon") {
    table.filter_policy.reset(
        rocksdb::NewRibbonFilterPolicy(std::stod(what), std::atoi(argv[4])));
  } else {
    Check(rocksdb::FilterPolicy::CreateFromString({}, what,
                                                  &table.filter_policy));
  }
  rocksdb::Options options;
  options.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
  rocksdb::SstFileWriter writer(rocksdb::EnvOptions(), options);
  Check(writer.Open(file));
  for (int i = 100000; i < 120000; ++i) {
    Check(writer.Put("key" + std::to_string(i), "value"));
  }
  Check(writer.Finish());
  rocksdb::SstFileReader reader(options);
  Check(reader.Open(file));
  const auto properties = reader.GetTableProperties();
  std::printf("%s %.1f %s\n", properties->filter_policy_name.c_str(),
              8.0 * static_cast<double>(properties->filter_size) /
                  static_cast<double>(properties->num_entries),
              table.filter_policy->GetId().c_str());
}
