// The MANIFEST of a database: reads which tables it has, and writes one in
// which some are replaced.

#ifndef ONELINE_TOOLS_MANIFEST_MANIFEST_H_
#define ONELINE_TOOLS_MANIFEST_MANIFEST_H_

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "tools/manifest/version_edit.h"

namespace oneline {

// A table in the place of another one: of the same column family, level and
// keys.
struct Replacement {
  uint32_t column_family = 0;
  uint64_t old_number = 0;
  TableEntry table;
};

class Manifest {
 public:
  struct Family {
    std::string name;
    std::map<uint64_t, TableEntry> tables;  // by number
  };

  // `file`: its bytes. A record that the file's end cuts off does not count.
  // Errors: DataLoss for damage, or records that contradict each other;
  // Unimplemented for what RocksDB 7.8 to 11.8 do not write.
  static absl::StatusOr<Manifest> Parse(std::string_view file);

  // By the number of the column family.
  const std::map<uint32_t, Family>& families() const { return families_; }

  // Numbers from here on are of no file that the MANIFEST knows of.
  uint64_t next_file_number() const { return next_file_number_; }

  // The bytes of a MANIFEST that has all records of this one, and an edit for
  // each column family with its replacements. REQUIRES: the replaced tables
  // exist, the numbers of the new ones are below `next_file_number` and not of
  // any table.
  std::string With(const std::vector<Replacement>& replacements,
                   uint64_t next_file_number) const;

 private:
  absl::Status Apply(const VersionEdit& edit);
  absl::Status CheckGroup(const VersionEdit& edit);

  std::vector<std::string> records_;
  std::map<uint32_t, Family> families_;
  uint64_t next_file_number_ = 0;
  uint32_t remaining_in_group_ = 0;
};

// Whether both have the same column families with the same tables, apart from
// the replaced ones, of which `after` has the new ones.
bool IsReplaced(const Manifest& before,
                const std::vector<Replacement>& replacements,
                const Manifest& after);

}  // namespace oneline

#endif  // ONELINE_TOOLS_MANIFEST_MANIFEST_H_
