#include "bench/frontier/url_frontier.h"

#include <rocksdb/cache.h>
#include <rocksdb/table.h>
#include <rocksdb/table_properties.h>
#include <rocksdb/write_batch.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "bench/urls/crawled_url.h"
#include "filter_policy/rocksdb/rocksdb_open.h"

namespace oneline {
namespace {

constexpr size_t kRocksJavaCacheBytes = size_t{8} << 20;
constexpr char kCrawl[] = "DEFAULT";

void Check(const rocksdb::Status& status) {
  if (status.ok()) return;
  std::fprintf(stderr, "error: %s\n", status.ToString().c_str());
  std::exit(1);
}

std::string QueueKey(const std::string& host) {
  return kCrawl + ("_" + host) + "_";
}

// What says whether a URL is known.
std::string KnownKey(const std::string& url) {
  return QueueKey(HostOfUrl(url)) + url;
}

// Where a URL is in its queue, which is in the order of times.
std::string ScheduleKey(const std::string& url, uint64_t time) {
  const std::string digits = std::to_string(time);
  return QueueKey(HostOfUrl(url)) + std::string(10 - digits.size(), '0') +
         digits + "_" + url;
}

// A message of protocol buffers with URL, host and crawl, of as many bytes.
std::string UrlInfo(const std::string& url) {
  std::string info;
  for (const std::string& field : {url, HostOfUrl(url), std::string(kCrawl)}) {
    info.push_back('\n');
    info.push_back(static_cast<char>(field.size()));
    info += field;
  }
  return info;
}

}  // namespace

UrlFrontier::UrlFrontier(
    const std::string& path,
    std::shared_ptr<const rocksdb::FilterPolicy> filter_policy,
    size_t cache_bytes, int cache_shard_bits, size_t memtable_bytes)
    : policy_(filter_policy->Name()) {
  rocksdb::BlockBasedTableOptions table;
  table.filter_policy = std::move(filter_policy);
  table.cache_index_and_filter_blocks = cache_bytes > 0;
  table.block_cache = rocksdb::NewLRUCache(
      cache_bytes > 0 ? cache_bytes : kRocksJavaCacheBytes, cache_shard_bits);
  options_.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
  options_.OptimizeUniversalStyleCompaction(memtable_bytes);
  options_.create_if_missing = true;
  options_.create_missing_column_families = true;
  options_.statistics = rocksdb::CreateDBStatistics();
  options_.statistics->set_stats_level(
      rocksdb::StatsLevel::kExceptHistogramOrTimers);
  std::vector<rocksdb::ColumnFamilyDescriptor> families;
  for (const char* name :
       {"default", "queues", "queueInfos", "creationDates"}) {
    families.emplace_back(name, options_);
  }
  Check(
      rocksdb::DB::Open(options_, path, families, &families_, OpenInto(&db_)));
}

UrlFrontier::~UrlFrontier() {
  for (rocksdb::ColumnFamilyHandle* family : families_) {
    Check(db_->DestroyColumnFamilyHandle(family));
  }
  Check(db_->Close());
}

size_t UrlFrontier::PutDiscovered(const std::vector<std::string>& links,
                                  uint64_t now) {
  std::vector<std::string> keys;
  for (const std::string& url : links) keys.push_back(KnownKey(url));
  std::vector<std::string> values;
  const std::vector<rocksdb::Status> found =
      db_->MultiGet({}, {keys.begin(), keys.end()}, &values);
  rocksdb::WriteBatch batch;
  size_t added = 0;
  for (size_t i = 0; i < links.size(); ++i) {
    if (found[i].ok()) continue;
    // The store looks new ones up again, when it has locked them.
    const rocksdb::Status again = db_->Get({}, keys[i], &values[i]);
    if (!again.IsNotFound()) Check(again);
    if (again.ok()) continue;
    const std::string schedule = ScheduleKey(links[i], now);
    Check(batch.Put(families_[kQueues], schedule, UrlInfo(links[i])));
    Check(batch.Put(families_[kKnown], keys[i], schedule));
    Check(batch.Put(families_[kCreationDates], keys[i],
                    {reinterpret_cast<const char*>(&now), sizeof(now)}));
    ++added;
  }
  if (added > 0) Check(db_->Write({}, &batch));
  return added;
}

std::string UrlFrontier::Next(const std::string& host, uint64_t now) {
  const std::string queue = QueueKey(host);
  const std::unique_ptr<rocksdb::Iterator> first(
      db_->NewIterator({}, families_[kQueues]));
  first->Seek(queue);
  Check(first->status());
  if (!first->Valid() || !first->key().starts_with(queue)) return "";
  // After the queue's name: ten digits, an underscore, the URL.
  const std::string rest = first->key().ToString().substr(queue.size());
  return std::stoull(rest.substr(0, 10)) <= now ? rest.substr(11) : "";
}

void UrlFrontier::PutFetched(const std::string& url, uint64_t fetch_again) {
  const std::string key = KnownKey(url);
  std::string schedule;
  Check(db_->Get({}, key, &schedule));
  rocksdb::WriteBatch batch;
  Check(batch.Delete(families_[kQueues], schedule));
  schedule = ScheduleKey(url, fetch_again);
  Check(batch.Put(families_[kQueues], schedule, UrlInfo(url)));
  Check(batch.Put(families_[kKnown], key, schedule));
  Check(db_->Write({}, &batch));
}

uint64_t UrlFrontier::Count(rocksdb::Tickers ticker) const {
  return options_.statistics->getTickerCount(ticker);
}

UrlFrontier::Sizes UrlFrontier::SizesOfTables() {
  Sizes sizes;
  for (rocksdb::ColumnFamilyHandle* family : families_) {
    rocksdb::TablePropertiesCollection tables;
    Check(db_->GetPropertiesOfAllTables(family, &tables));
    for (const auto& [path, table] : tables) {
      if (table->filter_policy_name != policy_ || table->filter_size == 0) {
        Check(rocksdb::Status::Corruption(path, "has no filter of " + policy_));
      }
      sizes.filters += table->filter_size;
      sizes.indexes += table->index_size;
      sizes.largest_index = std::max(sizes.largest_index, table->index_size);
    }
  }
  return sizes;
}

}  // namespace oneline
