#include "tools/rewrite/table_comparison.h"

#include <rocksdb/file_checksum.h>

#include <algorithm>
#include <memory>
#include <string_view>

#include "absl/strings/str_cat.h"

namespace oneline {
namespace {

constexpr uint64_t kReadBytes = 1 << 20;

// Calls `visit` with the first `end` bytes of a file, one portion after the
// other, and their offset.
template <typename Visit>
absl::Status ForEachPortion(const Disk::Input& file, uint64_t end,
                            const std::function<absl::Status()>& may_go_on,
                            const Visit& visit) {
  for (uint64_t at = 0; at < end; at += kReadBytes) {
    absl::Status status = may_go_on();
    if (!status.ok()) return status;
    const absl::StatusOr<std::string> bytes =
        file.Read(at, std::min(kReadBytes, end - at));
    if (!bytes.ok()) return bytes.status();
    status = visit(at, *bytes);
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

absl::Status Differs(std::string_view what) {
  return absl::DataLossError(
      absl::StrCat("what was written differs from the table before: ",
                   absl::string_view(what.data(), what.size())));
}

// The block with its type, without its checksum.
absl::StatusOr<std::string> ReadTyped(const Disk::Input& file,
                                      const BlockHandle& block) {
  return file.Read(block.offset, block.size + 1);
}

}  // namespace

absl::Status CheckSameButFilter(
    const Disk::Input& old_file, const TableTail& old_tail,
    const Disk::Input& new_file,
    const std::map<std::string, std::string>& properties,
    const std::function<absl::Status()>& may_go_on) {
  const absl::Status same_begin = ForEachPortion(
      old_file, old_tail.cut, may_go_on,
      [&](uint64_t at, const std::string& bytes) {
        const absl::StatusOr<std::string> copy =
            new_file.Read(at, bytes.size());
        if (!copy.ok()) return copy.status();
        return *copy == bytes ? absl::OkStatus()
                              : Differs(absl::StrCat("at byte ", at));
      });
  if (!same_begin.ok()) return same_begin;
  const absl::StatusOr<TableTail> tail = ReadTableTail(new_file);
  if (!tail.ok()) return tail.status();
  if (tail->properties != properties) return Differs("its properties");
  if (tail->blocks.size() != old_tail.blocks.size()) {
    return Differs("the number of its blocks");
  }
  for (const auto& [name, block] : old_tail.blocks) {
    const auto found = tail->blocks.find(name);
    if (found == tail->blocks.end()) return Differs(name);
    const absl::StatusOr<std::string> before = ReadTyped(old_file, block);
    const absl::StatusOr<std::string> after =
        ReadTyped(new_file, found->second);
    if (!before.ok()) return before.status();
    if (!after.ok()) return after.status();
    if (*before != *after) return Differs(name);
  }
  return absl::OkStatus();
}

absl::StatusOr<std::string> Crc32cOf(
    const Disk::Input& file, const std::function<absl::Status()>& may_go_on) {
  const std::unique_ptr<rocksdb::FileChecksumGenerator> checksum =
      rocksdb::GetFileChecksumGenCrc32cFactory()->CreateFileChecksumGenerator(
          {});
  const absl::Status read = ForEachPortion(
      file, file.bytes(), may_go_on, [&](uint64_t, const std::string& bytes) {
        checksum->Update(bytes.data(), bytes.size());
        return absl::OkStatus();
      });
  if (!read.ok()) return read;
  checksum->Finalize();
  return checksum->GetChecksum();
}

}  // namespace oneline
