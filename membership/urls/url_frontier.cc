#include "membership/urls/url_frontier.h"

#include <algorithm>
#include <utility>

#include "membership/urls/normal_url.h"

namespace oneline {

void UrlFrontier::WarnPast(uint64_t expected_urls, Warning warning) {
  expected_urls_ = expected_urls;
  warning_ = std::move(warning);
}

std::string_view UrlFrontier::Compared(std::string_view url,
                                       std::string& buffer) const {
  return options_.normalize ? NormalUrl(url, buffer) : url;
}

absl::StatusOr<bool> UrlFrontier::Push(std::string_view url) {
  bool is_new = false;
  const absl::Status status = Push(&url, 1, &is_new);
  if (!status.ok()) return status;
  return is_new;
}

absl::Status UrlFrontier::Push(const std::string_view* urls, size_t n,
                               bool* is_new, const Write& write) {
  Warning warning;
  uint64_t num_seen = 0;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    absl::Status status = FindNew(urls, n, is_new);
    if (status.ok() && write) status = write();
    if (!status.ok()) return status;
    const auto num_new =
        static_cast<uint64_t>(std::count(is_new, is_new + n, true));
    if (num_new > 0) status = Remember(urls, n, is_new, num_new);
    if (!status.ok()) return status;
    if (options_.keep_queue) num_queued_ += num_new;
    num_seen = num_seen_ += num_new;
    if (num_seen > expected_urls_) warning = std::exchange(warning_, nullptr);
  }
  // Without the lock, because it may call the frontier.
  if (warning) warning(num_seen);
  return absl::OkStatus();
}

absl::StatusOr<std::optional<std::string>> UrlFrontier::Pop() {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (num_queued_ == 0) return std::nullopt;
  absl::StatusOr<std::string> url = TakeOldest();
  if (!url.ok()) return url.status();
  --num_queued_;
  return *std::move(url);
}

absl::Status UrlFrontier::Sync() {
  const std::lock_guard<std::mutex> lock(mutex_);
  return Save();
}

uint64_t UrlFrontier::Size() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return num_queued_;
}

uint64_t UrlFrontier::NumSeen() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return num_seen_;
}

}  // namespace oneline
