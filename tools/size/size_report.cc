#include "tools/size/size_report.h"

#include <cmath>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/substitute.h"
#include "tools/database/configured_policy.h"
#include "tools/text/json_output.h"
#include "tools/text/number_text.h"

namespace oneline {
namespace {

// The level with nearly all keys.
const LevelPlan& LastLevel(const SizePlan& plan) { return plan.levels.back(); }

// Of a Ribbon: each column halves the rate.
double Columns(const FilterRate& rate) { return -std::log2(rate.fp_rate); }

std::string ProbesText(const FilterRate& rate) {
  if (rate.probes == 0) return absl::StrFormat("%.2f columns", Columns(rate));
  return absl::StrFormat("%d probe%s", rate.probes, rate.probes > 1 ? "s" : "");
}

const char* SpreadText(const SizePlan& plan) {
  return plan.by_level ? "by level" : "uniform";
}

// The kind of filter; in a tree also how bits are spread.
std::string NameText(const Store& store, const SizePlan& plan) {
  return absl::StrFormat("%-14s %-8s", plan.model->name,
                         store.is_tree() ? SpreadText(plan) : "");
}

std::string PolicyOf(const Store& store, const SizePlan& plan) {
  const bool has_short_name = plan.by_level == plan.model->ours() &&
                              plan.options.hits == 0 &&
                              !plan.options.fp_rate.has_value();
  return store.is_tree() && !has_short_name
             ? PolicyText(plan.options)
             : absl::Substitute(plan.model->policy, absl::StrCat(plan.asked));
}

void PrintStore(const Store& store) {
  absl::PrintF("%s keys, a filter for each %s of them",
               KeyCountText(store.Keys()), KeyCountText(store.keys_per_filter));
  if (store.is_tree()) {
    absl::PrintF(
        ", %d runs in level 0 and %d levels below it:\n"
        "a lookup of an absent key queries %.0f filters",
        store.levels[0].runs, store.levels.size() - 1, store.Runs());
  }
  if (store.hits > 0) {
    absl::PrintF("; %s of those that come to the last level\nfind their key",
                 PercentText(store.hits));
  }
  absl::PrintF(".\n\n");
}

void PrintPlans(const Store& store, const std::vector<SizePlan>& plans) {
  absl::PrintF("%23s bits/key %8s %12s %9s false positives\n", "", "memory", "",
               "rate");
  for (const SizePlan& plan : plans) {
    const FilterRate& rate = LastLevel(plan).rate;
    const double million = 1e6 * plan.false_positives;
    absl::PrintF("%s %8.3f %8s %12s %9s %15s\n", NameText(store, plan),
                 plan.bits_per_key, BytesText(plan.bytes),
                 plan.by_level ? "" : ProbesText(rate),
                 plan.by_level ? "differs" : PercentText(rate.fp_rate),
                 // With three digits.
                 million < 99.95 ? absl::StrFormat("%.3g", million)
                                 : KeyCountText(million));
  }
  absl::PrintF(
      "\nFalse positives: for a million lookups%s.\n",
      store.hits > 0 ? " that come to the last level" : " of absent keys");
}

// The levels of one kind's plans.
void PrintLevels(const Store& store, const SizePlan& uniform,
                 const SizePlan& by_level) {
  absl::PrintF("\n%-20s %19s %19s\n%20s",
               absl::StrCat(uniform.model->name, ":"), SpreadText(uniform),
               SpreadText(by_level), "keys");
  absl::PrintF(" bits/key       rate bits/key       rate\n");
  for (size_t n = 0; n < store.levels.size(); ++n) {
    const TreeLevel& level = store.levels[n];
    if (level.runs == 0) continue;
    absl::PrintF("%-3s %16s", absl::StrCat("L", n),
                 KeyCountText(level.keys * level.runs));
    for (const SizePlan* plan : {&uniform, &by_level}) {
      const LevelPlan& filters = plan->levels[n];
      absl::PrintF(
          " %8s %10s",
          filters.asked > 0 ? absl::StrFormat("%.3f", filters.asked) : "none",
          PercentText(filters.rate.fp_rate));
    }
    absl::PrintF("\n");
  }
}

// Names the kinds that miss the goal.
void PrintShortfalls(const SizeWanted& wanted,
                     const std::vector<SizePlan>& plans) {
  std::vector<std::string> names;
  for (const SizePlan& plan : plans) {
    const bool has_bits = !wanted.bits_per_key ||
                          !plan.model->asked_is_bits_per_key ||
                          plan.bits_per_key >= 0.999 * *wanted.bits_per_key;
    const bool has_rate = !wanted.fp_rate || LastLevel(plan).rate.fp_rate <=
                                                 1.001 * *wanted.fp_rate;
    if (!plan.by_level && !(has_bits && has_rate)) {
      names.push_back(plan.model->name);
    }
  }
  if (names.empty()) return;
  absl::PrintF(
      "\nLess than that, since a filter has at most 100 bits per key and a "
      "block 4 GiB: %s.\n",
      absl::StrJoin(names, ", "));
}

// "probes" or "columns", and "fp_rate".
Json FilterJson(const LevelPlan& level) {
  Json json = {{"fp_rate", level.rate.fp_rate}};
  if (level.rate.probes > 0) {
    json["probes"] = level.rate.probes;
  } else if (level.asked > 0) {
    json["columns"] = Columns(level.rate);
  }
  return json;
}

Json PlanJson(const Store& store, const SizePlan& plan) {
  Json json = {
      {"name", plan.model->name},   {"filter_policy", PolicyOf(store, plan)},
      {"spread", SpreadText(plan)}, {"bits_per_key", plan.bits_per_key},
      {"filter_bytes", plan.bytes}, {"wasted_reads", plan.false_positives}};
  if (!store.is_tree()) {
    json.update(FilterJson(LastLevel(plan)));
    return json;
  }
  for (size_t i = 0; i < plan.levels.size(); ++i) {
    const TreeLevel& level = store.levels[i];
    const LevelPlan& filters = plan.levels[i];
    Json one = {{"level", i},
                {"runs", level.runs},
                {"keys", level.keys * level.runs},
                {"filters", filters.filters},
                {"asked_bits_per_key", filters.asked},
                {"filter_bytes", filters.bytes}};
    one.update(FilterJson(filters));
    json["levels"].push_back(one);
  }
  return json;
}

}  // namespace

void PrintSizeTable(const Store& store, const SizeWanted& wanted,
                    const std::vector<SizePlan>& plans) {
  PrintStore(store);
  PrintPlans(store, plans);
  if (store.is_tree()) PrintLevels(store, plans[0], plans[1]);
  PrintShortfalls(wanted, plans);
  absl::PrintF("\nIn an OPTIONS file:\n");
  for (const SizePlan& plan : plans) {
    absl::PrintF("%s filter_policy=%s\n", NameText(store, plan),
                 PolicyOf(store, plan));
  }
}

void PrintSizeJson(const Store& store, const std::vector<SizePlan>& plans) {
  Json json = {{"keys", store.Keys()},
               {"keys_per_filter", store.keys_per_filter},
               {"runs", store.Runs()},
               {"hits", store.hits}};
  for (const SizePlan& plan : plans) {
    json["filters"].push_back(PlanJson(store, plan));
  }
  PrintJson(json);
}

}  // namespace oneline
