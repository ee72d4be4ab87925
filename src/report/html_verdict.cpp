// SPDX-License-Identifier: MIT
// The answer in words: what was chosen, what to expect, whether to rely on it.
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "report/html_parts.hpp"
#include "summary/confusion.hpp"
#include "summary/format.hpp"
#include "summary/words.hpp"

namespace alo::report {

namespace {

// The weighted variance of the response (divisor sum of w).
double response_variance(const Problem& problem) {
  const Dataset& data = problem.data();
  const double total = data.weights.sum();
  const double mean = data.weights.dot(data.response) / total;
  return data.weights.dot((data.response.array() - mean).square().matrix()) / total;
}

std::string what_was_chosen(const Problem& problem, const TuneResult& result, const Selected& chosen) {
  std::string text =
      fmt::format("The {} at \u03bb = {}", model_words(problem), readable_short(chosen.choice.lambda, 4));
  const RiskCurve* curve = choosing_curve(result);
  const bool larger = curve && larger_is_better(curve->metric);
  const std::string best =
      larger ? fmt::format("largest estimated {}", metric_words(curve->metric)) : "smallest estimated error";
  text += result.rule == Rule::minimum
              ? fmt::format(", which has the {}", best)
              : fmt::format(", the most regularised fit within one standard error of the {}", best);
  return text + "; " + count_words(problem, chosen.point) + ".";
}

// The expected error on a new row, in words and in the response's own units.
std::string what_to_expect(const Problem& problem, const TuneResult& result, const Selected& chosen) {
  const RiskCurve* curve = choosing_curve(result);
  const Estimate& estimate = best_risk(chosen);
  if (!curve || !estimate.mean) return "";
  const double risk = *estimate.mean;
  const bool larger = larger_is_better(curve->metric);
  const bool by_folds = result.chosen_by == ChooseBy::kfold && !is_proved(chosen);
  std::string text =
      fmt::format("{} puts its {} on new rows at about {}", by_folds ? "Cross-validation" : "Leave-one-out",
                  metric_words(curve->metric), readable_short(risk, larger ? 3 : 4));
  if (estimate.se) text += fmt::format(" \u00b1 {} (one standard error)", readable_short(*estimate.se, 2));
  if (curve->metric == Metric::mse && risk >= 0) {
    text += fmt::format(": typically {} off in the units of {}", readable_short(std::sqrt(risk), 3),
                        problem.data().response_name);
    const double variance = response_variance(problem);
    if (variance > 0 && risk < variance) {
      text += fmt::format(", with {:.0f}\u00a0% of its variance explained", 100 * (1 - risk / variance));
    } else if (variance > 0) {
      text += ", which is no better than always predicting the mean";
    }
  }
  text += ".";
  if (const auto confusion = find_confusion(problem, result.chosen()); confusion && confusion->total() > 0) {
    text += fmt::format(" Held-out rows get their right class in {} of cases.",
                        percent(confusion->correct(), confusion->total()));
  }
  return text;
}

}  // namespace

std::string percent(Index part, Index whole) {
  return whole == 0
             ? "-"
             : fmt::format("{:.1f}\u00a0%", 100.0 * static_cast<double>(part) / static_cast<double>(whole));
}

void add_verdict(Page& page, const Problem& problem, const TuneResult& result, const Wording& wording) {
  std::vector<std::string> paragraphs;
  std::string headline = verdict_headline(result);
  if (const auto& chosen = result.chosen()) {
    headline =
        fmt::format("\u03bb = {} chosen; {}", readable_short(chosen->choice.lambda, 4),
                    result.verdict.reliable ? "the choice can be relied on" : "do not rely on the choice");
    paragraphs.push_back(what_was_chosen(problem, result, *chosen));
    std::string expected = what_to_expect(problem, result, *chosen);
    if (!expected.empty()) expected += " " + honesty_sentence(result, wording);
    paragraphs.push_back(expected);
  }
  std::string trust = chooser_sentence(result);
  for (const std::string& sentence : verdict_reasons(result, wording)) {
    trust += (trust.empty() ? "" : " ") + sentence;
  }
  paragraphs.push_back(trust);
  std::erase(paragraphs, std::string());
  page.verdict(result.chosen() && result.verdict.reliable ? "good" : "bad", headline, paragraphs);
}

}  // namespace alo::report
