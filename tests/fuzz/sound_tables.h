// Small databases of one table each, which a fuzz target damages: with filters
// of ours and of RocksDB, full and partitioned, of keys and of prefixes.

#ifndef ONELINE_TESTS_FUZZ_SOUND_TABLES_H_
#define ONELINE_TESTS_FUZZ_SOUND_TABLES_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/temporary_directory.h"

namespace oneline {

// A block of a table, without the byte of its compression and the four of its
// checksum, which follow it; or the footer, which has neither.
//
// RocksDB asserts much that it takes from a block with a right checksum, such
// as lengths, and the distribution's is built with assertions. So of each byte
// only those bits may be changed that an assertion does not depend on.
struct BlockPlace {
  size_t offset;
  size_t size;
  bool has_checksum = true;
  // If the checksum is made right again: all bits of filters, keys and values
  // of data and properties, keys of indexes.
  std::string mended_bits;
  // If it stays as it was: all, except in the properties, which RocksDB parses
  // before it looks at their checksum. There they are the same, and none in
  // a table with a partitioned index, which RocksDB must learn from them.
  std::string unmended_bits;
};

struct SoundTable {
  std::string database;
  std::string path;
  std::string contents;
  // In the order of the file: data, filter, index, properties, metaindex,
  // footer.
  std::vector<BlockPlace> blocks;
};

// The same tables in every run, but for what RocksDB draws at random or takes
// from the clock: names of the database and of its session, times.
class SoundTables {
 public:
  // Ends the program if they can't be made.
  SoundTables();

  const std::vector<SoundTable>& tables() const { return tables_; }

 private:
  const TemporaryDirectory directory_;
  std::vector<SoundTable> tables_;
};

// Writes the right checksum behind a block.
void MendBlockChecksum(const BlockPlace& block, std::string* table);

// Writes the right checksum into the trailer of a filter block of ours.
void MendFilterTrailer(const BlockPlace& block, std::string* table);

}  // namespace oneline

#endif  // ONELINE_TESTS_FUZZ_SOUND_TABLES_H_
