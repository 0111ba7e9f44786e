#include "membership/urls/url_frontier.h"

#include <utility>

namespace oneline {

UrlFrontier::UrlFrontier(std::unique_ptr<UrlStore> store,
                         uint64_t expected_urls, Warning warning)
    : store_(std::move(store)),
      expected_urls_(expected_urls),
      warning_(std::move(warning)) {}

absl::StatusOr<bool> UrlFrontier::Push(std::string_view url) {
  bool is_new = false;
  const absl::Status status = Push(&url, 1, &is_new);
  if (!status.ok()) return status;
  return is_new;
}

absl::Status UrlFrontier::Push(const std::string_view* urls, size_t n,
                               bool* is_new) {
  Warning warning;
  uint64_t num_seen = 0;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    const absl::Status status = store_->Push(urls, n, is_new);
    if (!status.ok()) return status;
    num_seen = store_->NumSeen();
    if (num_seen > expected_urls_) warning = std::exchange(warning_, nullptr);
  }
  // Without the lock, because it may call the frontier.
  if (warning) warning(num_seen, expected_urls_);
  return absl::OkStatus();
}

absl::StatusOr<std::optional<std::string>> UrlFrontier::Pop() {
  const std::lock_guard<std::mutex> lock(mutex_);
  return store_->Pop();
}

absl::Status UrlFrontier::Sync() {
  const std::lock_guard<std::mutex> lock(mutex_);
  return store_->Sync();
}

uint64_t UrlFrontier::Size() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return store_->NumQueued();
}

uint64_t UrlFrontier::NumSeen() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return store_->NumSeen();
}

}  // namespace oneline
