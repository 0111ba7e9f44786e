#include "tools/size/size_report.h"

#include <cmath>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "tools/database/configured_policy.h"
#include "tools/text/json_output.h"
#include "tools/text/number_text.h"

namespace oneline {
namespace {

constexpr double kMillion = 1e6;

// The level with nearly all keys.
const LevelPlan& LastLevel(const SizePlan& plan) { return plan.levels.back(); }

// Of a Bloom filter; 0 for a Ribbon.
int Probes(const FilterModel& model, const LevelPlan& level) {
  return model.probes(level.asked, level.filter_keys);
}

// Of a Ribbon: each column halves the rate.
double Columns(const LevelPlan& level) { return -std::log2(level.fp_rate); }

std::string ProbesText(const FilterModel& model, const LevelPlan& level) {
  const int probes = Probes(model, level);
  if (probes == 0) return absl::StrFormat("%.2f columns", Columns(level));
  return absl::StrFormat("%d probe%s", probes, probes > 1 ? "s" : "");
}

// With three digits.
std::string ReadsText(double reads) {
  return reads < 99.95 ? absl::StrFormat("%.3g", reads) : KeyCountText(reads);
}

const char* SpreadText(const SizePlan& plan) {
  constexpr const char* kTexts[] = {"uniform", "by level"};
  return kTexts[static_cast<int>(plan.spread)];
}

// `is_tree`: the store is one, in which it matters how bits are spread.
std::string TextOf(bool is_tree, const SizePlan& plan) {
  const bool has_short_name = plan.spread == Spread::kByLevel &&
                              plan.options.hits == 0 &&
                              !plan.options.fp_rate.has_value();
  return is_tree && plan.model->kind.has_value() && !has_short_name
             ? PolicyText(plan.options)
             : plan.model->policy(plan.asked);
}

void PrintStore(const Store& store, bool is_tree) {
  absl::PrintF("%s keys, a filter for each %s of them",
               KeyCountText(store.Keys()),
               KeyCountText(static_cast<double>(store.keys_per_filter)));
  if (is_tree) {
    absl::PrintF(
        ", %d runs in level 0 and %d levels below it:\n"
        "a lookup of an absent key queries %.0f filters",
        store.levels[0].runs, store.levels.size() - 1, store.Runs());
    if (store.hits() > 0) {
      absl::PrintF("; %s of those that come to the last level\nfind their key",
                   PercentText(store.hits()));
    }
  }
  absl::PrintF(".\n\n");
}

void PrintPlans(const Store& store, bool is_tree,
                const std::vector<SizePlan>& plans) {
  absl::PrintF("%23s bits/key %9s %13s %10s wasted reads\n", "", "memory", "",
               "rate");
  for (const SizePlan& plan : plans) {
    absl::PrintF("%-14s %-8s %8.3f %9s %13s %10s %12s\n", plan.model->name,
                 is_tree ? SpreadText(plan) : "", plan.bits_per_key,
                 BytesText(plan.bytes),
                 plan.spread == Spread::kUniform
                     ? ProbesText(*plan.model, LastLevel(plan))
                     : "",
                 plan.spread == Spread::kUniform
                     ? PercentText(LastLevel(plan).fp_rate)
                     : "differs",
                 ReadsText(kMillion * plan.false_positives));
  }
  absl::PrintF(
      "\nWasted reads: for a million lookups%s.\n",
      store.hits() > 0 ? " that come to the last level" : " of absent keys");
}

void PrintPolicies(bool is_tree, const std::vector<SizePlan>& plans) {
  absl::PrintF("\nIn an OPTIONS file:\n");
  for (const SizePlan& plan : plans) {
    absl::PrintF("%-14s %-8s filter_policy=%s\n", plan.model->name,
                 is_tree ? SpreadText(plan) : "", TextOf(is_tree, plan));
  }
}

std::string LevelText(const LevelPlan& level) {
  if (level.asked == 0) return absl::StrFormat("%8s %10s", "none", "100 %");
  return absl::StrFormat("%8.3f %10s", level.asked, PercentText(level.fp_rate));
}

// The levels of one kind's plans.
void PrintLevels(const Store& store, const std::vector<SizePlan>& plans) {
  const size_t spreads = 2;
  absl::PrintF("\n%-20s", absl::StrCat(plans[0].model->name, ":"));
  for (size_t i = 0; i < spreads; ++i) {
    absl::PrintF(" %19s", SpreadText(plans[i]));
  }
  absl::PrintF("\n%20s", "keys");
  for (size_t i = 0; i < spreads; ++i) absl::PrintF(" bits/key       rate");
  absl::PrintF("\n");
  for (size_t n = 0; n < store.levels.size(); ++n) {
    const TreeLevel& level = store.levels[n];
    if (level.runs == 0) continue;
    absl::PrintF("%-3s %16s", absl::StrCat("L", n),
                 KeyCountText(level.keys * level.runs));
    for (size_t i = 0; i < spreads; ++i) {
      absl::PrintF(" %s", LevelText(plans[i].levels[n]));
    }
    absl::PrintF("\n");
  }
}

// Names the kinds that miss the goal, and says why.
void PrintShortfalls(const SizeWanted& wanted,
                     const std::vector<SizePlan>& plans) {
  std::vector<std::string> above_rate, too_small;
  for (const SizePlan& plan : plans) {
    if (plan.spread != Spread::kUniform) continue;
    if (wanted.fp_rate && LastLevel(plan).fp_rate > 1.001 * *wanted.fp_rate) {
      above_rate.push_back(plan.model->name);
    }
    if (wanted.bits_per_key && plan.model->asked_is_bits_per_key &&
        plan.bits_per_key < 0.999 * *wanted.bits_per_key) {
      too_small.push_back(plan.model->name);
    }
  }
  if (!above_rate.empty()) {
    absl::PrintF(
        "\nAbove that rate even with 100 bits per key, the maximum: %s.\n",
        absl::StrJoin(above_rate, ", "));
  }
  if (!too_small.empty()) {
    absl::PrintF(
        "\nFewer bits per key, because a filter block has at most 4 GiB: "
        "%s.\nA smaller --keys_per_filter helps.\n",
        absl::StrJoin(too_small, ", "));
  }
}

// "probes" or "columns", and "fp_rate".
Json FilterJson(const FilterModel& model, const LevelPlan& level) {
  Json json;
  if (level.asked > 0) {
    const int probes = Probes(model, level);
    if (probes > 0) {
      json["probes"] = probes;
    } else {
      json["columns"] = Columns(level);
    }
  }
  json["fp_rate"] = level.fp_rate;
  return json;
}

Json LevelJson(const Store& store, const SizePlan& plan, size_t i) {
  const TreeLevel& level = store.levels[i];
  const LevelPlan& filters = plan.levels[i];
  Json json = {{"level", i},
               {"runs", level.runs},
               {"keys", level.keys * level.runs},
               {"filters", filters.filters},
               {"asked_bits_per_key", filters.asked},
               {"filter_bytes", filters.bytes}};
  json.update(FilterJson(*plan.model, filters));
  return json;
}

Json PlanJson(const Store& store, bool is_tree, const SizePlan& plan) {
  Json json = {
      {"name", plan.model->name},   {"filter_policy", TextOf(is_tree, plan)},
      {"spread", SpreadText(plan)}, {"bits_per_key", plan.bits_per_key},
      {"filter_bytes", plan.bytes}, {"wasted_reads", plan.false_positives}};
  if (!is_tree) {
    json.update(FilterJson(*plan.model, LastLevel(plan)));
    return json;
  }
  for (size_t i = 0; i < plan.levels.size(); ++i) {
    json["levels"].push_back(LevelJson(store, plan, i));
  }
  return json;
}

}  // namespace

void PrintSizeTable(const Store& store, bool is_tree, const SizeWanted& wanted,
                    const std::vector<SizePlan>& plans) {
  PrintStore(store, is_tree);
  PrintPlans(store, is_tree, plans);
  if (is_tree) PrintLevels(store, plans);
  PrintShortfalls(wanted, plans);
  PrintPolicies(is_tree, plans);
}

void PrintSizeJson(const Store& store, bool is_tree,
                   const std::vector<SizePlan>& plans) {
  Json json = {{"keys", store.Keys()},
               {"keys_per_filter", store.keys_per_filter},
               {"runs", store.Runs()},
               {"hits", store.hits()}};
  for (const SizePlan& plan : plans) {
    json["filters"].push_back(PlanJson(store, is_tree, plan));
  }
  PrintJson(json);
}

}  // namespace oneline
