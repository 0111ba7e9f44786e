#include "filter_policy/rocksdb/rocksdb_predecessor.h"

#include <utility>

#include "filter_policy/options/filter_options_text.h"

namespace oneline {
namespace {

struct Offer {
  std::string id;
  const SharedOptions* options;
  Predecessor predecessor;
};

std::optional<Offer>& TheOffer() {
  thread_local std::optional<Offer> offer;
  return offer;
}

}  // namespace

void OfferPredecessor(const std::string& id, const SharedOptions* options,
                      Predecessor predecessor) {
  TheOffer() = {id, options, std::move(predecessor)};
}

bool LeavesOptionsOut(const SharedOptions* options,
                      const rocksdb::ConfigOptions& config_options) {
  std::optional<Offer>& offer = TheOffer();
  // RocksDB sets invoke_prepare_options to false where it parses an option of a
  // table factory; programs leave it at true.
  if (!offer.has_value() || offer->options != options ||
      offer->id != kPolicyName || config_options.invoke_prepare_options) {
    return false;
  }
  offer->predecessor.options_go_on = true;
  return true;
}

std::optional<Predecessor> TakePredecessor(const std::string& id) {
  std::optional<Offer> offer = std::exchange(TheOffer(), std::nullopt);
  if (!offer.has_value() || offer->id != id) return std::nullopt;
  // RocksDB has not asked for the options, so this is no call of SetOptions.
  if (id == kPolicyName && !offer->predecessor.options_go_on) {
    return std::nullopt;
  }
  return std::move(offer->predecessor);
}

void ForgetPredecessor() { TheOffer().reset(); }

}  // namespace oneline
