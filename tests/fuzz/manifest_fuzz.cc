// Fuzz target: any bytes as a MANIFEST. What is not refused can be written
// again with every table replaced, and is read back as that.
//
// The input is the file, or, since bytes with a right checksum are not found by
// chance, if its first byte is 0, records with their lengths before them.

#include <string>
#include <string_view>
#include <vector>

#include "tests/fuzz/fuzz_input.h"
#include "tools/manifest/log_records.h"
#include "tools/manifest/manifest.h"

namespace oneline {
namespace {

std::string FileOf(FuzzInput input) {
  if (input.rest().substr(0, 1) != std::string_view("\0", 1)) {
    return std::string(input.rest());
  }
  input.TakeByte();
  std::string file;
  while (!input.empty()) AppendLogRecord(input.TakeString(), &file);
  return file;
}

void CheckReplaced(const Manifest& manifest) {
  std::vector<Replacement> replacements;
  uint64_t number = manifest.next_file_number();
  for (const auto& [id, family] : manifest.families()) {
    for (const auto& [old_number, table] : family.tables) {
      number = std::max(number, old_number + 1);
    }
  }
  for (const auto& [id, family] : manifest.families()) {
    for (const auto& [old_number, table] : family.tables) {
      replacements.push_back({id, old_number, table});
      replacements.back().table.number = number++;
      if (number == 0) return;  // after the largest
    }
  }
  const auto after = Manifest::Parse(manifest.With(replacements, number));
  Require(after.ok(), "what is written is read",
          std::string(after.status().message()));
  Require(IsReplaced(manifest, replacements, *after),
          "every table is replaced, and nothing else");
}

}  // namespace
}  // namespace oneline

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace oneline;
  const auto manifest = Manifest::Parse(FileOf(FuzzInput(data, size)));
  if (manifest.ok()) {
    CheckReplaced(*manifest);
  } else {
    Require(!manifest.status().message().empty(), "an error has words");
  }
  return 0;
}
